% Absolute angles and their rates from states of a formulation, one in each row.
function [theta, omega] = angles (formulation, y)
  if (strcmp (formulation, "recursive"))
    n = columns (y) / 2;
    theta = cumsum (y(:,1:n), 2);
    omega = cumsum (y(:,n+1:end), 2);
  else
    n = columns (y) / 6;
    theta = y(:,3:3:3*n);
    omega = y(:,3*n+3:3:end);
  end
end
