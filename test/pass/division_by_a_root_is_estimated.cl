// A division by a square root may be 2.5 ulps off: by the processor's estimate and a step of Newton's method. Not where the
// program asks for the correctly rounded one.
// RUN: %weirc %s --width 16 --local 64 --cpu x86-64-v4 --emit ll | FileCheck %s
// RUN: %weirc %s --width 1 --local 64 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefix=SCALAR
// RUN: %weirc %s --width 8 --local 64 --cpu x86-64-v3 --emit ll | FileCheck %s --check-prefix=EXACT
// RUN: %weirc %s --width 16 --local 64 --cpu x86-64-v4 --options -cl-fp32-correctly-rounded-divide-sqrt --emit ll | FileCheck %s --check-prefix=ROUNDED
// CHECK-NOT: fdiv
// CHECK: llvm.x86.avx512.rsqrt14.ps.512
// CHECK: llvm.fma.v16f32
// CHECK-NOT: fdiv
// SCALAR-NOT: fdiv
// SCALAR: llvm.x86.avx512.rsqrt14.ps
// EXACT: fdiv
// ROUNDED: fdiv
kernel void k(global float *a, global const float *b) {
    size_t g = get_global_id(0);
    a[g] /= sqrt(b[g]);
}
