// Packs lie along the dimension in which a matrix' rows do, but not where a kernel could notice in which order its work-items
// run, nor where a transposition has as many columns one way as the other.
// RUN: %weirc %s --kernel along --local 16,16 --report text | FileCheck %s --check-prefix=ALONG
// RUN: %weirc %s --kernel deep --local 2,2,32 --report text | FileCheck %s --check-prefix=DEEP
// RUN: %weirc %s --kernel noticed --local 16,16 --report text | FileCheck %s --check-prefix=STAY
// RUN: %weirc %s --kernel turned --local 16,16 --report text | FileCheck %s --check-prefix=STAY
// RUN: %weirc %s --kernel along --local 16,2 --report text | FileCheck %s --check-prefix=STAY
// ALONG: packs lie along dimension 1
// ALONG: load {{ *}}global float {{ *}}contiguous
// ALONG: store {{ *}}global float {{ *}}contiguous
// DEEP: packs lie along dimension 2
// STAY-NOT: packs lie along
kernel void along(global float *a, int n) {
    a[get_global_id(0) * n + get_global_id(1)] *= 2;
}
kernel void deep(global float *a, int n) {
    a[(get_global_id(0) * n + get_global_id(1)) * 4096 + get_global_id(2)] *= 2;
}
kernel void noticed(global float *a, global int *count, int n) {
    a[get_global_id(0) * n + get_global_id(1)] *= atomic_inc(count);
}
kernel void turned(global float *a, global const float *b, int n) {
    a[get_global_id(0) * n + get_global_id(1)] = b[get_global_id(1) * n + get_global_id(0)];
}
