// global: 1008
// arg: int out[1008]
// expect: out = i * 3
kernel void k(global int *out) {
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = get_global_id(0) * 3;
}
