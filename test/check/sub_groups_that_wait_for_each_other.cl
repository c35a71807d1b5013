// finds: nothing
// set: WEIR_CHECK_DEADLOCK=1
// needs: __opencl_c_subgroups
// global: 128
// local: 64
// arg: int out[128]
// arg: local turn[4]
// expect: out = i
__attribute__((intel_reqd_sub_group_size(8)))
kernel void k(global int *out, local int *turn) {
    local atomic_int *t = (local atomic_int *)turn;
    if (get_local_id(0) == 0)
        atomic_store_explicit(t, 8, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = 1;
    for (int i = 0; i < 30000; i++)
        x = x * 1664525 + (out[get_global_id(0)] = i);
    out[get_global_id(0)] = x;
    while (atomic_load_explicit(t, memory_order_acquire, memory_scope_work_group) != get_sub_group_id() + 1)
        ;
    out[get_global_id(0)] = get_global_id(0);
    if (get_sub_group_local_id() == 0)
        atomic_store_explicit(t, get_sub_group_id(), memory_order_release, memory_scope_work_group);
}
