// finds: uninitialized-read 12 13
// global: 64
// local: 32
// arg: int in[64] = i
// arg: local t[132]
// arg: int out[64]
kernel void k(global const int *in, local int *t, global int *out) {
    size_t l = get_local_id(0);
    for (int i = 0; i < 2; i++) {
        t[l] = in[l] + i;
        barrier(CLK_LOCAL_MEM_FENCE);
        int v = t[l + 1];
        out[get_global_id(0)] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
