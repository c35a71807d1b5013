// global: 504
// arg: float out[504]
// expect: out = i + 5
kernel void k(global float *out) {
    float g = get_global_id(0);
    float r = sqrt(g * g);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = floor(r + 0.5f) + fabs(-2.0f) + fmax(3.0f, 1.0f);
}
