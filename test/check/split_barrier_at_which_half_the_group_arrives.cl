// finds: barrier-divergence 8 9
// illegal: finishes
// global: 128
// local: 64
kernel void k(void) {
    size_t l = get_local_id(0);
    if (l < 32)
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
}
