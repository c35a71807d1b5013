// finds: nothing
// needs: generic
// global: 128
// local: 64
// arg: int data[1] = 0
// arg: int flag[1] = 0
// arg: int out[64] = 0
// expect: out = i == 0 ? 5 : 0
kernel void k(global int *data, global atomic_int *flag, global int *out) {
    if (get_global_id(0) == 0) {
        data[0] = 5;
        atomic_store_explicit(flag, 1, memory_order_release, memory_scope_device);
    } else if (get_global_id(0) == 64) {
        int seen;
        do {
            seen = 9;
            atomic_compare_exchange_strong_explicit(flag, &seen, 10, memory_order_acq_rel, memory_order_acquire, memory_scope_device);
        } while (seen != 1);
        out[0] = data[0];
    }
}
