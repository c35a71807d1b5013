// global: 1008
// arg: int in[8064] = i
// arg: int out[1008]
// expect: out = sum(j, 0, 7, j * 1008 + F + (i - F + 1) % S) + 7 * (i - F)
kernel void k(global const int *in, global int *out) {
    local int s[2][1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int sum = 0, next = in[g + 1008];
    s[0][l] = in[g];
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 7; j++) {
        int more = j < 6 ? in[g + (j + 2) * 1008] : 0;
        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
        sum += s[j % 2][(l + 1) % n];
        s[(j + 1) % 2][l] = next;
        next = more;
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
        sum += l;
    }
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[g] = sum;
}
