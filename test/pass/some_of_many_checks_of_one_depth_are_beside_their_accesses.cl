// More accesses that ask for cells than have code for that beside them, all in no loop: 24 of them have it.
// RUN: %weirc %s --check --width 8 --local 64,1,1 --cpu x86-64-v3 --stop-after regions | FileCheck %s
// CHECK-COUNT-24: {{^look[0-9]*:}}
// CHECK-NOT: {{^look[0-9]*:}}
#define ADD t[(l + n) & 63] += t[l];
#define FIVE ADD barrier(1); ADD barrier(1); ADD barrier(1); ADD barrier(1); ADD barrier(1);
kernel void k(global int *out, int n) {
    local int t[64];
    uint l = get_local_id(0);
    t[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    FIVE FIVE
    out[l] = t[l];
}
