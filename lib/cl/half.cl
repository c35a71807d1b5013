/* half.cl: stores of floats and doubles as half numbers (OpenCL C 6.15.7) in each rounding mode. The processor rounds to
 * the nearest number; where that lies on the wrong side of the value its neighbour is taken instead. */
#include "weir.h"
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

/* The float that rounds to the same half number as x does: where x lies between two floats the one with an odd last bit,
 * which is neither a half number nor a tie. */
static OVERLOAD float narrowed(double x) {
    float near = (float)x;
    double size = __builtin_elementwise_abs(x), got = __builtin_elementwise_abs((double)near);
    uint bits = __builtin_astype(near, uint), below = bits - 1, odd = (got > size ? below : bits) | 1;
    return __builtin_astype(got != size && x == x ? odd : bits, float);
}
static OVERLOAD float narrowed(float x) {
    return x;
}

/* The bits of x as a half number. Those of a number's neighbours are its own and 1: the lower ones of smaller
 * magnitude, and that of infinity's neighbour the largest number. */
#define MODES(T)                                                                                             \
    static OVERLOAD short bits_rte(T x) {                                                                    \
        return __builtin_astype((half)narrowed(x), short);                                                   \
    }                                                                                                        \
    static OVERLOAD short bits(T x) {                                                                        \
        return bits_rte(x);                                                                                  \
    }                                                                                                        \
    static OVERLOAD short bits_rtz(T x) {                                                                    \
        short h = bits_rte(x), less = h - 1;                                                                 \
        T got = (T)__builtin_astype(h, half);                                                                \
        return __builtin_elementwise_abs(got) > __builtin_elementwise_abs(x) ? less : h;                     \
    }                                                                                                        \
    static OVERLOAD short bits_rtp(T x) {                                                                    \
        short h = bits_rte(x), up = h < 0 ? h - 1 : h + 1;                                                   \
        return (T)__builtin_astype(h, half) < x ? up : h;                                                    \
    }                                                                                                        \
    static OVERLOAD short bits_rtn(T x) {                                                                    \
        short h = bits_rte(x), down = h < 0 ? h + 1 : h - 1;                                                 \
        return (T)__builtin_astype(h, half) > x ? down : h;                                                  \
    }
MODES(float)
MODES(double)

#define VECTORS(T, mode)                                                                                     \
    static OVERLOAD short2 bits##mode(T##2 x) {                                                              \
        return (short2)(bits##mode(x.x), bits##mode(x.y));                                                   \
    }                                                                                                        \
    static OVERLOAD short3 bits##mode(T##3 x) {                                                              \
        return (short3)(bits##mode(x.x), bits##mode(x.y), bits##mode(x.z));                                  \
    }                                                                                                        \
    static OVERLOAD short4 bits##mode(T##4 x) {                                                              \
        return (short4)(bits##mode(x.lo), bits##mode(x.hi));                                                 \
    }                                                                                                        \
    static OVERLOAD short8 bits##mode(T##8 x) {                                                              \
        return (short8)(bits##mode(x.lo), bits##mode(x.hi));                                                 \
    }                                                                                                        \
    static OVERLOAD short16 bits##mode(T##16 x) {                                                            \
        return (short16)(bits##mode(x.lo), bits##mode(x.hi));                                                \
    }

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
    VECTORS(T, mode)                                                                                         \
    STORES(, T, mode)                                                                                        \
    STORES(global, T, mode)                                                                                  \
    STORES(local, T, mode)
#define TYPE(T) MODE(T, ) MODE(T, _rte) MODE(T, _rtz) MODE(T, _rtp) MODE(T, _rtn)
TYPE(float)
TYPE(double)
