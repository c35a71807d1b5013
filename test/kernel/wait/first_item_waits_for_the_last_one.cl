// global: 504
// local: 1 2 7 63 252 6,7,3
// needs: generic
// arg: int out[504]
// arg: int flags[504] = 0
// expect: out = 5
kernel void k(global int *out, global atomic_int *flags) {
    size_t n = get_local_size(0) * get_local_size(1) * get_local_size(2), l = get_local_linear_id();
    size_t group = get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));
    global int *mine = out + group * n;
    if (l == n - 1) {
        for (size_t i = 0; i < n; i++)
            mine[i] = 5;
        atomic_store_explicit(&flags[group], 1, memory_order_release, memory_scope_work_group);
    } else {
        while (!atomic_load_explicit(&flags[group], memory_order_acquire, memory_scope_work_group))
            ;
        if (mine[l] != 5)
            mine[l] = -1;
    }
}
