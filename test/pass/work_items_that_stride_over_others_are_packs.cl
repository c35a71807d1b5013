// Each work-item takes every get_global_size(0)th element: alone it would wait for a line of the cache in each round, which is another
// page's. A pack reads a row.
// RUN: %weirc %s --local 64 --cpu x86-64-v3 --report text | FileCheck %s
// CHECK-NOT: 1: nothing
// CHECK: {{[48]}}: 
kernel void k(global const double8 *a, global double8 *o, int n) {
    for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
        double8 v = a[i];
        o[i] = v * (v.s0 + v.s1 + v.s2 + v.s3 + v.s4 + v.s5 + v.s6 + v.s7);
    }
}
