// global: 504
// arg: int out[504]
// illegal: finishes
kernel void k(global int *out) {
    local int s[512];
    size_t l = get_local_id(0);
    int r = 0;
    for (int j = 0; j < 20; j++) {
        s[l] = j;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l == j)
            break;
        r += s[(l + 1) % get_local_size(0)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = r;
}
