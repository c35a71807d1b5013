// finds: nothing
// set: WEIR_CHECK_DEADLOCK=1
// needs: generic
// global: 4
// local: 1
// arg: int out[4]
// arg: int turn[1] = 0
// expect: out = i
kernel void k(global int *out, global atomic_int *turn) {
    int g = get_group_id(0), x = 1;
    for (int i = 0; i < 3000000; i++)
        x = x * 1664525 + (out[g] = i);
    out[g] = x;
    while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_device) != g)
        ;
    out[g] = g;
    atomic_store_explicit(turn, g + 1, memory_order_release, memory_scope_device);
}
