/* math.cl: mathematical functions (OpenCL C 6.15.2) where libclc's miss subnormal results, accuracy or the signs of
 * zeros that section 7 of the specification asks for. */
#include "weir.h"

#define WIDTHS(M, ...)                                                                                       \
    M(, __VA_ARGS__)                                                                                         \
    M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)

/* ---- functions of libclc that are used here ---- */

#define DECLARE_BASICS(n, _)                                                                                 \
    OVERLOAD PURE float##n copysign(float##n, float##n);                                                     \
    OVERLOAD PURE double##n copysign(double##n, double##n);                                                  \
    OVERLOAD PURE float##n rint(float##n);                                                                   \
    OVERLOAD PURE double##n rint(double##n);
WIDTHS(DECLARE_BASICS, )
OVERLOAD PURE double fabs(double);
OVERLOAD PURE double log(double);
OVERLOAD PURE double exp(double);

/* ---- ldexp: scaling that rounds once ---- */

static double two_to(int k) {
    return __builtin_astype((ulong)(k + 1023) << 52, double);
}

static int bounded(int k, int limit) {
    return k < -limit ? -limit : k > limit ? limit : k;
}

OVERLOAD float ldexp(float x, int k) {
    return (float)(x * two_to(bounded(k, 400)));
}

/* Steps leave a normal number or one that the rest takes to zero, so that only the last one rounds. */
OVERLOAD double ldexp(double x, int k) {
    k = bounded(k, 2200);
    for (int i = 0; i < 2; i++) {
        int step = k < -1022 ? -969 : k > 1023 ? 1023 : 0;
        x *= two_to(step);
        k -= step;
    }
    return x * two_to(k);
}

#define SAME_EXPONENT(n, T)                                                                                  \
    OVERLOAD T##n ldexp(T##n x, int k) {                                                                     \
        return ldexp(x, (int##n)k);                                                                          \
    }
HALVES(float, int, ldexp)
HALVES(double, int, ldexp)
#define VECTORS(M, ...)                                                                                      \
    M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)
VECTORS(SAME_EXPONENT, float)
VECTORS(SAME_EXPONENT, double)

/* ---- the signs of zeros ---- */

#define TRIGONOMETRIC(n, T, code)                                                                            \
    OVERLOAD T##n libclc_sinpi(T##n) __asm__("__libclc_Z5sinpi" code);                                       \
    OVERLOAD T##n libclc_cospi(T##n) __asm__("__libclc_Z5cospi" code);                                       \
    OVERLOAD T##n libclc_tanpi(T##n) __asm__("__libclc_Z5tanpi" code);                                       \
    OVERLOAD T##n libclc_asinpi(T##n) __asm__("__libclc_Z6asinpi" code);                                     \
    OVERLOAD T##n libclc_atanpi(T##n) __asm__("__libclc_Z6atanpi" code);                                     \
    OVERLOAD T##n sinpi(T##n x) {                                                                            \
        T##n r = libclc_sinpi(x);                                                                            \
        return r == 0 ? copysign(r, x) : r;                                                                  \
    }                                                                                                        \
    OVERLOAD T##n cospi(T##n x) {                                                                            \
        return libclc_cospi(x) + (T##n)0;                                                                    \
    }                                                                                                        \
    OVERLOAD T##n tanpi(T##n x) {                                                                            \
        T##n r = libclc_tanpi(x), half_of = x * (T##n)0.5;                                                   \
        return r == 0 ? copysign(r, rint(half_of) == half_of ? x : -x) : r;                                  \
    }                                                                                                        \
    OVERLOAD T##n asinpi(T##n x) {                                                                           \
        return copysign(libclc_asinpi(x), x);                                                                \
    }                                                                                                        \
    OVERLOAD T##n atanpi(T##n x) {                                                                           \
        return copysign(libclc_atanpi(x), x);                                                                \
    }
TRIGONOMETRIC(, float, "f")
TRIGONOMETRIC(2, float, "Dv2_f")
TRIGONOMETRIC(3, float, "Dv3_f")
TRIGONOMETRIC(4, float, "Dv4_f")
TRIGONOMETRIC(8, float, "Dv8_f")
TRIGONOMETRIC(16, float, "Dv16_f")
TRIGONOMETRIC(, double, "d")
TRIGONOMETRIC(2, double, "Dv2_d")
TRIGONOMETRIC(3, double, "Dv3_d")
TRIGONOMETRIC(4, double, "Dv4_d")
TRIGONOMETRIC(8, double, "Dv8_d")
TRIGONOMETRIC(16, double, "Dv16_d")

/* ---- tgamma: Stirling's series from 10 on, reached by the recurrence; reflection for negative arguments ---- */

#define STIRLING_FROM 10

double libclc_pow(double, double) __asm__("__libclc_Z3powdd");

/* |gamma(x)| is a * b, each in range, for x in (0, 200]. */
static double gamma_factors(double x, double *b) {
    double product = 1, z = x, steps = 0;
    for (int i = 0; i < STIRLING_FROM; i++) {
        bool small = z < STIRLING_FROM;
        product *= small ? z : 1.0;
        steps += small ? 1.0 : 0.0;
        z = x + steps;
    }
    double lost = x - (z - steps); /* what rounding to z took away */
    double w = 1 / z, w2 = w * w;
    double series =
        w * (1 / 12.0 +
             w2 * (-1 / 360.0 +
                   w2 * (1 / 1260.0 +
                         w2 * (-1 / 1680.0 + w2 * (1 / 1188.0 + w2 * (-691 / 360360.0 + w2 / 156.0))))));
    double root = libclc_pow(z, 0.5 * z - 0.25); /* of z^(z - 1/2): the whole would overflow too early */
    double correction = 1 + lost * (log(z) - 0.5 * w);
    *b = root;
    return root * exp(-z) * (exp(series) * 0x1.40d931ff62706p1 * correction) / product;
}

OVERLOAD double tgamma(double x) {
    double y = fabs(x), b;
    if (y < 0x1p-54 || !(y < INFINITY)) {
        return x == -INFINITY ? (double)NAN : y < 1 ? 1 / x : x;
    }
    double a = gamma_factors(y > 200 ? 200.0 : y, &b);
    if (x > 0) {
        return a * b;
    }
    double sine = libclc_sinpi(y);
    return sine == 0 ? (double)NAN : -0x1.921fb54442d18p1 / (y * sine * a) / b;
}

OVERLOAD double2 tgamma(double2 x) {
    return (double2)(tgamma(x.x), tgamma(x.y));
}
OVERLOAD double3 tgamma(double3 x) {
    return (double3)(tgamma(x.x), tgamma(x.y), tgamma(x.z));
}
OVERLOAD double4 tgamma(double4 x) {
    return (double4)(tgamma(x.lo), tgamma(x.hi));
}
OVERLOAD double8 tgamma(double8 x) {
    return (double8)(tgamma(x.lo), tgamma(x.hi));
}
OVERLOAD double16 tgamma(double16 x) {
    return (double16)(tgamma(x.lo), tgamma(x.hi));
}
