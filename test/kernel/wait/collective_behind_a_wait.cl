// global: 252
// local: 1 4 63 252
// needs: collectives generic
// arg: int out[252]
// arg: local turn[4]
// expect: out = S + i - F
kernel void k(global int *out, local atomic_int *turn) {
    int l = get_local_id(0), n = get_local_size(0);
    if (l == 0)
        atomic_init(turn, n);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    while (atomic_load_explicit(turn, memory_order_acquire, memory_scope_work_group) != l + 1)
        ;
    atomic_store_explicit(turn, l, memory_order_release, memory_scope_work_group);
    out[get_global_id(0)] = work_group_reduce_add(1) + work_group_scan_exclusive_add(1);
}
