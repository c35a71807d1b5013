// global: 504
// arg: int out[504]
// expect: out = i
kernel void k(global int *out) {
    if (0)
        barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 0; j++)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = get_global_id(0);
}
