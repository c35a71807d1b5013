// In a long program functions that call each other in a chain come to one that asks for ids and sizes.
// global: 8,6,4
// local: 4,3,2 8,1,1 1,1,1
// offset: 3,1,2
// arg: int out[192] = 0
// expect: out = i % 8 + 3 + 100 * (i / 8 % 6 + 1) + 10000 * (i / 48 + 2) + 7 * (i % 8 % LX + LX * (i / 8 % 6 % LY) + LX * LY * (i / 48 % LZ)) + 3 * (i % 8 / LX) + 5 * (LX + LY)
#define ONE(n)     x = (x ^ n) * (x | 1) + (x >> 3); y = (y + x) ^ (x << 2); x = x + y - n;
#define TEN(n)     ONE(n) ONE(n + 1) ONE(n + 2) ONE(n + 3) ONE(n + 4) ONE(n + 5) ONE(n + 6) ONE(n + 7) ONE(n + 8) ONE(n + 9)
#define HUNDRED(n) TEN(n) TEN(n + 10) TEN(n + 20) TEN(n + 30) TEN(n + 40) TEN(n + 50) TEN(n + 60) TEN(n + 70) TEN(n + 80) TEN(n + 90)
int ask(int what, int x) {
    switch (what) {
    case 0:
        return get_global_id(0) + 100 * get_global_id(1) + 10000 * get_global_id(2);
    case 1:
        return 7 * get_local_linear_id() + 3 * get_group_id(0);
    default:
        return 5 * (get_local_size(0) + get_local_size(1));
    }
}
#define LEVEL(name, below)                                                                                             \
    __attribute__((noinline)) int name(int what, int x) {                                                              \
        int y = x;                                                                                                     \
        HUNDRED(0)                                                                                                     \
        return below(what, x ^ y);                                                                                     \
    }
LEVEL(f0, ask) LEVEL(f1, f0) LEVEL(f2, f1) LEVEL(f3, f2) LEVEL(f4, f3) LEVEL(f5, f4) LEVEL(f6, f5) LEVEL(f7, f6) LEVEL(f8, f7)
kernel void k(global int *out) {
    int at = (get_global_id(0) - 3) + 8 * ((get_global_id(1) - 1) + 6 * (get_global_id(2) - 2));
    out[at] = f8(0, at) + f7(1, at) + f6(2, at);
}
