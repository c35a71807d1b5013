// Blocks of 4 x 4 sums of adjacent columns cross barriers; after them the work-item looks at its own.
// global: 32,16
// local: 16,8 32,8 8,16 4,16
// arg: int out[8192]
// arg: int edge[512]
// expect: out = 24 * (i / 128) + 8 * (i % 128 % 3) + 2 * (i % 128) + 12
// expect: edge = (24 * (i / 32 * 4 + 3) + 8 * ((i % 32 * 4 + 1) % 3) + 2 * (i % 32 * 4 + 1) + 12) * 2
kernel void k(global int *out, global int *edge) {
    local int b[4][128];
    size_t x = get_local_id(0), y = get_local_id(1), n = get_local_size(0) * 4, t = y * get_local_size(0) + x,
           items = get_local_size(0) * get_local_size(1), first = get_group_id(0) * n;
    size_t row = get_global_id(1) * 4;
    int sum[4][4] = {{0}};
    for (int k = 0; k < 8; k += 4) {
        for (size_t e = t; e < 4 * n; e += items)
            b[e / n][e % n] = (first + e % n) % 3 + (k + e / n == 0 ? 2 * (first + e % n) + 12 - 0 : 0);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int i = 0; i < 4; i++) {
            int own[4];
            for (int c = 0; c < 4; c++)
                own[c] = b[i][x * 4 + c];
            for (int r = 0; r < 4; r++)
                for (int c = 0; c < 4; c++)
                    sum[r][c] += own[c] * 1 + 3 * (int)(row + r);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int r = 0; r < 4; r++)
        for (int c = 0; c < 4; c++)
            out[(row + r) * 128 + first + x * 4 + c] = sum[r][c];
    edge[get_global_id(1) * 32 + get_global_id(0)] = sum[3][1] * 2;
}
