// global: 252
// local: 1 4 63 252
// needs: generic
// arg: int out[252]
// arg: int n = 4
// arg: local at[4]
// arg: local tile[1008]
// expect: out = 4
kernel void k(global int *out, int n, local atomic_int *at, local int *tile) {
    int l = get_local_id(0), size = get_local_size(0), seen = 0;
    for (int r = 0; r < n; r++) {
        if (l == 0)
            atomic_store_explicit(at, size, memory_order_relaxed, memory_scope_work_group);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        while (atomic_load_explicit(at, memory_order_acquire, memory_scope_work_group) != l + 1)
            ;
        tile[l] = r;
        atomic_store_explicit(at, l, memory_order_release, memory_scope_work_group);
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
        seen += tile[(l + 1) % size] == r;
        work_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = seen;
}
