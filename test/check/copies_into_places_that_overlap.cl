// finds: data-race 11 12, data-race 15 16
// global: 64
// local: 64
// arg: int in[1024] = i
// arg: int out[64] = 0
// Of a copy and the next nobody knows which is first, also where both belong to one event, unless the first is waited for.
kernel void k(global const int *in, global int *out) {
    local int a[128], b[256];
    int l = get_local_id(0);
    b[4 * l] = b[4 * l + 1] = b[4 * l + 2] = b[4 * l + 3] = 0;
    event_t e = async_work_group_copy(a, in, 64, 0);
    e = async_work_group_copy(a + 63, in + 64, 64, e);
    wait_group_events(1, &e);
    event_t f[2];
    f[0] = async_work_group_strided_copy(b + 1, in, 64, 3, 0);
    f[1] = async_work_group_copy(out, b + 64, 64, 0); // its first is the other's last
    wait_group_events(2, f);
}
