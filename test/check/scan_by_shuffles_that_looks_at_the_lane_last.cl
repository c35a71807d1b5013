// finds: nothing
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int in[64] = i < 64
// arg: int out[64]
// expect: out = i % 8 + 1
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global const int *in, global int *out) {
    int x = in[get_global_id(0)], key = get_group_id(0), lane = get_sub_group_local_id();
    for (int d = 1; d < 8; d *= 2) {
        int before = sub_group_shuffle_up(x, d), theirs = sub_group_shuffle_up(key, d);
        if (theirs == key && before != 0 && lane >= d)
            x += before;
    }
    out[get_global_id(0)] = x;
}
