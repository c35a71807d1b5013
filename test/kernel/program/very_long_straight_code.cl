// global: 128
// local: 64
// arg: int a[4096] = 5
// arg: float f[4096] = 3
// arg: long l[4096] = 7
// arg: uchar c[4096] = 9
// arg: int out[128]
// expect: out = i + i + i + i % 10
#define ONE(n)                                                                                               \
    x = a[i + n] - x;                                                                                        \
    y = f[i + n] - y;                                                                                        \
    z = l[i + n] - z;                                                                                        \
    w = c[i + n] - w;
#define TEN(n)                                                                                               \
    ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8) ONE(n + 9)
#define HUNDRED(n)                                                                                           \
    TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80)   \
    TEN(n + 90)
kernel void k(global const int *a, global const float *f, global const long *l, global const uchar *c,
              global int *out) {
    int i = (int)get_global_id(0), x = i;
    float y = (float)i;
    long z = i;
    uchar w = (uchar)(i % 10);
    HUNDRED(0) HUNDRED(100)
    out[i] = x + (int)y + (int)z + w;
}
