// global: 504
// arg: float out[504]
// expect: out = i * 4 + 6 + (i % 5) * 4
kernel void k(global float *out) {
    size_t g = get_global_id(0);
    float4 a[5];
    for (int j = 0; j < 5; j++)
        a[j] = (float4)(0, 1, 2, 3) + g + j;
    barrier(CLK_LOCAL_MEM_FENCE);
    float4 v = a[g % 5];
    out[g] = v.x + v.y + v.z + v.w;
}
