// finds: nothing
// needs: globals
// global: 64
// local: 64
// arg: int n = 3
// arg: int out[64]
// expect: out = 3
global int scope[4];
kernel void k(int n, global int *out) {
    scope[n] = n;
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[get_local_id(0)] = scope[n];
}
