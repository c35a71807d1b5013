/* half_common.cl: common, geometric and relational functions, vector loads and stores, and shuffles (OpenCL C 6.15.4 to
 * 6.15.7 and 6.15.13) of half numbers. Arithmetic of several steps is that of floats, rounded once. */
#ifndef N
#define FILE "half_common.cl"
#include "widths.h"

/* ---- geometric functions ---- */

#define ONE_DIMENSION(x, T) ((T)(x))
#define MORE(x, T)          __builtin_convertvector(x, T)

#define GEOMETRIC(n, CONVERT)                                                                                \
    OVERLOAD PURE float dot(float##n, float##n);                                                             \
    OVERLOAD PURE float distance(float##n, float##n);                                                        \
    OVERLOAD PURE float length(float##n);                                                                    \
    OVERLOAD PURE float##n normalize(float##n);                                                              \
    OVERLOAD half dot(half##n x, half##n y) {                                                                \
        return (half)dot(CONVERT(x, float##n), CONVERT(y, float##n));                                        \
    }                                                                                                        \
    OVERLOAD half distance(half##n x, half##n y) {                                                           \
        return (half)distance(CONVERT(x, float##n), CONVERT(y, float##n));                                   \
    }                                                                                                        \
    OVERLOAD half length(half##n x) {                                                                        \
        return (half)length(CONVERT(x, float##n));                                                           \
    }                                                                                                        \
    OVERLOAD half##n normalize(half##n x) {                                                                  \
        return CONVERT(normalize(CONVERT(x, float##n)), half##n);                                            \
    }
GEOMETRIC(, ONE_DIMENSION)
GEOMETRIC(2, MORE)
GEOMETRIC(3, MORE)
GEOMETRIC(4, MORE)

#define CROSS(n)                                                                                             \
    OVERLOAD PURE float##n cross(float##n, float##n);                                                        \
    OVERLOAD half##n cross(half##n x, half##n y) {                                                           \
        return MORE(cross(MORE(x, float##n), MORE(y, float##n)), half##n);                                   \
    }
CROSS(3)
CROSS(4)

/* ---- shuffles: those of integers of the same size ---- */

#define SHUFFLE(m, n)                                                                                        \
    OVERLOAD PURE ushort##n shuffle(ushort##m, ushort##n);                                                   \
    OVERLOAD PURE ushort##n shuffle2(ushort##m, ushort##m, ushort##n);                                       \
    OVERLOAD half##n shuffle(half##m x, ushort##n mask) {                                                    \
        return __builtin_astype(shuffle(__builtin_astype(x, ushort##m), mask), half##n);                     \
    }                                                                                                        \
    OVERLOAD half##n shuffle2(half##m x, half##m y, ushort##n mask) {                                        \
        return __builtin_astype(                                                                             \
            shuffle2(__builtin_astype(x, ushort##m), __builtin_astype(y, ushort##m), mask), half##n);        \
    }
#define SHUFFLES(m) SHUFFLE(m, 2) SHUFFLE(m, 4) SHUFFLE(m, 8) SHUFFLE(m, 16)
SHUFFLES(2)
SHUFFLES(4)
SHUFFLES(8)
SHUFFLES(16)

#else

/* ---- common functions ---- */

OVERLOAD PURE F degrees(F);
OVERLOAD PURE F radians(F);
OVERLOAD PURE F mix(F, F, F);
OVERLOAD PURE F smoothstep(F, F, F);

OVERLOAD H degrees(H x) {
    return CONVERT(degrees(CONVERT(x, F)), H);
}
OVERLOAD H radians(H x) {
    return CONVERT(radians(CONVERT(x, F)), H);
}
OVERLOAD H mix(H x, H y, H a) {
    return CONVERT(mix(CONVERT(x, F), CONVERT(y, F), CONVERT(a, F)), H);
}
OVERLOAD H smoothstep(H from, H to, H x) {
    return CONVERT(smoothstep(CONVERT(from, F), CONVERT(to, F), CONVERT(x, F)), H);
}
OVERLOAD H max(H x, H y) {
    return x < y ? y : x;
}
OVERLOAD H min(H x, H y) {
    return y < x ? y : x;
}
OVERLOAD H clamp(H x, H least, H most) {
    return min(max(x, least), most);
}
OVERLOAD H step(H edge, H x) {
    return x < edge ? (H)0 : (H)1;
}

#if IS_VECTOR
OVERLOAD H max(H x, half y) {
    return max(x, (H)y);
}
OVERLOAD H min(H x, half y) {
    return min(x, (H)y);
}
OVERLOAD H clamp(H x, half least, half most) {
    return clamp(x, (H)least, (H)most);
}
OVERLOAD H step(half edge, H x) {
    return step((H)edge, x);
}
OVERLOAD H mix(H x, H y, half a) {
    return mix(x, y, (H)a);
}
OVERLOAD H smoothstep(half from, half to, H x) {
    return smoothstep((H)from, (H)to, x);
}
#endif

/* ---- relational functions: a comparison gives what they return, 1 for a scalar and -1 for elements ---- */

#if IS_VECTOR
#define TRUTH S
#else
#define TRUTH int
#endif

#define COMPARE(name, expression)                                                                            \
    OVERLOAD TRUTH name(H x, H y) {                                                                          \
        return expression;                                                                                   \
    }
#define CLASSIFY(name, expression)                                                                           \
    OVERLOAD TRUTH name(H x) {                                                                               \
        US size = __builtin_astype(x, US) & (US)0x7fff;                                                      \
        return expression;                                                                                   \
    }
COMPARE(isequal, x == y)
COMPARE(isnotequal, x != y)
COMPARE(isgreater, x > y)
COMPARE(isgreaterequal, x >= y)
COMPARE(isless, x < y)
COMPARE(islessequal, x <= y)
COMPARE(islessgreater, (x < y) | (x > y))
COMPARE(isordered, (x == x) & (y == y))
COMPARE(isunordered, (x != x) | (y != y))
CLASSIFY(isfinite, size < (US)0x7c00)
CLASSIFY(isinf, size == (US)0x7c00)
CLASSIFY(isnan, size > (US)0x7c00)
CLASSIFY(isnormal, (US)(size - (US)0x400) < (US)0x7800)
OVERLOAD TRUTH signbit(H x) {
    return __builtin_astype(x, S) < (S)0;
}
#undef TRUTH

OVERLOAD H bitselect(H x, H y, H mask) {
    US bits = __builtin_astype(mask, US);
    return __builtin_astype((US)((__builtin_astype(x, US) & ~bits) | (__builtin_astype(y, US) & bits)), H);
}

#if IS_VECTOR
#define CHOSEN(c) (__builtin_astype(c, S) < (S)0)
#else
#define CHOSEN(c) ((c) != 0)
#endif
OVERLOAD H select(H x, H y, S c) {
    return CHOSEN(c) ? y : x;
}
OVERLOAD H select(H x, H y, US c) {
    return CHOSEN(c) ? y : x;
}
#undef CHOSEN

/* ---- vector loads and stores: those of integers of the same size ---- */

#if IS_VECTOR
#define LOAD(SPACE)                                                                                          \
    OVERLOAD US JOIN(vload, N)(size_t, const SPACE ushort *);                                                \
    OVERLOAD H JOIN(vload, N)(size_t i, const SPACE half *p) {                                               \
        return __builtin_astype(JOIN(vload, N)(i, (const SPACE ushort *)p), H);                              \
    }
#define STORE(SPACE)                                                                                         \
    OVERLOAD void JOIN(vstore, N)(US, size_t, SPACE ushort *);                                               \
    OVERLOAD void JOIN(vstore, N)(H x, size_t i, SPACE half *p) {                                            \
        JOIN(vstore, N)(__builtin_astype(x, US), i, (SPACE ushort *)p);                                      \
    }
LOAD()
LOAD(global)
LOAD(local)
LOAD(constant)
STORE()
STORE(global)
STORE(local)
#endif

#endif
