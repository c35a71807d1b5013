// What an unrolled inner loop reads is read once if the outer one doesn't change it.
// RUN: %weirc %s --local 64 --stop-after scalars | FileCheck %s
// CHECK-COUNT-4: load i32, ptr addrspace(1)
// CHECK: phi
// CHECK-NOT: load i32, ptr addrspace(1)
// CHECK: store i32
kernel void k(global const int *p, global int *out, local int *c) {
    size_t g = get_global_id(0);
    int best = 0;
    for (int j = 0; j < 100; j++) {
        int sum = 0;
        for (int d = 0; d < 4; d++)
            sum += p[4 * g + d] * c[4 * j + d];
        best = max(best, sum);
    }
    out[g] = best;
}
