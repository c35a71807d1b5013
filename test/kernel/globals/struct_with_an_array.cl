// global: 504
// needs: globals
// arg: int out[504]
// expect: out = 0
global struct {
    char c;
    double d[3];
    int4 v;
} s = {'a', {0.5, 1.5, 2.5}, (int4)(1, 2, 3, 4)};
kernel void k(global int *out) {
    size_t g = get_global_id(0);
    out[g] = s.c - 97 + (int)(s.d[g % 3] * 2) - (g % 3 * 2 + 1) + s.v.w - 4;
}
