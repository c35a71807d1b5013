// global: 1008
// arg: int out[1008]
// expect: out = S
kernel void k(global int *out) {
    local int arrived;
    size_t l = get_local_id(0), g = get_global_id(0);
    if (l == 0)
        arrived = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_inc(&arrived);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_item);
    out[g] = atomic_add(&arrived, 0);
}
