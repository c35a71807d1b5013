// global: 504
// arg: int out[504]
// illegal: finishes
kernel void k(global int *out) {
    int g = get_global_id(0), r;
    if (g % 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        r = g * 2;
    } else {
        barrier(CLK_GLOBAL_MEM_FENCE);
        r = g * 3;
    }
    out[g] = r;
}
