// Work-items that each go through a row of their own share no lines of the cache: wider packs need more lines and pages at a time.
// RUN: %weirc %s --kernel sums --local 256 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK: width     16:
// CHECK-NOT: 32: about
kernel void sums(global const float *a, global const float *x, global float *y, int n) {
    int row = get_global_id(0);
    float sum = 0;
    for (int j = 0; j < n; j++)
        sum += a[row * n + j] * x[j];
    y[row] = sum;
}
