// finds: barrier-divergence 8 8
// illegal: finishes
// global: 64
// local: 64
// arg: int in[128] = i
kernel void k(global const int *in) {
    local int tile[64];
    event_t e = async_work_group_copy(tile, in + get_local_id(0) / 32, 64, 0);
    wait_group_events(1, &e);
}
