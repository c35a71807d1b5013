// global: 504
// local: 1 8 63 252
// options: -cl-std=CL1.2
// arg: int out[504]
// expect: out = (i - F + 1) % S
kernel void k(global int *out) {
    local int s[1024];
    s[get_local_id(0)] = get_local_id(0);
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[(get_local_id(0) + 1) % get_local_size(0)];
}
