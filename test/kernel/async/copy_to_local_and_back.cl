// global: 504
// arg: int in[504] = i * 3
// arg: int out[504]
// expect: out = (F + S - 1 - (i - F)) * 3
kernel void k(global int *in, global int *out) {
    local int a[512], b[512];
    size_t l = get_local_id(0), n = get_local_size(0), first = get_global_id(0) - l;
    event_t e = async_work_group_copy(a, in + first, n, 0);
    wait_group_events(1, &e);
    b[l] = a[n - 1 - l];
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy(out + first, b, n, 0);
    wait_group_events(1, &e);
}
