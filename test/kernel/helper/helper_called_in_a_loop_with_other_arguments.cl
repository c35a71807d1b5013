// global: 504
// arg: int out[504]
// expect: out = F + (i - F + 1 + 2 + 3 + 4) % S
__attribute__((noinline)) int move(local int *s, int v, int by) {
    size_t l = get_local_id(0);
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = s[(l + by) % get_local_size(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    return v;
}
kernel void k(global int *out) {
    local int s[512];
    int r = get_global_id(0);
    for (int by = 1; by <= 4; by++)
        r = move(s, r, by);
    out[get_global_id(0)] = r;
}
