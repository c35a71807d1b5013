// Rows have one work-item.
// global: 2,60,2
// local: 1,60,1 1,4,2 1,30,2
// arg: int out[240]
// arg: local done[4]
// expect: out = i
kernel void k(global int *out, local volatile int *done) {
    int n = get_local_size(1) * get_local_size(2), l = get_local_linear_id();
    if (l == 0)
        *done = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (*done > l + 1)
        ;
    out[get_global_linear_id()] = get_global_linear_id();
    mem_fence(CLK_LOCAL_MEM_FENCE);
    *done = l;
}
