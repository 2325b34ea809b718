% Prints the angular accelerations of a state.
function accelerations (formulation, theta, omega)
  rate = feval (formulation, 0, start (formulation, theta, omega));
  [~, a] = angles (formulation, rate');
  printf ("%.17g\n", a);
end
