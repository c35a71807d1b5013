// finds: barrier-scope-mismatch 9 9
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out) {
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE, get_sub_group_local_id() == 7 ? memory_scope_device : memory_scope_sub_group);
    out[get_global_id(0)] = 1;
}
