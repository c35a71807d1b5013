; A fault of LLVM's that post/masked_operands.c works around: an instruction under a mask that changes lanes' places takes a vector from
; memory that is 0 where lanes are off, and reads these lanes, too. Where this fails, the pass may go (docs/compiler.md, "Faults of
; LLVM").
; RUN: llc-22 -mtriple=x86_64-linux -mcpu=x86-64-v4 %s -o - | FileCheck %s
; CHECK-LABEL: f:
; CHECK: vpshufd $245, (%rdi), %ymm0 {%k1} {z}
define <8 x i32> @f(<8 x i1> %on, ptr %p) {
  %l = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %on, <8 x i32> zeroinitializer)
  %s = shufflevector <8 x i32> %l, <8 x i32> poison, <8 x i32> <i32 1, i32 1, i32 3, i32 3, i32 5, i32 5, i32 7, i32 7>
  %t = select <8 x i1> %on, <8 x i32> %s, <8 x i32> zeroinitializer
  ret <8 x i32> %t
}
