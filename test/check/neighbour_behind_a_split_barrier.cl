// finds: nothing
// global: 256
// local: 64
// arg: int out[256]
// expect: out = F + 63 - (i - F) + i
kernel void k(global int *out) {
    local int tile[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    tile[l] = g;
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    int x = g;
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[63 - l] + x;
}
