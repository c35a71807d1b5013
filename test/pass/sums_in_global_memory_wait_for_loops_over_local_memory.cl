// Local memory is apart from global memory: what a loop adds to global memory, while it reads local memory, is stored once.
// RUN: %weirc %s --local 64 --stop-after scalars | FileCheck %s
// CHECK: load float, ptr addrspace(1)
// CHECK: phi float
// CHECK-NOT: addrspace(1)
// CHECK: load float, ptr addrspace(3)
// CHECK-NOT: addrspace(1)
// CHECK: br i1
// CHECK: store float {{.*}}, ptr addrspace(1)
// CHECK-NOT: store float
kernel void k(global float *sums) {
    local float tile[64];
    uint l = get_local_id(0);
    tile[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 64; j++)
        sums[get_global_id(0)] += tile[j];
}
