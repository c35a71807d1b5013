// finds: barrier-flags-mismatch 9 9
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out) {
    sub_group_barrier(get_sub_group_local_id() & 1 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
