// global: 504
// arg: float out[1512]
// expect: out = i / 3 * 10 + i % 3
kernel void k(global float *out) {
    size_t g = get_global_id(0);
    float3 a = (float3)(g * 10, g * 10 + 1, g * 10 + 2);
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore3(a, g, out);
}
