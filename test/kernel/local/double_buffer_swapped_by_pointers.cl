// global: 504
// arg: int out[504]
// arg: int m = 7
// expect: out = F + (i - F + 7) % S
kernel void k(global int *out, int m) {
    local int s[2][512];
    local int *from = s[0], *to = s[1];
    size_t l = get_local_id(0);
    from[l] = get_global_id(0);
    for (int j = 0; j < m; j++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        to[l] = from[(l + 1) % get_local_size(0)];
        local int *t = from;
        from = to;
        to = t;
    }
    out[get_global_id(0)] = from[l];
}
