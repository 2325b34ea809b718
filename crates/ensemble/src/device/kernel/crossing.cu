// Where sections are crossed, from their values and exact slopes.

struct Sample { double t; real value, slope; };

DEVICE real side_of(const Sample &at)
{
    real decides = at.value == 0 ? at.slope : at.value;
    return decides > 0 ? 1 : decides == 0 ? 0 : -1;
}

// The state at a time of the step.
LARGE void state_at(Step &s, double t, real *y)
{
    const Motion &m = s.m;
    if (t == m.t_new || t == m.t) {
        for (int n = 0; n < N; n++)
            y[n] = t == m.t_new ? m.y_new[n] : m.y[n];
        return;
    }
    if (!s.dense_ready)
        prepare_dense(s);
    inside(s, (real)((t - m.t)/(m.t_new - m.t)), y);
}

#if K
// Values of all sections, then their slopes along the motion.
DEVICE void look_at(const Motion &m, double t, const real *y, real *values)
{
    real time = (real)t;
    section_program(&time, y, m.parameters, values);
}

DEVICE Sample sample_of(double t, const real *values, int section)
{
    Sample sample = {t, values[section], values[K + section]};
    return sample;
}

LARGE Sample sample_at(Step &s, double t, int section)
{
    real y[N], values[2*K];
    state_at(s, t, y);
    look_at(s.m, t, y, values);
    return sample_of(t, values, section);
}

// Whether the tangents at both ends meet on the other side of zero.
DEVICE bool may_turn(const Sample &a, const Sample &b, real side)
{
    if (!(side*a.slope < 0 && side*b.slope > 0))
        return false;
    real until = (b.value - a.value - b.slope*(real)(b.t - a.t))/(a.slope - b.slope);
    return side*(a.value + a.slope*until) < 0;
}

DEVICE bool may_vanish(const Sample &a, const Sample &b, real side)
{
    return side_of(b) == -side || may_turn(a, b, side);
}

// A place between a and b on the other side of zero, if there is one.
LARGE bool other_side(Step &s, Sample a, Sample b, real side, int section, Sample &found)
{
    for (int i = 0; i < MAX_ITERATIONS; i++) {
        double part = (double)(a.slope/(a.slope - b.slope));
        part = part < 0.1 ? 0.1 : part > 0.9 ? 0.9 : part;
        double middle = a.t + part*(b.t - a.t);
        if (middle <= a.t || middle >= b.t)
            return false;
        found = sample_at(s, middle, section);
        if (side*found.value < 0)
            return true;
        if (side*found.slope < 0)
            a = found;
        else
            b = found;
        if (!may_turn(a, b, side))
            return false;
    }
    return false;
}

// The first time behind the zero between a, on this side, and b, on the other (Illinois method); not a number at a pole.
LARGE double zero_between(Step &s, Sample a, Sample b, real side, int section)
{
    real at_a = a.value, at_b = b.value;
    real first_a = magnitude(at_a), first_b = magnitude(at_b);
    double rounding = 2.220446049250313e-16*(fabs(a.t) > fabs(b.t) ? fabs(a.t) : fabs(b.t));
    int stayed = 0;
    for (int i = 0; i < MAX_ITERATIONS && b.t - a.t > 2.0*rounding; i++) {
        double part = (double)(at_a/(at_a - at_b));
        part = part - part == 0.0 && i % 4 < 3 ? part : 0.5;
        double t = a.t + part*(b.t - a.t);
        t = t < a.t + rounding ? a.t + rounding : t > b.t - rounding ? b.t - rounding : t;
        Sample here = sample_at(s, t, section);
        if (side*here.value > 0) {
            a = here;
            at_a = here.value;
            at_b *= stayed == 1 ? (real)0.5 : 1;
            stayed = 1;
        } else {
            b = here;
            at_b = here.value;
            at_a *= stayed == -1 ? (real)0.5 : 1;
            stayed = -1;
        }
    }
    at_a = magnitude(a.value), at_b = magnitude(b.value);
    bool has_grown = (at_a < at_b ? at_a : at_b) > (real)GROWTH_AT_POLE*(first_a > first_b ? first_a : first_b);
    real before = side*a.slope, behind = side*b.slope;
    bool points_away = before >= 0 && behind >= 0 && before + behind > 0;
    bool is_pole = has_grown || (points_away && at_a >= first_a && at_b >= first_b);
    return is_pole ? NOT_A_NUMBER : b.t;
}

struct Crossing { double t; int section, direction; };

// At most two in each piece of a step.
#define MOST_CROSSINGS (2*PIECES_PER_STEP*K)

// Puts a crossing where its time belongs.
DEVICE void insert(Crossing *all, int &count, double t, int section, int direction)
{
    const int wanted[K] = DIRECTIONS;
    if (t != t || (wanted[section] != 0 && wanted[section] != direction) || count == MOST_CROSSINGS)
        return;
    int at = count++;
    for (; at > 0 && all[at - 1].t > t; at--)
        all[at] = all[at - 1];
    Crossing crossing = {t, section, direction};
    all[at] = crossing;
}

// All crossings of a section in the step, from its value at the beginning and at the end.
LARGE void search(Step &s, Sample a, Sample b, real side, int section, Crossing *all, int &count)
{
    Sample left = a;
    for (int piece = 1; piece <= PIECES_PER_STEP; piece++) {
        double t = a.t + (b.t - a.t)*piece/PIECES_PER_STEP;
        Sample right = piece == PIECES_PER_STEP ? b : sample_at(s, t, section), turn;
        real behind = side_of(right);
        if (side != 0 && behind == -side) {
            insert(all, count, zero_between(s, left, right, side, section), section, (int)-side);
        } else if (side != 0 && may_turn(left, right, side)
                   && other_side(s, left, right, side, section, turn)) {
            insert(all, count, zero_between(s, left, turn, side, section), section, (int)-side);
            insert(all, count, zero_between(s, turn, right, -side, section), section, (int)side);
        }
        side = behind == 0 ? side : behind;
        left = right;
    }
}

// The side of a section on which a trajectory begins; where roundings of the start decide, that of its slope.
LARGE real first_side(const Motion &m, const real *values, int section)
{
    Sample start = sample_of(m.t, values, section);
    real sign_of_value = start.value < 0 ? -1 : 1;
    for (int signs = 0; signs < 4; signs++) {
        real y[N], moved[2*K];
        for (int n = 0; n < N; n++) {
            real direction = ((n & 1 ? signs >> 1 : signs) & 1) ? -1 : 1;
            y[n] = m.y[n]*(1 + direction*(real)ROUNDING_OF_START);
        }
        look_at(m, m.t, y, moved);
        if (sign_of_value*moved[section] <= 0)
            start.value = 0;
    }
    return side_of(start);
}
#endif
