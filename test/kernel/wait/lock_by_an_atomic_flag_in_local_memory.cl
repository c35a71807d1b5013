// Whoever has the lock waits for the next work-item to have come, so that many find it taken.
// global: 252
// local: 4 63 252
// needs: generic
// arg: int out[252]
// arg: local lock[4]
// arg: local came[4]
// arg: local count[4]
// expect: out = S
kernel void k(global int *out, local atomic_flag *lock, local atomic_int *came, local int *count) {
    int l = get_local_id(0), n = get_local_size(0);
    if (l == 0) {
        atomic_flag_clear(lock);
        atomic_init(came, 0);
        *count = 0;
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(came, 1, memory_order_relaxed, memory_scope_work_group);
    while (atomic_flag_test_and_set_explicit(lock, memory_order_acquire, memory_scope_work_group))
        ;
    while (atomic_load_explicit(came, memory_order_relaxed, memory_scope_work_group) < min(l + 2, n))
        ;
    *count += 1;
    atomic_flag_clear_explicit(lock, memory_order_release, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = *count;
}
