function x = solve(K, right)
% x with K x = right.
  x = K\right;
end
