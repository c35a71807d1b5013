// global: 504
// local: 1 3 16 64 250
// needs: __opencl_c_subgroups
// arg: int out[504]
// expect: out = 1
int value(int i) {
    return (i * 37) % 101 - 50;
}
kernel void k(global int *out) {
    int g = get_global_id(0), first = g - get_sub_group_local_id(), x = value(g);
    int sum = 0, least = INT_MAX, most = INT_MIN;
    for (int i = first; i < g; i++) {
        sum += value(i);
        least = min(least, value(i));
        most = max(most, value(i));
    }
    bool ok = sub_group_scan_exclusive_add(x) == sum && sub_group_scan_exclusive_min(x) == least &&
              sub_group_scan_exclusive_max(x) == most;
    out[g] = ok && sub_group_scan_inclusive_add(x) == sum + x && sub_group_scan_inclusive_min(x) == min(least, x) &&
             sub_group_scan_inclusive_max(x) == max(most, x);
}
