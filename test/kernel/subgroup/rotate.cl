// Only full sub-groups: the others' rotations read work-items that there are not.
// global: 512
// needs: cl_khr_subgroup_rotate
// arg: int out[512]
// expect: out = 1
kernel void k(global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), n = get_max_sub_group_size(), first = g - lane;
    bool ok = true;
    int by_one = sub_group_rotate(g, 1), back = sub_group_rotate(g, -1), far = sub_group_rotate(g, n + 3);
    double d = sub_group_rotate((double)g, (int)get_sub_group_id());
    int pair = sub_group_clustered_rotate(g, 1, 1);
    if (get_sub_group_size() == n) {
        ok = by_one == first + (lane + 1) % n && back == first + (lane + n - 1) % n;
        ok = ok && far == first + (lane + n + 3) % n && d == first + (lane + (int)get_sub_group_id()) % n;
        ok = ok && pair == g;
    }
    if (get_sub_group_size() == n && n >= 4) {
        ok = ok && sub_group_clustered_rotate(g, 1, 4) == first + (lane & ~3) + ((lane + 1) & 3);
        ok = ok && sub_group_clustered_rotate((short)g, 3, 2) == first + (lane ^ 1);
    }
    out[g] = ok;
}
