// Lanes that wait in an island of a loop that all go around do so no matter of earlier rounds: the loop carries no mask.
// RUN: %weirc %s --kernel rounds --local 64 --width 16 --cpu x86-64-v4 --stop-after promote | FileCheck %s
// CHECK-NOT: phi <16 x i1>
kernel void rounds(global float *a, global float *b, int n) {
    size_t l = get_global_id(0);
    float x = a[l];
    for (int i = 0; i < n; i++) {
        x = x * 3 + 1;
        if (x > 100)
            b[(int)x & 1023] = x;
    }
    a[l] = x;
}
