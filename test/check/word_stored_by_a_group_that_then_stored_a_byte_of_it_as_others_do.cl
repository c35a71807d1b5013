// finds: inter-group-race 11 17
// global: 8
// local: 1
// arg: char p[32] = 0
// arg: int flag[1] = 0
kernel void k(global uchar *p, global atomic_int *flag) {
    int g = get_global_id(0);
    if (g == 0)
        vstore4((uchar4)(1, 1, 2, 1), 0, p + 16);
    if (g == 0) {
        p[19] = 1; // which the word's cell tells of
        atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_device);
    }
    if (g == 7) {
        while (!atomic_load_explicit(flag, memory_order_relaxed, memory_scope_device))
            ;
        vstore4((uchar4)(1, 2, 2, 1), 0, p + 16);
    }
}
