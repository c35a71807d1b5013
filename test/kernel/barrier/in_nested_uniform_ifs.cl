// global: 1008
// local: 2 3 7 16 112 252
// arg: int out[1008]
// arg: int n = 1
// expect: out = i / L % 4 == 3 ? 2 * (F + (i - F + 1) % S) : i / L % 4 == 1 ? F + (i - F + 1) % S : i
kernel void k(global int *out, int n) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), m = get_local_size(0);
    int r = g;
    s[l] = g;
    if (get_group_id(0) & n) {
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[(l + 1) % m];
        if (get_group_id(0) & (n + 1)) {
            barrier(CLK_LOCAL_MEM_FENCE);
            s[l] = r;
            barrier(CLK_LOCAL_MEM_FENCE);
            r += s[l];
        }
    }
    out[g] = r;
}
