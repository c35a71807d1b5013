// global: 252
// local: 1 4 63 252
// needs: generic
// arg: int out[252] = 0
// arg: local came[4]
// arg: local round[4]
// expect: out = 5
kernel void k(global int *out, local atomic_int *came, local atomic_int *round) {
    int n = get_local_size(0), l = get_local_id(0), g = get_global_id(0);
    if (l == 0) {
        atomic_init(came, 0);
        atomic_init(round, 0);
    }
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 5; r++) {
        int next = g - l + (l + 1) % n;
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_release,
                               memory_scope_work_group);
        if (atomic_fetch_add_explicit(came, 1, memory_order_acq_rel, memory_scope_work_group) == n - 1) {
            atomic_store_explicit(came, 0, memory_order_relaxed, memory_scope_work_group);
            atomic_fetch_add_explicit(round, 1, memory_order_release, memory_scope_work_group);
        } else {
            while (atomic_load_explicit(round, memory_order_acquire, memory_scope_work_group) == r)
                ;
        }
        atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE, memory_order_acquire,
                               memory_scope_work_group);
        out[r % 2 ? g : next] += 1;
    }
}
