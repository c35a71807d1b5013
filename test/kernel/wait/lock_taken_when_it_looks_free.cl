// One loop looks and tries; the work-item that has the lock first waits for all others to have come.
// global: 128
// local: 2 16 64
// arg: int out[128] = 0
// arg: int lock[64] = 0
// arg: int came[64] = 0
// expect: out = 1
kernel void k(volatile global int *out, volatile global int *lock, volatile global int *came) {
    int g = get_group_id(0), n = get_local_size(0);
    atomic_inc(came + g);
    for (;;) {
        int now = atomic_add(lock + g, 0);
        if (now & 1)
            continue;
        if (atomic_cmpxchg(lock + g, now, now | 1) == now)
            break;
    }
    while (atomic_add(came + g, 0) < n)
        ;
    out[get_global_id(0)] += 1;
    mem_fence(CLK_GLOBAL_MEM_FENCE);
    atomic_and(lock + g, ~1);
}
