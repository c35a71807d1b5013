// finds: sub-group-divergence 12 14
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
// arg: int n = 3
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, int n) {
    out[get_global_id(0)] = 1;
    if (get_sub_group_local_id() < n)
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    else
        barrier(CLK_LOCAL_MEM_FENCE);
}
