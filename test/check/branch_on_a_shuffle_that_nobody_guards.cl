// finds: absent-lane 13 14
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
    int x = in[get_global_id(0)], lane = get_sub_group_local_id();
    int before = sub_group_shuffle_up(x, 1);
    if (before == x && lane < 7) // lane 0 has none before it
        x = 0;
    out[get_global_id(0)] = x;
}
