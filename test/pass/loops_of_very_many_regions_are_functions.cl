// Of kernels with very many regions each loop over work-items is a function, unless the local size is known, when what crosses barriers may be in registers.
// RUN: %weirc %s --stop-after extract-loops -o - | FileCheck %s
// RUN: %weirc %s --options -DFEW --stop-after extract-loops -o - | FileCheck %s --check-prefix=ONE
// RUN: %weirc %s --local 64 --stop-after extract-loops -o - | FileCheck %s --check-prefix=ONE
// CHECK: define internal void @weir.k({{.*}} #[[KERNEL:[0-9]+]]
// CHECK: call void @weir.k.region0.z(
// CHECK: call void @weir.k.region79.z(
// CHECK: define internal void @weir.k.region0.z({{.*}} #[[EXTRACTED:[0-9]+]]
// CHECK-NOT: attributes #[[KERNEL]] = {{.*}}noinline
// CHECK: attributes #[[EXTRACTED]] = {{.*}}noinline
// ONE: @weir.k(
// ONE-NOT: weir.k.region
#define STEP                                                                                                 \
    t[l] = x;                                                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                            \
    x += t[l ^ 1];                                                                                           \
    barrier(CLK_LOCAL_MEM_FENCE);
#define STEPS STEP STEP STEP STEP STEP
kernel void k(global int *out) {
    local int t[256];
    size_t l = get_local_id(0);
    int x = out[l];
    STEPS
#ifndef FEW
    STEPS STEPS STEPS STEPS STEPS STEPS STEPS
#endif
    out[l] = x;
}
