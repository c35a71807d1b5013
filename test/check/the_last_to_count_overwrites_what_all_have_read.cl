// finds: nothing
// global: 256
// local: 64
// arg: int n[1] = 0
// arg: int x[1] = 0
// arg: int out[256]
// expect: x = 9
// expect: out = 5
// Of several readers the cell has the last one alone; each has counted before the one that writes.
kernel void k(global atomic_int *n, global int *x, global int *out) {
    local int y;
    local atomic_int m;
    int l = get_local_id(0);
    if (l == 0) {
        y = 5;
        atomic_init(&m, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = x[0] + y;
    if (atomic_fetch_add_explicit(&m, 1, memory_order_acq_rel, memory_scope_work_group) == 63)
        y = 6;
    if (atomic_fetch_add_explicit(n, 1, memory_order_acq_rel, memory_scope_device) == 255)
        x[0] = 9;
}
