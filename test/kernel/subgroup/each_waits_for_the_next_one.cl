// A sub-group goes on when the one behind it has: what its work-items computed before is still there.
// global: 504
// local: 1 3 16 64 250 8,9 3,5,7
// needs: cl_khr_subgroups
// arg: int out[504]
// arg: local flags[20000]
// expect: out = 1
kernel void k(global int *out, local atomic_int *flags) {
    size_t l = get_local_linear_id(), n = get_num_sub_groups(), s = get_sub_group_id();
    float before[4] = {l, l * 2, l * 3, l * 4};
    int sum = sub_group_reduce_add((int)l), good = 1;
    atomic_init(flags + l, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 1; round < 4; round++) {
        if (get_sub_group_local_id() == 0 && s + 1 < n)
            while (atomic_load(flags + s + 1) < round)
                ;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        good &= sub_group_reduce_add((int)l) == sum && before[round] == l * (round + 1);
        if (get_sub_group_local_id() == 0)
            atomic_store(flags + s, round);
    }
    out[get_global_linear_id()] = good;
}
