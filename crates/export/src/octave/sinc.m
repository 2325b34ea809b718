function value = dsinc(order, x)
% The derivative of sin(x)/x of an order: recursion upwards where x is large, downwards where it is small.
  sines = [sin(x), cos(x), -sin(x), -cos(x)];
  if abs(x) > order
    value = sines(1)/x;
    for k = 1:order
      value = (sines(mod(k, 4) + 1) - k*value)/x;
    end
    return
  end
  top = order;
  weight = 1;
  while weight > 1e-20*min(abs(x), 1)
    top = top + 1;
    weight = weight*abs(x)/top;
  end
  value = 0;
  for k = top:-1:order + 1
    value = (sines(mod(k, 4) + 1) - x*value)/k;
  end
end

function value = unnormalized_sinc(x)
% sin(x)/x
  value = dsinc(0, x);
end
