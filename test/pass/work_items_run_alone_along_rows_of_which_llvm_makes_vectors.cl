// Where each work-item walks along a row of its own and its rounds don't need each other, work-items run one by one and LLVM makes
// vectors of the rounds, also of sums of integers; not of sums of floats, nor where a round reads what the one before wrote.
// RUN: %weirc %s --kernel scale --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=ALONE
// RUN: %weirc %s --kernel scale --local 64 --cpu x86-64-v3 --emit=ll | FileCheck %s --check-prefix=VECTOR
// RUN: %weirc %s --kernel paths --local 64 --cpu x86-64-v3 --emit=ll | FileCheck %s --check-prefix=VECTOR
// RUN: %weirc %s --kernel count --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=ALONE
// RUN: %weirc %s --kernel product --local 64 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=PACKS
// RUN: %weirc %s --kernel running --width 1 --local 64 --cpu x86-64-v3 --emit=ll | FileCheck %s --check-prefix=NONE
// ALONE: 1: nothing is gained by lanes
// VECTOR: store <8 x {{float|i32}}>
// PACKS-NOT: nothing is gained by lanes
// NONE-NOT: store <8 x i32>

kernel void scale(global const float *a, global float *b, float x, int n) {
    int row = get_global_id(0) * n;
    for (int j = 0; j < n; j++) {
        b[row + j] = a[row + j] * x + b[row + j];
    }
}

kernel void paths(global int *distances, int n, int k) {
    int row = get_global_id(0) * n, first = distances[row + k];
    for (int j = 0; j < n; j++) {
        distances[row + j] = min(distances[row + j], first + distances[k * n + j]);
    }
}

kernel void count(global const uchar *text, global int *counts, int n) {
    int row = get_global_id(0) * n, found = 0;
    for (int j = 0; j < n; j++) {
        found += text[row + j] == 'a';
    }
    counts[get_global_id(0)] = found;
}

kernel void product(global const float *a, global const float *x, global float *y, int n) {
    int row = get_global_id(0) * n;
    float sum = 0;
    for (int j = 0; j < n; j++) {
        sum += a[row + j] * x[j];
    }
    y[get_global_id(0)] = sum;
}

kernel void running(global int *a, int n) {
    int row = get_global_id(0) * n;
    for (int j = 1; j < n; j++) {
        a[row + j] += a[row + j - 1];
    }
}
