// global: 504
// arg: int out[504]
// kernel: arrives waits waits_first twice
// illegal: finishes
kernel void arrives(global int *out) {
    local int s[1024];
    s[get_local_id(0)] = 1;
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = s[0];
}
kernel void waits(global int *out) {
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
}
kernel void waits_first(global int *out) {
    for (int j = 0; j < 3; j++) {
        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = 1;
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void twice(global int *out) {
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 1;
    intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 2;
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = 3;
    intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
}
