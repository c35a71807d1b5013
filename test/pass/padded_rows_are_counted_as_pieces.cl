// Elements in rows of 8, which are padded or lie apart, are two short vectors of a pack of 16, not 16 elements: that is no reason for
// packs of 8.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK: width 16:
// CHECK-NOT: 8: about
// CHECK: store local float shuffle and wide store, x8
kernel void turn(global float *a) {
    local float s[8 * 72];
    uint l = get_local_id(0), g = get_group_id(0) * 512;
    float v[8];
    for (uint r = 0; r < 8; r++)
        v[r] = a[g + l + 64 * r];
    for (uint r = 0; r < 8; r++)
        s[l / 8 * 72 + l % 8 + 9 * r] = v[r];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint r = 0; r < 8; r++)
        a[g + l + 64 * r] = s[l / 8 * 9 + l % 8 + 72 * r];
}
