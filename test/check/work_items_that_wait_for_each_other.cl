// finds: deadlock 12
// needs: generic
// illegal: finishes
// set: WEIR_CHECK_DEADLOCK=200
// global: 64
// local: 64
// arg: int out[64]
// arg: int ready[64] = 0
kernel void k(global int *out, global atomic_int *ready) {
    size_t l = get_local_id(0);
    if (l != 20)
        while (!atomic_load_explicit(&ready[(l + 1) % 64 == 20 ? 19 : (l + 1) % 64], memory_order_acquire, memory_scope_work_group))
            ;
    out[l] = l;
    atomic_store_explicit(&ready[l], 1, memory_order_release, memory_scope_work_group);
}
