// options:
// global: 512
// local: 16 64
// arg: int out[512]
// arg: uint counts[2] = 0
// expect: out = 120
// expect: counts = {512, 0}
typedef struct {
    atomic_uint count;
} counters;
kernel void k(global int *out, global counters *c) {
    local atomic_int l;
    if (get_local_linear_id() == 0)
        atomic_init(&l, 0);
    work_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
    atomic_fetch_add_explicit(&l, 1, memory_order_relaxed, memory_scope_work_group);
    work_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (atomic_load(&l) == (int)get_local_size(0))
        atomic_fetch_add(&c->count, 1u);
    out[get_global_linear_id()] = __OPENCL_C_VERSION__;
}
