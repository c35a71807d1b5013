// Loops with barriers whose step doubles or halves are unrolled where their rounds are known, nests of them, too; others stay.
// RUN: %weirc %s --kernel tree --local 64 --stop-after unroll-steps | FileCheck %s --check-prefix=TREE
// TREE-COUNT-7: call void @__weir_barrier
// TREE-NOT: call void @__weir_barrier
// RUN: %weirc %s --kernel sort --local 8 --stop-after unroll-steps | FileCheck %s --check-prefix=SORT
// SORT-COUNT-7: call void @__weir_barrier
// SORT-NOT: call void @__weir_barrier
// RUN: %weirc %s --kernel steps --local 64 --stop-after unroll-steps | FileCheck %s --check-prefix=STEPS
// STEPS-COUNT-2: call void @__weir_barrier
// STEPS-NOT: call void @__weir_barrier
// RUN: %weirc %s --kernel quarters --local 64 --stop-after unroll-steps | FileCheck %s --check-prefix=QUARTERS
// QUARTERS-COUNT-6: call void @__weir_barrier
// QUARTERS-NOT: call void @__weir_barrier
// RUN: %weirc %s --kernel bits --local 64 --stop-after unroll-steps | FileCheck %s --check-prefix=BITS
// BITS-COUNT-7: call void @__weir_barrier
// BITS-NOT: call void @__weir_barrier
// RUN: %weirc %s --kernel digits --local 64 --stop-after unroll-steps | FileCheck %s --check-prefix=DIGITS
// DIGITS-COUNT-2: call void @__weir_barrier
// DIGITS-NOT: call void @__weir_barrier
kernel void tree(global int *a, local int *s) {
    uint l = get_local_id(0);
    s[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = get_local_size(0) / 2; d; d /= 2) {
        if (l < d)
            s[l] += s[l + d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = s[0];
}
kernel void sort(global int *a, local int *s) {
    uint l = get_local_id(0);
    s[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 2; k <= get_local_size(0); k *= 2)
        for (uint j = k / 2; j; j /= 2) {
            uint p = l ^ j;
            int x = s[l], y = s[p];
            if (p > l && (x > y) == !(l & k)) {
                s[l] = y;
                s[p] = x;
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
    a[get_global_id(0)] = s[l];
}
kernel void steps(global int *a, local int *s) {
    uint l = get_local_id(0);
    s[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint d = 0; d < 6; d++) {
        if (l > d)
            s[l] += s[d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = s[l];
}
kernel void quarters(global int *a, local int *s) {
    uint l = get_local_id(0);
    int v = a[get_global_id(0)];
    for (uint d = 1; d < get_local_size(0); d *= 4) {
        s[l] = v;
        barrier(CLK_LOCAL_MEM_FENCE);
        v += s[l ^ d];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = v;
}
kernel void bits(global int *a, local int *s) {
    uint l = get_local_id(0);
    s[l] = a[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 5; k >= 0; k--) {
        if (l < 1 << k)
            s[l] += s[l + (1 << k)];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = s[0];
}
kernel void digits(global uint *a, local uint *s) {
    uint l = get_local_id(0), v = a[get_global_id(0)];
    for (int k = 0; k < 8; k++) {
        s[v >> k & 63] = l;
        barrier(CLK_LOCAL_MEM_FENCE);
        v = v * 5 + s[l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[get_global_id(0)] = v;
}
