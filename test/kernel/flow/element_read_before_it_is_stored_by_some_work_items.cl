// What some work-items, or rounds of a loop, read before they store to the same place is what was there.
// global: 128
// local: any
// arg: int a[128] = i
// arg: float f[128] = i
// arg: long g[128] = i
// arg: int rows[1024] = i
// arg: int c[128] = i * 7 % 5
// arg: int out[128]
// arg: int sums[128]
// expect: out = (i * 7 % 5 & 1 ? i : -1) + (i * 7 % 5 > 2 ? i : -2) + (i * 7 % 5 == 2 ? i : -3) + (i * 7 % 5 & 1 ? (i * 7 % 5 == 3 ? i : 0) : 0)
// expect: sums = 8 * (8 * i) + 28 - (8 * i + 3) - (8 * i + 7) + 2
kernel void k(global int *a, global float *f, global long *g, global int *rows, global const int *c, global int *out,
              global int *sums) {
    int i = get_global_id(0), l = get_local_id(0), old = -1, nested = 0;
    float x = -2;
    long y = -3;
    local int s[1024];
    s[l] = i;
    if (c[i] & 1) {
        old = a[i];
        a[i] = i + 1000;
    }
    if (c[i] > 2) {
        x = f[i];
        f[i] = i + 1000;
    }
    if (c[i] == 2) {
        y = g[i];
        g[i] = i + 1000;
    }
    if (c[i] & 1) {
        int was = s[l];
        s[l] = 5000;
        if (c[i] == 3)
            nested = was;
    }
    out[i] = old + (int)x + (int)y + nested;
    int sum = 0;
    for (int j = 0; j < 8; j++) {
        int was = 1;
        if ((j & 3) != 3) {
            was = rows[8 * i + j];
            rows[8 * i + j] = 77;
        }
        sum += was;
    }
    sums[i] = sum;
}
