// global: 64
// arg: int out[64]
// arg: int in[64] = i * 3
// arg: int n = 20
// expect: out = i % 24 < 21 ? i % 24 * 3 + 1 : 67
kernel void k(global int *out, global const int *in, int n) {
    int g = get_global_id(0), r, t;
    for (t = 0;; t++) {
        if (t == g % 24) {
            r = in[t] + 1;
            break;
        }
        if (t == n) {
            r = in[t] + 7;
            break;
        }
    }
    out[g] = r;
}
