// finds: uninitialized-read 12 13
// illegal: finishes
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local int2 tile[64];
    size_t l = get_local_id(0);
    tile[l].x = (int)l; // which reads both and writes both
    barrier(CLK_LOCAL_MEM_FENCE);
    int other = (int)l ^ 1;
    int2 v = tile[other];
    out[l] = v.y;
}
