// global: 1008
// arg: int out[1008]
// arg: int n = 3
// expect: out = F + (i - F + 1) % S
kernel void k(global int *out, int n) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0);
    s[l] = g;
    if (n > 2)
        barrier(CLK_LOCAL_MEM_FENCE);
    else
        s[0] = 5;
    out[g] = s[(l + 1) % get_local_size(0)];
}
