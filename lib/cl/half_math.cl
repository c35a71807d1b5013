/* half_math.cl: mathematical functions (OpenCL C 6.15.2) of half numbers. Most are those of floats, rounded once more: so
 * they are off by little more than half a unit in the last place, and exact where those are. What float can't hold or
 * isn't needed for, as a neighbour or a sign, is done on the numbers themselves; sin, cos and tan are in sine.cl, fract, fdim and
 * sign in edges.cl. */
#ifndef N
#define FILE "half_math.cl"
#include "widths.h"
#else

#define WIDE(x)   CONVERT(x, F)
#define NARROW(x) CONVERT(x, H)

/* ---- through the function of floats ---- */

#define ONE(f)                                                                                               \
    OVERLOAD PURE F f(F x);                                                                                  \
    OVERLOAD H f(H x) {                                                                                      \
        return NARROW(f(WIDE(x)));                                                                           \
    }
#define TWO(f)                                                                                               \
    OVERLOAD PURE F f(F x, F y);                                                                             \
    OVERLOAD H f(H x, H y) {                                                                                 \
        return NARROW(f(WIDE(x), WIDE(y)));                                                                  \
    }
#define AND_INTEGER(f)                                                                                       \
    OVERLOAD PURE F f(F x, I n);                                                                             \
    OVERLOAD H f(H x, I n) {                                                                                 \
        return NARROW(f(WIDE(x), n));                                                                        \
    }

ONE(acos)
ONE(acosh)
ONE(acospi)
ONE(asin)
ONE(asinh)
ONE(asinpi)
ONE(atan)
ONE(atanh)
ONE(atanpi)
ONE(cbrt)
ONE(cosh)
ONE(cospi)
ONE(erf)
ONE(erfc)
ONE(exp)
ONE(exp10)
ONE(exp2)
ONE(expm1)
ONE(lgamma)
ONE(log)
ONE(log10)
ONE(log1p)
ONE(log2)
ONE(logb)
ONE(rsqrt)
ONE(sinh)
ONE(sinpi)
ONE(tanh)
ONE(tanpi)
ONE(tgamma)
TWO(atan2)
TWO(atan2pi)
TWO(fmax)
TWO(fmin)
TWO(fmod)
TWO(hypot)
TWO(maxmag)
TWO(minmag)
TWO(pow)
TWO(powr)
TWO(remainder)
AND_INTEGER(pown)
AND_INTEGER(rootn)

OVERLOAD PURE I ilogb(F x);
OVERLOAD I ilogb(H x) {
    return ilogb(WIDE(x));
}

/* ---- with a second result ---- */

#define SECOND_REAL(f, S)                                                                                    \
    OVERLOAD F f(F x, F *second);                                                                            \
    OVERLOAD H f(H x, S H *second) {                                                                         \
        F other;                                                                                             \
        H first = NARROW(f(WIDE(x), &other));                                                                \
        *second = NARROW(other);                                                                             \
        return first;                                                                                        \
    }
#define SECOND_INTEGER(f, S)                                                                                 \
    OVERLOAD F f(F x, I *second);                                                                            \
    OVERLOAD H f(H x, S I *second) {                                                                         \
        I other;                                                                                             \
        H first = NARROW(f(WIDE(x), &other));                                                                \
        *second = other;                                                                                     \
        return first;                                                                                        \
    }
#define REMQUO(S)                                                                                            \
    OVERLOAD H remquo(H x, H y, S I *quotient) {                                                             \
        I q;                                                                                                 \
        H rest = NARROW(remquo(WIDE(x), WIDE(y), &q));                                                       \
        *quotient = q;                                                                                       \
        return rest;                                                                                         \
    }
#define SPACES(M, ...) M(__VA_ARGS__) M(__VA_ARGS__ global) M(__VA_ARGS__ local)
SPACES(SECOND_REAL, modf, )
SPACES(SECOND_INTEGER, frexp, )
SPACES(SECOND_INTEGER, lgamma_r, )
OVERLOAD F remquo(F x, F y, I *quotient);
SPACES(REMQUO, )

/* ---- exact ones; names in parentheses are macros of widths.h, too ---- */

#define BUILTIN(f, name)                                                                                     \
    OVERLOAD H(f)(H x) {                                                                                     \
        return __builtin_elementwise_##name(x);                                                              \
    }
BUILTIN(ceil, ceil)
BUILTIN(fabs, abs)
BUILTIN(floor, floor)
BUILTIN(rint, rint)
BUILTIN(round, round)
BUILTIN(sqrt, sqrt)
BUILTIN(trunc, trunc)

OVERLOAD H copysign(H x, H y) {
    return __builtin_elementwise_copysign(x, y);
}

OVERLOAD H(fma)(H x, H y, H z) {
    return __builtin_elementwise_fma(x, y, z);
}

OVERLOAD H mad(H x, H y, H z) {
    return x * y + z;
}

/* The scale takes any number out of range at its limits, and the product is exact. */
OVERLOAD H ldexp(H x, I k) {
    k = k > 60 ? (I)60 : k;
    k = k < -60 ? (I)-60 : k;
    return NARROW(WIDE(x) * FLOAT((k + 127) << 23));
}

OVERLOAD H nan(US payload) {
    return __builtin_astype((US)(payload | (US)0x7e00), H);
}

OVERLOAD H nextafter(H x, H y) {
    S bits = __builtin_astype(x, S), sign = __builtin_astype(y, S) & (S)(short)0x8000;
    S step = ((x < y) == (bits >= (S)0)) ? (S)1 : (S)-1, next = bits + step;
    next = x == (H)0 ? (S)(sign | (S)1) : next;
    next = x == y ? __builtin_astype(y, S) : next;
    return x != x || y != y ? x + y : __builtin_astype(next, H);
}

#if IS_VECTOR
OVERLOAD H fmax(H x, half y) {
    return fmax(x, (H)y);
}
OVERLOAD H fmin(H x, half y) {
    return fmin(x, (H)y);
}
OVERLOAD H ldexp(H x, int k) {
    return ldexp(x, (I)k);
}
#endif

#endif
