// Ballots count who is still there; what a loop leaves behind is each work-item's own.
// global: 504
// local: 1 3 16 64 250
// needs: cl_khr_subgroup_ballot cl_khr_subgroup_non_uniform_arithmetic
// arg: int out[504]
// expect: out = 1
kernel void k(global int *out) {
    int g = get_global_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size(), first = g - lane;
    int left = g * 7 % 13, rounds = 0, seen = 0, last = -1;
    while (left > 0) {
        uint4 b = sub_group_ballot(1);
        last = sub_group_ballot_bit_count(b);
        seen += sub_group_non_uniform_reduce_add(1);
        left--;
        rounds++;
    }
    int want = 0, want_last = -1;
    for (int r = 0; r < rounds; r++) {
        want_last = 0;
        for (int i = first; i < first + n; i++)
            want_last += i * 7 % 13 > r;
        want += want_last;
    }
    out[g] = seen == want && last == want_last && rounds == g * 7 % 13;
}
