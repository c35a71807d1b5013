// What a loop reads at one place, while it stores to rows further on, is read before it, also where two counters begin at k and
// k + 1; what a round may store is read again.
// RUN: %weirc %s --kernel below --width 16 --local 32 --stop-after reads-again | FileCheck %s
// RUN: %weirc %s --kernel each --width 16 --local 32 --stop-after reads-again | FileCheck --check-prefix=EACH %s
// RUN: %weirc %s --kernel back --width 16 --local 32 --stop-after reads-again | FileCheck --check-prefix=BACK %s
#define N 32
// CHECK-LABEL: define
// CHECK: call void @__weir_barrier
// CHECK: load float, ptr addrspace(3)
// CHECK-NEXT: br label
// CHECK: phi i64
// CHECK-COUNT-2: load float, ptr addrspace(3)
// CHECK-NOT: load float, ptr addrspace(3)
// CHECK: fmuladd
kernel void below(global float *a) {
    local float s[N][N];
    uint l = get_local_id(0);
    for (uint r = 0; r < N; r++)
        s[r][l] = a[r * N + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < N - 1; k++) {
        if (l > k)
            for (uint r = k + 1; r < N; r++)
                s[r][l] -= s[r][k] * s[k][l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[l] = s[l][l];
}
// The row itself is stored, too.
// EACH-LABEL: define
// EACH: call void @__weir_barrier
// EACH-NOT: load float, ptr addrspace(3)
// EACH: br label
// EACH-COUNT-3: load float, ptr addrspace(3)
// EACH: fmuladd
kernel void each(global float *a) {
    local float s[N][N];
    uint l = get_local_id(0);
    for (uint r = 0; r < N; r++)
        s[r][l] = a[r * N + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < N - 1; k++) {
        if (l > k)
            for (uint r = k; r < N; r++)
                s[r][l] -= s[r][k] * s[k][l];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    a[l] = s[l][l];
}
// Rounds come back to the row.
// BACK-LABEL: define
// BACK: call void @__weir_barrier
// BACK: phi i64
// BACK-COUNT-2: load float, ptr addrspace(3)
// BACK: fmuladd
kernel void back(global float *a, int k) {
    local float s[N * N];
    int l = get_local_id(0);
    s[l] = s[l + k * N] = a[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 20; r >= 0; r--)
        s[(k + r) * N + l] -= 2 * s[k * N + l];
    barrier(CLK_LOCAL_MEM_FENCE);
    a[l] = s[k * N + 31 - l];
}
