// pow, powr, pown, rootn and cbrt of floats: within what the specification allows of double's, also in the vector forms,
// and right at the edges that it names.
// options: -cl-std=CL3.0 -I test/kernel/builtin
// global: 504
// local: 63
// arg: int wrong[504]
// expect: wrong = 0
#include "ulps.h"
#define CHECK(f, limit, base, exponent, type, wide)                                                          \
    do {                                                                                                     \
        float it = base, one;                                                                                \
        type by = exponent;                                                                                  \
        one = f(it, by);                                                                                     \
        float4 all = f((float4)(it), (type##4)(by));                                                         \
        bad += !(ulps(one, f((double)it, (wide)by)) <= limit) + !same(all.x, one) + !same(all.w, one);       \
    } while (0)
#define EDGE(f, base, by, is)   bad += !same(f(base, by), is)
#define NO_NUMBER(f, base, by) bad += !isnan(f(base, by))

kernel void k(global int *wrong) {
    int g = get_global_id(0), bad = 0;
    for (int i = 0; i < 8; i++) {
        float t = ((float)g + (float)i / 8) / 504.0f, x = ldexp(1.0f + t, (g * 8 + i) % 276 - 149);
        float y = 150.0f * (2 * t - 1) / (fabs(log2(x)) + 0.01f), root = cbrt(x);
        CHECK(pow, 16, x, (i < 4 ? y : t), float, double);
        CHECK(powr, 16, x, (i < 4 ? y : -t), float, double);
        int n = i < 4 ? (int)y : (int)(g - 252) * (i - 5);
        if (n != 0) {
            CHECK(pown, 16, (i < 4 ? x : 1.0f + (t - 0.5f) * 0.3f), (i < 4 ? n : n / 5), int, int);
            CHECK(pown, 16, (i & 1 ? 1.0f : -1.0f) * (1.0f + t * 0x1p-20f), n * 5003, int, int);
            CHECK(rootn, 16, x, n, int, int);
        }
        bad += !(ulps(root, cbrt((double)x)) <= 2) + !same(cbrt(-x), -root);
        bad += !same(cbrt((float8)(x)).s7, root) + !same(pow(-x, 3.0f), -pow(x, 3.0f));
        bad += !same(pow(-x, 2.0f), pow(x, 2.0f));
    }
    float zero = (float)(g / 1000), one = zero + 1, two = zero + 2, big = zero + INFINITY, none = zero + NAN;
    EDGE(pow, one, NAN, 1.0f), EDGE(pow, none, zero, 1.0f), EDGE(pow, -big, -zero, 1.0f), EDGE(pow, -one, big, 1.0f);
    EDGE(pow, -zero, 3.0f, -0.0f), EDGE(pow, -zero, 2.0f, 0.0f), EDGE(pow, -zero, 0.5f, 0.0f);
    EDGE(pow, -zero, -3.0f, -INFINITY), EDGE(pow, -zero, -2.0f, INFINITY), EDGE(pow, -zero, -0.5f, INFINITY);
    EDGE(pow, -big, 3.0f, -INFINITY), EDGE(pow, -big, 2.5f, INFINITY), EDGE(pow, -big, -3.0f, -0.0f);
    EDGE(pow, big, -0.1f, 0.0f), EDGE(pow, big, 0x1p-149f, INFINITY), EDGE(pow, zero, 0x1p-149f, 0.0f);
    EDGE(pow, -two, big, INFINITY), EDGE(pow, two, -big, 0.0f), EDGE(pow, 0.5f * one, big, 0.0f);
    EDGE(pow, -two, 127.0f, -0x1p127f), EDGE(pow, -two, 128.0f, INFINITY), EDGE(pow, two, -149.0f, 0x1p-149f);
    EDGE(pow, -two, -151.0f, -0.0f), EDGE(pow, two, 0x1.fffffep127f, INFINITY), EDGE(pow, two, -0x1.fffffep127f, 0.0f);
    EDGE(pow, -one, 0x1.fffffep23f, -1.0f), EDGE(pow, -one, 0x1p24f, 1.0f), EDGE(pow, 1 + 0x1p-23f, 0x1p40f, INFINITY);
    NO_NUMBER(pow, -two, 0.5f), NO_NUMBER(pow, -two, none), NO_NUMBER(pow, none, 1.0f), NO_NUMBER(pow, -one, 0x1p-149f);
    EDGE(powr, -zero, 3.0f, 0.0f), EDGE(powr, -zero, -3.0f, INFINITY), EDGE(powr, zero, -big, INFINITY);
    EDGE(powr, two, zero, 1.0f), EDGE(powr, one, 3.0f, 1.0f), EDGE(powr, big, 0.5f, INFINITY), EDGE(powr, big, -big, 0.0f);
    NO_NUMBER(powr, zero, zero), NO_NUMBER(powr, big, zero), NO_NUMBER(powr, one, big), NO_NUMBER(powr, one, none);
    NO_NUMBER(powr, -one, two), NO_NUMBER(powr, none, zero), NO_NUMBER(powr, -big, zero);
    int even = g / 1000 + 2, odd = even + 1, most = INT_MAX - g / 1000;
    EDGE(pown, none, even - 2, 1.0f), EDGE(pown, -zero, odd, -0.0f), EDGE(pown, -zero, even, 0.0f);
    EDGE(pown, -zero, -odd, -INFINITY), EDGE(pown, -zero, -even, INFINITY), EDGE(pown, -big, odd, -INFINITY);
    EDGE(pown, -big, -odd, -0.0f), EDGE(pown, -big, even, INFINITY), EDGE(pown, -two, odd, -8.0f);
    EDGE(pown, -one, most, -1.0f), EDGE(pown, -one, -most - 1, 1.0f), EDGE(pown, two, most, INFINITY);
    EDGE(pown, two, -149, 0x1p-149f), EDGE(pown, -two, -most, -0.0f), NO_NUMBER(pown, none, odd);
    EDGE(rootn, -two, 1, -2.0f), EDGE(rootn, -0x1p-149f * one, odd - 2, -0x1p-149f), EDGE(rootn, 64 * one, 3 * even, 2.0f);
    EDGE(rootn, -zero, odd, -0.0f), EDGE(rootn, -zero, even, 0.0f), EDGE(rootn, -zero, -odd, -INFINITY);
    EDGE(rootn, -zero, -even, INFINITY), EDGE(rootn, -big, odd, -INFINITY), EDGE(rootn, big, -even, 0.0f);
    EDGE(rootn, two, most, 1.0f), EDGE(rootn, -8 * one, odd, -2.0f);
    NO_NUMBER(rootn, one, even - 2), NO_NUMBER(rootn, -one, even), NO_NUMBER(rootn, -big, even), NO_NUMBER(rootn, none, odd);
    bad += !same(cbrt(-zero), -0.0f) + !same(cbrt(-big), -INFINITY) + !isnan(cbrt(none)) + !same(cbrt(27 * one), 3.0f);
    wrong[g] = bad;
}
