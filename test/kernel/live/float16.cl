// global: 504
// arg: float out[8064]
// expect: out = i / 16 * 2 + i % 16
kernel void k(global float *out) {
    size_t g = get_global_id(0);
    float16 a = (float16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15) + g * 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore16(a, g, out);
}
