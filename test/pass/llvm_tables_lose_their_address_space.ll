; A fault of LLVM's that target.c works around by code that is not position-independent for the optimizer: a table of addresses outside
; address space 0 becomes one of distances, in IR that is broken. Where this fails, that may go (docs/compiler.md, "Faults of LLVM").
; RUN: ! opt-22 -relocation-model=pic -passes=rel-lookup-table-converter -S %s -o /dev/null 2>/dev/null
; RUN: sed 's/ addrspace(2)//g' %s | opt-22 -relocation-model=pic -passes=rel-lookup-table-converter -S | FileCheck %s
; CHECK: call ptr @llvm.load.relative.i64
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@a = private unnamed_addr addrspace(2) constant [2 x i8] c"a\00"
@b = private unnamed_addr addrspace(2) constant [2 x i8] c"b\00"
@t = private unnamed_addr addrspace(2) constant [2 x ptr addrspace(2)] [ptr addrspace(2) @a, ptr addrspace(2) @b]
define ptr addrspace(2) @f(i64 %i) {
  %p = getelementptr [2 x ptr addrspace(2)], ptr addrspace(2) @t, i64 0, i64 %i
  %v = load ptr addrspace(2), ptr addrspace(2) %p
  ret ptr addrspace(2) %v
}
!llvm.module.flags = !{!0}
!0 = !{i32 8, !"PIC Level", i32 2}
