// global: 504
// arg: int out[504]
// illegal: finishes
kernel void k(global int *out) {
    int r = 0;
    for (int j = 0; j <= get_local_id(0); j++) {
        r += j;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (j % 2)
            barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[get_global_id(0)] = r;
}
