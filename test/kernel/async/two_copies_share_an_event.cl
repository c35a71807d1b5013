// global: 504
// arg: int in[504] = i
// arg: float more[1008] = i
// arg: int out[504]
// expect: out = (F + (i - F + 1) % S) * 3
kernel void k(global int *in, global float2 *more, global int *out) {
    local int a[512];
    local float2 b[512];
    size_t l = get_local_id(0), n = get_local_size(0), first = get_global_id(0) - l;
    event_t e = async_work_group_copy(a, in + first, n, 0);
    e = async_work_group_copy(b, more + first, n, e);
    wait_group_events(1, &e);
    size_t next = (l + 1) % n;
    out[get_global_id(0)] = a[next] + (int)b[next].x;
}
