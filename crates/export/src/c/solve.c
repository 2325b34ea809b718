// Solves A x = b by elimination with partial pivoting; b becomes x. Returns 1 if A is singular.
int solve(int n, double A[n][n], double b[n])
{
    for (int k = 0; k < n; k++) {
        int pivot = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(A[i][k]) > fabs(A[pivot][k]))
                pivot = i;
        if (!(fabs(A[pivot][k]) > 0.0))
            return 1;
        if (pivot != k) {
            for (int j = k; j < n; j++) {
                double entry = A[k][j];
                A[k][j] = A[pivot][j];
                A[pivot][j] = entry;
            }
            double entry = b[k];
            b[k] = b[pivot];
            b[pivot] = entry;
        }
        for (int i = k + 1; i < n; i++) {
            if (A[i][k] == 0.0)
                continue;
            double factor = A[i][k]/A[k][k];
            for (int j = k + 1; j < n; j++)
                A[i][j] -= factor*A[k][j];
            b[i] -= factor*b[k];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int j = i + 1; j < n; j++)
            b[i] -= A[i][j]*b[j];
        b[i] /= A[i][i];
    }
    return 0;
}
