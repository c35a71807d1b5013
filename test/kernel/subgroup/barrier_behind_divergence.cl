// Work-items of one sub-group part and meet again before each barrier; what they wrote on both paths is there.
// global: 504
// local: 1 3 16 64 250
// needs: __opencl_c_subgroups
// arg: int out[504]
// arg: local shared[2000]
// expect: out = 1
kernel void k(global int *out, local int *shared) {
    int g = get_global_id(0), l = get_local_id(0), lane = get_sub_group_local_id(), n = get_sub_group_size();
    int first = l - lane, sum = 0, want = 0;
    if (lane == 0)
        shared[l] = 7;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    sum = shared[first];
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < 5; round++) {
        if ((lane + round) % 3 == 0)
            shared[l] = lane * round;
        else if ((lane + round) % 3 == 1)
            for (int i = 0; i <= lane; i++)
                shared[l] = i;
        else
            shared[l] = -1;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
        int other = (lane + round) % n, kind = (other + round) % 3;
        sum += shared[first + other];
        want += kind == 0 ? other * round : kind == 1 ? other : -1;
        sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = sum == want + 7;
}
