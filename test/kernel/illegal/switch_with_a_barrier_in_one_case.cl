// global: 504
// arg: int out[504]
// illegal: finishes
kernel void k(global int *out) {
    int g = get_global_id(0), r = 0;
    switch (g % 4) {
    case 0:
        barrier(CLK_LOCAL_MEM_FENCE);
        r = 1;
        break;
    case 1:
        r = 2;
        break;
    case 2:
        barrier(CLK_LOCAL_MEM_FENCE);
    default:
        r = 3;
    }
    out[g] = r;
}
