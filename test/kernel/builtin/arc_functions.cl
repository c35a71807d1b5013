// asin, acos, atan and atan2 of floats: within what the specification allows of double's, also in the vector forms, and
// right at the edges that it names.
// options: -cl-std=CL3.0 -I test/kernel/builtin
// global: 504
// local: 63
// arg: int wrong[504]
// expect: wrong = 0
#include "ulps.h"
#define CHECK(f, limit, at)                                                                                  \
    do {                                                                                                     \
        float it = at, one = f(it);                                                                          \
        float4 all = f((float4)(0.25f, -0.75f, it, it));                                                     \
        bad += !(ulps(one, f((double)it)) <= limit) + !same(all.z, one) + !same(all.x, f(0.25f));            \
    } while (0)
#define EDGE(f, x, y) bad += !same(f(x), y)
#define EDGE2(rise, run, degree)                                                                             \
    bad += !(ulps(atan2(rise, run), radians((double)(degree))) <= 1) +                                       \
           (signbit(atan2(rise, run)) != signbit((float)(degree)))

kernel void k(global int *wrong) {
    int g = get_global_id(0), bad = 0;
    for (int i = 0; i < 8; i++) {
        float t = ((float)g + (float)i / 8) / 504.0f, s = i & 1 ? -1.0f : 1.0f;
        float small = ldexp(1.0f + t, (g * 8 + i) % 149 - 149) * s, any = ldexp(1.0f + t, (g * 8 + i) % 276 - 149) * s;
        CHECK(asin, 4, t * s);
        CHECK(asin, 4, small);
        CHECK(asin, 4, (1 - 0.001f * t) * s);
        CHECK(acos, 4, t * s);
        CHECK(acos, 4, small);
        CHECK(acos, 4, (1 - 0.001f * t) * s);
        CHECK(atan, 5, t * 3.0f * s);
        CHECK(atan, 5, any);
        float x = cos(any), y = sin(any), one = atan2(y, x);
        bad += !(ulps(one, atan2((double)y, (double)x)) <= 6) + !same(atan2((float8)(y), (float8)(x)).s6, one);
        bad += !(ulps(atan2(any, t), atan2((double)any, (double)t)) <= 6);
        bad += !(ulps(atan2(t, any), atan2((double)t, (double)any)) <= 6);
    }
    float zero = (float)(g / 1000), minus = -zero, one = zero + 1, big = zero + INFINITY, none = zero + NAN;
    EDGE(asin, minus, -0.0f), EDGE(asin, one, M_PI_2_F), EDGE(asin, -one, -M_PI_2_F), EDGE(acos, one, 0.0f);
    EDGE(acos, -one, M_PI_F), EDGE(acos, zero, M_PI_2_F), EDGE(atan, minus, -0.0f), EDGE(atan, big, M_PI_2_F);
    EDGE(atan, -big, -M_PI_2_F), EDGE(atan, zero - 0x1p-149f, -0x1p-149f);
    bad += !isnan(asin(one + 0x1p-23f)) + !isnan(acos(-one - 0x1p-23f)) + !isnan(asin(big)) + !isnan(asin(none));
    bad += !isnan(acos(none)) + !isnan(atan(none)) + !isnan(atan2(none, one)) + !isnan(atan2(one, none));
    EDGE2(zero, zero, 0), EDGE2(minus, zero, -0.0f), EDGE2(zero, minus, 180), EDGE2(minus, minus, -180);
    EDGE2(minus, one, -0.0f), EDGE2(zero, -one, 180), EDGE2(minus, -one, -180), EDGE2(one, minus, 90);
    EDGE2(-one, zero, -90), EDGE2(one, big, 0), EDGE2(-one, big, -0.0f), EDGE2(one, -big, 180);
    EDGE2(-one, -big, -180), EDGE2(big, one, 90), EDGE2(-big, -one, -90), EDGE2(big, big, 45);
    EDGE2(-big, big, -45), EDGE2(big, -big, 135), EDGE2(-big, -big, -135), EDGE2(one, -one, 135);
    wrong[g] = bad;
}
