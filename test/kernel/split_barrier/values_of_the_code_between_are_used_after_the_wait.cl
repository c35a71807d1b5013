// global: 1008
// arg: int in[2016] = i * 7
// arg: int out[1008]
// expect: out = (F + (i - F + 1) % S) * 7 + i * 7 * 7056
kernel void k(global const int *in, global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    s[l] = in[g];
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    int x = in[g], y = in[g + 1008] - in[g];
    x *= y;
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[g] = s[(l + 1) % n] + x;
}
