// global: 1008
// local: 2 3 7 16 112 252
// arg: int out[1008]
// expect: out = i / L % 2 ? F + (i - F + 1) % S : i
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0);
    int r = g;
    if (get_group_id(0) & 1) {
        s[l] = g;
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[(l + 1) % get_local_size(0)];
    }
    out[g] = r;
}
