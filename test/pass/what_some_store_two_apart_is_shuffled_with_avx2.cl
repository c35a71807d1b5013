// Where there are no scatters, taking elements out of a vector one by one is longer than a shuffle and two blends.
// RUN: %weirc %s --kernel k --local 64 --cpu x86-64-v3 --width 8 --stop-after promote | FileCheck %s
// CHECK: store <8 x i32>
// CHECK-NOT: extractelement <8 x ptr
// CHECK: ret void
kernel void k(global const int *a, global int *b) {
    local int s[128];
    uint l = get_local_id(0);
    if (a[l] > 0)
        s[2 * l - (l & 1)] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    b[l] = s[l];
}
