/* dot.cl: dot products of four bytes, as vectors and packed into 32 bits (OpenCL C 6.15.3, cl_khr_integer_dot_product).
 * None overflows: four products of bytes have 18 bits. Only the sum with the accumulator may, and saturates. */
#include "weir.h"

#define DOT(R, A, B, packed)                                                                                 \
    OVERLOAD PURE R dot(A##4 a, B##4 b) {                                                                    \
        return (R)__weir_dot_##packed(__builtin_astype(a, uint), __builtin_astype(b, uint));                 \
    }                                                                                                        \
    OVERLOAD PURE R dot_acc_sat(A##4 a, B##4 b, R acc) {                                                     \
        return __builtin_elementwise_add_sat(dot(a, b), acc);                                                \
    }                                                                                                        \
    OVERLOAD PURE R dot_4x8packed_##packed##_##R(uint a, uint b) {                                                 \
        return dot(__builtin_astype(a, A##4), __builtin_astype(b, B##4));                                    \
    }                                                                                                        \
    OVERLOAD PURE R dot_acc_sat_4x8packed_##packed##_##R(uint a, uint b, R acc) {                                  \
        return dot_acc_sat(__builtin_astype(a, A##4), __builtin_astype(b, B##4), acc);                       \
    }
DOT(uint, uchar, uchar, uu)
DOT(int, char, char, ss)
DOT(int, uchar, char, us)
DOT(int, char, uchar, su)
