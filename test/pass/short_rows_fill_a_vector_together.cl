// Groups of 8 x 8 compute with vectors of 16 or 32, two or four rows each; a row by itself where there is little to compute, where its
// elements lie at one place of memory, or where rows take different ways.
// RUN: %weirc %s --kernel power --local 8,8,1 --cpu x86-64-v4 --emit=ll -o - | FileCheck %s --check-prefix=TWO
// RUN: %weirc %s --kernel power --local 4,4,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s --check-prefix=EIGHT
// RUN: %weirc %s --kernel sum --local 8,8,1 --cpu x86-64-v4 --emit=ll -o - | FileCheck %s --check-prefix=ONE
// RUN: %weirc %s --kernel product --local 8,8,1 --cpu x86-64-v4 --emit=ll -o - | FileCheck %s --check-prefix=ONE
// RUN: %weirc %s --kernel some --local 8,8,1 --cpu x86-64-v4 --emit=ll -o - | FileCheck %s --check-prefix=ONE
// TWO: load <8 x float>
// TWO: load <8 x float>
// TWO: fmuladd.v{{16|32}}f32
// TWO: store <8 x float>
// TWO: store <8 x float>
// EIGHT: fmuladd.v{{8|16}}f32
// ONE-NOT: <16 x float>
// ONE: <8 x float>
// ONE-NOT: <16 x float>
kernel void power(global const float *in, global float *out, ulong stride) {
    size_t at = get_global_id(1) * stride + get_global_id(0);
    float v = in[at], r = 1;
    for (int i = 0; i < 32; i++)
        r = r * v + 0.5f;
    out[at] = r;
}
kernel void sum(global const float *in, global float *out, ulong stride) {
    size_t at = get_global_id(1) * stride + get_global_id(0);
    out[at] = in[at] + in[at + 1] + in[at + stride];
}
kernel void product(global const float *a, global const float *b, global float *out, ulong n) {
    size_t x = get_global_id(0), y = get_global_id(1);
    float r = 0;
    for (size_t i = 0; i < n; i++)
        r += a[y * n + i] * b[i * n + x];
    out[y * n + x] = r;
}
kernel void some(global const float *in, global float *out, ulong stride) {
    size_t at = get_global_id(1) * stride + get_global_id(0);
    float v = in[at], r = 1;
    if (get_local_id(1) == 3)
        for (int i = 0; i < 32; i++)
            r = r * v + 0.5f;
    out[at] = r;
}
