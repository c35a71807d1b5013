// global: 504
// local: 1 3 16 64 250
// needs: __opencl_c_subgroups
// arg: int out[504]
// expect: out = 1
kernel void k(global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size(), first = g - lane;
    int x = (g * 37) % 101 - 50;
    int sum = 0, least = INT_MAX, most = INT_MIN;
    for (int i = first; i < first + n; i++) {
        int y = (i * 37) % 101 - 50;
        sum += y;
        least = min(least, y);
        most = max(most, y);
    }
    out[g] = sub_group_reduce_add(x) == sum && sub_group_reduce_min(x) == least && sub_group_reduce_max(x) == most;
}
