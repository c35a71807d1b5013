// Of `if (x < n) v = a[x]; else v = b[x - n];`, or stores in two arms, LLVM makes one access behind both, at an address that the arms
// bring; each arm has its own again, in which lanes lie in a row.
// RUN: %weirc %s --kernel joined --local 64 --report text | FileCheck %s --check-prefix=JOINED
// RUN: %weirc %s --kernel halves --local 64 --report text | FileCheck %s --check-prefix=HALVES
// RUN: %weirc %s --kernel three --local 64 --report text | FileCheck %s --check-prefix=THREE
// JOINED: load {{.*}}contiguous, masked if a lane is off, x2
// JOINED-NOT: gather
// THREE: load {{.*}}contiguous, masked if a lane is off, x3
// THREE-NOT: gather
// HALVES-COUNT-2: store {{.*}}contiguous, masked if a lane is off
// HALVES-NOT: scatter
kernel void joined(global const float *a, global const float *b, global float *out, int n) {
    int x = get_global_id(0);
    out[x] = x < n ? a[x] : b[x - n];
}
kernel void three(global const float *a, global const float *b, global const float *c, global float *out, int n) {
    int x = get_global_id(0);
    out[x] = x < 8 ? a[x] : x >= n ? b[x - n] : c[x];
}
kernel void halves(global const float *in, global float *a, global float *b, int n) {
    int x = get_global_id(0);
    float v = in[x];
    if (x < n)
        a[x] = v;
    else
        b[x - n] = v;
}
