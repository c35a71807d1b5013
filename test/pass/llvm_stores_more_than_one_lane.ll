; A fault of LLVM's that post/single_lane_store.c works around: of a masked store of one lane of numbers that were truncated, it
; writes the wider ones, here 8 bytes instead of one. Where this fails, the pass may go (docs/compiler.md, "Faults of LLVM").
; RUN: llc-22 -mtriple=x86_64-linux -mcpu=x86-64-v4 %s -o - | FileCheck %s
; CHECK-LABEL: f:
; CHECK: vmovlps %xmm0, (%rdi)
define void @f(<2 x i64> %v, ptr %p) {
  %t = trunc <2 x i64> %v to <2 x i8>
  call void @llvm.masked.store.v2i8.p0(<2 x i8> %t, ptr align 1 %p, <2 x i1> <i1 true, i1 false>)
  ret void
}
declare void @llvm.masked.store.v2i8.p0(<2 x i8>, ptr, <2 x i1>)
