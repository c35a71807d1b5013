// What a loop adds to components of a vector in memory is read before the loop and written after it.
// RUN: %weirc %s --local 16 --width 4 --stop-after values | FileCheck %s
// CHECK: load float
// CHECK: phi float
// CHECK: fadd
// CHECK-NOT: load <4 x float>
// CHECK-NOT: store
// CHECK: br i1
// CHECK: store float
kernel void k(global float4 *sum, float x, int n) {
    size_t i = get_global_id(0);
    for (int j = 0; j < n; j++)
        sum[i].y += x;
}
