// global: 504
// local: 1 7 64 250
// needs: cl_intel_required_subgroup_size __opencl_c_subgroups
// arg: int out[504]
// expect: out = 1
__attribute__((intel_reqd_sub_group_size(64))) kernel void k(global int *out) {
    int g = get_global_id(0), l = get_local_id(0), most = get_max_sub_group_size(), lane = get_sub_group_local_id();
    int n = min(most, (int)get_local_size(0) - (l - lane));
    bool ok = most == 64 && lane == l % 64 && get_sub_group_id() == l / 64 && get_sub_group_size() == n;
    ok = ok && sub_group_scan_inclusive_add(1) == lane + 1 && sub_group_reduce_max(lane) == n - 1;
    out[g] = ok && sub_group_broadcast(g, n - 1) == g - lane + n - 1;
}
