def accelerations(@state@, p):
    """Accelerations a and multipliers lam: M a + Phi_q^T lam = Q, Phi_q a = gamma."""
    M, Phi_q = @call:mass_matrix@, @call:constraint_jacobian@
    m, n = Phi_q.shape
    K = np.block([[M, Phi_q.T], [Phi_q, np.zeros((m, m))]])
    right = np.concatenate([@call:forces@, @call:constraint_gamma@])
    x = solve(K, right)
    return x[:n], x[n:]


def project(t, y, p):
    """The state nearest to y with Phi = 0 and Phi_q v + Phi_t = 0."""
    y = np.array(y, dtype=float)
    n = len(COORDINATES)
    q, v = y[:n], y[n:2*n]

    def correction(Phi_q, error):
        m = len(error)
        K = np.block([[np.eye(n), Phi_q.T], [Phi_q, np.zeros((m, m))]])
        return solve(K, np.concatenate([np.zeros(n), error]))[:n]

    error = np.inf
    for _ in range(20):
        Phi, Phi_q = @call:constraints@, @call:constraint_jacobian@
        before, error = error, np.max(np.abs(Phi))
        size = max(1.0, np.max(np.abs(q)))
        if error <= 1e-15*size or not error < 0.5*before:
            break
        q -= correction(Phi_q, Phi)
    if not error <= 1e-8*size:
        raise ArithmeticError(f"the constraints cannot be kept at t = {t}: is the pose singular there?")
    v -= correction(Phi_q, Phi_q @ v + @call:constraint_rate@)
    return y
