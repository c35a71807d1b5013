// finds: nothing
// global: 64
// local: 64
// arg: int in[512] = i
// arg: int out[64]
// expect: out = 28 * 64 + 8 * (63 - i)
kernel void k(global const int *in, global int *out) {
    local int tile[2][64];
    size_t l = get_local_id(0);
    int sum = 0;
    event_t e = async_work_group_copy(tile[0], in, 64, 0);
    for (int i = 0; i < 8; i++) {
        wait_group_events(1, &e);
        if (i < 7)
            e = async_work_group_copy(tile[(i + 1) & 1], in + 64 * (i + 1), 64, 0);
        sum += tile[i & 1][63 - l];
    }
    out[l] = sum;
}
