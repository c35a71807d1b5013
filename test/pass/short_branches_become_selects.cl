// The steps of a binary search, which lanes leave at different times, are one block: nobody waits in it.
// RUN: %weirc %s --kernel search --local 64 --width 16 --stop-after if-conversion | FileCheck %s
// CHECK-LABEL: define void @weir.search(
// CHECK: load float, ptr addrspace(1)
// CHECK: [[LOOP:[a-z0-9.]+]]:{{.*}}preds = {{.*}}%[[LOOP]]
// CHECK-NOT: br i1
// CHECK: select i1
// CHECK: br i1 %{{[0-9a-z.]+}}, label %{{[0-9a-z._]+}}, label %[[LOOP]]
kernel void search(global const float *a, global const float *keys, global ulong *at, ulong n) {
    float key = keys[get_global_id(0)];
    ulong first = 0;
    while (n > 0) {
        ulong middle = n / 2, it = first + middle;
        float x = a[it];
        if (!isnan(x) && (isnan(key) || x < key)) {
            n -= middle + 1;
            first = it + 1;
        } else {
            n = middle;
        }
    }
    at[get_global_id(0)] = first;
}

// Where all work-items take the same way, a branch remains. So it does where memory is read, or more is to be done.
// RUN: %weirc %s --kernel branches --local 64 --width 16 --stop-after if-conversion | FileCheck %s --check-prefix=STAY
// STAY-LABEL: define void @weir.branches(
// STAY-COUNT-3: br i1
kernel void branches(global const int *a, global int *b, int n, int m) {
    int i = get_global_id(0), x = a[i], y = x;
    for (int k = 0; k < 1000; k++) {
        if (k % m == 3)
            x = x * 5 ^ k;
        if (x > n)
            x = a[x & 1023] + k;
    }
    if (y > m)
        for (int k = 0; k < 3; k++)
            y = y * 7 + (y >> 3 ^ x) * 3;
    b[i] = x + y;
}
