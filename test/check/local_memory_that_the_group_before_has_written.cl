// finds: uninitialized-read 10 10
// illegal: finishes
// global: 256
// local: 64
// arg: int out[256]
kernel void k(global int *out) {
    local int seen[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    if (get_group_id(0) == 0) seen[l] = (int)l; barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = seen[l];
}
