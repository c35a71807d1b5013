// global: 504
// local: 1 2 3 7 9 63 72 252
// arg: int in[504] = i * 7 % 13
// arg: int out[504]
// expect: out = sum(j, F, i + 1, j * 7 % 13)
kernel void k(global int *in, global int *out) {
    local int s[2][512];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int from = 0;
    s[0][l] = in[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t step = 1; step < n; step <<= 1) {
        s[!from][l] = l >= step ? s[from][l] + s[from][l - step] : s[from][l];
        from = !from;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = s[from][l];
}
