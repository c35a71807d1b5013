// global: 1008
// arg: int out[1008]
// arg: int m = 4
// expect: out = F + (i - F + 4 * 3 + 4) % S
kernel void k(global int *out, int m) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int r = g;
    for (int a = 0; a < m; a++) {
        for (int b = 0; b < 3; b++) {
            s[l] = r;
            barrier(CLK_LOCAL_MEM_FENCE);
            r = s[(l + 1) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        s[l] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = r;
}
