/* remainder.cl: fmod, remainder and remquo (OpenCL C 6.15.2), which are exact: in one straight line of instructions for
 * floats whose quotient is small; else by long division of the mantissas, many bits a step, which for floats is done one
 * by one and not inlined, as they are rare. */
#ifndef N
#include "weir.h"

OVERLOAD PURE double fabs(double);
OVERLOAD PURE double copysign(double, double);
OVERLOAD PURE double ldexp(double, int);

/* ---- long division, and doubles ---- */

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

OVERLOAD double fmod(double x, double y) {
    int ignored;
    return divide(x, y, 0, false, &ignored);
}
OVERLOAD double remainder(double x, double y) {
    int ignored;
    return divide(x, y, 0, true, &ignored);
}
HALVES(double, double, fmod)
HALVES(double, double, remainder)

#define REMQUO(S)                                                                                            \
    OVERLOAD double remquo(double x, double y, S int *quotient) {                                            \
        int q;                                                                                               \
        double r = divide(x, y, 0, true, &q);                                                                \
        *quotient = q;                                                                                       \
        return r;                                                                                            \
    }                                                                                                        \
    OVERLOAD double2 remquo(double2 x, double2 y, S int2 *quotient) {                                        \
        int a, b;                                                                                            \
        double2 r = (double2)(divide(x.x, y.x, 0, true, &a), divide(x.y, y.y, 0, true, &b));                 \
        *quotient = (int2)(a, b);                                                                            \
        return r;                                                                                            \
    }                                                                                                        \
    OVERLOAD double3 remquo(double3 x, double3 y, S int3 *quotient) {                                        \
        int a, b, c;                                                                                         \
        double3 r = (double3)(divide(x.x, y.x, 0, true, &a), divide(x.y, y.y, 0, true, &b),                  \
                              divide(x.z, y.z, 0, true, &c));                                                \
        *quotient = (int3)(a, b, c);                                                                         \
        return r;                                                                                            \
    }                                                                                                        \
    REMQUO_HALVES(2, 4, S)                                                                                   \
    REMQUO_HALVES(4, 8, S)                                                                                   \
    REMQUO_HALVES(8, 16, S)
#define REMQUO_HALVES(h, n, S)                                                                               \
    OVERLOAD double##n remquo(double##n x, double##n y, S int##n *quotient) {                                \
        S int##h *q = (S int##h *)quotient;                                                                  \
        double##h low = remquo(x.lo, y.lo, q);                                                               \
        return (double##n)(low, remquo(x.hi, y.hi, q + 1));                                                  \
    }
REMQUO()
REMQUO(global)
REMQUO(local)
#undef REMQUO

/* ---- the same of floats whose quotient is large ---- */

#define FAR OVERLOAD __attribute__((noinline, const))

FAR float __weir_lane_fmod(float x, float y) {
    int ignored;
    return (float)divide(x, y, 29, false, &ignored);
}
FAR float __weir_lane_remainder(float x, float y) {
    int ignored;
    return (float)divide(x, y, 29, true, &ignored);
}
FAR float __weir_lane_quotient(float x, float y) {
    int q;
    divide(x, y, 29, true, &q);
    return (float)q;
}

#define FAR_FORMS(f)                                                                                         \
    OVERLOAD float __weir_far_##f(float x, float y) {                                                        \
        return __weir_lane_##f(x, y);                                                                        \
    }                                                                                                        \
    HALVES(float, float, __weir_far_##f)
FAR_FORMS(fmod)
FAR_FORMS(remainder)
FAR_FORMS(quotient)

#define FILE "remainder.cl"
#include "widths.h"
#else

/* ---- floats: where x / y is small, the rounded quotient is off by one at most, and the rest exact ---- */

OVERLOAD F fmod(F x, F y) {
    F a = fabs(x), b = fabs(y), ratio = a / b, r = fma(-trunc(ratio), b, a);
    r = r < 0 ? r + b : r;
    r = FLOAT(BITS(r) | (BITS(x) & 0x80000000));
    I far = !((ratio < 0x1p22f) & (b < INFINITY));
    return SOME(far) ? (far ? __weir_far_fmod(x, y) : r) : r;
}

/* x - n * y, n being x / y rounded to even; its low bits go to *quotient. */
static OVERLOAD F nearest(F x, F y, I *quotient) {
    F a = fabs(x), b = fabs(y), ratio = a / b, n = rint(ratio), r = fma(-n, b, a);
    F less = r > 0 ? r - b : r + b, other = r > 0 ? n + 1 : n - 1;
    I off = 2 * fabs(r) > b;
    r = off ? less : r;
    n = off ? other : n;
    U sign = BITS(x) & 0x80000000, minus = (BITS(x) ^ BITS(y)) & 0x80000000;
    r = FLOAT(BITS(r) ^ sign);
    I low = __builtin_astype(BITS(n + 0x1.8p23f) & 0x7f, I), q = minus != 0 ? -low : low;
    I far = !((ratio < 0x1p22f) & (b < INFINITY));
    *quotient = SOME(far) ? (far ? CONVERT(__weir_far_quotient(x, y), I) : q) : q;
    return SOME(far) ? (far ? __weir_far_remainder(x, y) : r) : r;
}

OVERLOAD F remainder(F x, F y) {
    I ignored;
    return nearest(x, y, &ignored);
}

#define REMQUO(S)                                                                                            \
    OVERLOAD F remquo(F x, F y, S I *quotient) {                                                             \
        I q;                                                                                                 \
        F r = nearest(x, y, &q);                                                                             \
        *quotient = q;                                                                                       \
        return r;                                                                                            \
    }
REMQUO()
REMQUO(global)
REMQUO(local)

#endif
