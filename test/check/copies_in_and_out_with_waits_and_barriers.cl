// finds: nothing
// global: 256
// local: 64
// arg: int in[512] = i
// arg: int out[256]
// expect: out = (i % 64) * 2 + (i / 64) * 128 + 63 - i % 64 + 1
kernel void k(global const int *in, global int *out) {
    local int tile[2][64], sums[64];
    size_t l = get_local_id(0), g = get_group_id(0);
    event_t e = async_work_group_strided_copy(tile[0], in + 128 * g, 64, 2, 0);
    e = async_work_group_copy(tile[1], in, 64, e);
    int beside = in[128 * g + 2 * l];
    wait_group_events(1, &e);
    sums[l] = tile[0][l] + tile[1][63 - l] + (beside == tile[0][l]);
    barrier(CLK_LOCAL_MEM_FENCE);
    event_t back[2] = {async_work_group_copy(out + 64 * g, sums, 32, 0),
                       async_work_group_copy(out + 64 * g + 32, sums + 32, 32, 0)};
    wait_group_events(2, back);
    sums[l] = out[64 * g + 63 - l];
}
