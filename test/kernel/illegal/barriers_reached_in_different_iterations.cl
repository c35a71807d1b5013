// global: 504
// arg: int out[504]
// illegal: finishes
kernel void k(global int *out) {
    int l = get_local_id(0);
    for (int j = 0; j < l % 4; j++) {
        if (l % 2)
            barrier(CLK_LOCAL_MEM_FENCE);
        if (l % 3 == j)
            barrier(CLK_GLOBAL_MEM_FENCE);
    }
    out[get_global_id(0)] = 1;
}
