// finds: sub-group-divergence 12
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
// arg: int n = 5
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, int n) {
    int sum = 0;
    if (get_sub_group_local_id() < n)
        sum = sub_group_reduce_add(1);
    out[get_global_id(0)] = sum;
}
