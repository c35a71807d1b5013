// finds: barrier-divergence 7
// illegal: finishes
// global: 128
// local: 64
kernel void k(void) {
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
}
