// global: 504
// arg: uint out[504]
// expect: out = (i & 255) | ((i + 1) & 255) << 8 | ((i + 2) & 255) << 16 | ((i + 3) & 255) << 24
kernel void k(global uint *out) {
    size_t g = get_global_id(0);
    uchar bytes[8] __attribute__((aligned(4)));
    for (int j = 0; j < 8; j++) {
        bytes[j] = g + j;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[g] = *(uint *)bytes;
}
