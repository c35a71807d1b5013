// global: 504
// arg: int out[504]
// arg: int which = 2
// expect: out = F + (i - F + 2) % S
kernel void k(global int *out, int which) {
    local int s[1024];
    size_t l = get_local_id(0), g = get_global_id(0), n = get_local_size(0);
    int r = g;
    s[l] = g;
    switch (which) {
    case 1:
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[(l + 1) % n];
        break;
    case 2:
        barrier(CLK_LOCAL_MEM_FENCE);
        r = s[(l + 2) % n];
        break;
    default:
        r = -1;
    }
    out[g] = r;
}
