% The published table: prints, for each number of links, CPU seconds and where the tip is at 1 s.
function published (formulation, numbers)
  for n = numbers
    y0 = start (formulation, pi / 2 * ones (n, 1), zeros (n, 1));
    options = odeset ("RelTol", 1e-2, "AbsTol", 1e-2, "InitialStep", 1e-4);
    rhs = str2func (formulation);
    rhs (0, y0);
    began = cputime ();
    [t, y] = ode45 (rhs, 0:1e-4:5, y0, options);
    [theta, omega] = angles (formulation, y);
    tip_x = sum (sin (theta), 2);
    tip_y = -sum (cos (theta), 2);
    tip_vx = sum (omega .* cos (theta), 2);
    tip_vy = sum (omega .* sin (theta), 2);
    seconds = cputime () - began;
    printf ("%d %.9g %d %.17g %.17g\n", n, seconds, numel (t), tip_x(10001), tip_y(10001));
  end
end
