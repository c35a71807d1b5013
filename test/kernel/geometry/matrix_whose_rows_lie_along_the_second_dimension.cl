// Packs may lie along the second dimension, in which indices go up: ids, sizes, bounds and what neighbours exchange stay.
// global: 32,48
// offset: 1,2
// local: 16,16 8,48 32,4 4,12 1,16 2,24
// arg: int in[1800] = i * 3 % 1001
// arg: int out[1800] = 0
// arg: int n = 50
// arg: int rows = 31
// arg: int columns = 47
// arg: local s[6144]
// expect: out = i / 50 > 0 && i / 50 < 31 && i % 50 > 1 && i % 50 < 47 ? i * 3 % 1001 * 5 + i / 50 * 10000 + (i % 50 - 2) / LY * LY + 2 + ((i % 50 - 2) % LY + 1) % LY : 0
kernel void k(global const int *in, global int *out, int n, int rows, int columns, local int *s) {
    int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0), ly = get_local_id(1);
    int h = get_local_size(1), sum = 0;
    s[lx * h + ly] = x * 10000 + y;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < 5; i++)
        sum += in[x * n + y];
    if (x < rows && y < columns)
        out[x * n + y] = sum + s[lx * h + (ly + 1) % h];
}
