// A step by the power series of the motion: coefficient k of component n stands at (k - 1) N + n.

DEVICE void expand(const Motion &m, real *series)
{
    real time = (real)m.t, y[N], parameters[P + 1], hoisted[SERIES_H + 1];
    EACH(n, N)
        y[n] = m.y[n];
    EACH(i, P)
        parameters[i] = m.parameters[i];
    series_prelude(parameters, hoisted);
    series_program(&time, y, parameters, hoisted, series);
}

DEVICE real size_of_term(const Motion &m, const real *series, int k)
{
    return k == 0 ? size_of(m.y, m.y, m.y) : size_of(series + (k - 1)*N, m.y, m.y);
}

// The longest step that the last coefficients promise; `before` is the length of the step before, or 0.
DEVICE double foreseen(const Motion &m, const real *series, double before)
{
    double last = log(LAST_TERM/(double)size_of_term(m, series, ORDER))/ORDER;
    double previous = log(TERM_BEFORE/(double)size_of_term(m, series, ORDER - 1))/(ORDER - 1);
    double step = exp(last < previous ? last : previous);
    if (step <= MAX_BELIEVED_GROWTH*before)
        return step;
    // terms may have vanished by symmetry: none of those before is as large as the state
    double state = (double)size_of_term(m, series, 0);
    for (int k = ORDER > 6 ? ORDER - 5 : 1; k < ORDER - 1; k++) {
        double size = (double)size_of_term(m, series, k);
        if (state > 0 && size*pow(step, (double)k) > state)
            step = pow(state/size, 1.0/k);
    }
    return step;
}

// The sum of the series at the end of the attempt, and its rate there.
DEVICE void stages(Motion &m, real *series)
{
    EACH(n, N) {
        real sum = 0;
        for (int k = ORDER; k >= 1; k--)
            sum = (sum + series[(k - 1)*N + n])*(real)m.h;
        m.y_new[n] = m.y[n] + sum;
    }
    rate_at(m, m.t_new, m.y_new, m.rate_new);
}

// What the slope of the series misses of the rate.
DEVICE real error_of(const Motion &m, const real *series)
{
    real error[N];
    EACH(n, N) {
        real slope = 0;
        for (int k = ORDER; k >= 1; k--)
            slope = slope*(real)m.h + k*series[(k - 1)*N + n];
        error[n] = m.rate_new[n] - slope;
    }
    return magnitude((real)m.h)*size_of(error, m.y, m.y_new);
}

LARGE void prepare_dense(Step &s)
{
    for (int n = 0; n < N; n++) {
        real power = 1, sum = 0;
        for (int k = 0; k < ORDER; k++) {
            power *= (real)s.m.h;
            s.dense[k*N + n] = power*s.inner[k*N + n];
        }
        for (int k = ORDER - 1; k >= 0; k--)
            sum += s.dense[k*N + n];
        // the polynomial ends where the step does
        s.dense[(ORDER - 1)*N + n] += s.m.y_new[n] - (sum + s.m.y[n]);
    }
    s.dense_ready = true;
}

DEVICE void inside(const Step &s, real part, real *y)
{
    for (int n = 0; n < N; n++) {
        real value = 0;
        for (int row = DENSE_ROWS - 1; row >= 0; row--)
            value = part*(value + s.dense[row*N + n]);
        y[n] = value + s.m.y[n];
    }
}
