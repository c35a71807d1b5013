// Elements by row and by column of an id, where rows are shorter and longer than packs, for all work-items and for some.
// global: 504
// local: 504 63
// arg: int by_row[504] = i * 3
// arg: int by_column[504] = i * 5
// arg: int length[4] = {1, 5, 24, 200}
// arg: int out[2016]
// arg: int some[2016] = -1
// expect: out = (i % 504) / (i < 504 ? 1 : i < 1008 ? 5 : i < 1512 ? 24 : 200) * 3 + (i % 504) % (i < 504 ? 1 : i < 1008 ? 5 : i < 1512 ? 24 : 200) * 5
// expect: some = i % 504 % 3 == 1 ? (i % 504) / (i < 504 ? 1 : i < 1008 ? 5 : i < 1512 ? 24 : 200) * 3 : -1
kernel void k(global const int *by_row, global const int *by_column, global const int *length, global int *out,
              global int *some) {
    int g = get_global_id(0);
    for (int n = 0; n < 4; n++) {
        int row = g / length[n], column = g % length[n];
        out[n * 504 + g] = by_row[row] + by_column[column];
        if (g % 3 == 1)
            some[n * 504 + g] = by_row[row];
    }
}
