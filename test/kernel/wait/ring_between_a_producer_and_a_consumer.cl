// The consumer comes first; the ring has room for fewer than what goes through it.
// global: 16
// local: 2 16
// needs: generic
// arg: int sum[8] = 0
// arg: int ring[32]
// arg: int written[8] = 0
// arg: int read[8] = 0
// expect: sum = i < 16 / L ? 4950 : 0
kernel void k(global int *sum, global int *ring, global atomic_int *written, global atomic_int *read) {
    int g = get_group_id(0), l = get_local_id(0);
    if (l == 0) {
        for (int i = 0; i < 100; i++) {
            while (atomic_load_explicit(&written[g], memory_order_acquire, memory_scope_work_group) == i)
                ;
            sum[g] += ring[g * 4 + i % 4];
            atomic_store_explicit(&read[g], i + 1, memory_order_release, memory_scope_work_group);
        }
    } else if (l == get_local_size(0) - 1) {
        for (int i = 0; i < 100; i++) {
            while (i - atomic_load_explicit(&read[g], memory_order_acquire, memory_scope_work_group) > 3)
                ;
            ring[g * 4 + i % 4] = i;
            atomic_store_explicit(&written[g], i + 1, memory_order_release, memory_scope_work_group);
        }
    }
}
