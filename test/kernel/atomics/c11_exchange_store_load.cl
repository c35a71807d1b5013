// global: 504
// local: 504 63
// arg: int c[504] = -1
// arg: int out[504]
// expect: out = i - 1
// expect: c = i
kernel void k(global atomic_int *c, global int *out) {
    size_t g = get_global_id(0);
    atomic_store_explicit(&c[g], (int)g, memory_order_release, memory_scope_device);
    int old = atomic_exchange_explicit(&c[g], (int)g, memory_order_acq_rel, memory_scope_device);
    int now = atomic_load_explicit(&c[g], memory_order_acquire, memory_scope_device);
    out[g] = old == now ? old - 1 : -7;
}
