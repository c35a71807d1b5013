// finds: data-race 12 12
// global: 256
// local: 64
// arg: int in[256] = i
// arg: int out[16] = 0
kernel void k(global const int *in, global int *out) {
    local int bins[16];
    size_t l = get_local_id(0);
    if (l < 16)
        bins[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    bins[in[get_global_id(0)] % 16]++;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < 16)
        atomic_add(&out[l], bins[l]);
}
