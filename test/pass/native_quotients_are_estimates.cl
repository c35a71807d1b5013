// native_ quotients, reciprocals and reciprocal roots are the processor's estimates as they are, also with relaxed mathematics,
// where the program's own division isn't.
// RUN: %weirc %s --kernel k --width 16 --local 64 --cpu x86-64-v4 --emit ll | FileCheck %s
// RUN: %weirc %s --kernel own --width 16 --local 64 --cpu x86-64-v4 --options -cl-fast-relaxed-math --emit ll | FileCheck %s --check-prefix=OWN
// CHECK-NOT: fdiv
// CHECK: llvm.x86.avx512.rcp14.ps.512
// CHECK-NOT: llvm.fma
// CHECK: llvm.x86.avx512.rsqrt14.ps.512
// CHECK-NOT: llvm.fma
// CHECK-NOT: fdiv
// CHECK: ret void
// OWN: fdiv
kernel void k(global float *a, global const float *b) {
    size_t g = get_global_id(0);
    a[g] = native_divide(a[g], b[g]) - native_rsqrt(b[g]);
}
kernel void own(global float *a, global const float *b) {
    size_t g = get_global_id(0);
    a[g] /= b[g];
}
