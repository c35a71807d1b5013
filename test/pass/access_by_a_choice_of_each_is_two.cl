// Where lanes choose between two arrays, each of which a pack has a row of, both rows are read; LLVM makes one load of an address, which
// is chosen by the number of the argument.
// RUN: %weirc %s --kernel global_memory --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=GLOBAL
// GLOBAL-NOT: gather
// GLOBAL: load {{.*}}contiguous, masked if a lane is off, x2
// GLOBAL-NOT: gather
kernel void global_memory(global const int *a, global const int *b, global const int *c, global int *out) {
    int i = get_global_id(0);
    out[i] = c[i] > 3 ? a[i] : b[i];
}
// RUN: %weirc %s --kernel local_memory --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=LOCAL
// LOCAL-NOT: gather
// LOCAL: load local int {{.*}}contiguous, masked if a lane is off
// LOCAL: load local int {{.*}}wide load and shuffle, masked if a lane is off
// LOCAL-NOT: gather
kernel void local_memory(global const int *c, global int *out) {
    local int s[64], t[64];
    int l = get_local_id(0), i = get_global_id(0);
    s[l] = c[i];
    t[l] = c[i + 1];
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = s[l ^ 1] > 3 ? s[l] : t[63 - l];
}
// Of a limit of ids packs look whether it binds.
// RUN: %weirc %s --kernel limit --local 64 --cpu x86-64-v4 --report text | FileCheck %s --check-prefix=LIMIT
// LIMIT-NOT: masked
kernel void limit(global const int *c, global int *out, int n) {
    int i = get_global_id(0);
    out[i] = c[i + 1 < n ? i + 1 : 0];
}
