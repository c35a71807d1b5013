/* native.cl: native_ and half_ functions (OpenCL C 6.15.2, table 10) that are the exact ones: libclc's native_ ones would
 * fall to calls of the C library, and its half_ ones are slower. (native_exp.cl and native_sine.cl have
 * others of their own.) */
#include "weir.h"

#define NATIVE_OF(T, f)                                                                                      \
    OVERLOAD T native_##f(T x) {                                                                             \
        return f(x);                                                                                         \
    }
#define HALF_OF(T, f)                                                                                        \
    OVERLOAD PURE T f(T x);                                                                                  \
    OVERLOAD T half_##f(T x) {                                                                               \
        return f(x);                                                                                         \
    }
#define ALL(M, f) M(float, f) M(float2, f) M(float3, f) M(float4, f) M(float8, f) M(float16, f)
#define HALF(f)   ALL(HALF_OF, f)
#define NATIVE(f) HALF(f) ALL(NATIVE_OF, f)

HALF(sin)
HALF(cos)
HALF(tan)
HALF(exp)
HALF(exp2)
HALF(exp10)
NATIVE(log)
NATIVE(log2)
NATIVE(log10)

/* The compiler makes estimates of the native_ divisions, by the flag that the pragma sets (post/reciprocals.c). libclc's own native_ ones
 * have others, as it uses them where the estimate wouldn't do. For half_ ones an estimate does neither: they are defined for
 * all numbers, also where 1 / y or y is subnormal. */
#define QUOTIENTS(T)                                                                                         \
    OVERLOAD PURE T sqrt(T x);                                                                               \
    OVERLOAD PURE T rsqrt(T x);                                                                              \
    OVERLOAD T native_divide(T x, T y) {                                                                     \
        _Pragma("clang fp reciprocal(on)") return x / y;                                                     \
    }                                                                                                        \
    OVERLOAD T half_divide(T x, T y) {                                                                       \
        return x / y;                                                                                        \
    }                                                                                                        \
    OVERLOAD T native_recip(T x) {                                                                           \
        return native_divide(1, x);                                                                          \
    }                                                                                                        \
    OVERLOAD T half_recip(T x) {                                                                             \
        return 1 / x;                                                                                        \
    }                                                                                                        \
    OVERLOAD T native_rsqrt(T x) {                                                                           \
        return native_divide(1, sqrt(x));                                                                    \
    }                                                                                                        \
    OVERLOAD T half_rsqrt(T x) {                                                                             \
        return rsqrt(x);                                                                                     \
    }
QUOTIENTS(float)
QUOTIENTS(float2)
QUOTIENTS(float3)
QUOTIENTS(float4)
QUOTIENTS(float8)
QUOTIENTS(float16)

#define POWR(T)                                                                                              \
    OVERLOAD PURE T powr(T x, T y);                                                                          \
    OVERLOAD PURE T log2(T x);                                                                               \
    OVERLOAD PURE T native_exp2(T x);                                                                        \
    OVERLOAD T native_powr(T x, T y) {                                                                       \
        return native_exp2(y * log2(x));                                                                     \
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
