function [a, lambda] = accelerations(@state@, p)
% Accelerations and multipliers: M a + Phi_q' lambda = Q, Phi_q a = gamma.
  Phi_q = @call:constraint_jacobian@;
  [m, n] = size(Phi_q);
  K = [@call:mass_matrix@, Phi_q'; Phi_q, zeros(m, m)];
  x = solve(K, [@call:forces@; @call:constraint_gamma@]);
  a = x(1:n);
  lambda = x(n + 1:end);
end

function y = project(t, y, p)
% The state nearest to y with Phi = 0 and Phi_q v + Phi_t = 0.
  n = @coordinates@;
  q = y(1:n);
  v = y(n + 1:2*n);
  residual = Inf;
  for iteration = 1:20
    Phi = @call:constraints@;
    Phi_q = @call:constraint_jacobian@;
    before = residual;
    residual = max(abs(Phi));
    extent = max([1; abs(q)]);
    if residual <= 1e-15*extent || ~(residual < 0.5*before)
      break
    end
    q = q - correction(Phi_q, Phi);
  end
  if ~(residual <= 1e-8*extent)
    error('the constraints cannot be kept at t = %g: is the pose singular there?', t);
  end
  v = v - correction(Phi_q, Phi_q*v + @call:constraint_rate@);
  y(1:2*n) = [q; v];
end

function d = correction(Phi_q, residual)
% The shortest d with Phi_q d = residual.
  [m, n] = size(Phi_q);
  x = solve([eye(n), Phi_q'; Phi_q, zeros(m, m)], [zeros(n, 1); residual]);
  d = x(1:n);
end
