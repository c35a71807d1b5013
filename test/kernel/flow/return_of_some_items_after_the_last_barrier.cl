// global: 504
// arg: int out[504] = 0
// expect: out = (i - F) % 2 ? 0 : F + (i - F + 1) % S
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0);
    s[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l % 2)
        return;
    out[g] = s[(l + 1) % get_local_size(0)];
}
