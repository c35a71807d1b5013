// What is read from an image of RGBA8 and written to one is moved as a whole. So is a border's colour.
// RUN: %weirc %s --width 8 --local 64 --constants 1093,1093 --stop-after texels | FileCheck %s
// CHECK-NOT: {{= fmul|call float @llvm.rint}}
// CHECK: select i1 %{{.*}}, i32 %{{.*}}, i32 0
// CHECK-NOT: {{= fmul|call float @llvm.rint}}
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
kernel void k(read_only image1d_t in, write_only image1d_t out) {
    int i = get_global_id(0);
    write_imagef(out, i, read_imagef(in, border, i - 1));
}
