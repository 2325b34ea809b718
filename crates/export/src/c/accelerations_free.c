// Accelerations a: M a = Q. Returns 1 where M is singular.
@signature@
{
    double M[COORDINATES][COORDINATES];
    @call:mass_matrix@;
    @call-into-a:forces@;
    return solve(COORDINATES, M, a);
}
