// global: 504
// arg: int out[504]
// expect: out = 5
kernel void k(global int *out) {
    local int left;
    int rounds = 0;
    if (get_local_id(0) == 0)
        left = 5;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (left > 0) {
        rounds++;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (get_local_id(0) == get_local_size(0) - 1)
            left--;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = rounds;
}
