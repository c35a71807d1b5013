// finds: absent-lane 13 13
// needs: __opencl_c_subgroups
// illegal: finishes
// global: 60
// local: 20
// arg: int in[60] = i
// arg: int out[60]
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global const int *in, global int *out) { // the last sub-group has 4 work-items
    int x = in[get_global_id(0)];
    out[get_global_id(0)] = sub_group_shuffle_xor(x, 4);
}
