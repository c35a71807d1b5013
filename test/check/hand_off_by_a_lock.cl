// finds: nothing
// needs: generic
// global: 1024
// local: 32
// arg: int sum[1] = 0
// arg: int lock[1] = 0
// arg: int out[64] = 0
// expect: sum = 496
kernel void k(global int *sum, global atomic_int *lock, global int *out) {
    if (get_local_id(0) != 0)
        return;
    int expected = 0;
    while (!atomic_compare_exchange_weak_explicit(lock, &expected, 1, memory_order_acquire, memory_order_relaxed,
                                                  memory_scope_device))
        expected = 0;
    sum[0] += get_group_id(0);
    atomic_store_explicit(lock, 0, memory_order_release, memory_scope_device);
}
