// A loop that reads another row in each round waits for lines of the cache, of which two next to each other come at once: with AVX2 packs of
// 32, also where the length of rows is a constant. What stays in a line, is computed long, or lies where data tells, has packs of two vectors
// at most.
// RUN: %weirc %s --kernel sum --local 256 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=LINES
// RUN: %weirc %s --kernel column --local 256 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=LINES
// RUN: %weirc %s --kernel column --local 256 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=LINES
// RUN: %weirc %s --kernel polynomial --local 256 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=VECTORS
// RUN: %weirc %s --kernel gathered --local 256 --cpu x86-64-v3 --report text | FileCheck %s --check-prefix=VECTORS
// LINES: {{^ +}}32: about
// VECTORS-NOT: 32: about
// VECTORS: {{^  context}}
kernel void sum(global const float *in, global float *out, uint n) {
    float all = 0;
    for (uint i = get_global_id(0); i < n; i += get_global_size(0))
        all += in[i];
    out[get_global_id(0)] = all;
}
kernel void column(global const float *in, global float *out, uint n) {
    float all = 0;
    for (uint i = 0; i < n; i++)
        all += in[i * 1024 + get_global_id(0)];
    out[get_global_id(0)] = all;
}
kernel void polynomial(global const float *in, global float *out, uint n) {
    float x = in[get_global_id(0)], all = 0;
    for (uint i = 0; i < n; i++)
        all = all * x + i;
    out[get_global_id(0)] = all;
}
kernel void gathered(global const int *at, global const float *in, global float *out, uint n) {
    float all = 0;
    for (uint i = 0; i < n; i++)
        all += in[at[i * 1024 + get_global_id(0)]];
    out[get_global_id(0)] = all;
}
