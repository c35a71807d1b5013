// By the reciprocal of a divisor that all work-items share, and by a division of vectors else; by a constant as
// LLVM does, also where lanes are off.
// RUN: %weirc %s --width 8 --local 64 --cpu x86-64-v3 --stop-after promote | FileCheck %s
// CHECK-NOT: {{[us](div|rem)}} i32
// CHECK: fdiv double 1.000000e+00
// CHECK: fmul <8 x double>
// CHECK: fptoui <8 x double> {{.*}} to <8 x i32>
// CHECK: fdiv <8 x double>
// CHECK: fptosi <8 x double> {{.*}} to <8 x i32>
// CHECK: sitofp i32 {{.*}} to double
// CHECK: udiv <8 x i32> {{.*}}, splat (i32 7)
kernel void k(global uint *a, global int *b, uint n, int m) {
    uint g = get_global_id(0), shared = a[g] / n;
    int own = b[g] % b[g + 1];
    b[g] = own + b[g + 2] / m;
    if (shared > 3)
        a[g] = shared + a[g] / 7;
}
