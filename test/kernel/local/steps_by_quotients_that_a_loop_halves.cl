// The first step is an argument; a quotient and a remainder by the step tell which elements a work-item exchanges.
// global: 64
// local: 32
// arg: uint first = 32
// arg: uint out[128]
// expect: out = i / 64 * 64 + 63 - i % 64
kernel void k(uint first, global uint *out) {
    local uint s[64];
    uint l = get_local_id(0), base = get_group_id(0) * 64;
    s[l] = base + l;
    s[l + 32] = base + l + 32;
    for (uint step = first; step; step /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        uint low = 2 * step * (l / step) + l % step, a = s[low], b = s[low + step];
        if (a != b) {
            s[low] = b;
            s[low + step] = a;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = s[l];
    out[base + l + 32] = s[l + 32];
}
