// global: 1008
// local: 1 7 16 63 252
// arg: int out[1008]
// expect: out = ((i - F + 1) % S) * (1 + F / S % 2) + (F / S % 2 ? 100 : 200) + i
kernel void k(global int *out) {
    local int s[1024];
    int l = get_local_id(0), n = get_local_size(0), x = get_global_id(0);
    if (get_group_id(0) % 2) {
        s[l] = l + l;
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
        x += 100;
    } else {
        s[l] = l;
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
        x += 200;
    }
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(l + 1) % n] + x;
}
