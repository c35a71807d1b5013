// needs: cl_intel_required_subgroup_size
// build-error: 'k'.*intel_reqd_sub_group_size\(12\).*4, 8, 16, 32, 64
__attribute__((intel_reqd_sub_group_size(12))) kernel void k(global int *out) {
    *out = 1;
}
