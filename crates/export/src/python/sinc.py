def dsinc(order, x):
    """The derivative of sin(x)/x of an order: recursion upwards where x is large, downwards where it is small."""
    n = int(order)
    sines = (sin(x), cos(x), -sin(x), -cos(x))
    if abs(x) > n:
        value = sines[0]/x
        for k in range(1, n + 1):
            value = (sines[k % 4] - k*value)/x
        return value
    top, weight, value = n, 1.0, 0.0
    while weight > 1e-20*min(abs(x), 1.0):
        top += 1
        weight *= abs(x)/top
    for k in range(top, n, -1):
        value = (sines[k % 4] - x*value)/k
    return value


def sinc(x):
    """sin(x)/x"""
    return dsinc(0, x)
