// Elements in even steps are loaded and stored one by one where vectors are short, from one address.
// RUN: %weirc %s --width 8 --local 64 --cpu x86-64-v3 --stop-after promote | FileCheck %s
// CHECK-NOT: llvm.masked
// CHECK-COUNT-8: insertelement <8 x float>
// CHECK-COUNT-8: extractelement <8 x float>
kernel void k(global float *a) {
    uint l = get_local_id(0);
    a[get_group_id(0) * 640 + l * 5 + 1] = a[get_group_id(0) * 640 + l * 5] * 2;
}
