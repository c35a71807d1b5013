// global: 504
// local: 1 3 16 64 250
// needs: cl_khr_subgroup_non_uniform_vote
// arg: int out[504]
// expect: out = 1
kernel void k(global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size(), first = g - lane;
    bool ok = (sub_group_elect() != 0) == (lane == 0) && sub_group_non_uniform_all_equal(n);
    ok = ok && (sub_group_non_uniform_all_equal(lane) != 0) == (n == 1);
    if (g % 4 == 2) {
        bool every = true, some = false, equal = true;
        int leader = -1;
        for (int i = first; i < first + n; i++)
            if (i % 4 == 2) {
                leader = leader < 0 ? i : leader;
                every = every && i % 8 == 2;
                some = some || i % 8 == 2;
                equal = equal && i % 3 == leader % 3;
            }
        ok = ok && (sub_group_elect() != 0) == (g == leader);
        ok = ok && (sub_group_non_uniform_all(g % 8 == 2) != 0) == every;
        ok = ok && (sub_group_non_uniform_any(g % 8 == 2) != 0) == some;
        ok = ok && (sub_group_non_uniform_all_equal((float)(g % 3)) != 0) == equal;
        ok = ok && !sub_group_non_uniform_all_equal(NAN);
    }
    out[g] = ok;
}
