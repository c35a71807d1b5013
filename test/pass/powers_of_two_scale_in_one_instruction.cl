// With AVX-512, packs' exponentials end with one instruction that scales by a power of two; a vector of more elements than a register
// has is scaled in parts, and single work-items do it by two products, with the same results.
// RUN: %weirc %s --kernel one --local 64 --width 16 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefix=SCALES
// RUN: %weirc %s --kernel one --local 64 --width 32 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefix=TWICE
// RUN: %weirc %s --kernel one --local 64 --cpu x86-64-v3 --emit ll | FileCheck %s --check-prefix=NONE
// RUN: %weirc %s --kernel other --local 64 --width 16 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefix=NONE
// RUN: %weirc %s --kernel doubles --local 64 --width 16 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefix=DOUBLES
// RUN: %weirc %s --kernel roots --local 64 --width 16 --cpu x86-64-v4 --emit ll | FileCheck %s --check-prefix=ROOTS
// SCALES: @llvm.x86.avx512.mask.scalef.ps.512(
// SCALES-NOT: shl <16 x i32>
// TWICE: @llvm.x86.avx512.mask.scalef.ps.512(
// TWICE: @llvm.x86.avx512.mask.scalef.ps.512(
// NONE-NOT: scalef
// DOUBLES: @llvm.x86.avx512.mask.scalef.pd.512(
// DOUBLES-NOT: shl <{{[0-9]+}} x i64>
// ROOTS: @llvm.x86.avx512.vpermi2var.{{(q|pd)}}.512(
// ROOTS-NOT: masked.gather
// ROOTS: @llvm.x86.avx512.mask.scalef.pd.512(
// ROOTS-NOT: shl <{{[0-9]+}} x i64>
kernel void one(global float *x) {
    x[get_global_id(0)] = exp(x[get_global_id(0)]);
}

// What is added isn't what exponents are counted from.
kernel void other(global float *x) {
    size_t i = get_global_id(0);
    uint n = as_uint(x[i] + 0x1.8p23f), half_of = n >> 1;
    x[i] = x[i] * as_float(half_of << 23) * as_float((n - half_of) << 23);
}

kernel void doubles(global double *x) {
    x[get_global_id(0)] = powr(x[get_global_id(0)], 2.5);
}

// Sixteenths of a power are roots of 2 from a table.
kernel void roots(global double *x) {
    x[get_global_id(0)] = exp(x[get_global_id(0)]);
}
