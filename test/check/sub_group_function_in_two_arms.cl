// finds: sub-group-divergence 12 14
// illegal: finishes
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
// arg: int n = 5
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, int n) {
    int x;
    if (get_sub_group_local_id() < n)
        x = sub_group_scan_inclusive_add(1);
    else
        x = sub_group_scan_inclusive_add(2);
    out[get_global_id(0)] = x;
}
