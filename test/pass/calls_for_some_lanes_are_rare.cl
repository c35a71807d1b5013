// What a pack leaves to a function that isn't inlined, as sines of huge numbers, is the rare way: registers are kept for the other one.
// RUN: %weirc %s --local 64 --cpu x86-64-v4 --emit ll | FileCheck %s
// RUN: %weirc %s --local 64 --cpu x86-64-v3 --emit ll | FileCheck %s
// CHECK: br i1 %any{{.*}}, label %{{.*}}, label %run{{.*}}, !prof [[RARELY:![0-9]+]]
// CHECK: [[RARELY]] = !{!"branch_weights", i32 100, i32 1}
kernel void k(global const float *x, global float *sums, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += sin(x[i] * get_global_id(0));
    sums[get_global_id(0)] = sum;
}
