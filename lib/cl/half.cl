/* half.cl: conversions of floats and doubles to half numbers (OpenCL C 6.4.3), and stores as such (6.15.7), in each
 * rounding mode. The processor rounds to the nearest number; where that lies on the wrong side of the value its neighbour
 * is taken instead. */
#include "weir.h"

#define ABS(x)         __builtin_elementwise_abs(x)
#define SCALAR(x, T)   ((T)(x))
#define VECTOR(x, T)   __builtin_convertvector(x, T)
#define ONE(truth, T)  ((T)(truth)) /* 1 where it is true */
#define MANY(truth, T) (-__builtin_convertvector(truth, T))

/* The bits of x as a half number. Those of a number's neighbours are its own and 1: the lower ones of smaller
 * magnitude, and that of infinity's neighbour the largest number. */
#define MODES(n, T, CONVERT, TRUE)                                                                           \
    static OVERLOAD short##n bits_rte(T##n x) {                                                              \
        return __builtin_astype(CONVERT(x, half##n), short##n);                                    \
    }                                                                                                        \
    static OVERLOAD T##n T##_of(short##n h) {                                                                \
        return CONVERT(__builtin_astype(h, half##n), T##n);                                                  \
    }                                                                                                        \
    static OVERLOAD short##n bits(T##n x) {                                                                  \
        return bits_rte(x);                                                                                  \
    }                                                                                                        \
    static OVERLOAD short##n bits_rtz(T##n x) {                                                              \
        short##n h = bits_rte(x);                                                                            \
        return h - TRUE(ABS(T##_of(h)) > ABS(x), short##n);                                                  \
    }                                                                                                        \
    static OVERLOAD short##n bits_rtp(T##n x) {                                                              \
        short##n h = bits_rte(x), up = (h >> (short)15) | (short)1;                                          \
        return h + up * TRUE(T##_of(h) < x, short##n);                                                       \
    }                                                                                                        \
    static OVERLOAD short##n bits_rtn(T##n x) {                                                              \
        short##n h = bits_rte(x), up = (h >> (short)15) | (short)1;                                          \
        return h - up * TRUE(T##_of(h) > x, short##n);                                                       \
    }                                                                                                        \
    CONVERSION(n, T, )                                                                                       \
    CONVERSION(n, T, _rte)                                                                                   \
    CONVERSION(n, T, _rtz)                                                                                   \
    CONVERSION(n, T, _rtp)                                                                                   \
    CONVERSION(n, T, _rtn)
#define CONVERSION(n, T, mode)                                                                               \
    OVERLOAD half##n convert_half##n##mode(T##n x) {                                                         \
        return __builtin_astype(bits##mode(x), half##n);                                                     \
    }
#define WIDTH(n, CONVERT, TRUE)                                                                              \
    MODES(n, float, CONVERT, TRUE)                                                                           \
    MODES(n, double, CONVERT, TRUE)
WIDTH(, SCALAR, ONE)
WIDTH(2, VECTOR, MANY)
WIDTH(3, VECTOR, MANY)
WIDTH(4, VECTOR, MANY)
WIDTH(8, VECTOR, MANY)
WIDTH(16, VECTOR, MANY)

#define UNALIGNED(n) typedef short##n unaligned_short##n __attribute__((aligned(2)));
UNALIGNED(2)
UNALIGNED(4)
UNALIGNED(8)
UNALIGNED(16)

#define STORE(S, T, mode, n)                                                                                 \
    OVERLOAD void vstore_half##n##mode(T##n x, size_t i, S half *p) {                                        \
        *(S unaligned_short##n *)(p + n * i) = bits##mode(x);                                                \
    }                                                                                                        \
    OVERLOAD void vstorea_half##n##mode(T##n x, size_t i, S half *p) {                                       \
        *(S short##n *)(p + n * i) = bits##mode(x);                                                          \
    }
/* A vector of three, stored as such, would take the place of four. */
#define STORE_THREE(S, T, mode, name, stride)                                                                \
    OVERLOAD void name##3##mode(T##3 x, size_t i, S half *p) {                                               \
        S short *at = (S short *)p + stride * i;                                                             \
        short3 h = bits##mode(x);                                                                            \
        at[0] = h.x, at[1] = h.y, at[2] = h.z;                                                               \
    }
#define STORES(S, T, mode)                                                                                   \
    OVERLOAD void vstore_half##mode(T x, size_t i, S half *p) {                                              \
        ((S short *)p)[i] = bits##mode(x);                                                                   \
    }                                                                                                        \
    STORE_THREE(S, T, mode, vstore_half, 3)                                                                  \
    STORE_THREE(S, T, mode, vstorea_half, 4)                                                                 \
    STORE(S, T, mode, 2)                                                                                     \
    STORE(S, T, mode, 4)                                                                                     \
    STORE(S, T, mode, 8)                                                                                     \
    STORE(S, T, mode, 16)

#define MODE(T, mode)                                                                                        \
    STORES(, T, mode)                                                                                        \
    STORES(global, T, mode)                                                                                  \
    STORES(local, T, mode)
#define TYPE(T) MODE(T, ) MODE(T, _rte) MODE(T, _rtz) MODE(T, _rtp) MODE(T, _rtn)
TYPE(float)
TYPE(double)
