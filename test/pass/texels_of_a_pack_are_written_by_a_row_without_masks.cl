// Whether a pack's texels lie inside an image its first and its last lane tell, also of images with rows: of that no mask is made.
// RUN: %weirc %s --width 8 --local 16,16 --constants 1093 --stop-after regions | FileCheck %s
// CHECK: %all = icmp ult i32
// CHECK: br i1 %any, label
// CHECK: br i1 %all, label %full, label %part
// CHECK: full:
// CHECK: store <8 x i32> %{{.*}}, ptr addrspace(1)
// CHECK: part:
// CHECK: masked.store
kernel void k(write_only image2d_t to, float x) {
    write_imagef(to, (int2)(get_global_id(0), get_global_id(1)), (float4)(x * get_global_id(0)));
}
