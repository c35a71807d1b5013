// Work-group functions go by the order of sub-groups, also where the first ones had to wait for the last.
// global: 504
// local: 1 3 16 64 250 12,7
// needs: cl_khr_subgroups
// arg: int out[504]
// arg: local flag[4]
// expect: out = 1
kernel void k(global int *out, local atomic_int *flag) {
    int s = get_sub_group_id(), n = get_num_sub_groups(), l = get_local_linear_id(), before = 0, all = 0;
    int items = get_local_size(0) * get_local_size(1);
    if (l == 0)
        atomic_init(flag, n);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_local_id() == 0) {
        while (atomic_load(flag) != s + 1)
            ;
        atomic_store(flag, s);
    }
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    before = work_group_scan_exclusive_add(l);
    all = work_group_reduce_max(l);
    out[get_global_linear_id()] = before == l * (l - 1) / 2 && all == items - 1;
}
