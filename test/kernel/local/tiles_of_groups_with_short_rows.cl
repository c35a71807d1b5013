// Padded and turned tiles of two and three dimensions, with addresses that live across barriers, and columns of which one row
// writes all.
// global: 16,16,4
// local: 8,8,1 4,4,4 4,4,1 2,8,2 8,2,4 16,16,1 2,2,2 8,4,1 1,8,4
// arg: int wrong[1024]
// arg: int in[1024] = i * 3
// expect: wrong = 0
kernel void k(global int *wrong, global const int *in) {
    local int tile[4][16][17], turned[16][20], column[4][16], most;
    int x = get_local_id(0), y = get_local_id(1), z = get_local_id(2), bad = 0;
    int w = get_local_size(0), h = get_local_size(1);
    int at = (get_global_id(2) * 16 + get_global_id(1)) * 16 + get_global_id(0);
    global const int *p = in + at;
    local int *mine = &tile[z][y][x];
    *mine = p[0];
    if (z == 0)
        turned[x][y] = p[0] + 1;
    if (x == 0)
        column[z][y] = at;
    if (y == h - 1 && z == 0)
        most = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < w; i++) { // a row of it for each, and the first of each row
        bad += tile[z][y][i] != 3 * (at - x + i);
        bad += column[z][y] != at - x;
    }
    for (int i = 0; i < h; i++)
        bad += tile[z][i][x] != 3 * (at + (i - y) * 16);
    if (z == 0)
        bad += turned[x][y] != 3 * at + 1;
    if (y > 0 && x < w - 1)
        bad += tile[z][y - 1][x + 1] != 3 * (at - 15);
    barrier(CLK_LOCAL_MEM_FENCE);
    mine[0] += p[0];
    for (int k = 0; k < 3; k++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (y >= k && y < h - k)
            mine[0] += 1;
        else if (y < k)
            atomic_inc(&most);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int inner = 0;
    for (int k = 0; k < 3; k++)
        inner += y >= k && y < h - k;
    bad += *mine != 6 * at + inner;
    wrong[at] = bad;
}
