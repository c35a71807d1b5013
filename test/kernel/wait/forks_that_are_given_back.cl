// Work-items in a circle each take two things by compare-and-exchange, one after the other, and give the first back where the second is
// not free. In step, all would take their first one and give it back, for ever.
// global: 64
// local: 64 16 2
// arg: int forks[64] = 0
// arg: int eaten[1] = 0
// expect: forks = 0
// expect: eaten = 64
kernel void k(volatile global int *forks, volatile global int *eaten) {
    int l = get_local_id(0), n = get_local_size(0), first = get_group_id(0) * n;
    for (bool hungry = true; hungry;) {
        if (atomic_cmpxchg(&forks[first + l], 0, 1))
            continue;
        if (atomic_cmpxchg(&forks[first + (l + 1) % n], 0, 1) == 0) {
            atomic_inc(eaten);
            hungry = false;
            atomic_xchg(&forks[first + (l + 1) % n], 0);
        }
        atomic_xchg(&forks[first + l], 0);
    }
}
