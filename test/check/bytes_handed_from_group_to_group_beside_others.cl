// finds: nothing
// global: 128
// local: 32
// needs: generic
// arg: uchar b[128] = 0
// arg: int flag[1] = 0
kernel void k(global uchar *b, global atomic_int *flag) {
    size_t g = get_group_id(0), l = get_local_id(0);
    if (l)
        return;
    if (g >= 2)
        b[g] = 1;
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) != g)
        ;
    for (int i = 0; i < 2; i++)
        b[i] += b[i ^ 1] + 1;
    atomic_store_explicit(flag, g + 1, memory_order_release, memory_scope_device);
}
