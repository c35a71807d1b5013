// finds: uninitialized-read 12 12
// illegal: finishes
// global: 32
// local: 32
// arg: int out[32]
kernel void k(global int *out) {
    local int tile[32];
    uint l = get_local_id(0);
    if (l % 4 < 2)
        tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = tile[l];
}
