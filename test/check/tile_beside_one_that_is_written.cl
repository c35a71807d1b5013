// finds: nothing
// global: 128
// local: 64
// arg: int in[128] = i
// arg: int out[128]
// expect: out = 3 * (i / 64 * 64 + 63 - i % 64)
kernel void k(global const int *in, global int *out) {
    local int first[64], second[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    first[l] = in[g];
    for (int i = 0; i < 3; i++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        second[l] = first[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        out[g] = (i ? out[g] : 0) + second[l];
    }
}
