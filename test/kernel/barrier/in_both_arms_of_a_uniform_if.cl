// global: 1008
// local: 1 2 3 7 16 112 252
// arg: int out[1008]
// expect: out = i / L % 3 == 0 ? F + (i - F + 1) % S : F + (i - F + S - 1) % S + 10000
kernel void k(global int *out) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    s[l] = g;
    if (get_group_id(0) % 3 == 0) {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[g] = s[(l + 1) % n];
    } else {
        barrier(CLK_LOCAL_MEM_FENCE);
        out[g] = s[(l + n - 1) % n] + 10000;
    }
}
