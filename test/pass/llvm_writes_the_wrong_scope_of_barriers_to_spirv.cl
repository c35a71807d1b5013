// A fault of LLVM's that frontend/to_spirv_ready.c works around, and spirv/sync.c reads: a barrier without local memory has the memory
// scope (1: the device) as execution scope, too (which is 2, the work-group). Where this fails, that may go (docs/compiler.md,
// "Faults of LLVM").
// RUN: clang-22 -x cl -target spirv64 -cl-std=CL2.0 -O0 -Xclang -disable-O0-optnone -Xclang -finclude-default-header -c %s -o - | spirv-dis | FileCheck %s
// CHECK: OpControlBarrier %uint_1 %uint_1 %uint_528
kernel void k() {
    work_group_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);
}
