// Prefix sums up and down a tree; the stride between elements doubles, and is halved again.
// global: 64
// local: 32
// arg: uint out[128]
// expect: out = (i % 64) * (i % 64 + 1) / 2
kernel void k(global uint *out) {
    local uint s[64];
    uint l = get_local_id(0), base = get_group_id(0) * 64, stride = 1;
    s[2 * l] = 2 * l + 1;
    s[2 * l + 1] = 2 * l + 2;
    for (uint d = 32; d; d /= 2, stride *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d)
            s[stride * (2 * l + 2) - 1] += s[stride * (2 * l + 1) - 1];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0)
        s[63] = 0;
    for (uint d = 1; d < 64; d *= 2) {
        stride /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            uint low = stride * (2 * l + 1) - 1, high = stride * (2 * l + 2) - 1, t = s[low];
            s[low] = s[high];
            s[high] += t;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    out[base + l] = s[l];
    out[base + l + 32] = s[l + 32];
}
