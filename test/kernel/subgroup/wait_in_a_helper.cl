// The loop that waits is in a function, and work-items that needn't wait leave before.
// global: 504
// local: 1 3 16 64 250 3,5,7
// needs: cl_khr_subgroups
// arg: int out[504]
// arg: local flag[4]
// expect: out = 7
// races: a plain store is waited for
__attribute__((noinline)) int wait(local volatile int *flag, int value) {
    int rounds = 1;
    for (; *flag != value; rounds++)
        ;
    return rounds > 0;
}

kernel void k(global int *out, local int *flag) {
    int s = get_sub_group_id(), n = get_num_sub_groups();
    if (get_local_linear_id() == 0)
        *flag = 0;
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_linear_id()] = 7;
    if (get_sub_group_local_id())
        return;
    out[get_global_linear_id()] = 6 + wait(flag, n - 1 - s);
    *flag = n - s;
}
