// At a border, `x > 0 ? a[i - 1] : a[i]`, lanes choose among two addresses that are both in rows: two accesses, not a gather. LLVM makes
// a number of bytes of the choice, or for bytes the condition itself. OpenCL vectors are read lane by lane anyway, and stay.
// RUN: %weirc %s --kernel floats --local 64 --report text | FileCheck %s --check-prefix=FLOATS
// RUN: %weirc %s --kernel bytes --local 64 --report text | FileCheck %s --check-prefix=BYTES
// RUN: %weirc %s --kernel vectors --local 64 --stop-after address-choices | FileCheck %s --check-prefix=VECTORS
// FLOATS: load {{.*}}contiguous, masked if a lane is off, x2
// FLOATS-NOT: gather
// BYTES: load {{.*}}contiguous, masked if a lane is off, x2
// BYTES-NOT: gather
// VECTORS: load <4 x float>
// VECTORS-NOT: load <4 x float>
kernel void floats(global const float *a, global float *out, int n) {
    int x = get_global_id(0), i = get_global_id(1) * n + x;
    out[i] = x > 0 ? a[i - 1] : a[i];
}
kernel void bytes(global const uchar *a, global uchar *out, int n) {
    int x = get_global_id(0), i = get_global_id(1) * n + x;
    out[i] = x < n - 1 ? a[i + 1] : a[i];
}
kernel void vectors(global const float4 *a, global float4 *out, int n) {
    int x = get_global_id(0), i = get_global_id(1) * n + x;
    out[i] = x > 0 ? a[i - 1] : a[i];
}
