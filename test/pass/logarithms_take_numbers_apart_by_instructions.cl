// With AVX-512 logarithms have a number's mantissa and exponent from the processor, which needs no look for what is subnormal, negative,
// infinite or no number; a work-item alone has them of the same instructions. Elsewhere bits are shifted.
// RUN: %weirc %s --kernel floats --local 64 --width 16 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefix=FLOATS
// RUN: %weirc %s --kernel doubles --local 64 --width 16 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefix=DOUBLES
// RUN: %weirc %s --kernel floats --local 64 --width 1 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefix=ALONE
// RUN: %weirc %s --kernel floats --local 64 --cpu x86-64-v3 --emit ll | FileCheck %s --check-prefix=NONE
// FLOATS: @llvm.x86.avx512.mask.getmant.ps.512(
// FLOATS: @llvm.x86.avx512.mask.getexp.ps.512(
// FLOATS-NOT: ashr
// FLOATS-NOT: fcmp
// FLOATS: ret void
// DOUBLES: @llvm.x86.avx512.mask.getmant.pd.512(
// DOUBLES: @llvm.x86.avx512.mask.getexp.pd.512(
// ALONE: @llvm.x86.avx512.mask.getmant.ps.128(
// NONE-NOT: avx512
kernel void floats(global float *x) {
    size_t i = get_global_id(0);
    x[i] = log(x[i]) + log2(x[i + 1]) + log10(x[i + 2]);
}

kernel void doubles(global double2 *x) {
    x[get_global_id(0)] = log(x[get_global_id(0)]);
}
