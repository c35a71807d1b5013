// global: 1008
// arg: int out[1008]
// arg: int wanted = 1
// expect: out = (i - F + 1) % S + i
kernel void k(global int *out, int wanted) {
    local int s[1024];
    int l = get_local_id(0), n = get_local_size(0), x = get_global_id(0), y = 0;
    s[l] = l;
    if (wanted)
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < l % 5; j++)
        x = x * 3 - (x + x);
    if (wanted) {
        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
        y = s[(l + 1) % n];
    }
    out[get_global_id(0)] = x + y;
}
