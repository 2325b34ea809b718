% Rates of (q, v) of a chain of equal rods by an augmented Lagrangian, omega = 0.
%
% q are x, y of the centre and the angle of each link. Only the entries of the Jacobian that change are written anew.
% Bayo, Garcia de Jalon, Serna, 1988, section 3.
function rate = augmented_lagrangian (t, y)
  persistent links mass force jacobian own above
  alpha = 1e7;
  n = numel (y) / 6;
  if (isempty (links) || links != n)
    links = n;
    mass = repmat ([1; 1; 1/12], n, 1);
    force = repmat ([0; -9.81; 0], n, 1);
    jacobian = zeros (2*n, 3*n);
    i = 1:n;
    x = 3*i - 2;
    jacobian(sub2ind ([2*n, 3*n], [2*i-1, 2*i], [x, x+1])) = 1;
    jacobian(sub2ind ([2*n, 3*n], [2*i(2:n)-1, 2*i(2:n)], [x(1:n-1), x(1:n-1)+1])) = -1;
    own = sub2ind ([2*n, 3*n], [2*i-1, 2*i], [x, x] + 2);
    above = sub2ind ([2*n, 3*n], [2*i(2:n)-1, 2*i(2:n)], [x(1:n-1), x(1:n-1)] + 2);
  end
  v = y(3*n+1:end);
  theta = y(3:3:3*n);
  square = v(3:3:end) .^ 2 / 2;
  sine = sin (theta);
  cosine = cos (theta);
  J = jacobian;
  J(own) = [cosine; sine] / -2;
  J(above) = [cosine(1:n-1); sine(1:n-1)] / -2;
  gx = sine .* square;
  gy = cosine .* square;
  gamma = [-gx - [0; gx(1:n-1)], gy + [0; gy(1:n-1)]]'(:);
  R = chol (diag (mass) + J' * (alpha * J));
  a = R \ (R' \ (force + J' * (alpha * gamma)));
  lambda = zeros (2*n, 1);
  for k = 1:10
    lambda += alpha * (J * a - gamma);
    before = a;
    a = R \ (R' \ (force - J' * (lambda - alpha * gamma)));
    if (norm (a - before) < 1e-8 * norm (a))
      break
    end
  end
  rate = [v; a];
end
