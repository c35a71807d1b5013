// global: 504
// needs: __opencl_c_atomic_order_seq_cst __opencl_c_atomic_scope_device generic
// arg: uint c[3] = 0
// expect: c = {504, 504, 503}
kernel void k(global atomic_uint *c) {
    atomic_fetch_add(&c[0], 1);
    uint expected = atomic_load(&c[1]);
    while (!atomic_compare_exchange_weak(&c[1], &expected, expected + 1))
        ;
    atomic_fetch_max(&c[2], (uint)get_global_id(0));
}
