// global: 504
// arg: int out[504]
// arg: int m = 5
// expect: out = i + 4
kernel void k(global int *out, int m) {
    int last = 0;
    for (int j = 0; j < m; j++) {
        last = get_global_id(0) + j;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = last;
}
