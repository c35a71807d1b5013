// global: 504
// arg: int out[504]
// expect: out = 2 * (F + (i - F + 1) % S) + (i - F) % 5
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int r = 0;
    for (int j = 0; j < 2 + l % 5; j++) {
        if (j < 2) {
            s[l] = g;
            barrier(CLK_LOCAL_MEM_FENCE);
            r += s[(l + 1) % n];
            barrier(CLK_LOCAL_MEM_FENCE);
        } else {
            r++;
        }
    }
    out[g] = r;
}
