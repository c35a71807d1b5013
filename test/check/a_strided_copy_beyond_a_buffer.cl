// finds: out-of-bounds 8
// illegal: finishes
// global: 64
// local: 64
// arg: int in[128] = i
kernel void k(global const int *in) {
    local int tile[64];
    event_t e = async_work_group_strided_copy(tile, in, 64, 64, 0);
    wait_group_events(1, &e);
}
