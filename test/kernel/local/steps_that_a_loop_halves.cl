// Work-items compare elements a step apart, and exchange some, for steps of which each is half of the one before.
// global: 64
// local: 32
// arg: uint out[128]
// expect: out = i
kernel void k(global uint *out) {
    local uint s[64];
    uint l = get_local_id(0), base = get_group_id(0) * 64;
    s[l] = base + (l * 37 + 11) % 64;
    s[l + 32] = base + ((l + 32) * 37 + 11) % 64;
    #pragma nounroll
    for (uint k = 2; k <= 64; k *= 2)
        for (uint j = k / 2; j; j /= 2) {
            barrier(CLK_LOCAL_MEM_FENCE);
            uint low = 2 * l - (l & (j - 1)), a = s[low], b = s[low + j];
            if ((a > b) == ((low & k) == 0)) {
                s[low] = b;
                s[low + j] = a;
            }
        }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = s[l];
    out[base + l + 32] = s[l + 32];
}
