// The holder of a lock waits for a sub-group that spins on the lock before it gives way.
// global: 504
// local: 1 3 16 64 250
// needs: cl_khr_subgroups
// arg: int out[504]
// arg: local lock[4]
// arg: local tries[4]
// arg: local sum[4]
// expect: out = 1
kernel void k(global int *out, local atomic_int *lock, local atomic_int *tries, local volatile int *sum) {
    int n = get_num_sub_groups();
    if (get_local_id(0) == 0) {
        atomic_init(lock, 0);
        atomic_init(tries, 0);
        *sum = 0;
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (get_sub_group_local_id() == get_sub_group_size() - 1) {
        int expected = 0, first = 1;
        while (!atomic_compare_exchange_strong(lock, &expected, 1)) {
            expected = 0;
            if (first)
                atomic_fetch_add(tries, 1);
            first = 0;
        }
        if (first && *sum == 0 && n > 1)
            while (atomic_load(tries) == 0)
                ;
        *sum += get_sub_group_size();
        atomic_store(lock, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = *sum == get_local_size(0);
}
