// global: 504
// arg: int out[504]
// arg: int m = 5
// expect: out = F + (i - F + 5) % S
local int *next(local int *s, size_t l, int r) {
    s[l] = r;
    barrier(CLK_LOCAL_MEM_FENCE);
    return s;
}
kernel void k(global int *out, int m) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int r = g;
    for (int j = 0; next(s, l, r) && j < m; j++) {
        r = s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = r;
}
