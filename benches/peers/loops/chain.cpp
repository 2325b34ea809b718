// The rates of a chain of equal rods as one would write them by hand in C++, eight states side by side: one sweep up, one
// down, by the equations of benches/src/by_hand_sweep.rs. For sweeps.py.

#include "lanes.hpp"

namespace {

constexpr int LINKS = 20;
constexpr double GRAVITY = 9.81;

struct Passed {
    Lane s, c, square, ux, uy, load, inverse;
};

// Not inlined: a compiler that sees the loop over calls may take some of it out.
__attribute__((noinline)) void rate(const Lane* y, Lane* k) {
    Passed passed[LINKS];
    Lane xx = {}, xy = {}, yy = {}, fx = {}, fy = {};
    for (int i = LINKS - 1; i >= 0; --i) {
        Lane s, c;
        sine_cosine(y[i], s, c);
        const Lane omega = y[LINKS + i], square = omega * omega;
        const Lane along_x = xx * s - xy * c, along_y = xy * s - yy * c;
        const Lane across_x = xx * c + xy * s, across_y = xy * c + yy * s;
        const Lane ux = 0.5 * c + across_x, uy = 0.5 * s + across_y;
        const Lane inverse = 1.0 / (1.0 / 3.0 + c * across_x + s * across_y);
        const Lane load = square * (c * along_x + s * along_y) - (c * fx + s * fy);
        const Lane kx = ux * inverse, ky = uy * inverse;
        xx = 1.0 + xx - ux * kx;
        xy = xy - ux * ky;
        yy = 1.0 + yy - uy * ky;
        fx += kx * load - square * (0.5 * s + along_x);
        fy += ky * load - square * (along_y - 0.5 * c);
        passed[i] = {s, c, square, ux, uy, load, inverse};
    }
    Lane ax = {}, ay = Lane{} + GRAVITY;
    for (int i = 0; i < LINKS; ++i) {
        const Passed& p = passed[i];
        const Lane turn = (p.load - p.ux * ax - p.uy * ay) * p.inverse;
        k[i] = y[LINKS + i];
        k[LINKS + i] = turn;
        ax += turn * p.c - p.square * p.s;
        ay += turn * p.s + p.square * p.c;
    }
}

}  // namespace

// Rates of eight states, again and again: number i of all states stands at 8 i.
extern "C" void chain_rates(const double* states, int calls, double* rates) {
    Lane y[2 * LINKS], k[2 * LINKS];
    __builtin_memcpy(y, states, sizeof y);
    for (int call = 0; call < calls; ++call) rate(y, k);
    __builtin_memcpy(rates, k, sizeof k);
}
