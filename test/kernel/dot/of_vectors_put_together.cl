// Bytes that work-items compute, look at as numbers, and take from numbers.
// global: 504
// arg: int out[504]
// arg: int at[504] = i * 7
// expect: out = (i % 100) * 3 + (i * 7 % 256) * 2 + (i * 7 / 256) + 5 - 2 * 4 + (1 + i % 2 * 2) * 65536
kernel void k(global int *out, global const int *at) {
    size_t g = get_global_id(0);
    uchar4 computed = convert_uchar4((int4)(g % 100, 5, 0, 2));
    uchar4 bytes = as_uchar4(at[g]);
    short2 halves = as_short2((uchar4)(0, 0, 1 + g % 2 * 2, 0));
    out[g] = dot(computed, (char4)(3, 1, 0, -4)) + dot(bytes, (uchar4)(2, 1, 1, 1)) + as_int(halves);
}
