// global: 504
// local: 1 2 63 252
// arg: int partial[504] = 0
// arg: int ticket[1] = 0
// arg: int out[1]
// expect: out = 504 * 503 / 2
kernel void k(volatile global int *partial, global int *ticket, global int *out) {
    local int sum, last;
    size_t l = get_local_id(0);
    if (l == 0)
        sum = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_add(&sum, (int)get_global_id(0));
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) {
        partial[get_group_id(0)] = sum;
        mem_fence(CLK_GLOBAL_MEM_FENCE);
        last = atomic_inc(ticket) == get_num_groups(0) - 1;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    if (last) {
        if (l == 0) {
            int total = 0;
            for (size_t j = 0; j < get_num_groups(0); j++)
                total += partial[j];
            *out = total;
        }
    }
}
