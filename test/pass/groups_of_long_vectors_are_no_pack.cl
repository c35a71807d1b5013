// As one pack of 64 the work-group would have 512 numbers per value, of which registers hold a quarter: then it is none.
// RUN: %weirc %s --local 64 --cpu x86-64-v3 --report text | FileCheck %s
// CHECK-NOT: the whole work-group
// CHECK: 1: nothing is gained by lanes
kernel void k(global const double8 *a, global double8 *o) {
    local double8 t[64];
    int l = get_local_id(0);
    t[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    double8 v = t[l ^ 1];
    o[get_global_id(0)] = v.s1 + v;
}
