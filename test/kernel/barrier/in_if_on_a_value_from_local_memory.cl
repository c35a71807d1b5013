// global: 1008
// arg: int out[1008]
// expect: out = F + (i - F + 1) % S
kernel void k(global int *out) {
    local int s[1024], flag;
    size_t l = get_local_id(0), g = get_global_id(0);
    if (l == get_local_size(0) - 1)
        flag = 1;
    s[l] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (flag) {
        s[l] = g;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = s[(l + 1) % get_local_size(0)];
}
