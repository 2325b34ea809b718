// The length of the next step. What is remembered stands in memory between two launches.

struct Control {
    double step, longest, first, last_error, after_rejection, bound, last_step;
    double done, rejected, allowed, count;
};

#if ADAPTIVE && !ORDER
DEVICE double power_of(double x, double exponent)
{
    return exponent == 0.0 ? 1.0 : exponent == 0.125 ? sqrt(sqrt(sqrt(x))) : pow(x, exponent);
}

// A first step when nothing is known yet, from an Euler step that shows the second derivative.
DEVICE double first_step(const Motion &m, const Control &c)
{
    double span = fabs(m.end - m.start), direction = m.end < m.start ? -1.0 : 1.0;
    double d0 = (double)size_of(m.y, m.y, m.y), d1 = (double)size_of(m.rate, m.y, m.y);
    double h0 = d0 < 1e-5 || d1 < 1e-5 ? 1e-6*span : 0.01*d0/d1;
    h0 = h0 < c.longest ? h0 : c.longest;
    real probe[N], rate[N];
    for (int tries = 0; tries < 20; tries++) {
        double h = direction*h0;
        EACH(n, N)
            probe[n] = m.y[n] + (real)h*m.rate[n];
        rate_at(m, m.t + h, probe, rate);
        if (all_finite(rate))
            break;
        h0 *= 0.1;
    }
    bool at_rest = true;
    EACH(n, N) {
        at_rest = at_rest && m.rate[n] == 0;
        rate[n] -= m.rate[n];
    }
    double d2 = (double)size_of(rate, m.y, m.y)/h0, steepest = d2 > d1 ? d2 : d1;
    double h1 = steepest <= 1e-15 ? h0 : pow(0.01/steepest, 1.0/ESTIMATE_ORDER);
    double h = 100.0*h0 < h1 ? 100.0*h0 : h1;
    h = h < c.longest ? h : c.longest;
    if (at_rest && h > 1e-3*span)
        h = 1e-3*span;
    return h > 0.0 ? h : floor_of(m);
}
#endif

DEVICE void begin_control(const Motion &m, Control &c)
{
#if ADAPTIVE && ORDER
    bool at_rest = true;
    EACH(n, N)
        at_rest = at_rest && m.rate[n] == 0;
    c.bound = c.first > 0.0 ? c.first : at_rest ? 1e-3*fabs(m.end - m.start) : ENDLESS;
#elif ADAPTIVE
    c.step = c.first > 0.0 ? (c.first < c.longest ? c.first : c.longest) : first_step(m, c);
    c.last_error = LEAST_ERROR;
#endif
}

DEVICE void choose(Motion &m, const Control &c)
{
#if ADAPTIVE
    propose(m, c.step);
#else
    bool last = c.done + 1.0 >= c.count;
    double h = m.end < m.start ? -c.step : c.step;
    m.h = last ? m.end - m.t : h;
    m.t_new = last ? m.end : m.start + (c.done + 1.0)*h;
#endif
}

DEVICE void accept(const Motion &m, Control &c, real size)
{
    double h = fabs(m.h);
    c.done += 1.0;
#if ADAPTIVE && ORDER
    c.bound = c.after_rejection != 0.0 ? 4.0*h : ENDLESS;
    c.after_rejection = 0.0;
    c.last_step = h;
#elif ADAPTIVE
    double error = (double)size;
    double factor = power_of(error, EXPONENT)/power_of(c.last_error, BETA)/SAFETY;
    factor = factor < 1.0/GROW ? 1.0/GROW : factor > 1.0/SHRINK ? 1.0/SHRINK : factor;
    double next = h/factor;
    next = c.after_rejection != 0.0 && next > h ? h : next;
    c.step = next < c.longest ? next : c.longest;
    c.last_error = error > LEAST_ERROR ? error : LEAST_ERROR;
    c.after_rejection = 0.0;
#endif
}

// After an error that is too large, or none at all.
DEVICE void reject(const Motion &m, Control &c, bool inaccurate, real size)
{
    double h = fabs(m.h);
    c.rejected += 1.0;
    c.after_rejection = 1.0;
#if ADAPTIVE && ORDER
    double factor = 0.9*pow((double)size, -1.0/(ORDER + 1));
    c.step = !inaccurate ? h/4.0 : h*(factor < 0.1 ? 0.1 : factor > 0.8 ? 0.8 : factor);
#elif ADAPTIVE
    double factor = power_of((double)size, EXPONENT)/SAFETY;
    c.step = !inaccurate ? h/4.0 : h/(factor < 1.0/SHRINK ? factor : 1.0/SHRINK);
#endif
}
