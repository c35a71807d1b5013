// global: 1008
// arg: int flags[1008] = 5
// arg: int out[1008]
// expect: out = F + (i - F + 1) % S
kernel void k(global int *flags, global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0);
    s[l] = g;
    if (flags[g] == 5)
        barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = s[(l + 1) % get_local_size(0)];
}
