// Ids beyond 31 bits, in a kernel whose barrier isn't provably reached by all: packs give way after ids were narrowed.
// global: 504
// local: 3 16 60
// offset: 2147483639
// arg: long out[504]
// expect: out = 2147483639 + i
kernel void k(global long *out) {
    local uint turns;
    size_t g = get_global_id(0), l = get_local_id(0);
    for (uint t = 0; t < 1 + (l & 3); t++) {
        if (t < 1) {
            if (l == 0)
                turns = 1;
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    }
    uint narrow = g;
    out[g - get_global_offset(0)] = turns && narrow == (uint)g && (int)narrow == (int)g ? (long)g : 0;
}
