// global: 504
// needs: cl_khr_int64_base_atomics
// arg: long c[1] = 0
// arg: int flag[1] = 0
// arg: int won[1] = 0
// expect: c = 504 * 3000000000
// expect: won = 1
kernel void k(global atomic_long *c, global atomic_flag *flag, global int *won) {
    atomic_fetch_add_explicit(c, 3000000000l, memory_order_relaxed, memory_scope_device);
    if (!atomic_flag_test_and_set_explicit(flag, memory_order_acq_rel, memory_scope_device))
        atomic_add(won, 1);
}
