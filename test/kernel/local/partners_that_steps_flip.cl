// Of two work-items whose ids differ in one bit one exchanges both elements: the lower one, the higher one, by signed ids too.
// global: 128
// local: 64
// arg: uint out[128]
// expect: out = i
kernel void k(global uint *out) {
    local uint s[64];
    uint l = get_local_id(0), base = get_group_id(0) * 64;
    int signed_l = (int)l - 32;
    s[l] = base + (l * 37 + 11) % 64;
    barrier(CLK_LOCAL_MEM_FENCE);
    #pragma nounroll
    for (uint k = 2; k <= 64; k <<= 1)
        for (uint j = k >> 1; j > 0; j >>= 1) {
            uint p = l ^ j;
            int signed_p = signed_l ^ (int)j;
            bool is_mine = k == 16 ? l > p : k == 32 ? signed_p >= signed_l : p > l;
            if (is_mine) {
                uint low = min(l, p), high = max(l, p), a = s[low], b = s[high];
                if ((a > b) == ((l & k) == 0)) {
                    s[low] = b;
                    s[high] = a;
                }
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    out[base + l] = s[l];
}
