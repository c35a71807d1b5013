// finds: nothing
// global: 128
// local: 64
// arg: uchar a[128] = i
// expect: a = (i < 64 ? 63 - i : 191 - i) + 3
kernel void k(global uchar *a) {
    local uchar t[64];
    size_t l = get_local_id(0), g = get_global_id(0);
    t[l] = a[g];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int round = 0; round < 3; round++) {
        uchar x = t[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        t[l] = x + 1;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[g] = t[l];
}
