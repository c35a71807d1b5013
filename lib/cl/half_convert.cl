/* half_convert.cl: conversions of half numbers to and from other types (OpenCL C 6.4.3), but those from floats and
 * doubles (half.cl). Float holds any half number, and integers that it doesn't hold are too large for half: so a
 * conversion is that to float and another one, of which only one rounds. */
#include "weir.h"

#define SCALAR(x, T) ((T)(x))
#define VECTOR(x, T) __builtin_convertvector(x, T)

#define WIDTHS(M, ...)                                                                                       \
    M(, SCALAR, __VA_ARGS__)                                                                                 \
    M(2, VECTOR, __VA_ARGS__)                                                                                \
    M(3, VECTOR, __VA_ARGS__) M(4, VECTOR, __VA_ARGS__) M(8, VECTOR, __VA_ARGS__) M(16, VECTOR, __VA_ARGS__)
#define MODES(M, ...)                                                                                        \
    WIDTHS(M, __VA_ARGS__, )                                                                                 \
    WIDTHS(M, __VA_ARGS__, _rte)                                                                             \
    WIDTHS(M, __VA_ARGS__, _rtz)                                                                             \
    WIDTHS(M, __VA_ARGS__, _rtp)                                                                             \
    WIDTHS(M, __VA_ARGS__, _rtn)

#define DECLARED(n, CONVERT, T, mode) OVERLOAD PURE half##n convert_half##n##mode(T##n);
MODES(DECLARED, float)

#define INTEGER(n, CONVERT, T, mode)                                                                         \
    OVERLOAD PURE T##n convert_##T##n##mode(float##n);                                                       \
    OVERLOAD PURE T##n convert_##T##n##_sat##mode(float##n);                                                 \
    OVERLOAD T##n convert_##T##n##mode(half##n x) {                                                          \
        return convert_##T##n##mode(CONVERT(x, float##n));                                                   \
    }                                                                                                        \
    OVERLOAD T##n convert_##T##n##_sat##mode(half##n x) {                                                    \
        return convert_##T##n##_sat##mode(CONVERT(x, float##n));                                             \
    }                                                                                                        \
    OVERLOAD half##n convert_half##n##mode(T##n x) {                                                         \
        return convert_half##n##mode(CONVERT(x, float##n));                                                  \
    }
MODES(INTEGER, char)
MODES(INTEGER, uchar)
MODES(INTEGER, short)
MODES(INTEGER, ushort)
MODES(INTEGER, int)
MODES(INTEGER, uint)
MODES(INTEGER, long)
MODES(INTEGER, ulong)

#define EXACT(n, CONVERT, T, mode)                                                                           \
    OVERLOAD T##n convert_##T##n##mode(half##n x) {                                                          \
        return CONVERT(x, T##n);                                                                             \
    }
MODES(EXACT, half)
MODES(EXACT, float)
MODES(EXACT, double)
