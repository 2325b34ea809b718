// The shaken triple pendulum with friction as one would write it by hand in C++: classical Runge-Kutta steps of one
// trajectory and of eight side by side, with a sine and cosine of its own. For sweeps.py.

#include "lanes.hpp"

namespace {

constexpr double GRAVITY = 9.81, FRICTION = 0.1, AMPLITUDE = 0.05, FREQUENCY = 3.141592653589793;

// Three bobs of 1 kg on rods of 1 m.
template <class T> inline void rate(double t, const T* y, T* k) {
    double unused, turn;
    sine_cosine<double>(FREQUENCY * t, unused, turn);
    const double shake = -AMPLITUDE * FREQUENCY * FREQUENCY * turn;
    T s1, s2, s3, c1, c2, c3;
    sine_cosine(y[0], s1, c1);
    sine_cosine(y[1], s2, c2);
    sine_cosine(y[2], s3, c3);
    const T v1 = y[3], v2 = y[4], v3 = y[5];
    const T c12 = c1 * c2 + s1 * s2, c13 = c1 * c3 + s1 * s3, c23 = c2 * c3 + s2 * s3;
    const T s12 = s1 * c2 - c1 * s2, s13 = s1 * c3 - c1 * s3, s23 = s2 * c3 - c2 * s3;
    const T w1 = v1 * v1, w2 = v2 * v2, w3 = v3 * v3;
    const T f1 = FRICTION * v1, f2 = FRICTION * (v2 - v1), f3 = FRICTION * (v3 - v2);
    const T r1 = -2.0 * s12 * w2 - s13 * w3 - 3.0 * (GRAVITY * s1 + shake * c1) - f1 + f2;
    T r2 = 2.0 * s12 * w1 - s23 * w3 - 2.0 * (GRAVITY * s2 + shake * c2) - f2 + f3;
    T r3 = s13 * w1 + s23 * w2 - (GRAVITY * s3 + shake * c3) - f3;
    const T m12 = 2.0 * c12, m13 = c13;
    const double d1 = 1.0 / 3.0;
    const T l2 = m12 * d1, l3 = m13 * d1;
    const T m22 = 2.0 - l2 * m12, m23 = c23 - l2 * m13;
    r2 -= l2 * r1;
    r3 -= l3 * r1;
    const T d2 = 1.0 / m22;
    const T l = m23 * d2;
    const T a3 = (r3 - l * r2) / ((1.0 - l3 * m13) - l * m23);
    const T a2 = r2 * d2 - l * a3;
    k[0] = v1;
    k[1] = v2;
    k[2] = v3;
    k[3] = r1 * d1 - l2 * a2 - l3 * a3;
    k[4] = a2;
    k[5] = a3;
}

template <class T> inline void moved(const T* y, double h, const T* k, T* to) {
    for (int i = 0; i < 6; ++i) to[i] = y[i] + h * k[i];
}

// Not inlined: a compiler that sees the loop over trajectories makes lanes of them.
template <class T> __attribute__((noinline)) void runge_kutta(T* y, double h, int count) {
    for (int step = 0; step < count; ++step) {
        const double t = step * h;
        T k1[6], k2[6], k3[6], k4[6], stage[6];
        rate(t, y, k1);
        moved(y, 0.5 * h, k1, stage);
        rate(t + 0.5 * h, stage, k2);
        moved(y, 0.5 * h, k2, stage);
        rate(t + 0.5 * h, stage, k3);
        moved(y, h, k3, stage);
        rate(t + h, stage, k4);
        for (int i = 0; i < 6; ++i) y[i] += h / 6 * ((k1[i] + k4[i]) + 2.0 * (k2[i] + k3[i]));
    }
}

}  // namespace

extern "C" {

// From rest with the upper rod at each of `cells` starts, one after the other; three angles of each are kept.
void steps_one_by_one(const double* starts, int cells, double h, int count, double* ends) {
    for (int cell = 0; cell < cells; ++cell) {
        double y[6] = {starts[cell]};
        runge_kutta(y, h, count);
        for (int i = 0; i < 3; ++i) ends[3 * cell + i] = y[i];
    }
}

// The same, eight at a time; `cells` is a multiple of eight.
void steps_in_lanes(const double* starts, int cells, double h, int count, double* ends) {
    for (int first = 0; first < cells; first += LANES) {
        Lane y[6] = {};
        for (int lane = 0; lane < LANES; ++lane) y[0][lane] = starts[first + lane];
        runge_kutta(y, h, count);
        for (int lane = 0; lane < LANES; ++lane)
            for (int i = 0; i < 3; ++i) ends[3 * (first + lane) + i] = y[i][lane];
    }
}
}
