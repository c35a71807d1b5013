// finds: sub-group-divergence 9 9
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
// arg: int n = 3
int total(int x) {
    return sub_group_reduce_max(x);
}
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, int n) {
    int x;
    if (get_sub_group_local_id() < n)
        x = total(get_sub_group_local_id());
    else
        x = total(100);
    out[get_global_id(0)] = x;
}
