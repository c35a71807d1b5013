// finds: data-race 24 30
// global: 64
// local: 64
// arg: int in[128] = i
// arg: int out[128]
kernel void k(global const int *in, global int *out) {
    local int s[128];
    uint l = get_local_id(0), stride = 1;
    s[2 * l] = in[2 * l];
    s[2 * l + 1] = in[2 * l + 1];
    for (uint d = 64; d; d /= 2, stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            s[stride * (2 * l + 2) - 1] += s[stride * (2 * l + 1) - 1];
    }
    if (l == 0)
        s[127] = 0;
    for (uint d = 1; d < 128; d *= 2) {
        stride /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint low = stride * (2 * l + 1) - 1, high = stride * (2 * l + 2) - 1;
            int t = s[low];
            s[low] = s[high];
            s[high] += t;
        }
    }
    ;
    if (l == 63)
        out[0] = s[0];
}
