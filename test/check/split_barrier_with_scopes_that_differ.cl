// finds: barrier-scope-mismatch 8 8
// illegal: finishes
// global: 128
// local: 64
kernel void k(void) {
    size_t l = get_local_id(0);
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE, l & 1 ? memory_scope_work_group : memory_scope_device);
}
