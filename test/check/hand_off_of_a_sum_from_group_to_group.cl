// finds: nothing
// needs: generic
// global: 1024
// local: 32
// arg: int sum[1] = 0
// arg: int turn[1] = 0
// arg: int out[64] = 0
// expect: sum = 496
kernel void k(global int *sum, global atomic_int *turn, global int *out) {
    int g = get_group_id(0);
    if (get_local_id(0) != 0)
        return;
    while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_device) != g)
        ;
    sum[0] += g;
    atomic_store_explicit(turn, g + 1, memory_order_release, memory_scope_device);
}
