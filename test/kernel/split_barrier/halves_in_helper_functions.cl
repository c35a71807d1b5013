// global: 1008
// arg: int out[1008]
// expect: out = (i - F + 1) % S + 3 * i
void put(local int *s, int x) {
    s[get_local_id(0)] = x;
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
}
int get(local int *s) {
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    return s[(get_local_id(0) + 1) % get_local_size(0)];
}
kernel void k(global int *out) {
    local int s[1024];
    put(s, get_local_id(0));
    int x = get_global_id(0) * 3;
    out[get_global_id(0)] = get(s) + x;
}
