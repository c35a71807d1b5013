/* math.cl: mathematical functions (OpenCL C 6.15.2) where libclc's miss subnormal results, accuracy or the signs of
 * zeros that section 7 of the specification asks for. The float ones work in double, where no float is subnormal. */
#include "weir.h"

#define WIDTHS(M, ...)                                                                                       \
    M(, __VA_ARGS__)                                                                                         \
    M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)

/* ---- conversions and functions of libclc that are used here, at all widths ---- */

#define DECLARE_BASICS(n, _)                                                                                 \
    OVERLOAD PURE double##n convert_double##n(float##n);                                                     \
    OVERLOAD PURE float##n convert_float##n(double##n);                                                      \
    OVERLOAD PURE float##n copysign(float##n, float##n);                                                     \
    OVERLOAD PURE double##n copysign(double##n, double##n);                                                  \
    OVERLOAD PURE float##n rint(float##n);                                                                   \
    OVERLOAD PURE double##n rint(double##n);                                                                 \
    OVERLOAD PURE double##n erfc(double##n);
WIDTHS(DECLARE_BASICS, )
OVERLOAD PURE double fabs(double);
OVERLOAD PURE double log(double);
OVERLOAD PURE double log2(double);
OVERLOAD PURE double exp(double);

/* ---- functions whose double form is exact enough for float ---- */

#define ONE(n, f)                                                                                            \
    OVERLOAD float##n f(float##n x) {                                                                        \
        return convert_float##n(f(convert_double##n(x)));                                                    \
    }
WIDTHS(ONE, erfc)

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

#define HALVES(T, U, f)                                                                                      \
    OVERLOAD T##2 f(T##2 x, U##2 y) {                                                                        \
        return (T##2)(f(x.x, y.x), f(x.y, y.y));                                                             \
    }                                                                                                        \
    OVERLOAD T##3 f(T##3 x, U##3 y) {                                                                        \
        return (T##3)(f(x.x, y.x), f(x.y, y.y), f(x.z, y.z));                                                \
    }                                                                                                        \
    OVERLOAD T##4 f(T##4 x, U##4 y) {                                                                        \
        return (T##4)(f(x.lo, y.lo), f(x.hi, y.hi));                                                         \
    }                                                                                                        \
    OVERLOAD T##8 f(T##8 x, U##8 y) {                                                                        \
        return (T##8)(f(x.lo, y.lo), f(x.hi, y.hi));                                                         \
    }                                                                                                        \
    OVERLOAD T##16 f(T##16 x, U##16 y) {                                                                     \
        return (T##16)(f(x.lo, y.lo), f(x.hi, y.hi));                                                        \
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

/* ---- fmod, remainder, remquo: long division of the mantissas, many bits a step ---- */

/* |x| as the result times 2^*exponent; `drop` low bits, known to be 0, are left out. 0 becomes 1. */
static ulong mantissa_of(double x, int drop, int *exponent) {
    ulong bits = __builtin_astype(x, ulong) & LONG_MAX, m = bits & 0xfffffffffffff;
    int e = (int)(bits >> 52);
    int shift = e ? 0 : (int)__builtin_clzl(m | 1) - 11;
    *exponent = (e ? e : 1 - shift) - 1075 + drop;
    m = ((m << shift) | (e ? 1ul << 52 : 0)) >> drop;
    return m ? m : 1;
}

/* x - n * y, n being x / y cut off or, with `nearest`, rounded to even; its low bits go to *quotient. x and y have
 * 53 - drop significant bits. */
static double divide(double x, double y, int drop, bool nearest, int *quotient) {
    int ex, ey, room = 11 + drop;
    ulong r = mantissa_of(x, drop, &ex), m = mantissa_of(y, drop, &ey), q = 0;
    bool normal = fabs(x) < INFINITY && fabs(y) <= INFINITY && y != 0;
    bool stays = fabs(y) == INFINITY || x == 0 || ex < ey - (nearest ? 1 : 0);
    *quotient = 0;
    if (!normal || stays) {
        return normal ? x : (double)NAN;
    }
    if (ex < ey) {
        m <<= 1;
        ey--;
    }
    q = r / m;
    r %= m;
    for (int left = ex - ey; left > 0 && (r != 0 || nearest); left -= room) {
        int step = left < room ? left : room;
        r <<= step;
        q = (q << step) + r / m;
        r %= m;
    }
    bool up = nearest && (2 * r > m || (2 * r == m && (q & 1)));
    double rest = copysign(ldexp((double)(up ? m - r : r), ey), x);
    int low = (int)((q + up) & 0x7f);
    *quotient = (x < 0) == (y < 0) ? low : -low;
    return up ? -rest : rest;
}

#define DIVISION(T, drop)                                                                                    \
    OVERLOAD T fmod(T x, T y) {                                                                              \
        int ignored;                                                                                         \
        return (T)divide(x, y, drop, false, &ignored);                                                       \
    }                                                                                                        \
    OVERLOAD T remainder(T x, T y) {                                                                         \
        int ignored;                                                                                         \
        return (T)divide(x, y, drop, true, &ignored);                                                        \
    }                                                                                                        \
    HALVES(T, T, fmod)                                                                                       \
    HALVES(T, T, remainder)                                                                                  \
    REMQUO(T, drop, )                                                                                        \
    REMQUO(T, drop, global)                                                                                  \
    REMQUO(T, drop, local)
#define REMQUO(T, drop, S)                                                                                   \
    OVERLOAD T remquo(T x, T y, S int *quotient) {                                                           \
        int q;                                                                                               \
        double r = divide(x, y, drop, true, &q);                                                             \
        *quotient = q;                                                                                       \
        return (T)r;                                                                                         \
    }                                                                                                        \
    OVERLOAD T##2 remquo(T##2 x, T##2 y, S int##2 * quotient) {                                              \
        int a, b;                                                                                            \
        T##2 r = (T##2)((T)divide(x.x, y.x, drop, true, &a), (T)divide(x.y, y.y, drop, true, &b));           \
        *quotient = (int2)(a, b);                                                                            \
        return r;                                                                                            \
    }                                                                                                        \
    OVERLOAD T##3 remquo(T##3 x, T##3 y, S int##3 * quotient) {                                              \
        int a, b, c;                                                                                         \
        T##3 r = (T##3)((T)divide(x.x, y.x, drop, true, &a), (T)divide(x.y, y.y, drop, true, &b),            \
                        (T)divide(x.z, y.z, drop, true, &c));                                                \
        *quotient = (int3)(a, b, c);                                                                         \
        return r;                                                                                            \
    }                                                                                                        \
    REMQUO_HALVES(T, 2, 4, S)                                                                                \
    REMQUO_HALVES(T, 4, 8, S)                                                                                \
    REMQUO_HALVES(T, 8, 16, S)
