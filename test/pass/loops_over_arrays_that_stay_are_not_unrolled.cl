// Loops over a private array ask to be unrolled, so that its elements are values; not where one of its indices is known by the
// run alone, or would take too many rounds to be known: then it is memory in any case.
// RUN: %weirc %s --local 64 --stop-after unroll | FileCheck %s
// RUN: %weirc %s --kernel stays --local 64 --stop-after unroll | FileCheck %s --check-prefix STAYS
// RUN: %weirc %s --kernel triangle --local 64 --stop-after unroll | FileCheck %s --check-prefix STAYS
// CHECK: llvm.loop.unroll.full
// STAYS: define
// STAYS-NOT: llvm.loop.unroll.full
kernel void values(global float *a) {
    int g = get_global_id(0);
    float p[32];
    for (int i = 0; i < 32; i++)
        p[i] = a[g + i * 64];
    for (int i = 1; i < 32; i++)
        p[i] += p[i - 1] * p[0];
    for (int i = 0; i < 32; i++)
        a[g + i * 64] = p[i];
}
kernel void stays(global float *a, int n) {
    int g = get_global_id(0);
    float p[32];
    for (int i = 0; i < 32; i++)
        p[i] = a[g + i * 64];
    for (int i = 1; i < n; i++)
        p[i] += p[0];
    for (int i = 0; i < 32; i++)
        a[g + i * 64] = p[i];
}
kernel void triangle(global float *a) {
    int g = get_global_id(0);
    float p[100];
    for (int i = 0; i < 100; i++)
        p[i] = a[g + i * 64];
    for (int i = 1; i < 100; i++)
        for (int j = 0; j < i; j++)
            p[i] -= p[j];
    for (int i = 0; i < 100; i++)
        a[g + i * 64] = p[i];
}
