// The least or greatest of an id and a number that all share needs no place across a barrier, and tells where lanes lie in a row.
// RUN: %weirc %s --width 16 --local 256 --report text | FileCheck %s
// CHECK: context 0 bytes per work-item
// CHECK: load local int contiguous if in a row
kernel void k(global const int *in, global int *out, int n) {
    local int now[256];
    int l = get_local_id(0), x = (int)get_group_id(0) * 256 + l, right = min(l + 1, n - 1 - x + l);
    now[l] = in[x];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[x] = now[right];
}
