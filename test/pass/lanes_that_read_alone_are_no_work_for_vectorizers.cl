// Where each lane reads elements at numbers of its own, as a pack's texels are read, LLVM's vectorizers have nothing to find. They look
// where a loop has no vectors yet, and where lanes' elements may lie side by side.
// RUN: %weirc %s --kernel lone --local 64 --width 8 --cpu x86-64-v3 --stop-after vectorizer-off | FileCheck %s
// RUN: %weirc %s --kernel beside_a_loop --local 64 --width 8 --cpu x86-64-v3 --stop-after vectorizer-off | FileCheck %s --check-prefix=LOOKS
// RUN: %weirc %s --kernel side_by_side --local 64 --width 8 --cpu x86-64-v3 --stop-after vectorizer-off | FileCheck %s --check-prefix=LOOKS
// CHECK: noimplicitfloat
// LOOKS-NOT: noimplicitfloat
kernel void lone(global int *a, global const int *b, global const int *c) {
    int i = get_global_id(0);
    a[i] = b[c[i] * 3] + b[c[i] * 5] + b[c[i] * 7];
}
kernel void beside_a_loop(global int *a, global const int *b, global const int *c, int n) {
    int i = get_global_id(0);
    int sum = 0;
    for (int k = 0; k < n; k++)
        sum += c[k];
    a[i] = b[c[i] * 3] + b[c[i] * 5] + b[c[i] * 7] + sum;
}
kernel void side_by_side(global int *a, global const int *b, global const int *c) {
    int i = get_global_id(0);
    a[i] = b[c[i] * 4] + b[c[i] * 4 + 1] + b[c[i] * 4 + 2] + b[c[i] * 4 + 3];
}
