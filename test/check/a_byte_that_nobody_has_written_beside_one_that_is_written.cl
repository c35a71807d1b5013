// Each byte of a tile of bytes counts, not each word.
// finds: uninitialized-read 15 15
// global: 64
// local: 64
// arg: int out[64]
kernel void k(global int *out) {
    local uchar tile[64];
    local short shorts[64];
    uint l = get_local_id(0);
    if (l < 63)
        tile[l] = l;
    shorts[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = shorts[63 - l];
    if (tile[63 - l] > 3)
        x++;
    out[l] = x;
}
