// Whether two or three numbers are all negative, none is, or all are 0, asked together and of each.
// global: 96
// local: 32
// arg: int out[96]
// arg: int n = 3
// expect: out = (i >= 5 && i % 32 >= 3 ? 1 : 0) | (i < 5 || i % 32 < 3 ? 2 : 0) | (i < 5 && i % 32 < 3 ? 4 : 8) | (i == 5 ? 16 : 32) | (i >= 25 && i % 32 >= 3 ? 64 : 0) | (i == 6 ? 128 : 0)
kernel void k(global int *out, int n) {
    int i = get_global_id(0), x = i - n - 2, y = get_local_id(0) - n, r = 0;
    if (x >= 0 && y >= 0)
        r |= 1;
    if ((x | y) < 0)
        r |= 2;
    if ((x & y) < 0)
        r |= 4;
    if ((x & y) >= 0)
        r |= 8;
    if (x == 0 && y == 2)
        r |= 16;
    if ((x | (y - 2)) != 0)
        r |= 32;
    if ((x | y | (x - 20)) >= 0)
        r |= 64;
    if (((x - 1) | (y - 3)) == 0)
        r |= 128;
    out[i] = r;
}
