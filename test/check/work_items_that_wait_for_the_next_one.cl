// finds: nothing
// needs: generic
// global: 64
// local: 64
// arg: int out[64]
// arg: int ready[64] = 0
// expect: out = i
kernel void k(global int *out, global atomic_int *ready) {
    size_t l = get_local_id(0);
    if (l < 63)
        while (!atomic_load_explicit(&ready[l + 1], memory_order_acquire, memory_scope_work_group))
            ;
    out[l] = l;
    atomic_store_explicit(&ready[l], 1, memory_order_release, memory_scope_work_group);
}
