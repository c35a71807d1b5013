// global: 504
// arg: int out[504]
// expect: out = S * 3 + S - 1
kernel void k(global int *out) {
    local atomic_int sum;
    local atomic_uint most;
    if (get_local_id(0) == 0) {
        atomic_init(&sum, 0);
        atomic_init(&most, 0);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&sum, 3, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_max_explicit(&most, (uint)get_local_id(0), memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = atomic_load_explicit(&sum, memory_order_relaxed, memory_scope_work_group) +
                            atomic_load_explicit(&most, memory_order_relaxed, memory_scope_work_group);
}
