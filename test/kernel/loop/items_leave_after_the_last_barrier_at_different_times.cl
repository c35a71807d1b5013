// global: 504
// arg: int out[504]
// expect: out = F + (i - F + 1) % S + (i - F) % 9
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0);
    s[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = s[(l + 1) % get_local_size(0)];
    for (int j = 0; j < 9; j++) {
        if (j == l % 9) {
            out[g] = r;
            return;
        }
        r++;
    }
}
