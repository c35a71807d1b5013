// Which of two conditions lanes exchange elements by differs between them: one of both is chosen, they part once, and the exchange
// is selects and plain stores.
// RUN: %weirc %s --kernel k --width 16 --local 256 --stop-after if-conversion | FileCheck %s
// CHECK-DAG: fcmp olt float
// CHECK-DAG: fcmp ogt float
// CHECK: select i1 %{{[a-z0-9.]+}}, i1 %{{[0-9]+}}, i1
// CHECK-NOT: br i1
// CHECK: select i1 %{{[0-9]+}}, float
// CHECK-NOT: br i1
// CHECK: ret void
// RUN: %weirc %s --kernel steps --width 16 --local 256 --stop-after if-conversion | FileCheck %s --check-prefix=OPPOSITE
// OPPOSITE: xor i1
// OPPOSITE: select i1 %{{[a-z0-9.]+}}, i1
kernel void k(global float *a, uint k) {
    local float s[512];
    uint l = get_local_id(0);
    s[2 * l] = a[2 * l];
    s[2 * l + 1] = a[2 * l + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    float x = s[l], y = s[l + 256];
    if ((l & k) ? x < y : x > y) {
        s[l] = y;
        s[l + 256] = x;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = s[l] - s[511 - l];
}
kernel void steps(global int *a, global const int *b) {
    int g = get_global_id(0), x = a[g], y = b[g], n = 0;
    if (x > 5) {
        if (y * 3 < x)
            goto add;
    } else {
        if (y + 2 * x >= 7)
            goto leave;
        goto add;
    }
    goto leave;
add:
    a[g + x] = y;
leave:
    a[g] = n + x;
}
