// Sub-groups part, each as a whole, and meet at barriers of their own.
// global: 504
// local: 1 3 16 64 250
// needs: __opencl_c_subgroups
// arg: int out[504]
// arg: local shared[2000]
// expect: out = 1
kernel void k(global int *out, local int *shared) {
    int g = get_global_id(0), l = get_local_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size();
    int first = l - lane, other = first + (lane + 1) % n, id = get_sub_group_id(), got;
    if (id % 2) {
        shared[l] = g * 3;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        got = shared[other] - 3 * (g - l + other);
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        shared[l] = got;
    } else {
        shared[l] = g * 5;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_sub_group);
        got = shared[other] - 5 * (g - l + other);
        for (int round = 0; round < id; round++) { /* each a different number of times */
            sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_work_group);
            shared[l] = round + lane;
            sub_group_barrier(CLK_LOCAL_MEM_FENCE, memory_scope_device);
            got += shared[other] - round - (other - first);
        }
    }
    out[g] = got == 0;
}
