// global: 1024
// local: 2 8 64 256
// arg: int in[1024] = i % 11
// arg: int out[1024]
// expect: out = sum(j, F, i, j % 11)
kernel void k(global int *in, global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    s[l] = in[g];
    for (size_t d = 1; d < n; d *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % (2 * d) == 2 * d - 1)
            s[l] += s[l - d];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        s[n - 1] = 0;
    for (size_t d = n / 2; d > 0; d /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l % (2 * d) == 2 * d - 1) {
            int t = s[l - d];
            s[l - d] = s[l];
            s[l] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = s[l];
}
