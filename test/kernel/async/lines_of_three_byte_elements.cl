// global: 504
// local: 1 8 63 252
// arg: uchar in[3000] = i % 251
// arg: uchar out[3000] = 255
// expect: out = i % 60 < 15 && i / 60 < 5 ? (6 + i / 60 * 33 + i % 60) % 251 : 255
kernel void k(global uchar *in, global uchar *out) {
    local uchar near[256];
    if (get_group_id(0))
        return;
    event_t e = async_work_group_copy_2D2D(near, 0, in, 2, 3, 5, 5, 11, 6, 0);
    async_work_group_copy_fence(CLK_LOCAL_MEM_FENCE);
    e = async_work_group_copy_2D2D(out, 0, near, 0, 3, 5, 5, 6, 20, e);
    wait_group_events(1, &e);
}
