// global: 64
// local: 2 16 32
// arg: int out[64]
// arg: int state[32] = 0
// expect: out = 1
kernel void k(global int *out, global int *state) {
    int l = get_local_id(0), n = get_local_size(0);
    volatile global int *s = state + get_group_id(0);
    out[get_global_id(0)] = 1;
    if (l == n - 1) {
        atomic_inc(s);
        return;
    }
    switch (l % 3) {
    case 0:
        while (atomic_add(s, 0) < n - 1 - l)
            ;
        break;
    case 1:
        for (;;)
            if (atomic_or(s, 0) >= n - 1 - l)
                break;
        break;
    default:
        do {
        } while (atomic_max(s, 0) < n - 1 - l);
    }
    atomic_inc(s);
}
