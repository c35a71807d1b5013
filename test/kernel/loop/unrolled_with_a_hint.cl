// global: 504
// arg: int out[504]
// expect: out = F + (i - F + 8) % S
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int r = g;
    __attribute__((opencl_unroll_hint(4)))
    for (int j = 0; j < 8; j++) {
        s[l] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = r;
}
