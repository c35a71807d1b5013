// global: 1008
// arg: int out[1008]
// expect: out = i % L % 2 ? (F + (i - F + 1) % S) * 2 : (F + (i - F + 1) % S) * 5
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0);
    s[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = s[(l + 1) % get_local_size(0)];
    if (l % 2)
        r *= 2;
    else
        for (int k = 0, a = r; k < 4; k++)
            r += a;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = r;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = s[l];
}
