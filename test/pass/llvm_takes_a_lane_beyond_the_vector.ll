; A fault of LLVM's that post/lane_index.c works around: it reads the element of a vector in memory at a lane that it computes of a mask
; that may be 0, of which bsr leaves anything, and doesn't keep the lane within the vector. Where this fails, the pass may go
; (docs/compiler.md, "Faults of LLVM").
; RUN: llc-22 -mtriple=x86_64-linux -mcpu=x86-64-v3 %s -o - | FileCheck %s
; CHECK-LABEL: f:
; CHECK: bsrw %di, [[LANE:%[a-z]+]]
; CHECK-NOT: and
; CHECK: cmovnel (%rsp,%r{{[a-z]+}},4), %eax
define i32 @f(<16 x i32> %v, i16 %m, i32 %other) {
  %l = call i16 @llvm.ctlz.i16(i16 %m, i1 true)
  %x = xor i16 %l, 15
  %e = extractelement <16 x i32> %v, i16 %x
  %none = icmp eq i16 %m, 0
  %r = select i1 %none, i32 %other, i32 %e, !unpredictable !0
  ret i32 %r
}
!0 = !{}
