// Accelerations a and multipliers lambda: M a + Phi_q^T lambda = Q, Phi_q a = gamma. Returns 1 where they are not unique.
@signature@
{
    double M[COORDINATES][COORDINATES], Q[COORDINATES];
    double Phi_q[CONSTRAINTS][COORDINATES], gamma[CONSTRAINTS];
    double K[UNKNOWNS][UNKNOWNS], x[UNKNOWNS];
    @call:mass_matrix@;
    @call:forces@;
    @call:constraint_jacobian@;
    @call:constraint_gamma@;
    memset(K, 0, sizeof K);
    for (int i = 0; i < COORDINATES; i++) {
        for (int j = 0; j < COORDINATES; j++)
            K[i][j] = M[i][j];
        x[i] = Q[i];
    }
    for (int i = 0; i < CONSTRAINTS; i++) {
        for (int j = 0; j < COORDINATES; j++)
            K[COORDINATES + i][j] = K[j][COORDINATES + i] = Phi_q[i][j];
        x[COORDINATES + i] = gamma[i];
    }
    if (@solve:K, x@)
        return 1;
    memcpy(a, x, COORDINATES*sizeof *a);
    memcpy(lambda, x + COORDINATES, CONSTRAINTS*sizeof *lambda);
    return 0;
}
