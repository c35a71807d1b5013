// global: 1
// needs: __opencl_c_subgroups
// arg: int out[1]
// expect: out = 1
#if !defined(__opencl_c_subgroups) || !defined(cl_khr_subgroup_extended_types) ||       \
    !defined(cl_khr_subgroup_ballot) || !defined(cl_khr_subgroup_shuffle) ||                                          \
    !defined(cl_khr_subgroup_shuffle_relative) || !defined(cl_khr_subgroup_rotate) ||                                 \
    !defined(cl_khr_subgroup_clustered_reduce) || !defined(cl_khr_subgroup_non_uniform_vote) ||                       \
    !defined(cl_khr_subgroup_non_uniform_arithmetic) || !defined(cl_intel_subgroups) ||                               \
    !defined(cl_intel_subgroups_short) || !defined(cl_intel_subgroups_char) || !defined(cl_intel_subgroups_long) ||   \
    !defined(cl_intel_required_subgroup_size) || !defined(cl_khr_work_group_uniform_arithmetic)
#error a macro is missing
#endif
kernel void k(global int *out) {
    *out = 1;
}
