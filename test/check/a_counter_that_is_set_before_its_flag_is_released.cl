// finds: nothing
// global: 128
// local: 32
// arg: int count[1] = 0
// arg: int flag[1] = 0
// expect: count = 11
kernel void k(global int *count, global int *flag) {
    global atomic_int *c = (global atomic_int *)count, *f = (global atomic_int *)flag;
    if (get_local_id(0))
        return;
    if (get_group_id(0) == 0) {
        atomic_init(c, 7);
        atomic_fetch_add_explicit(c, 1, memory_order_relaxed, memory_scope_device);
        atomic_store_explicit(f, 1, memory_order_release, memory_scope_device);
    } else {
        while (!atomic_load_explicit(f, memory_order_acquire, memory_scope_device))
            ;
        atomic_fetch_add_explicit(c, 1, memory_order_relaxed, memory_scope_device);
    }
}
