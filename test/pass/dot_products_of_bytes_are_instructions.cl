// Dot products of four bytes are what the processor adds products by, not four products; also of vectors that the work-item has put
// together.
// RUN: %weirc %s --kernel rows --width 16 --local 64 --cpu x86-64-v4 --options -cl-std=CL3.0 --emit ll | FileCheck %s --check-prefix=V4
// RUN: %weirc %s --kernel rows --width 8 --local 64 --cpu x86-64-v3 --options -cl-std=CL3.0 --emit ll | FileCheck %s --check-prefix=V3
// RUN: %weirc %s --kernel together --width 8 --local 64 --cpu x86-64-v3 --options -cl-std=CL3.0 --emit ll | FileCheck %s --check-prefix=V3
// RUN: %weirc %s --kernel rows --width 1 --local 64 --cpu x86-64-v3 --options -cl-std=CL3.0 --emit ll | FileCheck %s --check-prefix=ONE
// V4-NOT: mul <
// V4: llvm.x86.avx512.pmaddw.d.512
// V4-NOT: mul <
// V3-NOT: {{mul <|extractelement}}
// V3: llvm.x86.avx2.pmadd.wd
// V3-NOT: {{mul <|extractelement}}
// ONE-NOT: __weir_dot
kernel void rows(global int *out, global const char4 *a, global const char4 *b, int n) {
    int s = 0;
    for (int i = 0; i < n; i++)
        s += dot(a[get_group_id(0) * n + i], b[i * 64 + get_local_id(0)]);
    out[get_global_id(0)] = s;
}
kernel void together(global int *out, global const char *a, global const uchar4 *b) {
    size_t g = get_global_id(0);
    out[g] = dot((char4)(a[g], a[g + 1], a[g + 2], a[g + 3]), b[g]);
}
