// global: 504
// arg: int out[504]
// expect: out = F + (i - F + 6) % S
kernel void k(global int *out) {
    local int s[512], state;
    size_t l = get_local_id(0), n = get_local_size(0);
    int r = get_global_id(0);
    if (l == 0)
        state = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    while (state < 6) {
        int now = state;
        s[l] = r;
        barrier(CLK_LOCAL_MEM_FENCE);
        switch (now) {
        case 0:
        case 2:
        case 4:
            if (l == n - 1)
                state = now + 1;
            break;
        default:
            if (l == 0)
                state++;
        }
        r = s[(l + 1) % n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = r;
}
