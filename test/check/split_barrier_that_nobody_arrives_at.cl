// finds: barrier-divergence 6
// illegal: finishes
// global: 128
// local: 64
kernel void k(void) {
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
}
