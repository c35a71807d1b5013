; A fault of LLVM's that post/masked_loads.c works around: it makes one load of a masked load and the select that takes it, behind the
; store between them. Where this fails, the pass may go (docs/compiler.md, "Faults of LLVM").
; RUN: opt-22 -passes=instcombine -S %s | FileCheck %s
; CHECK-LABEL: @f(
; CHECK: call void @llvm.masked.store
; CHECK: call <8 x i32> @llvm.masked.load
define void @f(ptr %p, ptr %o, <8 x i1> %m, <8 x i32> %n) {
  %l = call <8 x i32> @llvm.masked.load.v8i32.p0(ptr align 4 %p, <8 x i1> %m, <8 x i32> poison)
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %n, ptr align 4 %p, <8 x i1> %m)
  %s = select <8 x i1> %m, <8 x i32> %l, <8 x i32> splat (i32 -1)
  store <8 x i32> %s, ptr %o
  ret void
}
