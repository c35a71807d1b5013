// wait_group_events takes a list; events are waited for in any order; a copy of no elements changes nothing.
// global: 504
// options: -cl-std=CL3.0
// arg: int in[504] = i
// arg: int back[504] = -1
// arg: int out[504]
// expect: out = (F + (i - F + 1) % S) * 3 + 7
// expect: back = i
kernel void k(global int *in, global int *back, global int *out) {
    local int a[1024], b[1024], c[1024];
    size_t l = get_local_id(0), n = get_local_size(0), first = get_global_id(0) - l;
    c[l] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t events[3];
    events[0] = async_work_group_copy(a, in + first, n, 0);
    events[1] = async_work_group_strided_copy(b, in + first, n, 1, 0);
    events[2] = async_work_group_copy(c, in + first, 0, 0);
    wait_group_events(1, &events[2]);
    wait_group_events(2, events);
    event_t out_of = async_work_group_copy(back + first, a, n, 0);
    size_t next = (l + 1) % n;
    out[get_global_id(0)] = a[next] + b[next] * 2 + c[next];
    wait_group_events(1, &out_of);
}
