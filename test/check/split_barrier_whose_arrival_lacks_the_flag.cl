// finds: missing-fence 8 11
// global: 256
// local: 64
// arg: int out[256]
kernel void k(global int *out) {
    local int tile[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    tile[l] = g;
    intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[g] = tile[63 - l];
}
