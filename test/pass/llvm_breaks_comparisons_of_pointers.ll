; A fault of LLVM's that post/pointer_numbers.c works around: where vectors of pointers that come from one pointer are compared, a step
; that is the same for all lanes becomes a vector, also for those who take it as a pointer: broken IR. Where this fails, the pass may go
; (docs/compiler.md, "Faults of LLVM").
; RUN: (opt-22 -passes=instcombine %s -o /dev/null 2>&1 || true) | FileCheck %s
; CHECK: PHI node operands are not the same type as the result
define <4 x i1> @f(ptr %p) {
entry:
  %first = getelementptr i32, ptr %p, i64 1
  br label %loop

loop:
  %at = phi ptr [ %first, %entry ], [ null, %loop ]
  %lanes = getelementptr i8, ptr %at, <4 x i64> <i64 0, i64 16, i64 32, i64 48>
  %on = icmp ne <4 x ptr> %lanes, zeroinitializer
  %bits = bitcast <4 x i1> %on to i4
  %none = icmp eq i4 %bits, 0
  br i1 %none, label %loop, label %done

done:
  %end = getelementptr i32, ptr %first, i64 3
  %firsts = getelementptr i8, ptr %first, <4 x i64> <i64 0, i64 16, i64 32, i64 48>
  %ends = getelementptr i8, ptr %end, <4 x i64> <i64 0, i64 16, i64 32, i64 48>
  %c = icmp ne <4 x ptr> %firsts, %ends
  ret <4 x i1> %c
}
