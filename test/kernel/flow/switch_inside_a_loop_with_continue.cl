// global: 504
// arg: int out[504]
// arg: int m = 8
// expect: out = F + (i - F + 4) % S + 40
kernel void k(global int *out, int m) {
    local int s[512];
    size_t l = get_local_id(0), n = get_local_size(0);
    int r = get_global_id(0), extra = 0;
    for (int j = 0; j < m; j++) {
        switch (j % 4) {
        case 0:
            extra += 10;
            continue;
        case 1:
        case 3:
            s[l] = r;
            barrier(CLK_LOCAL_MEM_FENCE);
            r = s[(l + 1) % n];
            break;
        default:
            extra += 10;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = r + extra;
}
