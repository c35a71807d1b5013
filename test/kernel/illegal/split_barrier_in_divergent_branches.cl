// global: 504
// arg: int out[504]
// kernel: arrives waits
// illegal: finishes
kernel void arrives(global int *out) {
    int l = get_local_id(0);
    for (int j = 0; j < l % 4; j++) {
        if (l % 2)
            intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = 1;
        intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    }
}
kernel void waits(global int *out) {
    int l = get_local_id(0);
    for (int j = 0; j < l % 4; j++) {
        intel_work_group_barrier_arrive(CLK_LOCAL_MEM_FENCE);
        out[get_global_id(0)] = 1;
        if (l % 2)
            intel_work_group_barrier_wait(CLK_LOCAL_MEM_FENCE);
    }
}
