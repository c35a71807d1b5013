// The loop that waits is in a function that is called in two places, and the atomic in another one.
// global: 96
// local: 2 16 48
// arg: int out[96]
// arg: int steps[48] = 0
// expect: out = i % 2 ? 3 : 2
__attribute__((noinline)) int look(volatile global int *p) {
    return atomic_cmpxchg(p, -1, -1);
}

__attribute__((noinline)) void until(volatile global int *p, int value) {
    while (look(p) < value)
        ;
}

kernel void k(global int *out, volatile global int *steps) {
    int g = get_global_id(0);
    if (g % 2 == 0) {
        until(steps + g / 2, 1);
        out[g] = atomic_inc(steps + g / 2) + 1;
    } else {
        atomic_inc(steps + g / 2);
        until(steps + g / 2, 2);
        out[g] = atomic_inc(steps + g / 2) + 1;
    }
}
