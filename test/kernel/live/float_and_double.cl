// global: 504
// arg: double out[504]
// expect: out = i * 0.5 + i * 0.25
kernel void k(global double *out) {
    size_t g = get_global_id(0);
    float a = g * 0.5f;
    double b = g * 0.25;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = a + b;
}
