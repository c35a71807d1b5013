// Signed lengths that packs would fill but are negative, 0 and -1, and what divides is less than a pack.
// global: 256
// local: 256 64 16
// arg: int negative = -64
// arg: int zero = 0
// arg: int minus = -1
// arg: uint few = 8
// arg: int a[256]
// arg: int b[256]
// arg: int c[256]
// arg: uint d[256]
// expect: a = -1000 * (i / 64) + i % 64
// expect: b = i
// expect: c = 0 - i
// expect: d = i / 8 * 100 + i % 8
kernel void k(int negative, int zero, int minus, uint few, global int *a, global int *b, global int *c, global uint *d) {
    int g = get_global_id(0);
    a[g] = g / negative * 1000 + g % negative;
    b[g] = zero ? g / zero : g;
    c[g] = g / minus;
    d[g] = g / few * 100 + g % few;
}
