// finds: sub-group-divergence 13
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
// arg: int n = 61
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, int n) {
    if (get_global_id(0) >= n)
        return;
    out[get_global_id(0)] = 1;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_global_id(0)] += 1;
}