#define REMQUO_HALVES(T, h, n, S)                                                                            \
    OVERLOAD T##n remquo(T##n x, T##n y, S int##n *quotient) {                                               \
        S int##h *q = (S int##h *)quotient;                                                                  \
        T##h low = remquo(x.lo, y.lo, q);                                                                    \
        return (T##n)(low, remquo(x.hi, y.hi, q + 1));                                                       \
    }
DIVISION(float, 29)
DIVISION(double, 0)

/* ---- pow and powr in double: libclc's are lost where y * log(x) is huge ---- */

static double far_power(double result, double x, double y) {
    double a = fabs(x), magnitude = fabs(y), t;
    if (!(magnitude >= 0x1p31 && magnitude < INFINITY && a > 0 && a < INFINITY)) {
        return result;
    }
    t = log2(a) * y;
    if (!(fabs(t) > 2000)) {
        return result;
    }
    if (x < 0 && rint(y) != y) {
        return NAN;
    }
    bool odd = rint(y * 0.5) != y * 0.5;
    return copysign(t > 0 ? (double)INFINITY : 0.0, x < 0 && odd ? -1.0 : 1.0);
}

double libclc_pow(double, double) __asm__("__libclc_Z3powdd");
double libclc_powr(double, double) __asm__("__libclc_Z4powrdd");

OVERLOAD double pow(double x, double y) {
    return far_power(libclc_pow(x, y), x, y);
}
OVERLOAD double powr(double x, double y) {
    return x < 0 ? (double)NAN : far_power(libclc_powr(x, y), x, y);
}
HALVES(double, double, pow)
HALVES(double, double, powr)

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
WIDTHS(ONE, tgamma)
