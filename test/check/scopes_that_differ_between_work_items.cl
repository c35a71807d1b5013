// finds: barrier-scope-mismatch 8 8
// illegal: finishes
// global: 128
// local: 64
// arg: int out[128]
kernel void k(global int *out) {
    size_t l = get_local_id(0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, l < 3 ? memory_scope_work_group : memory_scope_device);
    out[get_global_id(0)] = l;
}
