// The place is the group's: one access serves a pack, under masks that leave some lanes, one or none.
// global: 252
// local: 252 63 21
// arg: int place[3] = -1
// arg: int out[252]
// arg: int n = 3
// expect: out = 7
kernel void k(volatile global atomic_int *place, global int *out, int n) {
    local atomic_int mine[3];
    int l = (int)get_local_id(0), right = 0;
    if (l == 0)
        for (int i = 0; i < n; i++)
            atomic_store_explicit(&mine[i], 100 + i, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = l % 3; i < n; i++) /* lanes go around differently often */
        right += atomic_load_explicit(&mine[n - 1], memory_order_acquire, memory_scope_work_group) == 102;
    right = right == n - l % 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 5 == 2) /* one of them is the last */
        atomic_store_explicit(&mine[1], 1000 + l, memory_order_seq_cst, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    int last = atomic_load(&mine[1]) - 1000;
    right += 2 * (last >= 0 && last < (int)get_local_size(0) && last % 5 == 2);
    if (l & 1)
        atomic_store_explicit(&place[2], 5, memory_order_release, memory_scope_device);
    barrier(CLK_GLOBAL_MEM_FENCE);
    right += 4 * (atomic_load_explicit(&place[2], memory_order_acquire, memory_scope_device) == 5);
    out[get_global_id(0)] = right;
}
