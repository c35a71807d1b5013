// finds: uninitialized-read 15 15
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int tile[256];
    size_t l = get_local_id(0);
    for (int i = l; i < 256; i += 64) {
        if (i > in[63] + 100)
            break;
        tile[i] = i;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[l] = tile[255 - l];
}
