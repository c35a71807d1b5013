// finds: uninitialized-read 14 15
// global: 64
// local: 64
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int tile[256];
    size_t l = get_local_id(0);
    for (int i = 0; i < 3; i++)
        tile[i * 64 + l] = in[l] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    int sum = 0;
    for (int i = 0; i < 4; i++)
        sum = max(sum, tile[i * 64 + 63 - l]);
    out[l] = sum;
}
