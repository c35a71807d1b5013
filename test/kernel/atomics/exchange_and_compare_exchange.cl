// global: 504
// arg: int c[3] = 0
// expect: c = {504, 504 * 503 / 2, 0}
// races: a plain read beside atomics
kernel void k(global int *c) {
    int g = get_global_id(0), old, seen;
    do {
        old = c[0];
        seen = atomic_cmpxchg(&c[0], old, old + 1);
    } while (seen != old);
    int v = g;
    while (v) {
        int here = atomic_xchg(&c[2], 0);
        atomic_add(&c[1], v);
        v = here;
    }
}
