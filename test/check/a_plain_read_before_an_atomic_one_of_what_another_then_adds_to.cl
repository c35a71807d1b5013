// finds: data-race 17 21
// needs: generic
// global: 64
// local: 32
// arg: int out[64]
kernel void k(global int *out) {
    local int flag;
    volatile local atomic_int *f = (volatile local atomic_int *)&flag;
    uint l = get_local_id(0);
    int x = 0;

    if (l == 0)
        flag = 5;
    barrier(CLK_LOCAL_MEM_FENCE);

    if (l == 1) {
        x = flag;
        x += atomic_load_explicit(f, memory_order_relaxed, memory_scope_work_group);
    }
    if (l == 2)
        atomic_fetch_add_explicit(f, 1, memory_order_relaxed, memory_scope_work_group);
    out[get_global_id(0)] = x;
}
