// Reflects x[k], ..., x[n - 1] to a multiple of the first (Householder 1958): x becomes the vector w of the
// reflection 1 - w w^T/scale, where scale is returned, and *image what x[k] turns into.
static double reflection(int n, int k, double x[n], double *image)
{
    double squares = 0.0;
    for (int i = k; i < n; i++)
        squares += x[i]*x[i];
    *image = x[k] > 0.0 ? -sqrt(squares) : sqrt(squares);
    double scale = squares - x[k]*(*image);
    x[k] -= *image;
    return scale;
}

// The shortest x with the smallest residual A x - b; b becomes x. A has this rank, and is taken to have no more:
// A P = U (R 0) V^T by reflections from both sides (complete orthogonal decomposition: Golub and Van Loan, 5.5.2).
// Returns 1 if the rank is smaller.
int solve(int n, double A[n][n], double b[n], int rank)
{
    int column[n];
    double w[n], right[n][n], right_scale[n];
    for (int j = 0; j < n; j++)
        column[j] = j;
    for (int k = 0; k < rank; k++) {
        // the column with the largest rest comes next
        int next = k;
        double largest = -1.0, image;
        for (int j = k; j < n; j++) {
            double squares = 0.0;
            for (int i = k; i < n; i++)
                squares += A[i][j]*A[i][j];
            if (squares > largest) {
                largest = squares;
                next = j;
            }
        }
        if (!(largest > 0.0))
            return 1;
        for (int i = 0; i < n; i++) {
            double entry = A[i][k];
            A[i][k] = A[i][next];
            A[i][next] = entry;
        }
        int place = column[k];
        column[k] = column[next];
        column[next] = place;
        for (int i = k; i < n; i++)
            w[i] = A[i][k];
        double scale = reflection(n, k, w, &image);
        for (int j = k; j <= n; j++) {
            double dot = 0.0;
            for (int i = k; i < n; i++)
                dot += w[i]*(j < n ? A[i][j] : b[i]);
            for (int i = k; i < n; i++)
                *(j < n ? &A[i][j] : &b[i]) -= dot/scale*w[i];
        }
        A[k][k] = image;
    }
    // what stands to the right of the triangle is reflected into it, row by row from below
    for (int k = rank - 1; k >= 0; k--) {
        double image, *row = right[k];
        row[rank - 1] = A[k][k];
        for (int j = rank; j < n; j++)
            row[j] = A[k][j];
        right_scale[k] = reflection(n, rank - 1, row, &image);
        for (int i = 0; i <= k && right_scale[k] > 0.0; i++) {
            double dot = row[rank - 1]*A[i][k];
            for (int j = rank; j < n; j++)
                dot += row[j]*A[i][j];
            A[i][k] -= dot/right_scale[k]*row[rank - 1];
            for (int j = rank; j < n; j++)
                A[i][j] -= dot/right_scale[k]*row[j];
        }
    }
    for (int i = rank - 1; i >= 0; i--) {
        w[i] = b[i];
        for (int j = i + 1; j < rank; j++)
            w[i] -= A[i][j]*w[j];
        w[i] /= A[i][i];
    }
    for (int i = rank; i < n; i++)
        w[i] = 0.0;
    for (int k = 0; k < rank; k++) {
        if (!(right_scale[k] > 0.0))
            continue;
        double *row = right[k], dot = row[rank - 1]*w[k];
        for (int j = rank; j < n; j++)
            dot += row[j]*w[j];
        w[k] -= dot/right_scale[k]*row[rank - 1];
        for (int j = rank; j < n; j++)
            w[j] -= dot/right_scale[k]*row[j];
    }
    for (int i = 0; i < n; i++)
        b[column[i]] = w[i];
    return 0;
}
