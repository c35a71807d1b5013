// global: 1008
// arg: int out[1008]
// expect: out = i - F == S - 1 ? 1 : 0
kernel void k(global int *out) {
    local int s[1];
    size_t l = get_local_id(0);
    int r = 0;
    s[0] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == get_local_size(0) - 1) {
        s[0] = 1;
        r = s[0];
    }
    out[get_global_id(0)] = r;
}
