// It gives up after many rounds, but the others get their turn before.
// global: 64
// local: 2 16 64
// arg: int out[64]
// arg: int flags[32] = 0
// expect: out = 1
kernel void k(global int *out, volatile global int *flags) {
    int g = get_group_id(0), seen = 0;
    if (get_local_id(0) == get_local_size(0) - 1)
        atomic_xchg(flags + g, 1);
    for (int i = 0; i < 1000000 && !seen; i++)
        seen = atomic_or(flags + g, 0);
    out[get_global_id(0)] = seen;
}
