/* native.cl: native_ and half_ functions (OpenCL C 6.15.2, table 10) that are the exact ones: libclc's native_ ones would
 * fall to calls of the C library, and its half_ ones are slower. */
#include "weir.h"

#define ONE(T, f)                                                                                            \
    OVERLOAD PURE T f(T x);                                                                                  \
    OVERLOAD T native_##f(T x) {                                                                             \
        return f(x);                                                                                         \
    }                                                                                                        \
    OVERLOAD T half_##f(T x) {                                                                               \
        return f(x);                                                                                         \
    }
#define NATIVE(f) ONE(float, f) ONE(float2, f) ONE(float3, f) ONE(float4, f) ONE(float8, f) ONE(float16, f)

NATIVE(sin)
NATIVE(cos)
NATIVE(tan)
NATIVE(exp)
NATIVE(exp2)
NATIVE(exp10)
NATIVE(log)
NATIVE(log2)
NATIVE(log10)

#define POWR(T)                                                                                              \
    OVERLOAD PURE T powr(T x, T y);                                                                          \
    OVERLOAD T native_powr(T x, T y) {                                                                       \
        return powr(x, y);                                                                                   \
    }                                                                                                        \
    OVERLOAD T half_powr(T x, T y) {                                                                         \
        return powr(x, y);                                                                                   \
    }
POWR(float)
POWR(float2)
POWR(float3)
POWR(float4)
POWR(float8)
POWR(float16)
