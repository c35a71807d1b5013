// global: 1008
// arg: int t[1008]
// arg: int out[1008]
// expect: out = (F + (i - F + 1) % S) * 5 + (i % 3 ? i * 2 : i - 1)
kernel void k(global int *t, global int *out) {
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int x;
    t[g] = g * 5;
    intel_work_group_barrier_arrive(CLK_GLOBAL_MEM_FENCE);
    if (g % 3)
        x = g * 2;
    else
        x = g - 1;
    intel_work_group_barrier_wait(CLK_GLOBAL_MEM_FENCE);
    out[g] = t[g - l + (l + 1) % n] + x;
}
