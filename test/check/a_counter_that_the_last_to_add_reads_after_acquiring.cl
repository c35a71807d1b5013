// finds: nothing
// global: 256
// local: 64
// arg: int out[4]
// expect: out = 64
kernel void k(global int *out) {
    local atomic_int count;
    if (get_local_id(0) == 0)
        atomic_init(&count, 0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (atomic_fetch_add_explicit(&count, 1, memory_order_acq_rel, memory_scope_work_group) == 63)
        out[get_group_id(0)] = *(local int *)&count;
}
