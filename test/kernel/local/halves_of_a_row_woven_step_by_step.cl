// Each step weaves both halves by runs that are twice as long: in the end the bits of an element's place are reversed.
// global: 64
// local: 32
// arg: uint out[128]
// expect: out = i / 64 * 64 + i % 2 * 32 + i / 2 % 2 * 16 + i / 4 % 2 * 8 + i / 8 % 2 * 4 + i / 16 % 2 * 2 + i / 32 % 2
kernel void k(global uint *out) {
    local uint s[2][64];
    uint l = get_local_id(0), base = get_group_id(0) * 64, side = 0;
    s[0][l] = base + l;
    s[0][l + 32] = base + l + 32;
    #pragma nounroll
    for (uint n = 1; n < 64; n *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint k = l & (n - 1), to = 2 * (l - k) + k;
        s[1 - side][to] = s[side][l];
        s[1 - side][to + n] = s[side][l + 32];
        side = 1 - side;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = s[side][l];
    out[base + l + 32] = s[side][l + 32];
}
