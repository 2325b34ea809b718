// What is kept of a trajectory: of each column how often, the last, the least, the most, the sum and the sum of squares; or, where
// ROOM is not 0, rows that wait for the host: what it is (-1 a row, else 4 times the section + 1 + direction), its time, columns.

// What the loop over steps has to know of rows and sections.
struct Watch {
    // The time of the next row.
    double due;
#if K
    // The sides of the sections on which the trajectory is; their values and slopes where the step begins, and where it ends.
    real sides[K], before[2*K], behind[2*K];
#endif
};

// The time of a row on the grid; no row stands next to the end.
DEVICE double row_time(double start, double end, const Place &at)
{
    double every = number(at, AT_EVERY), t = start + number(at, AT_NEXT_ROW)*every;
    bool at_end = start != 0.0 && end - t < 1e-6*every;
    return at_end || t > end ? end : t;
}

// When the next row that counts is due.
LARGE double next_due(double start, double end, Place at)
{
    double after = number(at, AT_AFTER), skipped = floor((after - start)/number(at, AT_EVERY)) - 1.0;
    if (skipped > number(at, AT_NEXT_ROW) && skipped < ENDLESS)
        number(at, AT_NEXT_ROW) = skipped;
    double t = row_time(start, end, at);
    while (t < after && t < end) {
        number(at, AT_NEXT_ROW) += 1.0;
        t = row_time(start, end, at);
    }
    // none counts after what is no number
    return !(t >= after) || t <= number(at, AT_RECORDED) ? ENDLESS : t;
}

// Keeps a row, or a crossing; false if there is no room.
LARGE bool keep(Place at, double what, double t, const real *y, const real *parameters)
{
#if ROOM
    int waiting = (int)number(at, AT_WAITING);
    if (waiting == ROOM)
        return false;
    number(at, AT_WAITING) = waiting + 1.0;
#endif
#if C
    real time = (real)t, columns[C];
    column_program(&time, y, parameters, columns);
#endif
#if ROOM
    int first = AT_ROWS + waiting*(C + 2);
    number(at, first) = what;
    number(at, first + 1) = t;
#endif
#if C
    for (int i = 0; i < C; i++) {
        double value = (double)columns[i];
#if ROOM
        number(at, first + 2 + i) = value;
#else
        int g = AT_GATHERED + STATISTICS*i;
        number(at, g) += 1.0;
        number(at, g + 1) = value;
        if (value < number(at, g + 2))
            number(at, g + 2) = value;
        if (value > number(at, g + 3))
            number(at, g + 3) = value;
        number(at, g + 4) += value;
        number(at, g + 5) += value*value;
#endif
    }
#endif
    return true;
}

enum Seen { GOES_ON, ENDS, NO_ROOM };

// Crossings and rows of a step, in this order. Where there is no room what is kept stays, and the step is made again.
LARGE Seen look_inside(Step &s, Watch &w, bool crossed, Place at)
{
    const Motion &m = s.m;
    double ended_at = ENDLESS;
    real y[N];
#if K
    Crossing all[MOST_CROSSINGS];
    int found = 0;
    double after = number(at, AT_AFTER);
    for (int k = 0; crossed && k < K && m.t_new >= after; k++)
        search(s, sample_of(m.t, w.before, k), sample_of(m.t_new, w.behind, k), w.sides[k], k, all, found);
    for (int i = (int)number(at, AT_CROSSED); i < found; i++) {
        if (all[i].t >= after) {
#if ROOM
            state_at(s, all[i].t, y);
            if (!keep(at, 4.0*all[i].section + 1.0 + all[i].direction, all[i].t, y, m.parameters))
                return NO_ROOM;
#else
            double &first = number(at, AT_FIRST_CROSSING + all[i].section);
            if (first != first)
                first = all[i].t;
            bool all_known = C == 0;
            for (int k = 0; k < K; k++)
                all_known = all_known && number(at, AT_FIRST_CROSSING + k) == number(at, AT_FIRST_CROSSING + k);
            if (all_known) {
                ended_at = all[i].t;
                break;
            }
#endif
        }
        number(at, AT_CROSSED) = i + 1.0;
    }
#endif
    while (w.due <= m.t_new && w.due < ended_at) {
        state_at(s, w.due, y);
        if (!keep(at, -1.0, w.due, y, m.parameters))
            return NO_ROOM;
        number(at, AT_RECORDED) = w.due;
        number(at, AT_NEXT_ROW) += 1.0;
        w.due = next_due(m.start, m.end, at);
    }
#if K
    number(at, AT_CROSSED) = 0.0;
#endif
    return ended_at < ENDLESS ? ENDS : GOES_ON;
}

// Looks at the step that is about to be made; `inner` is what it leaves for states inside it.
DEVICE Seen look(const Motion &m, const real *inner, Watch &w, const Place &at)
{
    bool crossed = false;
#if K
    real middle[N], at_middle[2*K];
    double half = 0.5*(m.t + m.t_new);
    EACH(n, N)
        middle[n] = (real)0.5*(m.y[n] + m.y_new[n]) + (real)0.125*(real)m.h*(m.rate[n] - m.rate_new[n]);
    look_at(m, half, middle, at_middle);
    look_at(m, m.t_new, m.y_new, w.behind);
    EACH(k, K) {
        Sample a = sample_of(m.t, w.before, k), h = sample_of(half, at_middle, k), b = sample_of(m.t_new, w.behind, k);
        crossed = crossed || may_vanish(a, h, w.sides[k]) || may_vanish(h, b, w.sides[k]);
    }
#endif
    Seen seen = GOES_ON;
    if (crossed || w.due <= m.t_new) {
        Step step;
        step.m = m;
        step.dense_ready = false;
        EACH(i, KEPT)
            step.inner[i] = inner[i];
        Watch watch = w;
        seen = look_inside(step, watch, crossed, at);
        w.due = watch.due;
    }
#if K
    EACH(k, K) {
        if (seen == NO_ROOM)
            break;
        real side = side_of(sample_of(m.t_new, w.behind, k));
        w.sides[k] = side == 0 ? w.sides[k] : side;
        w.before[k] = w.behind[k];
        w.before[K + k] = w.behind[K + k];
    }
#endif
    return seen;
}
