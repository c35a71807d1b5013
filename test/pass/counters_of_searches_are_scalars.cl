// Work-items that leave a search at different times read one element for the pack in each round: the counter is one number in the
// loop, and only what comes after has a vector of it.
// RUN: %weirc %s --local 64 --width 8 --cpu x86-64-v3 --emit=ll | FileCheck %s
// CHECK: phi i64
// CHECK-NOT: gather
// CHECK-NOT: <8 x i64>
// CHECK: trunc{{.*}} i64 {{.*}} to i32
// CHECK: ret void
kernel void search(global const float *sums, global const float *wanted, global int *found, int n) {
    int i = get_global_id(0), at = n - 1;
    for (int j = 0; j < n; j++) {
        if (sums[j] >= wanted[i]) {
            at = j;
            break;
        }
    }
    found[i] = at;
}
