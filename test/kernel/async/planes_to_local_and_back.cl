// global: 504
// local: 1 8 63 252
// kernel: k
// arg: int in[4096] = i
// arg: int out[4096] = -1
// expect: out = i >= 2 && (i - 2) / 512 < 3 && (i - 2) % 512 / 20 < 4 && (i - 2) % 512 % 20 < 7 ? 3 + (i - 2) / 512 * 300 + (i - 2) % 512 / 20 * 16 + (i - 2) % 512 % 20 : -1
kernel void k(global int *in, global int *out) {
    local int near[256];
    if (get_group_id(0))
        return;
    event_t e = async_work_group_copy_3D3D(near, 1, in, 3, sizeof(int), 7, 4, 3, 16, 300, 9, 50, 0);
    wait_group_events(1, &e);
    e = async_work_group_copy_3D3D(out, 2, near, 1, sizeof(int), 7, 4, 3, 9, 50, 20, 512, 0);
    wait_group_events(1, &e);
}
