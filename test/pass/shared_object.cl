// Kernels become shared objects without `ld`, also those that call the C library or the mathematical one.
// RUN: %weirc %s --kernel plain --local 64 | llvm-readelf-22 -ldsW --dyn-syms - | FileCheck %s
// RUN: %weirc %s --kernel copies --local 64 | llvm-readelf-22 -dW - | FileCheck %s --check-prefix=LIBC
// RUN: %weirc %s --kernel fused --local 64 --cpu x86-64 | llvm-readelf-22 -drW --dyn-syms - | FileCheck %s --check-prefix=LIBM
struct large {
    int at[4096];
};

kernel void plain(global int *out) {
    out[get_global_id(0)] = 1;
}

kernel void copies(global struct large *to, global const struct large *from) {
    to[get_global_id(0)] = from[get_global_id(0)];
}

kernel void fused(global double *x, double a) {
    x[get_global_id(0)] = fma(a, x[get_global_id(0)], 1.0);
}

// CHECK-DAG: LOAD {{.*}} R E 0x1000
// CHECK-DAG: LOAD {{.*}} RW 0x1000
// CHECK-DAG: GNU_RELRO {{.*}} R 0x1
// CHECK-NOT: (NEEDED)
// CHECK: OBJECT GLOBAL DEFAULT {{.*}} weir_kernel
// CHECK: FUNC LOCAL DEFAULT {{.*}} weir.plain
// LIBC: (NEEDED){{.*}}libc.so.6
// LIBC-NOT: (VERNEED)
// LIBM: (NEEDED){{.*}}libm.so.6
// LIBM: R_X86_64_GLOB_DAT {{.*}} fma
// LIBM: FUNC GLOBAL DEFAULT UND fma
