// finds: data-race 17 18
// options: -cl-std=CL1.2
// global: 128
// local: 32
// arg: int count[1] = 0
// arg: int out[128]
// The barriers are fences of OpenCL C 1.x for the counter, by which a later group knows of an earlier one. That orders nothing of
// what several of its own work-items do.
kernel void k(volatile global int *count, global int *out) {
    local int sum;
    int l = get_local_id(0);
    if (l == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_inc(count);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    atomic_add(&sum, l);
    out[get_global_id(0)] = get_group_id(0) > 1 ? sum : 0;
}
