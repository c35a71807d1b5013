// Partners a power of two apart lie at known distances, and the masks of who keeps what are the same in each pack: these are scalars and
// constants, not vectors that wait in registers. So packs of what fills a register of 16 bits aren't too many here.
// RUN: %weirc %s --local 256 --cpu x86-64-v3 --report text | FileCheck %s
// CHECK: 16: about
kernel void k(global ushort *a) {
    local ushort t[256];
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int n = 2; n <= 256; n <<= 1)
        for (int j = n >> 1; j > 0; j >>= 1) {
            ushort mine = t[l], other = t[l ^ j];
            barrier(CLK_LOCAL_MEM_FENCE);
            t[l] = ((l ^ j) > l) == ((l & n) == 0) ? min(mine, other) : max(mine, other);
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    a[get_global_id(0)] = t[l];
}
