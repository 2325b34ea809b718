// Arithmetic of programs on a device. The same text is CUDA C for NVRTC and C++ for any compiler.
#ifdef __CUDACC_RTC__
#define DEVICE static __device__ __forceinline__
#define LARGE static __device__ __noinline__
#define NOT_A_NUMBER __longlong_as_double(0x7ff8000000000000LL)
#define ENDLESS __longlong_as_double(0x7ff0000000000000LL)
#else
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
using namespace std;
#define DEVICE static inline
#define LARGE static
#define NOT_A_NUMBER numeric_limits<double>::quiet_NaN()
#define ENDLESS numeric_limits<double>::infinity()
#endif

// SINGLE asks for single precision; times are double all the same.
#ifdef SINGLE
typedef float real;
#else
typedef double real;
#endif

DEVICE real smaller(real a, real b) { return a != a || b != b ? (real)NOT_A_NUMBER : b < a ? b : a; }
DEVICE real larger(real a, real b) { return a != a || b != b ? (real)NOT_A_NUMBER : b > a ? b : a; }
DEVICE real magnitude(real x) { return fabs(x); }
DEVICE real sign(real x) { return x > 0 ? 1 : x < 0 ? -1 : x; }
// Bounds are multiples of what rounding leaves in double precision.
#ifdef SINGLE
#define ROUNDING_RATIO (real)5.4e8
#else
#define ROUNDING_RATIO 1
#endif
DEVICE real guard(real a, real b, real c) { return a > ROUNDING_RATIO*b ? c : (real)NOT_A_NUMBER; }

// The two last bits of the whole number that a shift has put into the last bits of a sum.
DEVICE int last_bits(real shifted)
{
#if !defined(__CUDACC_RTC__)
    int bits;
    memcpy(&bits, &shifted, sizeof bits); // the least significant bytes come first
#elif defined(SINGLE)
    int bits = __float_as_int(shifted);
#else
    int bits = __double2loint(shifted);
#endif
    return bits & 3;
}

LARGE real large_sine(real x) { return sin(x); }
LARGE real large_cosine(real x) { return cos(x); }

// With k the whole number nearest to 2x/pi, sine and cosine of x - k pi/2 are polynomials, and k decides which is which.
DEVICE void sine_and_cosine(real x, real &sine, real &cosine)
{
    // adding and subtracting it rounds to a whole number
    const real shift = sizeof(real) == 4 ? (real)12582912.0 : (real)6755399441055744.0;
    real shifted = fma(x, (real)TWO_OVER_PI, shift);
    real k = shifted - shift;
#ifdef SINGLE
    // polynomials of Cephes, and a quarter of a turn in two parts
    real r = fma(-k, -4.37113883e-8f, fma(-k, 1.57079637f, x));
    real z = r*r;
    real s = fma(fma(-1.9515295891e-4f, z, 8.3321608736e-3f), z, -1.6666654611e-1f);
    real c = fma(fma(2.443315711809948e-5f, z, -1.388731625493765e-3f), z, 4.166664568298827e-2f);
#else
    real r = fma(-k, HALF_PI_LOW, fma(-k, HALF_PI_HIGH, x));
    real z = r*r;
    real s = SINE_6, c = COSINE_6;
    s = fma(s, z, SINE_5); c = fma(c, z, COSINE_5);
    s = fma(s, z, SINE_4); c = fma(c, z, COSINE_4);
    s = fma(s, z, SINE_3); c = fma(c, z, COSINE_3);
    s = fma(s, z, SINE_2); c = fma(c, z, COSINE_2);
    s = fma(s, z, SINE_1); c = fma(c, z, COSINE_1);
#endif
    s = fma(r*z, s, r);
    real half = (real)0.5*z, near_one = 1 - half;
    c = near_one + fma(z*z, c, (1 - near_one) - half);
    int quarter = last_bits(shifted);
    real first = quarter & 1 ? c : s, second = quarter & 1 ? s : c;
    sine = quarter & 2 ? -first : first;
    cosine = (quarter + 1) & 2 ? -second : second;
    if (magnitude(x) > (sizeof(real) == 4 ? (real)8192 : (real)LARGEST_ANGLE)) {
        sine = large_sine(x);
        cosine = large_cosine(x);
    }
}

DEVICE real tangent(real x)
{
    real s, c;
    sine_and_cosine(x, s, c);
    return s/c;
}

// The n-th derivative of sin(x)/x: upward where x is large, downward where it is small.
LARGE real dsinc(real order, real x)
{
    int n = (int)order;
    real s, c;
    sine_and_cosine(x, s, c);
    if (magnitude(x) > n) {
        real value = s/x;
        for (int k = 1; k <= n; k++)
            value = ((k & 2 ? -1 : 1)*(k & 1 ? c : s) - k*value)/x;
        return value;
    }
    int top = n;
    real weight = 1, value = 0;
    while (weight > (real)1e-20*smaller(magnitude(x), 1))
        weight *= magnitude(x)/++top;
    for (int k = top; k > n; k--)
        value = ((k & 2 ? -1 : 1)*(k & 1 ? c : s) - x*value)/k;
    return value;
}

DEVICE real sinc(real x) { return x == 0 ? 1 : sin(x)/x; }
