; A fault of LLVM's that round_by_itself() in post/half_arithmetic.c works around: (int)rint(x) of a half number becomes one instruction,
; which cuts off. Where this fails, that may go (docs/compiler.md, "Faults of LLVM").
; RUN: llc-22 -mtriple=x86_64-linux -mcpu=sapphirerapids %s -o - | FileCheck %s
; CHECK-LABEL: f:
; CHECK-NOT: vrndscale
; CHECK: vcvttsh2si %xmm0, %eax
define i32 @f(half %x) {
  %r = call half @llvm.rint.f16(half %x)
  %i = fptosi half %r to i32
  ret i32 %i
}
