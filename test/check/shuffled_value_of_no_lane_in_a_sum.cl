// finds: absent-lane 13 15
// needs: __opencl_c_subgroups
// illegal: finishes
// global: 64
// local: 32
// arg: int in[64] = i
// arg: int out[64]
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global const int *in, global int *out) {
    int x = in[get_global_id(0)];
    int y = sub_group_shuffle_down(x, 2); // of lanes 6 and 7 nothing
    y = sub_group_shuffle_xor(y, 4);      // which lanes 2 and 3 get
    out[get_global_id(0)] = sub_group_reduce_add(y);
}
