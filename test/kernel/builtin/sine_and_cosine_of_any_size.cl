// sin, cos and sincos of floats: within 4 units in the last place of double's from 2^-126 to 2^127, also in the vector
// forms; an infinity's is not a number; zeros keep their sign.
// options: -cl-std=CL3.0 -I test/kernel/builtin
// global: 504
// local: 63
// arg: int wrong[504]
// expect: wrong = 0
#include "ulps.h"
kernel void k(global int *wrong) {
    int g = get_global_id(0), bad = 0;
    for (int i = 0; i < 40; i++) {
        float x = ldexp(1.0f + (float)g / 504.0f, i * 253 / 39 - 126) * (i & 1 ? -1.0f : 1.0f), c, s = sincos(x, &c);
        bad += !(ulps(sin(x), sin((double)x)) <= 4) + !(ulps(cos(x), cos((double)x)) <= 4);
        bad += !same(s, sin(x)) + !same(c, cos(x));
        float4 v = sin((float4)(x, -x, 1, 1e30f)), w = cos((float4)(1e30f, 1, -x, x));
        bad += !same(v.x, s) + !same(v.y, -s) + !same(v.z, sin(1.0f)) + !same(v.w, sin(1e30f));
        bad += !same(w.w, c) + !same(w.z, c) + !same(w.y, cos(1.0f)) + !same(w.x, cos(1e30f));
    }
    float none = g % 2 ? INFINITY : NAN, zero = g % 2 ? 0.0f : -0.0f;
    bad += !isnan(sin(none)) + !isnan(cos(none)) + !same(sin(zero), zero) + !same(cos(zero), 1.0f);
    wrong[g] = bad;
}
