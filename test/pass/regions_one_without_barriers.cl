// A kernel without barriers is one region: one loop over the work-items, nothing kept in the context.
// RUN: %weirc %s --kernel k --width 1 --local 64,1,1 --emit=ll --stop-after=promote -o - | FileCheck %s
// CHECK: define {{.*}}@weir.k(
// CHECK: region0.x:
// CHECK: phi i64
// CHECK-NOT: region1
// CHECK-NOT: .ctx
// CHECK: ret void
kernel void k(global int *p) {
    p[get_global_id(0)] = get_local_id(0);
}
