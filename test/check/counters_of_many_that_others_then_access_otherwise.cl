// finds: data-race 15 19, data-race 17 21, data-race 16 23
// global: 64
// local: 64
// arg: int out[128]
// needs: generic
// All have counted twice before somebody reads, counts at a scope that reaches nobody, or stores.
kernel void k(global int *out) {
    local atomic_int of_group[2];
    local int c[2];
    int l = get_local_id(0);
    if (l < 2)
        c[l] = 0, atomic_init(&of_group[l], 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 3; i++) {
        atomic_inc(&c[0]);
        atomic_add(&c[1], l);
        atomic_fetch_add_explicit(&of_group[l & 1], 1, memory_order_relaxed, memory_scope_work_group);
        if (i == 2 && l == 40)
            out[l] = c[0];
        if (i == 2 && l == 41)
            atomic_fetch_add_explicit(&of_group[1], 1, memory_order_relaxed, memory_scope_work_item);
        if (i == 2 && l == 42)
            c[1] = 7;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[64 + l] = c[1];
}
