// global: 504
// arg: int out[504]
// illegal: finishes
kernel void k(global int *out) {
    int g = get_global_id(0), r = 0;
    for (int j = 0; j < g % 7; j++) {
        r += j;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = r;
}
