// global: 504
// arg: int out[504]
// expect: out = (i - F + 1) % S + 28 + 8 * i
kernel void k(global int *out) {
    local int s[1024];
    int l = get_local_id(0), a[8], sum = 0;
    s[l] = l;
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 8; j++)
        a[(j + l) % 8] = get_global_id(0) + j;
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 8; j++)
        sum += a[j];
    out[get_global_id(0)] = s[(l + 1) % get_local_size(0)] + sum;
}
