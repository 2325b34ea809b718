function a = accelerations(@state@, p)
% Accelerations: M a = Q.
  a = @call:mass_matrix@\@call:forces@;
end
