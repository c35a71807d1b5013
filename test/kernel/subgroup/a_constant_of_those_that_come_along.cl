// What work-item 6 of each sub-group would have brought doesn't count where it doesn't come along.
// global: 256
// local: 16 64
// needs: cl_khr_subgroup_non_uniform_arithmetic cl_intel_required_subgroup_size
// arg: int out[256]
// expect: out = (i * 7 & 15) < 5 ? ((i / 8 * 8 + 6) * 7 & 15) < 5 : i
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out) {
    int g = get_global_id(0), v = g;
    if ((g * 7 & 15) < 5)
        v = sub_group_non_uniform_reduce_add((int)(get_sub_group_local_id() == 6));
    out[g] = v;
}
