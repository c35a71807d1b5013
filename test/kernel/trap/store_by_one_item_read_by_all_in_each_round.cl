// global: 504
// arg: int out[504]
// arg: int m = 6
// expect: out = 63
kernel void k(global int *out, int m) {
    local int s;
    int sum = 0;
    for (int j = 0; j < m; j++) {
        if (get_local_id(0) == j % get_local_size(0))
            s = 1 << j;
        barrier(CLK_LOCAL_MEM_FENCE);
        sum += s;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
