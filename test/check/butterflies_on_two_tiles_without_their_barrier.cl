// finds: data-race 9 14, data-race 9 15, data-race 9 16, data-race 14 15, data-race 14 16, data-race 15 15, data-race 15 16, data-race 16 16
// global: 64
// local: 64
// arg: float in[128] = i
// arg: float out[128]
kernel void k(global const float *in, global float *out) {
    local float2 s[2][64];
    uint l = get_local_id(0), side = 0;
    s[0][l] = vload2(l, in);
    for (uint n = 1; n < 64; n *= 2) {
        ;
        uint k = l & (n - 1), to = l < 32 ? 2 * (l - k) + k : 0;
        if (l < 32) {
            float2 a = s[side][l], b = s[side][l + 32];
            s[1 - side][to] = a + b;
            s[1 - side][to + n] = a - b;
        }
        side = 1 - side;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    vstore2(s[side][l], l, out);
}
