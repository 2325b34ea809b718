function times = row_times()
% Multiples of the distance of rows, and the end.
  t_start = @t_start@;
  t_end = @t_end@;
  every = @every@;
  count = ceil((t_end - t_start)/every - 1e-9);
  times = [t_start + every*(0:count - 1), t_end]';
end

function states = simulate(p, y, times)
% The states at some times, a row each.@projection-words@
  options = odeset('RelTol', 1e-9, 'AbsTol', 1e-12);
  states = zeros(numel(times), numel(y));
  states(1, :) = y';
  first = 1;
  while first < numel(times)
    last = @last@;
    span = times(first:last);
    [~, steps] = ode45(@(t, y) right_hand_side(t, y, p), span, states(first, :)', options);
    if numel(span) == 2
      steps = steps([1, end], :);  % of two times, ode45 returns all steps between them
    end
    if size(steps, 1) < numel(span)
      error('the motion cannot be followed beyond t = %g', span(size(steps, 1)));
    end
    for k = first + 1:last
      states(k, :) = @row@;
    end
    first = last;
  end
end
