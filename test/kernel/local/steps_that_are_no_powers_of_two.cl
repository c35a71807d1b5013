// Steps of 24, 12, 6, 3 and 1: of those only the last is a power of two.
// global: 48
// local: 24
// arg: uint first = 24
// arg: uint out[96]
// expect: out = i / 48 * 48 + 45 - (i % 48 + 1 - i % 2 * 2) + 2 * ((i + 1 - i % 2 * 2) % 3)
kernel void k(uint first, global uint *out) {
    local uint s[48];
    uint l = get_local_id(0), base = get_group_id(0) * 48;
    s[l] = base + l;
    s[l + 24] = base + l + 24;
    for (uint step = first; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step, a = s[low], b = s[low + step];
        s[low] = b;
        s[low + step] = a;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = s[l];
    out[base + l + 24] = s[l + 24];
}
