// Trees, a scan, a transform and a sort whose rounds are known when the kernel is compiled, of several types.
// global: 128
// local: 64
// arg: long sums[2]
// arg: uint sorted[128]
// arg: short firsts[128]
// arg: int haar[128]
// expect: sums = i * 4096 + 2016
// expect: sorted = i / 64 * 64 + (63 - i % 64)
// expect: firsts = (i % 64) * (i % 64 + 1) / 2
// expect: haar = i % 64 == 0 ? 64 * (i / 64 + 1) : 0
kernel void k(global long *sums, global uint *sorted, global short *firsts, global int *haar) {
    local long t[64 + 4];
    local uint s[64];
    local short p[2][64];
    local int h[64];
    uint l = get_local_id(0), g = get_global_id(0);
    t[l + l / 16] = g;
    s[l] = g / 64 * 64 + (l * 37 + 11) % 64;
    p[0][l] = l;
    h[l] = get_group_id(0) + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 1; d < get_local_size(0); d *= 2) {
        if (l % (2 * d) == 0)
            t[l + l / 16] += t[(l + d) + (l + d) / 16];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint k = 2; k <= 64; k *= 2)
        for (uint j = k / 2; j; j /= 2) {
            uint other = l ^ j;
            if (other > l && (s[l] < s[other]) == ((l & k) == 0)) {
                uint x = s[l];
                s[l] = s[other];
                s[other] = x;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    uint from = 0;
    for (uint d = 1; d < 64; d <<= 1) {
        p[1 - from][l] = l >= d ? p[from][l] + p[from][l - d] : p[from][l];
        from = 1 - from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (uint n = 32; n; n >>= 1) {
        int sum = 0, difference = 0;
        if (l < n) {
            sum = h[2 * l] + h[2 * l + 1];
            difference = h[2 * l] - h[2 * l + 1];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < n) {
            h[l] = sum;
            h[n + l] = difference;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        sums[get_group_id(0)] = t[0];
    sorted[g] = s[l];
    firsts[g] = p[from][l];
    haar[g] = h[l];
}
