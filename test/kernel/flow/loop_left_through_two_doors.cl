// global: 504
// local: 1 2 3 7 8 63 252
// arg: int out[504]
// arg: int m = 6
// expect: out = i / L % 2 ? F + (i - F + 3) % S : 1000 + F + (i - F + 6) % S
kernel void k(global int *out, int m) {
    local int s[512];
    size_t l = get_local_id(0), n = get_local_size(0);
    int r = get_global_id(0), j = 0;
    while (1) {
        s[l] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (j == 3 && get_group_id(0) % 2)
            break;
        r = s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
        if (++j == m) {
            r += 1000;
            break;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[get_global_id(0)] = r;
}
