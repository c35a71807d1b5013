// A fault of LLVM's that frontend/to_spirv_ready.c works around, and spirv/module.c reads: a variable's alignment of 128. Where this fails,
// that may go (docs/compiler.md, "Faults of LLVM").
// RUN: clang-22 -x cl -target spirv64 -cl-std=CL2.0 -O0 -Xclang -disable-O0-optnone -Xclang -finclude-default-header -c %s -o - | spirv-dis | FileCheck %s
// CHECK: Alignment 4294967168
kernel void k(global long16 *p) {
    long16 x = p[1];
    p[2] = x + x;
}
