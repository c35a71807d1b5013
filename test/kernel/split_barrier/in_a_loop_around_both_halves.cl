// global: 1008
// arg: int out[1008]
// arg: int rounds = 5
// expect: out = sum(j, 0, 5, (i - F + j + 1) % S + j) + 5 * (i - F)
kernel void k(global int *out, int rounds) {
    local int s[1024];
    int l = get_local_id(0), n = get_local_size(0), sum = 0;
    for (int j = 0; j < rounds; j++) {
        s[l] = l + j;
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
        sum += l;
        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
        sum += s[(l + j + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
