// What work-items do with four elements each: the same with all, with a number of their own, with each other, in a branch.
// global: 512
// local: 64 16 8
// arg: float in[2048] = i % 61
// arg: float out[2048]
// arg: float last[512]
// arg: int n = 3
// expect: out = 1 + (i % 61) * 8
// expect: last = (i * 4 + 3) % 61 * 4 + (i % 4 == 1 ? (i * 4) % 61 : (i * 4 + 2) % 61) - (i * 4 + 1) % 61 * (i % 5)
kernel void k(global const float4 *in, global float4 *out, global float *last, int n) {
    size_t i = get_global_id(0);
    float4 v = in[i], s = 1;
    for (int k = 0; k <= n; k++)
        s += v * 2;
    out[i] = s;
    float own = (s.w - 1) / 2;
    if (i % 4 == 1)
        own += v.x;
    else
        own += v.z;
    last[i] = own - v.y * (int)(i % 5);
}
