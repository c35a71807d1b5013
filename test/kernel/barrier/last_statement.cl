// global: 1008
// arg: int out[1008]
// expect: out = i * 3
kernel void k(global int *out) {
    out[get_global_id(0)] = get_global_id(0) * 3;
    barrier(CLK_GLOBAL_MEM_FENCE);
}
