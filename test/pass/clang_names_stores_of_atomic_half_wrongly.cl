// A fault of clang's that lib/cl/atomic.cl works around: it takes the number to be stored for an atomic_half, too, and ends the function's
// name with S_ (the type before), not with Dh (half). Where this fails, that may go (docs/compiler.md, "Faults of LLVM").
// RUN: clang-22 -cc1 -triple spir64 -cl-std=CL3.0 -finclude-default-header -fdeclare-opencl-builtins -cl-ext=+all -emit-llvm -o - %s | FileCheck %s
// CHECK: @_Z12atomic_storePU3AS1VU7_AtomicDhS_(
// CHECK: @_Z15atomic_exchangePU3AS1VU7_AtomicDhDh(
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void k(global atomic_half *p, half v) {
    atomic_store(p, v);
    atomic_exchange(p, v);
}
