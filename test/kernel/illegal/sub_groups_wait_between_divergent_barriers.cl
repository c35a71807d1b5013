// global: 504
// needs: cl_khr_subgroups
// arg: int out[504]
// illegal: finishes
kernel void k(global int *out) {
    local atomic_int count, never;
    int l = get_local_id(0), r = 0;
    atomic_init(&never, 0);
    atomic_init(&count, 0);
    for (int j = 0; j < l % 4; j++) {
        if (l % 2)
            barrier(CLK_LOCAL_MEM_FENCE);
        for (int t = 40 + l % 3; t > atomic_load(&never); t--)
            r += sub_group_non_uniform_reduce_add(1);
        if (l % 3 == j)
            barrier(CLK_GLOBAL_MEM_FENCE);
        if (get_sub_group_id() == j)
            for (int t = 0; t < 50 && atomic_fetch_add(&count, 1) < 1000000; t++)
                r++;
    }
    if (l == 5)
        return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = r;
}
