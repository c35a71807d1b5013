// finds: data-race 10 12
// global: 256
// local: 64
// arg: int out[256]
// What is written after the arrival is for after the next barrier.
kernel void k(global int *out) {
    local int tile[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    tile[l] = g;
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[g] = tile[63 - l];
}
