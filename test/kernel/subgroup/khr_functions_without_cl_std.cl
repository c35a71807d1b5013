// options:
// global: 512
// local: 64
// arg: int out[512]
// expect: out = 9
#pragma OPENCL EXTENSION cl_khr_subgroup_shuffle : enable
#ifndef cl_khr_subgroups
#error cl_khr_subgroups
#endif
#ifndef cl_khr_subgroup_shuffle
#error cl_khr_subgroup_shuffle
#endif
#ifndef cl_khr_subgroup_ballot
#error cl_khr_subgroup_ballot
#endif
__attribute__((intel_reqd_sub_group_size(8))) kernel void k(global int *out) {
    int n = get_sub_group_size(), l = get_sub_group_local_id(), good = 0;
    good += sub_group_shuffle(l, 2) == 2;
    good += sub_group_shuffle_xor(l, 1) == (l ^ 1);
    int before = sub_group_shuffle_up(l, 1);
    good += l == 0 || before == l - 1;
    good += sub_group_rotate(l, 1) == (l + 1) % n;
    good += sub_group_ballot_bit_count(sub_group_ballot(1)) == n;
    good += sub_group_clustered_reduce_add(1, 4) == 4;
    good += sub_group_non_uniform_reduce_mul(1) == 1;
    good += sub_group_non_uniform_all(1) != 0;
    good += sub_group_reduce_add((short)1) == n;
    out[get_global_id(0)] = good;
}
