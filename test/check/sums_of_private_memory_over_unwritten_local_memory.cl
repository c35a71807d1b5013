// finds: uninitialized-read 17 20
// illegal: finishes
// global: 16
// local: 16
// arg: float in[64] = i
// arg: float out[64]
kernel void k(global const float *in, global float *out) {
    local float tile[64];
    float sums[4] = {0, 0, 0, 0};
    size_t l = get_local_id(0);
    for (int i = 0; i < 3; i++)
        tile[l + 16 * i] = in[l + 16 * i];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 16; j++)
        for (int i = 0; i < 4; i++) {
            /* the fourth part of the tile */
            sums[i] += tile[j + 16 * i] * (float)(j + 1);
        }
    for (int i = 0; i < 4; i++)
        out[l + 16 * i] = sums[i];
}
