// Of an index that is chosen by what all lanes share each way is evenly apart from lane to lane, the choice isn't.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK-NOT: if in a row
// CHECK: load {{.*}}contiguous, x2
// CHECK-NOT: if in a row
// CHECK: load {{.*}}strided gather, 256 bytes apart, x2
// CHECK-NOT: if in a row
kernel void k(global const float *a, global float *b, int transposed) {
    int l = get_local_id(0);
    float sum = 0;
    for (int j = 0; j < 2; j++)
        sum += a[transposed ? l * 64 + 8 * j : j * 64 + l];
    b[get_global_id(0)] = sum;
}
