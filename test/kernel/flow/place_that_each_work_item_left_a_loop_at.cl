// global: 64
// local: 16
// arg: int m[256] = 1
// arg: int out[64]
// expect: out = 1 + i + i % 4
// Work-items leave at different times; what they read then lies in no row.
kernel void k(global int *m, global int *out) {
    int i = get_global_id(0), round = 0, at;
    do {
        at = round * 64 + i;
        atomic_add(&m[at], i + round);
    } while (++round <= i % 4);
    out[i] = m[at];
}
