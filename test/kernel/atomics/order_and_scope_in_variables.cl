// Clang's functions take any expression for order and scope; each value of them is right.
// global: 504
// options: -cl-std=CL3.0
// arg: uint orders[5] = i == 0 ? 0 : i + 1
// arg: uint scopes[2] = i + 2
// arg: uint sums[4] = 0
// arg: uint out[504]
// expect: sums = 504 * (i == 3 ? 1 : i + 1)
// expect: out = 1
kernel void k(global uint *orders, global uint *scopes, global atomic_uint *sums, global uint *out) {
    size_t i = get_global_id(0);
    memory_order any = (memory_order)orders[i % 5];
    memory_scope scope = (memory_scope)scopes[i % 2];
    for (uint n = 0; n < 3; n++)
        atomic_fetch_add_explicit(&sums[n], n + 1, any, scope);
    memory_order of_load = any == memory_order_release || any == memory_order_acq_rel ? memory_order_acquire : any;
    memory_order of_store = any == memory_order_acquire || any == memory_order_acq_rel ? memory_order_release : any;
    global atomic_uint *own = (global atomic_uint *)&out[i];
    uint expected = 5;
    atomic_store_explicit(own, 5, of_store, scope);
    bool same = atomic_compare_exchange_strong_explicit(own, &expected, 7, any, of_load, scope);
    uint seen = atomic_load_explicit(own, of_load, scope);
    uint before = atomic_exchange_explicit(own, same && seen == 7, any, scope);
    if (before != 7)
        out[i] = 99;
    atomic_fetch_add_explicit(&sums[3], 1, any, memory_scope_device);
}
