// finds: uninitialized-read 11 16
// global: 64
// local: 32
// arg: int in[64] = i
// arg: int out[64]
kernel void k(global const int *in, global int *out) {
    local int t[32];
    size_t l = get_local_id(0);
    int sum = 0;
    for (int i = 0; i < 2; i++) {
        sum += t[31 - l] & 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = in[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = sum;
}
