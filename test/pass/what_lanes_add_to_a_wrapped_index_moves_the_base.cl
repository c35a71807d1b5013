// An index of 32 bits that may wrap around stays one where all lanes add a number of 64 bits to it, once or in each round.
// RUN: %weirc %s --kernel sums --width 8 --local 64 --cpu x86-64-v3 --report text | FileCheck %s
// RUN: %weirc %s --kernel rounds --width 8 --local 64 --cpu x86-64-v3 --report text | FileCheck %s
// CHECK: load global int contiguous
// CHECK-NOT: if in a row
kernel void sums(global const int *a, global int *o, int n, int w) {
    int i = get_group_id(0) * w + get_local_id(0) + w;
    o[get_global_id(0)] = a[i] + a[i + n] + a[i + 2 * n] + a[i - n];
}

kernel void rounds(global const int *a, global int *o, int n, int w) {
    int i = get_group_id(0) * w + get_local_id(0) + w, sum = 0;
    for (int r = 0; r < n; r++, i += w)
        sum += a[i];
    o[get_global_id(0)] = sum;
}
