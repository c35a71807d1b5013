// Each product of a sum waits for the one before: four sums that follow each other are computed side by side.
// RUN: %weirc %s --local 16 --cpu x86-64-v4 --stop-after woven-sums | FileCheck %s
// CHECK: fmuladd.v16f32({{.*}}, <16 x float> zeroinitializer)
// CHECK-NOT: fmuladd
// CHECK: fmuladd.v16f32({{.*}}, <16 x float> zeroinitializer)
// CHECK-NOT: fmuladd
// CHECK: fmuladd.v16f32({{.*}}, <16 x float> zeroinitializer)
// CHECK-NOT: fmuladd
// CHECK: fmuladd.v16f32({{.*}}, <16 x float> zeroinitializer)
// CHECK-NOT: fmuladd{{.*}}zeroinitializer)
kernel void k(global const float *a, global const float *b, global float *out) {
    float q[8], most = 0;
    int i = get_global_id(0);
    for (int j = 0; j < 8; j++)
        q[j] = a[8 * i + j];
    for (int r = 0; r < 4; r++) {
        float sum = 0;
        for (int j = 0; j < 8; j++)
            sum += q[j] * b[8 * r + j];
        most = fmax(most, sum);
    }
    out[i] = most;
}
