// finds: uninitialized-read 13 14
// global: 16 16
// local: 16 16
// arg: float out[256]
kernel void k(global float *out) {
    local float t[16][17];
    uint x = get_local_id(0), y = get_local_id(1);
    if (y < 15)
        t[y][x] = x + y;
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0;
    for (int i = 0; i < 16; i++)
        sum += t[i][i];
    out[16 * y + x] = sum;
}
