// Half of the flags are in local memory, half in global memory.
// global: 64
// local: 4 16 64
// needs: generic
// arg: int out[64]
// arg: int flags[64] = 0
// arg: local own[256]
// expect: out = 1
kernel void k(global int *out, global atomic_int *flags, local atomic_int *own) {
    int g = get_global_id(0), l = get_local_id(0), n = get_local_size(0), next = l + 1 < n ? l + 1 : l;
    atomic_init(&own[l], 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    atomic_int *mine = l % 2 ? (atomic_int *)&own[l] : (atomic_int *)&flags[g];
    atomic_int *theirs = next % 2 ? (atomic_int *)&own[next] : (atomic_int *)&flags[g - l + next];
    while (l + 1 < n && !atomic_load_explicit(theirs, memory_order_acquire, memory_scope_work_group))
        ;
    out[g] = 1;
    atomic_store_explicit(mine, 1, memory_order_release, memory_scope_work_group);
}
