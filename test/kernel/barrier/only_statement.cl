// global: 1008
// arg: int out[1008] = i
// expect: out = i
kernel void k(global int *out) {
    barrier(CLK_GLOBAL_MEM_FENCE);
}
