function x = solve(K, right)
% The shortest x with the smallest residual K x - right, where K has the rank @rank@ and is taken to have no more.
  [U, S, V] = svd(K);
  sizes = diag(S);
  x = V(:, 1:@rank@)*((U(:, 1:@rank@)'*right)./sizes(1:@rank@));
end
