// finds: nothing
// global: 512
// local: 64
// arg: int in[4096] = i
// arg: int out[512]
// expect: out = 512 * 28 + 8 * (i % 64)
// Two buffers take turns; the copies into the one are waited for before it is read, and all have read it before the next.
kernel void k(global const int *in, global int *out) {
    local int tiles[2][64];
    int sum = 0, l = get_local_id(0);
    event_t events[2];
    events[0] = async_work_group_copy(tiles[0], in, 64, 0);
    for (int t = 0; t < 8; t++) {
        if (t < 7)
            events[(t + 1) & 1] = async_work_group_copy(tiles[(t + 1) & 1], in + 64 * 8 * (t + 1), 64, 0);
        wait_group_events(1, &events[t & 1]);
        sum += tiles[t & 1][l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
