// Where packs lie along another dimension, as elements are adjacent in it, the runtime is told (WEIR_ALONG) to run work-groups that are
// neighbours along it one after the other; a group that is but a column says nothing about where elements are adjacent.
// RUN: %weirc %s --kernel rows --local 16,16 --cpu x86-64-v3 --emit ll | FileCheck %s --check-prefix=FIRST
// RUN: %weirc %s --kernel columns --local 16,16 --cpu x86-64-v3 --emit ll | FileCheck %s --check-prefix=SECOND
// RUN: %weirc %s --kernel columns --local 1,64 --cpu x86-64-v3 --emit ll | FileCheck %s --check-prefix=FIRST
// FIRST: @weir_kernel = {{.*}}, [3 x i32] [{{.*}}], i32 5,
// SECOND: @weir_kernel = {{.*}}, [3 x i32] [{{.*}}], i32 21,
kernel void rows(global float *a, int n) {
    a[get_global_id(1) * n + get_global_id(0)] *= 2;
}
kernel void columns(global float *a, int n) {
    a[get_global_id(0) * n + get_global_id(1)] *= 2;
}
