// finds: data-race 9 9
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local short t[64];
    int l = get_local_id(0);
    // the first three write one, and the fourth the other half of its word
    t[l < 2 ? 0 : l - 2] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = t[l & 31];
}
