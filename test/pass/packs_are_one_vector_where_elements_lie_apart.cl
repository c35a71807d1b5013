// Elements three apart take shuffles of one vector's width, also where only the run tells that the index doesn't wrap around.
// RUN: %weirc %s --local 256 --cpu x86-64-v4 --report=text | FileCheck %s --check-prefix=REPORT
// RUN: %weirc %s --local 256 --cpu x86-64-v4 --may-overlap --stop-after promote | FileCheck %s
// REPORT: width {{ *}}16
// REPORT-NOT: two vectors
// CHECK: row:
// CHECK-COUNT-3: load <16 x float>
kernel void k(global const float *a, global float *o) {
    uint i = get_global_id(0);
    o[i] = a[3 * i] + a[3 * i + 1] + a[3 * i + 2];
}
