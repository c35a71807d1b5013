// Elimination in local memory, a row for each work-item: LLVM makes vectors of the rounds along a row, as work-items run one by one, and
// looks at each row whether it is the one that is taken away from it.
// RUN: %weirc %s --local 32 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=REPORT
// RUN: %weirc %s --local 32 --cpu x86-64-v4 --emit ll | FileCheck %s
// REPORT: 1: nothing is gained by lanes
// CHECK: call <{{4|8|16}} x float> @llvm.fmuladd
kernel void k(global float *a) {
    local float s[32][33];
    int r = get_local_id(0);
    for (int c = 0; c < 32; c++)
        s[c][r] = a[get_group_id(0) * 1024 + c * 32 + r];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 31; k++) {
        if (r > k)
            for (int c = k + 1; c < 32; c++)
                s[r][c] -= s[r][k] * s[k][c];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    for (int c = 0; c < 32; c++)
        a[get_group_id(0) * 1024 + c * 32 + r] = s[c][r];
}
