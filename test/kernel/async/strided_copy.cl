// global: 504
// arg: int in[1512] = i
// arg: int out[1512] = 0
// expect: out = i % 3 ? 0 : i
kernel void k(global int *in, global int *out) {
    local int a[512];
    size_t l = get_local_id(0), n = get_local_size(0), first = get_global_id(0) - l;
    event_t e = async_work_group_strided_copy(a, in + first * 3, n, 3, 0);
    wait_group_events(1, &e);
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(out + first * 3, a, n, 3, 0);
    wait_group_events(1, &e);
}
