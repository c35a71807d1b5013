// 1 / y is too large for a number, x / y isn't.
// global: 64
// local: 16
// arg: float out[64]
// arg: float x[64] = i + 1
// expect: out = 4 * (i + 1)
kernel void k(global float *out, global const float *x) {
    int g = get_global_id(0);
    out[g] = half_divide(x[g] * 0x1p-128f, x[g] * 0x1p-130f / x[g]);
}
