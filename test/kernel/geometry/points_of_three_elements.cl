// Each work-item has three adjacent elements, which packs read and write in whole rows: of several sizes, in local memory, where some
// work-items have none, where one element is left out or written twice, and by indices that may wrap around before they are extended.
// global: 1000
// local: 50 64 8 100 7 1000 any
// arg: int in[3000] = 7 * i
// arg: uchar bytes[3000] = i % 251
// arg: uint n = 903
// arg: int out[3000] = 0
// arg: uchar turned[3000] = 0
// arg: long sums[3000] = 0
// arg: int two[3000] = 0
// arg: int back[3000]
// arg: local s[12 * L]
// expect: out = i / 3 < 903 ? (i % 3 == 0 ? 7 * (i + 1) : i % 3 == 1 ? 7 * (i + 1) - 7 * (i - 1) : 7 * i + 1) : 0
// expect: turned = i / 3 < 903 ? (i / 3 * 3 + 2 - i % 3) % 251 : 0
// expect: sums = i % 3 == 2 ? 0 : 7 * i + i % 3
// expect: two = i % 3 == 1 ? 5 : i % 3 == 2 ? 7 * i + 7 * (i - 1) : 7 * i
// expect: back = 7 * i + 21 * (i / 3 / L * L * 2 + min(L, 1000 - i / 3 / L * L) - 1 - 2 * (i / 3))
kernel void k(global const int *in, global const uchar *bytes, uint n, global int *out, global uchar *turned,
              global long *sums, global int *two, global int *back, local int *s) {
    uint i = get_global_id(0);
    int l = get_local_id(0), m = (int)get_local_size(0) - 1 - l;
    int x = in[3 * i], y = in[3 * i + 1], z = in[3 * i + 2];
    if (i < n) {
        out[3 * i + 2] = z + 1;
        out[3 * i + 1] = z - x;
        out[3 * i] = y;
        int at = 3 * (int)i;
        uchar r = bytes[at], g = bytes[at + 1], b = bytes[at + 2];
        turned[at] = b;
        turned[at + 1] = g;
        turned[at + 2] = r;
    }
    sums[3 * i] = x;
    sums[3 * i + 1] = y + 1;
    two[3 * i] = x;
    two[3 * i + 1] = 4;
    two[3 * i + 2] = y + z;
    two[3 * i + 1] = 5;
    vstore3(vload3(i, in), l, s);
    barrier(CLK_LOCAL_MEM_FENCE);
    back[3 * i] = s[3 * m];
    back[3 * i + 1] = s[3 * m + 1];
    back[3 * i + 2] = s[3 * m + 2];
}
