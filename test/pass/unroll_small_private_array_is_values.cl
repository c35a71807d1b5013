// A private array that loops of constant length walk through is values, also across a barrier.
// RUN: %weirc %s --kernel k --local 16 --width 4 --print-after regions -o /dev/null 2>&1 | FileCheck %s
// CHECK-NOT: alloca [8 x
kernel void k(global float *out, global const float *in, local float *s) {
    float sum[8][8];
    uint l = get_local_id(0);
    for (uint i = 0; i < 8; i++)
        for (uint j = 0; j < 8; j++)
            sum[i][j] = in[i * 16 + l];
    s[l] = in[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint i = 0; i < 8; i++)
        for (uint j = 0; j < 8; j++)
            sum[i][j] += s[i] * in[j * 16 + l];
    for (uint i = 0; i < 8; i++)
        for (uint j = 0; j < 8; j++)
            out[(i * 8 + j) * 16 + l] = sum[i][j];
}
