// fmod, remainder and remquo of floats are exact: the same as those of doubles, for quotients from 2^-276 to 2^276, at and
// around halves and integers, also in the vector forms; signs of zeros, infinities, and what isn't a number.
// global: 504
// local: 63
// arg: int wrong[504]
// expect: wrong = 0
bool same(float a, float b) {
    return as_uint(a) == as_uint(b) || (isnan(a) && isnan(b));
}
int check(float x, float y) {
    int q, p, bad = 0;
    int8 all;
    double r = remquo((double)x, (double)y, &p);
    float one = remquo(x, y, &q);
    float8 eight = remquo((float8)(x, x, x, x, 1, x, x, x), (float8)(y, y, y, y, 1, y, y, y), &all);
    bad += !same(fmod(x, y), (float)fmod((double)x, (double)y)) + !same(remainder(x, y), (float)r);
    bad += !same(one, (float)r) + (q != p) + !same(eight.s7, one) + (all.s7 != q) + (all.s4 != 1);
    float3 v = fmod((float3)(x, x, 5), (float3)(y, y, 3)), w = remainder((float3)(x, 5, x), (float3)(y, 3, y));
    return bad + !same(v.y, fmod(x, y)) + (v.z != 2) + !same(w.z, one) + (w.y != -1);
}
kernel void k(global int *wrong) {
    int g = get_global_id(0), bad = 0;
    for (int i = 0; i < 16; i++) {
        float t = ldexp(1.0f + (float)g / 504.0f, (g * 16 + i) % 276 - 149) * (i & 1 ? -1.0f : 1.0f);
        float s = (1.0f + (float)(i * 37 % 16) / 16.0f) * (g & 1 ? -1.0f : 1.0f);
        bad += check(t, s) + check(s, t) + check(t, t * s) + check(t * s, t) + check(t, ldexp(s, i * 17 - 149));
        float y = ldexp(3.0f, g % 250 - 149), x = y * (float)(g * 16 + i) * 0.5f;
        bad += check(x, y) + check(nextafter(x, 0.0f), y) + check(nextafter(x, INFINITY), -y);
        bad += check(x, nextafter(y, 0.0f)) + check(-x, nextafter(y, INFINITY));
        y = as_float(0x4a000000 + g * 16411 + i), x = as_float(0x3f800000 + g * 16411 * (i + 1));
        bad += check(x * y, x) + check(y, x);
    }
    float edges[] = {0.0f, -0.0f, INFINITY, -INFINITY, NAN, 0x1p-149f, 0x1.fffffep127f, 0x1p-126f, -1.0f, 5.5f};
    for (int i = 0; i < 100; i++) {
        bad += check(edges[i / 10], edges[i % 10]);
    }
    wrong[g] = bad;
}
