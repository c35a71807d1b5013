// finds: uninitialized-read 12 11
// global: 16,16
// local: 16,16
// arg: int in[256] = i
// arg: int out[256]
kernel void k(global const int *in, global int *out) {
    local int tile[16][17];
    int x = get_local_id(0), y = get_local_id(1);
    tile[y][x] = in[y * 16 + x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[y * 16 + x] =
        tile[x][y + 1];
}
