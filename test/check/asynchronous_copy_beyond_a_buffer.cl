// finds: out-of-bounds 10
// illegal: finishes
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
// It is the copy that reads there.
kernel void k(global const int *in, global int *out) {
    local int tile[200];
    event_t event = async_work_group_strided_copy(tile, in, 200, 100, 0);
    wait_group_events(1, &event);
    out[get_global_id(0)] = tile[get_local_id(0)];
}
