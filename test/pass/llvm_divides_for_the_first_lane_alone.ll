; A fault of LLVM's that post/vectorizer_off.c works around: the loop vectorizer takes a quotient that is the same in all rounds from the
; first lane, where it may not have been computed. Where this fails, that test there may go (docs/compiler.md, "Faults of LLVM").
; RUN: opt-22 -passes=loop-vectorize -mtriple=x86_64-linux -mcpu=x86-64-v4 -force-vector-width=4 -force-vector-interleave=1 -S %s | FileCheck %s
; CHECK: [[FIRST:%[0-9]+]] = udiv i32 %a, %b
; CHECK: [[Q:%[0-9]+]] = phi i32 [ poison, %vector.body ], [ [[FIRST]], %pred.udiv.if ]
; CHECK: [[INDEX:%[0-9]+]] = and i32 [[Q]], 7
; CHECK: call void @llvm.masked.scatter
define void @f(ptr noalias %o, i32 %a, i32 %b, i32 %k) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %n, %next ]
  %m = urem i32 %i, 3
  %t = icmp ne i32 %m, 0
  br i1 %t, label %then, label %next
then:
  %q = udiv i32 %a, %b
  %x = and i32 %q, 7
  %z = zext i32 %x to i64
  %po = getelementptr i32, ptr %o, i64 %z
  store i32 1, ptr %po
  br label %next
next:
  %n = add i32 %i, 1
  %e = icmp eq i32 %n, %k
  br i1 %e, label %out, label %loop
out:
  ret void
}
