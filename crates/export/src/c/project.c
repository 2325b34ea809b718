// Takes off x the shortest vector d with Phi_q d = error.
static int correct(double Phi_q[CONSTRAINTS][COORDINATES], const double error[CONSTRAINTS],
                   double x[COORDINATES])
{
    double K[UNKNOWNS][UNKNOWNS], d[UNKNOWNS];
    memset(K, 0, sizeof K);
    for (int i = 0; i < COORDINATES; i++) {
        K[i][i] = 1.0;
        d[i] = 0.0;
    }
    for (int i = 0; i < CONSTRAINTS; i++) {
        for (int j = 0; j < COORDINATES; j++)
            K[COORDINATES + i][j] = K[j][COORDINATES + i] = Phi_q[i][j];
        d[COORDINATES + i] = error[i];
    }
    if (@solve:K, d@)
        return 1;
    for (int i = 0; i < COORDINATES; i++)
        x[i] -= d[i];
    return 0;
}

// Brings positions and velocities back to Phi = 0 and Phi_q v + Phi_t = 0. Returns 1 where that fails.
int project(double t, double y[DIMENSION], const Parameters *p)
{
    double *q = y, *v = y + COORDINATES;
    double Phi[CONSTRAINTS], Phi_q[CONSTRAINTS][COORDINATES];
    double error = INFINITY, size = 1.0;
    for (int iteration = 0; iteration < 20; iteration++) {
        const double before = error;
        error = 0.0;
        @call:constraints@;
        @call:constraint_jacobian@;
        for (int i = 0; i < CONSTRAINTS; i++)
            error = fmax(error, fabs(Phi[i]));
        for (int i = 0; i < COORDINATES; i++)
            size = fmax(size, fabs(q[i]));
        if (error <= 1e-15*size || error >= 0.5*before)
            break;
        if (correct(Phi_q, Phi, q))
            return 1;
    }
    if (!(error <= 1e-8*size))
        return 1;
    double rate[CONSTRAINTS], Phi_t[CONSTRAINTS];
    @call:constraint_rate@;
    for (int i = 0; i < CONSTRAINTS; i++) {
        rate[i] = Phi_t[i];
        for (int j = 0; j < COORDINATES; j++)
            rate[i] += Phi_q[i][j]*v[j];
    }
    return correct(Phi_q, rate, v);
}
