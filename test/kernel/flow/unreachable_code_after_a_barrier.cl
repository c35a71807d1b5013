// global: 504
// arg: int out[504]
// expect: out = i
kernel void k(global int *out) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = get_global_id(0);
    return;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = -1;
}
