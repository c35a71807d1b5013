// global: 252
// local: 1 4 63 252
// arg: int out[252] = 0
// expect: out = 1
// Work-items take elements until there are none left; each is taken once, by whoever comes first, and some take longer.
kernel void k(global int *out) {
    local int head, todo[252];
    int l = get_local_id(0), n = get_local_size(0);
    todo[l] = l * 3;
    if (l == 0)
        head = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (;;) {
        int i = atomic_inc(&head);
        if (i >= n)
            break;
        int x = todo[i], rounds = i * i % 17;
        for (int j = 0; j < rounds; j++)
            x++;
        atomic_add(&out[get_group_id(0) * n + i], x == i * 3 + rounds);
    }
}
