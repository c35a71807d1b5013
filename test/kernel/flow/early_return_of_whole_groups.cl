// global: 504
// local: 1 2 3 7 8 63 252
// arg: int out[504] = 0
// expect: out = i / L % 2 ? 0 : F + (i - F + 1) % S
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0);
    if (get_group_id(0) % 2)
        return;
    s[l] = g;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[g] = s[(l + 1) % get_local_size(0)];
}
