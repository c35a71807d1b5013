// global: 252
// local: 3 63 252
// arg: int sum[1] = 1
// arg: int serving[84] = 0
// expect: sum = 253
kernel void k(global int *sum, volatile global int *serving) {
    int n = get_local_size(0), ticket = (get_local_id(0) * 5 + n / 2) % n;
    volatile global int *counter = serving + get_group_id(0);
    while (atomic_or(counter, 0) != ticket)
        ;
    atomic_inc(sum);
    atomic_inc(counter);
}
