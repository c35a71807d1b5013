// finds: data-race 9 11
// global: 256
// local: 64
// arg: int in[256] = i
// arg: int out[256]
kernel void k(global const int *in, global int *out) {
    local int tile[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    tile[l] = in[g];
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[63 - l];
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
}
