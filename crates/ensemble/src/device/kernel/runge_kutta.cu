// A step by stages. `stages`, `estimate` and `dense_slopes` are written from the tableau.

// The size of the error of the attempt, relative to the tolerance.
DEVICE real error_of(const Motion &m, const real *slopes)
{
#if ESTIMATES == 2
    real fifth[N], third[N];
    estimate(m, slopes, fifth, third);
    double a = (double)size_of(fifth, m.y, m.y_new), b = (double)size_of(third, m.y, m.y_new);
    double sum = a*a + 0.01*b*b;
    return sum == 0 ? 0 : (real)(a*a/sqrt(sum));
#elif ESTIMATES == 1
    real error[N];
    estimate(m, slopes, error);
    return size_of(error, m.y, m.y_new);
#else
    return 0;
#endif
}

LARGE void prepare_dense(Step &s)
{
    const Motion &m = s.m;
    real h = (real)m.h;
    for (int n = 0; n < N; n++) {
        real change = m.y_new[n] - m.y[n];
        real bend = h*m.rate[n] - change;
        s.dense[n] = change;
        s.dense[N + n] = bend;
        s.dense[2*N + n] = change - h*m.rate_new[n] - bend;
    }
    dense_slopes(m, s.inner, s.dense);
    s.dense_ready = true;
}

DEVICE void inside(const Step &s, real part, real *y)
{
    for (int n = 0; n < N; n++) {
        real value = 0;
        for (int row = DENSE_ROWS - 1; row >= 0; row--)
            value = (row & 1 ? 1 - part : part)*(value + s.dense[row*N + n]);
        y[n] = value + s.m.y[n];
    }
}
