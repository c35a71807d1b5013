// global: 504
// arg: int out[504]
// arg: int m = 3
// expect: out = F + (i - F + 6) % S
__attribute__((noinline)) int rotate_left(local int *s, int v) {
    size_t l = get_local_id(0);
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    int r = s[(l + 1) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return r;
}
kernel void k(global int *out, int m) {
    local int s[1024];
    int r = rotate_left(s, get_global_id(0));
    for (int j = 0; j < m; j++)
        r = rotate_left(s, r);
    if (m == 3)
        r = rotate_left(s, r);
    out[get_global_id(0)] = rotate_left(s, r);
}
