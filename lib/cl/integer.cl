/* integer.cl: mad_sat of 64-bit integers (OpenCL C 6.15.3): libclc's doesn't saturate where only the sum overflows. */
#include "weir.h"

OVERLOAD PURE long mul_hi(long, long);
OVERLOAD PURE ulong mul_hi(ulong, ulong);

/* The product and the sum have 128 bits, which are representable in 64 if the upper half is the lower one's sign. */
OVERLOAD long mad_sat(long a, long b, long c) {
    ulong low = (ulong)a * (ulong)b, sum = low + (ulong)c;
    long high = mul_hi(a, b) + (c >> 63) + (sum < low), limit = (high >> 63) ^ LONG_MAX;
    return high == (long)sum >> 63 ? (long)sum : limit;
}
OVERLOAD ulong mad_sat(ulong a, ulong b, ulong c) {
    ulong sum = a * b + c;
    return mul_hi(a, b) || sum < c ? ULONG_MAX : sum;
}

#define VECTORS(T)                                                                                           \
    OVERLOAD T##2 mad_sat(T##2 a, T##2 b, T##2 c) {                                                          \
        return (T##2)(mad_sat(a.x, b.x, c.x), mad_sat(a.y, b.y, c.y));                                       \
    }                                                                                                        \
    OVERLOAD T##3 mad_sat(T##3 a, T##3 b, T##3 c) {                                                          \
        return (T##3)(mad_sat(a.x, b.x, c.x), mad_sat(a.y, b.y, c.y), mad_sat(a.z, b.z, c.z));               \
    }                                                                                                        \
    OVERLOAD T##4 mad_sat(T##4 a, T##4 b, T##4 c) {                                                          \
        return (T##4)(mad_sat(a.lo, b.lo, c.lo), mad_sat(a.hi, b.hi, c.hi));                                 \
    }                                                                                                        \
    OVERLOAD T##8 mad_sat(T##8 a, T##8 b, T##8 c) {                                                          \
        return (T##8)(mad_sat(a.lo, b.lo, c.lo), mad_sat(a.hi, b.hi, c.hi));                                 \
    }                                                                                                        \
    OVERLOAD T##16 mad_sat(T##16 a, T##16 b, T##16 c) {                                                      \
        return (T##16)(mad_sat(a.lo, b.lo, c.lo), mad_sat(a.hi, b.hi, c.hi));                                \
    }
VECTORS(long)
VECTORS(ulong)
