// Eight numbers side by side, and a sine and cosine as one would write them by hand in C++.

#pragma once

#include <cstdint>

namespace {

constexpr int LANES = 8;
typedef double Lane __attribute__((vector_size(8 * LANES)));
typedef int64_t LaneBits __attribute__((vector_size(8 * LANES)));

template <class T> struct Bits;
template <> struct Bits<double> { using type = int64_t; };
template <> struct Bits<Lane> { using type = LaneBits; };

template <class T> inline typename Bits<T>::type bits(T x) {
    typename Bits<T>::type b;
    __builtin_memcpy(&b, &x, sizeof b);
    return b;
}

template <class T> inline T number(typename Bits<T>::type b) {
    T x;
    __builtin_memcpy(&x, &b, sizeof x);
    return x;
}

// Angles up to 1e5: quarter turns taken away in two parts, polynomials of the FreeBSD library within an eighth of a turn.
template <class T> inline void sine_cosine(T x, T& sine, T& cosine) {
    const double shift = 6755399441055744.0;
    const T shifted = x * 0.6366197723675814 + shift;
    const T k = shifted - shift;
    const T r = (x - k * 1.5707963267948966) - k * 6.123233995736766e-17;
    const T z = r * r;
    T s = z * 1.58969099521155010221e-10 - 2.50507602534068634195e-08;
    s = s * z + 2.75573137070700676789e-06;
    s = s * z - 1.98412698298579493134e-04;
    s = s * z + 8.33333333332248946124e-03;
    s = s * z - 1.66666666666666324348e-01;
    s = (r * z) * s + r;
    T c = z * -1.13596475577881948265e-11 + 2.08757232129817482790e-09;
    c = c * z - 2.75573143513906633035e-07;
    c = c * z + 2.48015872894767294178e-05;
    c = c * z - 1.38888888888741095749e-03;
    c = c * z + 4.16666666666666019037e-02;
    c = (z * z) * c + (1.0 - 0.5 * z);
    const auto quarter = bits(shifted);
    const auto swap = -(quarter & 1);
    const auto sb = bits(s), cb = bits(c);
    sine = number<T>(((sb & ~swap) | (cb & swap)) ^ ((quarter & 2) << 62));
    cosine = number<T>(((cb & ~swap) | (sb & swap)) ^ (((quarter + 1) & 2) << 62));
}

}  // namespace
