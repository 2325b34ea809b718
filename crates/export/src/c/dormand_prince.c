static const double RTOL = 1e-9, ATOL = 1e-12;

// Moves y from t to t_end by the method of Dormand and Prince (1980), order 5 with an error estimate of order 4.
// *h is the first step to be tried, and what the next one should be in the end. Returns 1 where no step is short enough.
int integrate(double t, double t_end, double *h, double y[DIMENSION], const Parameters *p)
{
    static const double c[7] = {0.0, 1.0/5.0, 3.0/10.0, 4.0/5.0, 8.0/9.0, 1.0, 1.0};
    static const double A[7][6] = {
        {0.0},
        {1.0/5.0},
        {3.0/40.0, 9.0/40.0},
        {44.0/45.0, -56.0/15.0, 32.0/9.0},
        {19372.0/6561.0, -25360.0/2187.0, 64448.0/6561.0, -212.0/729.0},
        {9017.0/3168.0, -355.0/33.0, 46732.0/5247.0, 49.0/176.0, -5103.0/18656.0},
        {35.0/384.0, 0.0, 500.0/1113.0, 125.0/192.0, -2187.0/6784.0, 11.0/84.0}};
    static const double e[7] = {71.0/57600.0, 0.0, -71.0/16695.0, 71.0/1920.0,
                                -17253.0/339200.0, 22.0/525.0, -1.0/40.0};
    double k[7][DIMENSION], next[DIMENSION];
    if (right_hand_side(t, y, p, k[0]))
        return 1;
    while (t < t_end) {
        int last = t + *h >= t_end;
        double step = last ? t_end - t : *h;
        int failed = 0;
        for (int stage = 1; stage < 7 && !failed; stage++) {
            for (int i = 0; i < DIMENSION; i++) {
                next[i] = y[i];
                for (int j = 0; j < stage; j++)
                    next[i] += step*A[stage][j]*k[j][i];
            }
            failed = right_hand_side(t + c[stage]*step, next, p, k[stage]);
        }
        double squares = 0.0;
        for (int i = 0; i < DIMENSION && !failed; i++) {
            double error = 0.0;
            for (int j = 0; j < 7; j++)
                error += step*e[j]*k[j][i];
            error /= ATOL + RTOL*fmax(fabs(y[i]), fabs(next[i]));
            squares += error*error;
        }
        double error = failed ? NAN : sqrt(squares/DIMENSION);
        double factor = error > 0.0 ? fmin(5.0, fmax(0.2, 0.9*pow(error, -0.2))) : error == 0.0 ? 5.0 : 0.2;
        if (error <= 1.0) {
            t = last ? t_end : t + step;
            memcpy(y, next, sizeof next);
            memcpy(k[0], k[6], sizeof k[0]);
            if (!last || factor < 1.0)
                *h = step*factor;
        } else {
            *h = step*fmin(factor, 0.9);
            if (!(*h > 1e-14*fmax(1.0, fabs(t))))
                return 1;
        }
    }
    return 0;
}
