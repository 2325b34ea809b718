% (q, v) of a formulation from absolute angles and their rates.
function y = start (formulation, theta, omega)
  theta = theta(:);
  omega = omega(:);
  if (strcmp (formulation, "recursive"))
    y = [theta(1); diff(theta); omega(1); diff(omega)];
    return
  end
  centre = @(along) cumsum (along) - along / 2;
  sine = sin (theta);
  cosine = cos (theta);
  q = [centre(sine), centre(-cosine), theta]';
  v = [centre(cosine .* omega), centre(sine .* omega), omega]';
  y = [q(:); v(:)];
end
