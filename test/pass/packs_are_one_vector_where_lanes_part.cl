// Two vectors per value don't pay where lanes part: packs that have nothing to do are skipped. An edge of the data, at
// which they part in one pack of many, doesn't count.
// RUN: %weirc %s --kernel part --local 64,1,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s --check-prefix=ONE
// RUN: %weirc %s --kernel edge --local 64,1,1 --cpu x86-64-v3 --emit=ll -o - | FileCheck %s --check-prefix=TWO
// ONE: @llvm.fmuladd.v8f32
// TWO: @llvm.fmuladd.v16f32
kernel void part(global float *p, int n) {
    uint l = get_local_id(0);
    float x = p[l];
    if (l < n) {
        for (int i = 0; i < n; i++)
            p[l + 64 * i] = p[l + 64 * i] * x + 1;
    }
}
kernel void edge(global float *p, int n, uint width, uint height) {
    uint g = get_global_id(0);
    if (g < width && get_global_id(1) < height) {
        float x = p[g];
        for (int i = 0; i < n; i++)
            x = x * x + 1;
        p[g] = x;
    }
}
