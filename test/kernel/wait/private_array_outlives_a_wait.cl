// global: 128
// local: 2 16 64
// needs: generic
// arg: int out[128]
// arg: int ready[128] = 0
// expect: out = i * 28
kernel void k(global int *out, global atomic_int *ready) {
    int g = get_global_id(0), l = get_local_id(0), n = get_local_size(0), own[8], sum = 0;
    float4 v = (float4)(g, 1, 2, 3);
    for (int i = 0; i < 8; i++)
        own[(i + g) % 8] = i * g;
    if (l < n - 1)
        while (!atomic_load_explicit(&ready[g + 1], memory_order_acquire, memory_scope_work_group))
            own[0] += 0;
    for (int i = 0; i < 8; i++)
        sum += own[i];
    out[g] = v.x == g && v.w == 3 ? sum : -1;
    atomic_store_explicit(&ready[g], 1, memory_order_release, memory_scope_work_group);
}
