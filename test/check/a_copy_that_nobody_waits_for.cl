// finds: data-race 9
// illegal: finishes
// global: 64
// local: 64
// arg: int in[64] = i
kernel void k(global const int *in) {
    local int tile[64], other[64];
    event_t a = async_work_group_copy(tile, in, 64, 0),
            b = async_work_group_copy(other, in, 64, 0);
    wait_group_events(1, &a);
}
