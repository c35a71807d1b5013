// exp, exp2, exp10, expm1, log, log2, log10, log1p, sinh, cosh, tanh of floats: within what the specification allows of
// double's from the least to the largest argument that gives a number, also in the vector forms, and right at the edges.
// options: -cl-std=CL3.0 -I test/kernel/builtin
// global: 504
// local: 63
// arg: int wrong[504]
// expect: wrong = 0
#include "ulps.h"
#define CHECK(f, limit, at)                                                                                  \
    do {                                                                                                     \
        float it = at, one = f(it);                                                                          \
        float3 all = f((float3)(it, 0.5f, it));                                                              \
        bad += !(ulps(one, f((double)it)) <= limit) + !same(all.x, one) + !same(all.z, one) +                \
               !same(all.y, f(0.5f));                                                                        \
    } while (0)
#define EDGE(f, x, y)  bad += !same(f(x), y)
#define NO_NUMBER(f, x) bad += !isnan(f(x))

kernel void k(global int *wrong) {
    int g = get_global_id(0), bad = 0;
    for (int i = 0; i < 4; i++) {
        float t = ((float)g + (float)i / 4) / 504.0f, s = i & 1 ? -1.0f : 1.0f;
        CHECK(exp, 3, t * 192.0f - 103.5f);
        CHECK(exp2, 3, t * 277.0f - 149.0f);
        CHECK(exp10, 3, t * 83.0f - 44.8f);
        CHECK(expm1, 3, t * 108.0f - 20.0f);
        CHECK(sinh, 4, t * 89.4f * s);
        CHECK(cosh, 4, t * 89.4f * s);
        CHECK(tanh, 5, t * 12.0f * s);
        float small = ldexp(1.0f + t, (g * 4 + i) % 149 - 149) * s, any = ldexp(1.0f + t, (g * 4 + i) % 276 - 149);
        CHECK(expm1, 3, small);
        CHECK(sinh, 4, small);
        CHECK(tanh, 5, small);
        CHECK(log1p, 2, small);
        CHECK(log1p, 2, t - 0.9999f);
        CHECK(log1p, 2, any);
        CHECK(log, 3, any);
        CHECK(log2, 3, any);
        CHECK(log10, 3, any);
        CHECK(log, 3, t + 0.5f);
        CHECK(log2, 3, t + 0.5f);
        CHECK(log10, 3, t + 0.5f);
    }
    float zero = (float)(g / 1000), minus = -zero, big = zero + INFINITY, none = zero + NAN;
    EDGE(exp, minus, 1.0f), EDGE(exp, big, INFINITY), EDGE(exp, -big, 0.0f), EDGE(exp, zero + 88.73f, INFINITY);
    EDGE(exp, zero - 104.0f, 0.0f), EDGE(exp, zero + 0x1.fffffep127f, INFINITY), NO_NUMBER(exp, none);
    EDGE(exp2, zero - 149.0f, 0x1p-149f), EDGE(exp2, zero - 150.5f, 0.0f), EDGE(exp2, zero + 128.0f, INFINITY);
    EDGE(exp2, zero + 127.0f, 0x1p127f), EDGE(exp2, big, INFINITY), EDGE(exp2, -big, 0.0f), NO_NUMBER(exp2, none);
    EDGE(exp10, minus, 1.0f), EDGE(exp10, big, INFINITY), EDGE(exp10, -big, 0.0f), NO_NUMBER(exp10, none);
    EDGE(expm1, minus, -0.0f), EDGE(expm1, zero, 0.0f), EDGE(expm1, big, INFINITY), EDGE(expm1, -big, -1.0f);
    EDGE(expm1, zero + 89.0f, INFINITY), EDGE(expm1, zero - 0x1p-149f, -0x1p-149f), NO_NUMBER(expm1, none);
    EDGE(log, minus, -INFINITY), EDGE(log, zero + 1.0f, 0.0f), EDGE(log, big, INFINITY);
    NO_NUMBER(log, zero - 0x1p-149f), NO_NUMBER(log, -big), NO_NUMBER(log, none);
    EDGE(log2, zero, -INFINITY), EDGE(log2, zero + 0x1p-149f, -149.0f), EDGE(log2, zero + 0x1p127f, 127.0f);
    EDGE(log2, big, INFINITY), NO_NUMBER(log2, -big), NO_NUMBER(log2, none);
    EDGE(log10, minus, -INFINITY), EDGE(log10, zero + 1.0f, 0.0f), EDGE(log10, big, INFINITY);
    NO_NUMBER(log10, zero - 1.0f), NO_NUMBER(log10, none);
    EDGE(log1p, minus, -0.0f), EDGE(log1p, zero, 0.0f), EDGE(log1p, zero - 1.0f, -INFINITY);
    EDGE(log1p, big, INFINITY), EDGE(log1p, zero - 0x1p-149f, -0x1p-149f);
    NO_NUMBER(log1p, zero - 0x1.000002p0f), NO_NUMBER(log1p, -big), NO_NUMBER(log1p, none);
    EDGE(sinh, minus, -0.0f), EDGE(sinh, big, INFINITY), EDGE(sinh, -big, -INFINITY), NO_NUMBER(sinh, none);
    EDGE(sinh, zero - 89.5f, -INFINITY), EDGE(sinh, zero - 0x1p-149f, -0x1p-149f);
    EDGE(cosh, minus, 1.0f), EDGE(cosh, big, INFINITY), EDGE(cosh, -big, INFINITY), NO_NUMBER(cosh, none);
    EDGE(tanh, minus, -0.0f), EDGE(tanh, big, 1.0f), EDGE(tanh, -big, -1.0f), NO_NUMBER(tanh, none);
    EDGE(tanh, zero - 0x1p-149f, -0x1p-149f);
    wrong[g] = bad;
}
