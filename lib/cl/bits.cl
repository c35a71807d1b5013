/* bits.cl: bits of integers taken out, put in, and reversed (OpenCL C 6.15.3.1, cl_khr_extended_bit_ops). Shifts take the
 * amount modulo the type's bits, as those of vectors do by themselves: a field of no bits is what remains to be seen to. */
#include "weir.h"

#define FIELDS(T, S, U, n)                                                                                   \
    OVERLOAD PURE T##n bitfield_insert(T##n base, T##n insert, uint offset, uint count) {                    \
        const uint width = 8 * sizeof(T), at = offset % width;                                               \
        U bits = count ? (U)((U)((U)~(U)0 >> (width - count) % width) << at) : (U)0;                         \
        U##n mask = (U##n)bits, low = __builtin_astype(insert, U##n);                                        \
        U##n moved = (U##n)(low << (U##n)(U)at), kept = __builtin_astype(base, U##n) & ~mask;                \
        return __builtin_astype((U##n)((moved & mask) | kept), T##n);                                        \
    }                                                                                                        \
    OVERLOAD PURE S##n bitfield_extract_signed(T##n base, uint offset, uint count) {                         \
        const uint width = 8 * sizeof(T);                                                                    \
        U left = (width - count - offset) % width, right = (width - count) % width;                          \
        U##n top = (U##n)(__builtin_astype(base, U##n) << (U##n)left);                                       \
        S##n field = (S##n)(__builtin_astype(top, S##n) >> __builtin_astype((U##n)right, S##n));             \
        return field & (S##n)(S)(count ? -1 : 0);                                                            \
    }                                                                                                        \
    OVERLOAD PURE U##n bitfield_extract_unsigned(T##n base, uint offset, uint count) {                       \
        const uint width = 8 * sizeof(T);                                                                    \
        U left = (width - count - offset) % width, right = (width - count) % width;                          \
        U##n top = (U##n)(__builtin_astype(base, U##n) << (U##n)left);                                       \
        return (U##n)(top >> (U##n)right) & (U##n)(U)(count ? -1 : 0);                                       \
    }                                                                                                        \
    OVERLOAD PURE T##n bit_reverse(T##n base) {                                                              \
        return __builtin_elementwise_bitreverse(base);                                                       \
    }
#define WIDTHS(T, S, U)                                                                                      \
    FIELDS(T, S, U, )                                                                                        \
    FIELDS(T, S, U, 2)                                                                                       \
    FIELDS(T, S, U, 3)                                                                                       \
    FIELDS(T, S, U, 4)                                                                                       \
    FIELDS(T, S, U, 8)                                                                                       \
    FIELDS(T, S, U, 16)
#define TYPES(S, U) WIDTHS(S, S, U) WIDTHS(U, S, U)

TYPES(char, uchar)
TYPES(short, ushort)
TYPES(int, uint)
TYPES(long, ulong)
