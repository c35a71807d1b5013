// global: 252
// arg: int out[252]
// arg: int m = 2
// expect: out = F + (i - F + 16) % S
kernel void k(global int *out, int m) {
    local int s[512];
    size_t l = get_local_id(0), n = get_local_size(0);
    int r = get_global_id(0);
    for (int a = 0; a < m; a++)
        for (int b = 0; b < m; b++)
            for (int c = 0; c < m; c++)
                for (int d = 0; d < m; d++) {
                    s[l] = r;
                    barrier(CLK_LOCAL_MEM_FENCE);
                    r = s[(l + 1) % n];
                    barrier(CLK_LOCAL_MEM_FENCE);
                }
    out[get_global_id(0)] = r;
}
