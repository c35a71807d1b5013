// finds: data-race 13 14
// global: 128
// local: 64
// arg: int in[128] = i
// arg: int which = 1
// arg: int out[128]
kernel void k(global const int *in, int which, global int *out) {
    local int first[64], second[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    first[l] = second[l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    local int *p = which ? first : second;
    p[l] = 7;
    out[g] = first[63 - l];
}
