/* convert.cl: saturating conversions of reals to integers (OpenCL C 6.4.3.3): libclc's give anything for a NaN, where the
 * specification asks for 0. */
#include "weir.h"

#define SAME(x)     (x)
#define NEAREST(x)  __builtin_elementwise_rint(x)
#define UPWARDS(x)  __builtin_elementwise_ceil(x)
#define DOWNWARD(x) __builtin_elementwise_floor(x)

#define SCALAR(x, T) ((T)(x))
#define VECTOR(x, T) __builtin_convertvector(x, T)

/* T of n elements from F; S is the signed type of T's size, LIMIT the least number that is too large. */
#define UNSIGNED(T, S, F, n, LIMIT, MOST, mode, ROUND, CONVERT)                                              \
    OVERLOAD T##n convert_##T##n##_sat##mode(F##n x) {                                                       \
        F##n r = ROUND(x), low = r > (F##n)0 ? r : (F##n)0;                                                  \
        return CONVERT(r >= (F##n)LIMIT, S##n) ? (T##n)MOST : CONVERT(low, T##n);                            \
    }
#define SIGNED(T, S, F, n, LIMIT, MOST, mode, ROUND, CONVERT)                                                \
    OVERLOAD T##n convert_##T##n##_sat##mode(F##n x) {                                                       \
        F##n r = ROUND(x), low = r > (F##n) - LIMIT ? r : (F##n) - LIMIT, any = x == x ? low : (F##n)0;      \
        return CONVERT(r >= (F##n)LIMIT, S##n) ? (T##n)MOST : CONVERT(any, T##n);                            \
    }

#define WIDTHS(M, T, S, F, ...)                                                                              \
    M(T, S, F, , __VA_ARGS__, SCALAR)                                                                        \
    M(T, S, F, 2, __VA_ARGS__, VECTOR)                                                                       \
    M(T, S, F, 3, __VA_ARGS__, VECTOR)                                                                       \
    M(T, S, F, 4, __VA_ARGS__, VECTOR)                                                                       \
    M(T, S, F, 8, __VA_ARGS__, VECTOR)                                                                       \
    M(T, S, F, 16, __VA_ARGS__, VECTOR)
#define MODES(M, ...)                                                                                        \
    WIDTHS(M, __VA_ARGS__, , SAME)                                                                           \
    WIDTHS(M, __VA_ARGS__, _rtz, SAME)                                                                       \
    WIDTHS(M, __VA_ARGS__, _rte, NEAREST)                                                                    \
    WIDTHS(M, __VA_ARGS__, _rtp, UPWARDS)                                                                    \
    WIDTHS(M, __VA_ARGS__, _rtn, DOWNWARD)
#define FROM(F)                                                                                              \
    MODES(UNSIGNED, uchar, char, F, 0x1p8f, UCHAR_MAX)                                                       \
    MODES(UNSIGNED, ushort, short, F, 0x1p16f, USHRT_MAX)                                                    \
    MODES(UNSIGNED, uint, int, F, 0x1p32f, UINT_MAX)                                                         \
    MODES(UNSIGNED, ulong, long, F, 0x1p64f, ULONG_MAX)                                                      \
    MODES(SIGNED, char, char, F, 0x1p7f, CHAR_MAX)                                                           \
    MODES(SIGNED, short, short, F, 0x1p15f, SHRT_MAX)                                                        \
    MODES(SIGNED, int, int, F, 0x1p31f, INT_MAX)                                                             \
    MODES(SIGNED, long, long, F, 0x1p63f, LONG_MAX)
FROM(float)
FROM(double)
