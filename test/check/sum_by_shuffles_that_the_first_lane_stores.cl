// finds: nothing
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int in[64] = i
// arg: int out[8]
// expect: out = 64 * i + 28
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle_relative : enable
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global const int *in, global int *out) {
    int x = in[get_global_id(0)];
    for (int d = 4; d; d /= 2)
        x += sub_group_shuffle_down(x, d); // the upper lanes' sums are nobody's business
    if (get_sub_group_local_id() == 0)
        out[get_global_id(0) / 8] = x;
}
