// global: 504
// arg: int out[504]
// arg: int m = 5
// expect: out = F + (i - F + 10) % S
kernel void k(global int *out, int m) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int r = g;
    for (int a = 0; a < m; a++)
        for (int b = 0; b < a; b++) {
            s[l] = r;
            barrier(CLK_LOCAL_MEM_FENCE);
            r = s[(l + 1) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    out[g] = r;
}
