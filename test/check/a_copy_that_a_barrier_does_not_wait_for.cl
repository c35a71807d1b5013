// finds: data-race 10 12
// illegal: finishes
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int tile[64];
    size_t l = get_local_id(0);
    event_t e = async_work_group_copy(tile, in, 64, 0);
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    out[l] = tile[l];
    wait_group_events(1, &e);
}
