// finds: data-race 9 10
// global: 256
// local: 64
// arg: int out[4]
// illegal: finishes
kernel void k(global int *out) {
    local atomic_int count;
    if (get_local_id(0) == 0)
        atomic_init(&count, 0);
    atomic_fetch_add_explicit(&count, 1, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[get_group_id(0)] = atomic_load_explicit(&count, memory_order_relaxed, memory_scope_work_group);
}
