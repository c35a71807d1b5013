// finds: data-race 12 14
// illegal: finishes
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global int *in, global int *out) {
    local int tile[64];
    size_t l = get_local_id(0);
    out[l] = in[l];
    barrier(CLK_GLOBAL_MEM_FENCE);
    event_t e = async_work_group_copy(tile, in, 64, 0);
    out[l] += in[l];
    in[l] = 0;
    wait_group_events(1, &e);
}
