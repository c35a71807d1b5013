// finds: nothing
// global: 64
// local: 64
// arg: int in[1024] = i
// arg: int out[64] = 0
// expect: out = i
kernel void k(global const int *in, global int *out) {
    local int a[64];
    int l = get_local_id(0);
    event_t e = async_work_group_copy(a, in, 32, 0);
    e = async_work_group_copy(a + 32, in + 64, 32, e);
    wait_group_events(1, &e);
    e = async_work_group_copy(a + 32, in + 32, 32, 0); // there again, behind the wait
    wait_group_events(1, &e);
    a[l] = l < 32 ? in[2 * l] : in[2 * l - 63]; // even ones, then odd ones
    barrier(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_strided_copy(out, a, 32, 2, 0);
    e = async_work_group_strided_copy(out + 1, a + 32, 32, 2, e);
    wait_group_events(1, &e);
}
