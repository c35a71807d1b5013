// In a loop nobody looks whether elements lie in a row where neighbours are no one apart modulo a power of two, whatever is added: of
// local memory, too, where what crosses barriers is in memory. Where they may be a row, code looks.
// RUN: %weirc %s --kernel k --local 64 --width 16 --cpu x86-64-v4 --report text | FileCheck %s
// CHECK: cl:13 load global int gather
// CHECK: cl:14 load global int gather
// CHECK: cl:15 load global int gather
// CHECK: cl:16 load global int contiguous if in a row, else gather
// CHECK: cl:17 load global int contiguous if in a row, else gather
// CHECK-NOT: cl:1{{[345]}} {{.*}}row
kernel void k(global const int *a, global int *out, int n) {
    int t = get_local_id(0), sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[(5 * t + i) & 1023];
        sum += a[(2 * t + 2 * i) & 1023];
        sum += a[(3 * (t + i) - 7) & 255];
        sum += a[(t + 7 * i) & 1023];
        sum += a[(i - 63 * t) & 63];
    }
    out[get_global_id(0)] = sum;
}
