// global: 8
// local: 1 2 8
// needs: cl_khr_fp16
// arg: ushort x[8] = {0x2801, 0x27ff, 0x3801, 0x37ff, 0x0c01, 0x0bff, 0x7bff, 0xa801}
// arg: ushort y[8] = {0x2400, 0x2400, 0x3c00, 0x3c00, 0x0c00, 0x0c00, 0x3c00, 0x2400}
// arg: ushort z[8] = {0x3c00, 0x3c00, 0x6400, 0x6400, 0x7800, 0xf800, 0x0001, 0xbc00}
// arg: ushort out[8]
// expect: out = {0x3c01, 0x3c00, 0x6401, 0x6400, 0x7800, 0xf800, 0x7bff, 0xbc01}
// Sums next to a tie between two half numbers, as 1 + 2^-11 and a little more or less.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global half *x, global half *y, global half *z, global half *out) {
    size_t i = get_global_id(0);
    out[i] = fma(x[i], y[i], z[i]);
}
