// finds: nothing
// global: 64
// local: 8
// arg: int out[64]
// expect: out = 13008
// The intervals of a group are numbered anew on the way; the next group has the same local memory.
kernel void k(global int *out) {
    local int tile[8];
    int l = get_local_id(0);
    tile[l] = 8;
    for (int i = 0; i < 13000; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        tile[l]++;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = tile[7 - l];
}
