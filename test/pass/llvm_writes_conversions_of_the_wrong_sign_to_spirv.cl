// A fault of LLVM's that frontend/to_spirv_ready.c works around: from int to int, with saturation, is written as from an unsigned number.
// Where this fails, that may go (docs/compiler.md, "Faults of LLVM").
// RUN: clang-22 -x cl -target spirv64 -cl-std=CL2.0 -O0 -Xclang -disable-O0-optnone -Xclang -finclude-default-header -c %s -o - | spirv-dis | FileCheck %s
// CHECK: OpSatConvertUToS
kernel void k(global int *p) {
    p[0] = convert_int_sat(p[1]);
}
