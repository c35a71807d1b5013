// finds: barrier-flags-mismatch 7 7
// illegal: finishes
// global: 128
// local: 64
kernel void k(void) {
    size_t l = get_local_id(0);
    intel_work_group_barrier_arrive(l & 1 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
}
