def dormand_prince(f, t, t_end, y, h):
    """Moves y from t to t_end (Dormand and Prince 1980, order 5 with an error estimate of order 4).

    Returns y there, and the length of the step that should come next.
    """
    A = [
        [1/5],
        [3/40, 9/40],
        [44/45, -56/15, 32/9],
        [19372/6561, -25360/2187, 64448/6561, -212/729],
        [9017/3168, -355/33, 46732/5247, 49/176, -5103/18656],
        [35/384, 0, 500/1113, 125/192, -2187/6784, 11/84],
    ]
    c = [1/5, 3/10, 4/5, 8/9, 1, 1]
    e = np.array([71/57600, 0, -71/16695, 71/1920, -17253/339200, 22/525, -1/40])
    first = f(t, y)
    while t < t_end:
        last = t + h >= t_end
        step = t_end - t if last else h
        k = [first]
        for row, node in zip(A, c):
            following = y + step*(np.array(row) @ np.array(k))
            k.append(f(t + node*step, following))
        scale = ATOL + RTOL*np.maximum(np.abs(y), np.abs(following))
        error = np.sqrt(np.mean((step*(e @ np.array(k))/scale)**2))
        factor = min(5.0, max(0.2, 0.9*error**-0.2)) if error > 0 else 5.0 if error == 0 else 0.2
        if error <= 1:
            t, y, first = t_end if last else t + step, following, k[-1]
            if not last or factor < 1:
                h = step*factor
        else:
            h = step*min(factor, 0.9)
            if not h > 1e-14*max(1.0, abs(t)):
                raise ArithmeticError(f"the motion cannot be followed beyond t = {t}")
    return y, h


def row_times():
    """Multiples of EVERY from T_START on, and T_END."""
    count = int(np.ceil((T_END - T_START)/EVERY - 1e-9))
    return np.append(T_START + EVERY*np.arange(count), T_END)


def simulate(p=None, y=None, times=None):
    """The states at some times, a row each; without arguments as the model says.@projection-words@"""
    p = Parameters() if p is None else p
    y = start() if y is None else np.array(y, dtype=float)
    times = row_times() if times is None else times
    states, h = [y], (times[-1] - times[0])/1000
    for t, t_next in zip(times[:-1], times[1:]):
        if solve_ivp is not None:
            step = solve_ivp(right_hand_side, (t, t_next), y, "DOP853", args=(p,), rtol=RTOL, atol=ATOL)
            if not step.success:
                raise ArithmeticError(step.message)
            y = step.y[:, -1]
        else:
            y, h = dormand_prince(lambda t, y: right_hand_side(t, y, p), t, t_next, y, h)
@project@        states.append(y)
    return np.array(states)
