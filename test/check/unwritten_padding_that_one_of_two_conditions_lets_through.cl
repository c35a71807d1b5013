// finds: uninitialized-read 12 13
// illegal: finishes
// global: 64
// local: 64
// arg: int in[64] = i + 1
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int tile[65];
    int l = get_local_id(0);
    tile[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    int next = tile[l + 1], x = 0;
    if (next != 0 || l > 63)
        x = 1;
    out[l] = x;
}
