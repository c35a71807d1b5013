// A tile with padding and a halo of one, filled row by row, in three ways: all is there, what isn't is 0, and what isn't is the nearest;
// the group's tile begins at (17, 3) of 40 x 24, or beyond the edge.
// global: 256
// local: 256
// arg: int in[960] = i * 7 % 1013
// arg: int width = 40
// arg: int height = 24
// arg: int inside[256]
// arg: int zeros[256]
// arg: int nearest[256]
// expect: inside = ((i / 16 + 3) * 40 + i % 16 + 17) * 7 % 1013 + ((i / 16 + 5) * 40 + i % 16 + 19) * 7 % 1013
// expect: zeros = (i / 16 + 12 < 24 && i % 16 + 27 < 40 ? ((i / 16 + 12) * 40 + i % 16 + 27) * 7 % 1013 : 0) + (i / 16 + 14 < 24 && i % 16 + 29 < 40 ? ((i / 16 + 14) * 40 + i % 16 + 29) * 7 % 1013 : 0)
// expect: nearest = ((i / 16 < 1 ? 0 : i / 16 - 1) * 40 + (i % 16 < 1 ? 0 : i % 16 - 1)) * 7 % 1013 + ((i / 16 + 1) * 40 + i % 16 + 1) * 7 % 1013
kernel void k(global const int *in, int width, int height, global int *inside, global int *zeros, global int *nearest) {
    local int a[18][19], b[18][19], c[18][19];
    int l = get_local_id(0), x = l % 16, y = l / 16;
    for (int i = l; i < 18 * 18; i += 256) {
        int row = i / 18, column = i - row * 18;
        a[row][column] = in[(row + 3) * width + column + 17];
        int r = row + 12, q = column + 27;
        b[row][column] = r < height && q < width ? in[r * width + q] : 0;
        c[row][column] = in[clamp(row - 1, 0, height - 1) * width + clamp(column - 1, 0, width - 1)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    inside[l] = a[y][x] + a[y + 2][x + 2];
    zeros[l] = b[y][x] + b[y + 2][x + 2];
    nearest[l] = c[y][x] + c[y + 2][x + 2];
}
