// global: 504
// arg: long c[4] = {0, 10000000000, 0, 0}
// expect: c = {504 * 10000000000, 10000000000 - 504, 10000000000 * 503, 504}
// races: a plain read beside atomics
kernel void k(global long *c) {
    long g = get_global_id(0);
    atom_add(&c[0], 10000000000l);
    atom_dec(&c[1]);
    atom_max(&c[2], g * 10000000000l);
    long old, seen = c[3];
    do {
        old = seen;
        seen = atom_cmpxchg(&c[3], old, old + 1);
    } while (seen != old);
}
