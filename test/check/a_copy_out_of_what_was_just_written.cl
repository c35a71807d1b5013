// finds: data-race 10 11
// illegal: finishes
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int tile[64];
    size_t l = get_local_id(0);
    tile[l] = in[l];
    event_t e = async_work_group_copy(out, tile, 64, 0);
    wait_group_events(1, &e);
}
