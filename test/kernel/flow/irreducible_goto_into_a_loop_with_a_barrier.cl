// global: 504
// local: 1 2 3 7 8 63 252
// arg: int out[504]
// arg: int m = 4
// expect: out = i / L % 2 ? F + (i - F + 4) % S + 500 : F + (i - F + 4) % S
kernel void k(global int *out, int m) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int r = g, j = 0, extra = 0;
    if (get_group_id(0) % 2) {
        extra = 500;
        goto second;
    }
first:
    s[l] = r;
    barrier(CLK_LOCAL_MEM_FENCE);
    r = s[(l + 1) % n];
    if (++j == m)
        goto end;
second:
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] = r;
    barrier(CLK_LOCAL_MEM_FENCE);
    r = s[(l + 1) % n];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (++j < m)
        goto first;
end:
    out[g] = r + extra;
}
