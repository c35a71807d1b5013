// It goes around and around them; each of the others waits until it has been seen.
// global: 16
// local: 16
// arg: int out[16]
// arg: int flags[16] = 0
// expect: out = i
kernel void k(global int *out, volatile global int *flags) {
    int l = get_local_id(0), n = get_local_size(0), left = n - 1;
    if (l == 0) {
        for (int at = 1; left; at = at % (n - 1) + 1)
            if (atomic_cmpxchg(flags + at, 1, 2) == 1)
                left--;
    } else {
        atomic_xchg(flags + l, 1);
        while (atomic_or(flags + l, 0) != 2)
            ;
    }
    out[l] = l;
}
