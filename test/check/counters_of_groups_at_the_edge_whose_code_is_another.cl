// The last group is smaller and has code of its own, in which accesses have other numbers than in that of the others.
// finds: nothing
// global: 26
// local: 8
// arg: uint out[26]
// expect: out = 1
global atomic_uint total;
kernel void k(global uint *out) {
    local atomic_uint mine;
    size_t l = get_local_id(0);
    if (l == 0)
        atomic_init(&mine, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&mine, 7, memory_order_relaxed, memory_scope_work_group);
    atomic_fetch_add(&total, 1);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    uint old;
    do
        old = atomic_load(&mine);
    while (!atomic_compare_exchange_weak(&mine, &old, old + (uint)l));
    out[get_global_id(0)] = atomic_load(&total) > 0;
}
