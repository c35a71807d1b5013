// global: 504
// arg: int c[8] = {0, 1000, 0xf0, 0x7fffff, 0, 0, 5, 0}
// expect: c = {504 * 503 / 2, 1000 - 504, 0xff, 0xfff, 1, 503, 0, 504}
kernel void k(global atomic_int *c) {
    int g = get_global_id(0);
    atomic_fetch_add_explicit(&c[0], g, memory_order_relaxed, memory_scope_device);
    atomic_fetch_sub_explicit(&c[1], 1, memory_order_acq_rel, memory_scope_device);
    atomic_fetch_or_explicit(&c[2], 0xf, memory_order_relaxed, memory_scope_all_svm_devices);
    atomic_fetch_and_explicit(&c[3], 0xfff, memory_order_relaxed, memory_scope_device);
    atomic_fetch_xor_explicit(&c[4], g == 99, memory_order_seq_cst, memory_scope_device);
    atomic_fetch_max_explicit(&c[5], g, memory_order_release, memory_scope_device);
    atomic_fetch_min_explicit(&c[6], g, memory_order_acquire, memory_scope_device);
    atomic_fetch_add_explicit(&c[7], 1, memory_order_seq_cst, memory_scope_device);
}
