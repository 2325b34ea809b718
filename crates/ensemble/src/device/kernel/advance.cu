// Moves a trajectory by some attempts at steps.

#if CHECKED
// What decides in the end whether the motion is wrong.
LARGE void check(double t, const real *y, const real *parameters, Place at, int first, int count)
{
    real time = (real)t, checks[CHECKS];
    check_program(&time, y, parameters, checks);
    for (int i = 0; i < count; i++)
        number(at, first + i) = (double)checks[i];
}
#endif

// The first rate, the first step, the sides of the sections, the first row.
LARGE Status begin(Motion &m, Control &c, Watch &w, Place at)
{
    rate_at(m, m.t, m.y, m.rate);
    if (!all_finite(m.y) || !all_finite(m.rate))
        return NOT_FINITE;
    begin_control(m, c);
#if K
    look_at(m, m.t, m.y, w.before);
    for (int k = 0; k < K; k++)
        w.sides[k] = first_side(m, w.before, k);
#endif
#if CHECKED
    check(m.t, m.y, m.parameters, at, AT_ENERGY, 2);
#endif
    if (number(at, AT_AFTER) <= m.t)
        keep(at, -1.0, m.t, m.y, m.parameters);
    return m.t == m.end ? ARRIVED : RUNS;
}

// An attempt at a step, with what it leaves for states inside it, and the size of its error relative to the tolerance.
DEVICE real attempt(Motion &m, Control &c, real *inner)
{
#if ORDER
    expand(m, inner);
#if ADAPTIVE
    // after a rejection the step is what the rejection left
    if (c.after_rejection == 0.0) {
        double step = foreseen(m, inner, c.last_step);
        step = step < c.bound ? step : c.bound;
        c.step = step < c.longest ? step : c.longest;
    }
#endif
#endif
    choose(m, c);
    stages(m, inner);
#if ADAPTIVE
    return error_of(m, inner);
#else
    return 0;
#endif
}

DEVICE void advance(unsigned attempts, const Place &at)
{
    Status status = (Status)(int)number(at, AT_STATUS);
    if (status != BEGINS && status != RUNS)
        return;
    Motion m;
    m.start = number(at, AT_START);
    m.end = number(at, AT_END);
    m.t = number(at, AT_TIME);
    EACH(n, N) {
        m.y[n] = (real)number(at, AT_Y + n);
        m.rate[n] = (real)number(at, AT_RATE + n);
    }
    EACH(i, P)
        m.parameters[i] = (real)number(at, AT_PARAMETERS + i);
    {
        real parameters[P + 1], hoisted[H + 1];
        EACH(i, P)
            parameters[i] = m.parameters[i];
        rate_prelude(parameters, hoisted);
        EACH(i, H)
            m.hoisted[i] = hoisted[i];
    }
    Control c = {
        number(at, AT_STEP), number(at, AT_LONGEST), number(at, AT_FIRST), number(at, AT_LAST_ERROR),
        number(at, AT_AFTER_REJECTION), number(at, AT_BOUND), number(at, AT_LAST_STEP), number(at, AT_DONE),
        number(at, AT_REJECTED), number(at, AT_ALLOWED), number(at, AT_COUNT)};
    Watch w;
#if K
    EACH(k, K)
        w.sides[k] = (real)number(at, AT_SIDES + k);
    EACH(k, 2*K)
        w.before[k] = (real)number(at, AT_BEFORE + k);
#endif
    if (status == BEGINS) {
        Motion first = m;
        Control control = c;
        Watch watch = w;
        status = begin(first, control, watch, at);
        m = first;
        c = control;
        w = watch;
    }
    w.due = next_due(m.start, m.end, at);

    for (; attempts > 0 && status == RUNS; attempts--) {
#if ADAPTIVE
        if (!(c.done + c.rejected < c.allowed)) {
            status = STEP_LIMIT;
            break;
        }
#endif
        real inner[INNER];
        real size = attempt(m, c, inner);
        bool state_is_sound = all_finite(m.y_new), rate_is_sound = all_finite(m.rate_new);
#if ADAPTIVE
        bool defined = state_is_sound && size == size, inaccurate = defined && size > 1;
        if (!defined || inaccurate || !rate_is_sound) {
            bool shortest = fabs(m.h) <= floor_of(m);
            reject(m, c, inaccurate, size);
            if (shortest)
                status = inaccurate ? STEP_TOO_SMALL : NOT_FINITE;
            continue;
        }
#else
        if (!state_is_sound || !rate_is_sound) {
            status = NOT_FINITE;
            break;
        }
#endif
        Seen seen = look(m, inner, w, at);
        if (seen == NO_ROOM) {
            status = IS_FULL;
            break;
        }
        accept(m, c, size);
        m.t = m.t_new;
        EACH(n, N) {
            m.y[n] = m.y_new[n];
            m.rate[n] = m.rate_new[n];
        }
        if (seen == ENDS || m.t == m.end)
            status = ARRIVED;
#if !ADAPTIVE
        else if (c.done >= c.allowed)
            status = STEP_LIMIT;
#endif
    }

#if CHECKED
    {
        real y[N], parameters[P + 1];
        EACH(n, N)
            y[n] = m.y[n];
        EACH(i, P)
            parameters[i] = m.parameters[i];
        check(m.t, y, parameters, at, AT_CHECKS, CHECKS);
    }
#endif
    number(at, AT_STATUS) = (double)status;
    number(at, AT_TIME) = m.t;
    EACH(n, N) {
        number(at, AT_Y + n) = (double)m.y[n];
        number(at, AT_RATE + n) = (double)m.rate[n];
    }
    number(at, AT_STEP) = c.step;
    number(at, AT_LAST_ERROR) = c.last_error;
    number(at, AT_AFTER_REJECTION) = c.after_rejection;
    number(at, AT_BOUND) = c.bound;
    number(at, AT_LAST_STEP) = c.last_step;
    number(at, AT_DONE) = c.done;
    number(at, AT_REJECTED) = c.rejected;
#if K
    EACH(k, K)
        number(at, AT_SIDES + k) = (double)w.sides[k];
    EACH(k, 2*K)
        number(at, AT_BEFORE + k) = (double)w.before[k];
#endif
}

#ifdef __CUDACC_RTC__
extern "C" __global__ void __launch_bounds__(BLOCK, BLOCKS) catena_advance(unsigned count, unsigned attempts, double *memory)
{
    Place at = {memory, count, (size_t)blockIdx.x*blockDim.x + threadIdx.x};
    if (at.place < count)
        advance(attempts, at);
}
#else
extern "C" void catena_advance(unsigned count, unsigned attempts, double *memory)
{
    for (size_t place = 0; place < count; place++) {
        Place at = {memory, count, place};
        advance(attempts, at);
    }
}
#endif
