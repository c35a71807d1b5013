// Work-items that do the same with adjacent elements each needn't have their own: a pack reads, adds up and stores them in rows.
// RUN: %weirc %s --kernel product --local 16,16,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s
// RUN: %weirc %s --kernel scaled --local 64,1,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s
// RUN: %weirc %s --kernel total --local 64,1,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s --check-prefix=TOTAL
// CHECK: load <8 x float>
// CHECK-NOT: shufflevector <{{16|32}} x float>
// CHECK: llvm.fmuladd.v8f32
// CHECK-NOT: shufflevector <{{16|32}} x float>
// TOTAL-COUNT-8: load <4 x float>
kernel void product(local const float *a, local const float4 *b, global float4 *c, int n) {
    size_t x = get_local_id(0), y = get_local_id(1);
    float4 sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i * 16 + y] * b[i * 16 + x];
    c[y * 16 + x] = sum;
}
kernel void scaled(global const float4 *a, global float4 *b, float s) {
    size_t i = get_local_id(0);
    b[i] = s * a[i] + b[i];
}
// Elements of one work-item that meet stay with it.
kernel void total(global const float4 *a, global float *b) {
    float4 v = a[get_local_id(0)];
    b[get_local_id(0)] = v.x + v.y * v.z - v.w;
}
