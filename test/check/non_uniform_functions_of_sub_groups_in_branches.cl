// finds: nothing
// needs: __opencl_c_subgroups
// global: 64
// local: 32
// arg: int out[64]
// expect: out = (i - F) % 8 < 3 ? 8 : 0
#pragma OPENCL EXTENSION cl_khr_subgroup_ballot : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_arithmetic : enable
#pragma OPENCL EXTENSION cl_khr_subgroup_non_uniform_vote : enable
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out) {
    int x = 0;
    if (get_sub_group_local_id() < 3) {
        x += sub_group_non_uniform_reduce_add(1);
        x += sub_group_ballot_bit_count(sub_group_ballot(1));
        x += sub_group_shuffle(1, get_sub_group_local_id());
        x += sub_group_non_uniform_all(1);
        if (sub_group_elect())
            x += sub_group_broadcast_first(0);
    }
    out[get_global_id(0)] = x;
}
