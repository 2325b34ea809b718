% Rates of (q, v) of a chain of equal rods by articulated bodies, with 3 x 3 matrices for each link.
%
% q are the angles to the link before; 0 is downwards. Vectors are (rotation, x, y) in the frame of the link.
% R. Featherstone, Rigid Body Dynamics Algorithms, 2008, table 7.1.
function rate = recursive (t, y)
  n = numel (y) / 2;
  q = y(1:n);
  v = y(n+1:end);
  inertia = [1/3, 0.5, 0; 0.5, 1, 0; 0, 0, 1];  % of a rod about its upper end; its centre is at (0, -1/2)
  X = zeros (3, 3, n);
  IA = repmat (inertia, [1, 1, n]);
  pA = c = U = zeros (3, n);
  d = u = zeros (n, 1);
  velocity = zeros (3, 1);
  for i = 1:n
    sine = sin (q(i));
    cosine = cos (q(i));
    if (i == 1)
      X(:,:,i) = [1, 0, 0; 0, cosine, sine; 0, -sine, cosine];
    else  % the joint is at (0, -1) of the link before
      X(:,:,i) = [1, 0, 0; cosine, cosine, sine; -sine, -sine, cosine];
    end
    velocity = X(:,:,i) * velocity;
    velocity(1) += v(i);
    w = velocity;
    cross = [0, 0, 0; w(3), 0, -w(1); -w(2), w(1), 0];
    c(:,i) = cross * [v(i); 0; 0];
    pA(:,i) = -cross' * (inertia * w);
  end
  for i = n:-1:1
    U(:,i) = IA(:,1,i);
    d(i) = U(1,i);
    u(i) = -pA(1,i);
    if (i > 1)
      Ia = IA(:,:,i) - U(:,i) * (U(:,i)' / d(i));
      pa = pA(:,i) + Ia * c(:,i) + U(:,i) * (u(i) / d(i));
      IA(:,:,i-1) += X(:,:,i)' * Ia * X(:,:,i);
      pA(:,i-1) += X(:,:,i)' * pa;
    end
  end
  a = [0; 0; 9.81];
  rate = [v; zeros(n, 1)];
  for i = 1:n
    a = X(:,:,i) * a + c(:,i);
    rate(n+i) = (u(i) - U(:,i)' * a) / d(i);
    a(1) += rate(n+i);
  end
end
