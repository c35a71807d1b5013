// global: 504
// arg: int out[504]
// expect: out = (F + (i - F + 1) % S) + 3 + (i - F) % 7
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int r = 0;
    for (int j = 0; j <= 3 + l % 7; j++) {
        if (j == 2) {
            s[l] = g;
            barrier(CLK_LOCAL_MEM_FENCE);
            r += s[(l + 1) % n];
        } else {
            r++;
        }
    }
    out[g] = r;
}
