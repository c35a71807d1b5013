// global: 1008
// arg: int out[1008]
// expect: out = F + (i - F + 10) % S
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int r = g;
    for (int j = 0; j < 10; j++) {
        s[l] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = r;
}
