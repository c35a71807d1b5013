// finds: sub-group-divergence 9
// needs: __opencl_c_subgroups
// illegal: finishes
// global: 60
// local: 20
// arg: int out[60]
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out) { // the last sub-group has 4 work-items
    out[get_global_id(0)] = sub_group_broadcast((int)get_global_id(0), 5);
}
