// Counters in local memory at places that a row of global memory tells, of whole packs and of some lanes.
// global: 40
// local: 20
// arg: uint in[1280] = i
// arg: uint out[128]
// expect: out = 10 + (i % 2 == 1 ? 45 + i / 64 * 100 : 0)
kernel void k(global const uint *in, global uint *out) {
    local uint bins[64];
    uint l = get_local_id(0), g = get_group_id(0);
    for (uint i = l; i < 64; i += 20)
        bins[i] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < 32; r++) {
        uint at = (g * 32 + r) * 20 + l;
        atomic_inc(&bins[in[at] & 63]);
        if (l & 1)
            atomic_add(&bins[in[at] % 64], in[at] >> 6);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = l; i < 64; i += 20)
        out[g * 64 + i] = bins[i];
}
