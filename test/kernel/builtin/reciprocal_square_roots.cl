// rsqrt of floats is within two units in the last place of double's, also in the vector forms, and right at the edges.
// global: 504
// local: 63
// arg: int wrong[504]
// expect: wrong = 0
kernel void k(global int *wrong) {
    int g = get_global_id(0), bad = 0;
    for (int i = 0; i < 64; i++) {
        float x = as_float((uint)(g * 64 + i) * 66049u + 1u);
        double want = rsqrt((double)x);
        float got = rsqrt(x), unit = as_float((as_uint((float)want) & 0x7f800000u) - (23u << 23));
        bad += fabs((double)got - want) > 2 * (double)unit;
        bad += as_uint(rsqrt((float4)(x, 1, 4, x)).w) != as_uint(got);
    }
    bad += rsqrt(0.0f) != INFINITY || rsqrt(-0.0f) != -INFINITY || rsqrt(INFINITY) != 0;
    bad += !isnan(rsqrt(-1.0f)) || !isnan(rsqrt(NAN)) || !isnan(rsqrt(-INFINITY));
    bad += rsqrt(4.0f) != 0.5f || rsqrt(0x1p-140f) != 0x1p70f || rsqrt(0x1p-126f) != 0x1p63f;
    wrong[g] = bad;
}
