// global: 1008
// arg: int in[3024] = i * 7
// arg: int sums[1008]
// arg: int out[1008]
// expect: sums = i * 21 + 7 * 3024
// expect: out = (F + (i - F + 1) % S) * 14
kernel void k(global const int *in, global int *sums, global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int a = in[g], b = in[g + 1008], c = in[g + 2016];
    s[l] = a + a;
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    sums[g] = a + b + c;
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[g] = s[(l + 1) % n];
}
