// Rows of local variables that packs access along them, in loops up and down, behind conditions that limit ids, with halos and
// in three dimensions; by the side of them elements that are reached from another row, or as one piece.
// global: 64,16
// local: 16,16
// arg: int n = 1
// arg: int wrong[1024]
// expect: wrong = 0
kernel void k(int n, global int *wrong) {
    local int halo[18][18], cube[3][16][17], flat[16][19], other[16][21];
    local short pairs[16][37];
    int x = get_local_id(0), y = get_local_id(1), bad = 0;
    halo[y + 1][x + 1] = 100 * y + x;
    if (x < 1) {
        halo[y + 1][x] = -1;
        halo[y + 1][17 - x] = -2;
    }
    if (y < 1)
        halo[y][x + 1] = halo[17 - y][x + 1] = -3;
    for (int z = 2; z >= 0; z--)
        cube[z][y][x + z % 2] = 1000 * z + 16 * y + x;
    for (int i = 16 * y + x; i < 16 * 19; i += 256)
        flat[0][i] = i;
    other[y][x + n] = 16 * y + x;
    if (n != 1)
        other[y][x + 2 * n] = 0;
    if (x < 2)
        other[y][n * 17 + x] = 7;
    pairs[y][2 * x] = x;
    pairs[y][2 * x + 1] = y;
    barrier(CLK_LOCAL_MEM_FENCE);
    bad += halo[y + 1][x] != (x ? 100 * y + x - 1 : -1);
    bad += halo[y + 1][x + 2] != (x < 15 ? 100 * y + x + 1 : -2);
    bad += halo[y][x + 1] != (y ? 100 * (y - 1) + x : -3);
    bad += halo[y + 2][x + 1] != (y < 15 ? 100 * (y + 1) + x : -3);
    for (int z = 0; z < 3; z++)
        bad += cube[z][15 - y][x + z % 2] != 1000 * z + 16 * (15 - y) + x;
    for (int c = 14; c != 0; c -= 2)
        bad += cube[0][x][c] != 16 * x + c;
    for (uint r = 15; r > 0; r--)
        bad += flat[r][x + 3] != 19 * r + x + 3;
    bad += flat[15 - y][x] != 19 * (15 - y) + x;
    bad += other[15 - y][x + 1] != 16 * (15 - y) + x;
    bad += other[x][17] != 7;
    bad += pairs[15 - y][2 * x] != x || pairs[15 - y][2 * x + 1] != 15 - y;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int step = 1; step < 4; step++) { // rounds in which fewer and fewer take part
        int sum = 0;
        bool live = x >= step && x < 16 - step && y >= step && y < 16 - step;
        if (live)
            sum = halo[y + 1][x] + halo[y + 1][x + 2] + halo[y][x + 1] + halo[y + 2][x + 1];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (live)
            halo[y + 1][x + 1] = sum / 4;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    bad += halo[y + 1][x + 1] != 100 * y + x;
    wrong[get_global_id(1) * 64 + get_global_id(0)] = bad;
}
