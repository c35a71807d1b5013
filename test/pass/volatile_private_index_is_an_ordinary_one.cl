// Only the work-item sees its private memory: an index in it is affine, volatile or not. A float stays volatile.
// RUN: %weirc %s --width 8 --local 64 --cpu x86-64-v3 --stop-after promote | FileCheck %s
// CHECK: store volatile float
// CHECK: load volatile float
// CHECK-NOT: gather
// CHECK: store <8 x float>
kernel void k(global float *a) {
    volatile int at = get_global_id(0);
    volatile float f = a[at];
    a[at] = f + 1;
}
