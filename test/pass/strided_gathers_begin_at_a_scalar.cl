// A column of a tile, in a loop over columns: one scalar address and constant offsets, not a vector of pointers of 64 bits.
// RUN: %weirc %s --local 32 --cpu x86-64-v4 --emit asm | FileCheck %s
// CHECK-NOT: {{gather|scatter}}qps
// CHECK-DAG: vgatherdps
// CHECK-DAG: vscatterdps
// CHECK-NOT: {{gather|scatter}}qps
kernel void k(global float *a, int n) {
    local float s[32][33];
    int c = get_local_id(0);
    for (int r = 0; r < 32; r++)
        s[r][c] = a[r * 32 + c];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int i = 0; i < n; i++)
        s[c][i] /= s[i][i] + 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int r = 0; r < 32; r++)
        a[r * 32 + c] = s[r][c];
}
