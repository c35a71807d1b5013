/* edges.cl: functions (OpenCL C 6.15.2, 6.15.4) that libclc has right but for some zeros, infinities and NaNs, of which
 * section 7.5 of the specification and the C standard's annex F say what they give. */
#include "weir.h"

#define WIDTHS(M, ...)                                                                                       \
    M(, __VA_ARGS__)                                                                                         \
    M(2, __VA_ARGS__) M(3, __VA_ARGS__) M(4, __VA_ARGS__) M(8, __VA_ARGS__) M(16, __VA_ARGS__)

#define abs(x)         __builtin_elementwise_abs(x)
#define floor(x)       __builtin_elementwise_floor(x)
#define copysign(x, y) __builtin_elementwise_copysign(x, y)

/* ---- whole functions, which are short ---- */

#define FRACT(n, T, S, MOST)                                                                                 \
    OVERLOAD T##n fract(T##n x, S T##n *whole) {                                                             \
        T##n below = floor(x), rest = x - below, no_one = rest >= (T##n)1 ? (T##n)MOST : rest;               \
        *whole = below;                                                                                      \
        return abs(x) == (T##n)INFINITY ? copysign((T##n)0, x) : no_one;                                     \
    }
#define SHORT(n, T, MOST)                                                                                    \
    OVERLOAD T##n sign(T##n x) {                                                                             \
        T##n number = x == x ? x : (T##n)0;                                                                  \
        return number == (T##n)0 ? number : copysign((T##n)1, x);                                            \
    }                                                                                                        \
    OVERLOAD T##n fdim(T##n x, T##n y) {                                                                     \
        return x <= y ? (T##n)0 : x - y;                                                                     \
    }                                                                                                        \
    FRACT(n, T, , MOST)                                                                                      \
    FRACT(n, T, global, MOST)                                                                                \
    FRACT(n, T, local, MOST)
WIDTHS(SHORT, half, 0x1.ffcp-1h)
WIDTHS(SHORT, float, 0x1.fffffep-1f)
WIDTHS(SHORT, double, 0x1.fffffffffffffp-1)

/* ---- odd functions of doubles, for which -0 gives -0 ---- */

#define ODD(n, f, name)                                                                                      \
    OVERLOAD double##n libclc_##f(double##n) __asm__(name);                                                  \
    OVERLOAD double##n f(double##n x) {                                                                      \
        double##n r = libclc_##f(x);                                                                         \
        return x == (double##n)0 ? x : r;                                                                    \
    }
#define ODD_ALL(f, name)                                                                                     \
    ODD(, f, name "d")                                                                                       \
    ODD(2, f, name "Dv2_d")                                                                                  \
    ODD(3, f, name "Dv3_d")                                                                                  \
    ODD(4, f, name "Dv4_d") ODD(8, f, name "Dv8_d") ODD(16, f, name "Dv16_d")
ODD_ALL(asin, "__libclc_Z4asin")
ODD_ALL(atan, "__libclc_Z4atan")
ODD_ALL(erf, "__libclc_Z3erf")
ODD_ALL(expm1, "__libclc_Z5expm1")

/* ---- lgamma: of -infinity it is infinity, and of negative numbers close to 0 libclc's overflows on its way ---- */

#define DECLARE_LOG(n, T) OVERLOAD PURE T##n log(T##n);
WIDTHS(DECLARE_LOG, float)
WIDTHS(DECLARE_LOG, double)

#define MENDED(n, T, I, TINY)                                                                                \
    static OVERLOAD T##n mended(T##n r, T##n x) {                                                            \
        T##n a = abs(x), near = a < (T##n)TINY ? -log(a) : r;                                                \
        return a == (T##n)INFINITY ? a : near;                                                               \
    }
WIDTHS(MENDED, float, int, 0x1p-32f)
WIDTHS(MENDED, double, long, 0x1p-64)

#define LGAMMA(n, T, name)                                                                                   \
    OVERLOAD T##n libclc_lgamma(T##n) __asm__(name);                                                         \
    OVERLOAD T##n lgamma(T##n x) {                                                                           \
        return mended(libclc_lgamma(x), x);                                                                  \
    }
#define LGAMMA_R(n, T, S, name)                                                                              \
    OVERLOAD T##n libclc_lgamma_r(T##n, S int##n *) __asm__(name);                                           \
    OVERLOAD T##n lgamma_r(T##n x, S int##n *sign) {                                                         \
        return mended(libclc_lgamma_r(x, sign), x);                                                          \
    }
#define LGAMMA_ALL(n, T, type, integer)                                                                      \
    LGAMMA(n, T, "__libclc_Z6lgamma" type)                                                                   \
    LGAMMA_R(n, T, , "__libclc_Z8lgamma_r" type "P" integer)                                                 \
    LGAMMA_R(n, T, global, "__libclc_Z8lgamma_r" type "PU3AS1" integer)                                      \
    LGAMMA_R(n, T, local, "__libclc_Z8lgamma_r" type "PU3AS3" integer)
#define LGAMMAS(T, code)                                                                                     \
    LGAMMA_ALL(, T, code, "i")                                                                               \
    LGAMMA_ALL(2, T, "Dv2_" code, "Dv2_i")                                                                   \
    LGAMMA_ALL(3, T, "Dv3_" code, "Dv3_i")                                                                   \
    LGAMMA_ALL(4, T, "Dv4_" code, "Dv4_i")                                                                   \
    LGAMMA_ALL(8, T, "Dv8_" code, "Dv8_i")                                                                   \
    LGAMMA_ALL(16, T, "Dv16_" code, "Dv16_i")
LGAMMAS(float, "f")
LGAMMAS(double, "d")
