// Where all values of two packs fit in the registers, a pack has two vectors per value: their sums don't wait for each
// other. Not so where values are too many for that.
// RUN: %weirc %s --kernel few --local 64,1,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s --check-prefix=TWO
// RUN: %weirc %s --kernel few --local 24,1,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s --check-prefix=ONE
// RUN: %weirc %s --kernel many --local 64,1,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s --check-prefix=ONE
// RUN: %weirc %s --kernel many --local 64,1,1 --cpu x86-64-v4 --emit=ll -o - | FileCheck %s --check-prefix=MORE
// TWO: @llvm.fmuladd.v16f32
// ONE: @llvm.fmuladd.v8f32
// MORE: @llvm.fmuladd.v32f32
kernel void few(global float *p, global const float *q, int n) {
    float x = p[get_global_id(0)], sum = 1;
    for (int i = 0; i < n; i++)
        sum = sum * q[i] + x;
    p[get_global_id(0)] = sum;
}
kernel void many(global float *p, global const float *q, int n) {
    float x = p[get_global_id(0)], a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8;
    for (int i = 0; i < n; i++) {
        a = b * q[i] + x;
        b = c * q[i] + x;
        c = d * q[i] + x;
        d = e * q[i] + x;
        e = f * q[i] + x;
        f = g * q[i] + x;
        g = h * q[i] + x;
        h = a * q[i] + x;
    }
    p[get_global_id(0)] = a + b * c + d * e + f * g + h;
}
