// global: 504
// local: 1 2 3 7 8 63 252
// arg: int out[504]
// expect: out = i / L % 2 ? F + (i - F + 1) % S : i
__attribute__((noinline)) int rotate_left(local int *s, int v) {
    size_t l = get_local_id(0);
    s[l] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    return s[(l + 1) % get_local_size(0)];
}
kernel void k(global int *out) {
    local int s[1024];
    int r = get_global_id(0);
    if (get_group_id(0) % 2)
        r = rotate_left(s, r);
    out[get_global_id(0)] = r;
}
