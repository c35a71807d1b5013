// finds: barrier-divergence 10
// illegal: finishes
// global: 64
// local: 64
// arg: int in[64] = i
kernel void k(global const int *in) {
    local int x[64], y[64];
    event_t first = async_work_group_copy(x, in, 64, 0), second = async_work_group_copy(y, in, 64, 0);
    event_t *mine = get_local_id(0) < 13 ? &first : &second;
    wait_group_events(1, mine);
}
