// rsqrt of floats is within two units in the last place of double's, also in the vector forms, and right at the edges.
// options: -cl-std=CL3.0 -I test/kernel/builtin
// global: 504
// local: 63
// arg: int wrong[504]
// expect: wrong = 0
#include "ulps.h"
kernel void k(global int *wrong) {
    int g = get_global_id(0), bad = 0;
    for (int i = 0; i < 64; i++) {
        float x = as_float((uint)(g * 64 + i) * 66049u + 1u);
        float got = rsqrt(x);
        bad += !(ulps(got, rsqrt((double)x)) < 2); /* less, for the quotient is rounded */
        bad += !same(rsqrt((float4)(x, 1, 4, x)).w, got);
    }
    bad += rsqrt(0.0f) != INFINITY || rsqrt(-0.0f) != -INFINITY || rsqrt(INFINITY) != 0;
    bad += !isnan(rsqrt(-1.0f)) || !isnan(rsqrt(NAN)) || !isnan(rsqrt(-INFINITY));
    bad += rsqrt(4.0f) != 0.5f || rsqrt(0x1p-140f) != 0x1p70f || rsqrt(0x1p-126f) != 0x1p63f;
    wrong[g] = bad;
}
