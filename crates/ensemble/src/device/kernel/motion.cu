// One trajectory, as the thread that moves it sees it. Numbers that depend on the model and the method are defined before this
// text: N components, P parameters that differ, H numbers that follow from them, C columns, K sections, INNER numbers that a step
// leaves for states inside it (the first KEPT of them; the others follow where such states are asked for).
//
// What the loop over steps touches stays in registers as long as no function that is not written into it gets its address: what
// is seldom done gets copies.

#if defined(__CUDACC_RTC__) && N <= 64
#define EACH(i, count) _Pragma("unroll") for (int i = 0; i < (count); i++)
#else
#define EACH(i, count) for (int i = 0; i < (count); i++)
#endif

struct Motion {
    // The interval, where the trajectory stands, and the attempt at a step: its signed length and its end, s.
    double start, end, t, h, t_new;
    // The state and its rate, and those at the end of the attempt.
    real y[N], rate[N], y_new[N], rate_new[N];
    real parameters[P + 1], hoisted[H + 1];
};

// The rate at a state; not a number where there is none.
DEVICE void rate_at(const Motion &m, double t, const real *y, real *rate)
{
    real time = (real)t, defect;
    rate_program(&time, y, m.parameters, m.hoisted, rate, &defect);
    EACH(n, N)
        rate[n] = defect == 0 ? rate[n] : (real)NOT_A_NUMBER;
}

DEVICE bool all_finite(const real *numbers)
{
    real sum = 0;
    EACH(n, N)
        sum = fma(numbers[n], (real)0, sum);
    return sum == 0;
}

// The size of an error relative to the tolerance; not a number if a part of it is.
DEVICE real size_of(const real *error, const real *y, const real *z)
{
    const real bounds[N] = MAGNITUDE_BOUNDS;
    // squares of single precision end where its numbers are 1e19
    double squares = 0;
    real largest = 0;
    EACH(n, N) {
        real a = magnitude(y[n]), b = magnitude(z[n]);
        real most = a > b ? a : b;
        most = most > bounds[n] ? bounds[n] : most;
        real ratio = error[n] == 0 ? 0 : magnitude(error[n])/((real)ATOL + (real)RTOL*most);
        squares += (double)ratio*(double)ratio;
        largest = ratio > largest || ratio != ratio ? ratio : largest;
    }
    return NORM_IS_MAX ? largest : (real)sqrt(squares/N);
}

// The shortest step worth trying.
DEVICE double floor_of(const Motion &m)
{
    double t = fabs(m.t), spacing = 16.0*(nextafter(t, ENDLESS) - t), least = 1e-30*fabs(m.end - m.start);
    return spacing > least ? spacing : least;
}

// An attempt of about this length; one that nearly reaches the end ends there.
DEVICE void propose(Motion &m, double length)
{
    double least = floor_of(m);
    length = length < least ? least : length;
    if (1.01*length >= fabs(m.end - m.t)) {
        m.h = m.end - m.t;
        m.t_new = m.end;
    } else {
        m.h = m.end < m.start ? -length : length;
        m.t_new = m.t + m.h;
    }
}

// A step that was made, for whoever asks for states inside it: rows of a polynomial, once somebody has.
struct Step {
    Motion m;
    real inner[INNER];
    real dense[DENSE_ROWS*N];
    bool dense_ready;
};

// Where the numbers of a trajectory stand: number i of all places stands together, so that neighbours read neighbours.
struct Place {
    double *memory;
    size_t count, place;
};

DEVICE double &number(const Place &at, int i) { return at.memory[(size_t)i*at.count + at.place]; }
