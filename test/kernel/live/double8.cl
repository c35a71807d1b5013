// global: 504
// arg: double out[4032]
// expect: out = i / 8 * 0.5 + i % 8
kernel void k(global double *out) {
    size_t g = get_global_id(0);
    double8 a = (double8)(0, 1, 2, 3, 4, 5, 6, 7) + g * 0.5;
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore8(a, g, out);
}
