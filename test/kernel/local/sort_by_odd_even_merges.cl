// Batcher's merges compare s[p - step] with s[p]: the first work-items of each block, which would reach before it, don't.
// global: 256
// local: 256 64 32
// arg: uint in[512] = (i * 7919 + 13) % 509 * 1000 + i
// arg: uint out[512]
// expect: out = 1
kernel void k(global const uint *in, global uint *out) {
    local uint s[512];
    uint t = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * 2 * n;
    s[t] = in[first + t];
    s[t + n] = in[first + t + n];
    for (uint size = 2; size <= 2 * n; size *= 2) {
        uint step = size / 2, in_block = t & (step - 1);
        barrier(CLK_LOCAL_MEM_FENCE);
        uint p = 2 * t - (t & (step - 1));
        uint a = s[p], b = s[p + step];
        s[p] = min(a, b);
        s[p + step] = max(a, b);
        for (step /= 2; step > 0; step /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint p = 2 * t - (t & (step - 1));
            if (in_block >= step) {
                uint a = s[p - step], b = s[p];
                s[p - step] = min(a, b);
                s[p] = max(a, b);
            }
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint e = t; e < 2 * n; e += n) {
        uint less = 0;
        for (uint i = 0; i < 2 * n; i++)
            less += in[first + i] < s[e];
        out[first + e] = less == e;
    }
}
