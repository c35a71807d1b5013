; The fault of llvm_breaks_comparisons_of_pointers.ll where such pointers are subtracted.
; RUN: (opt-22 -passes=instcombine %s -o /dev/null 2>&1 || true) | FileCheck %s
; CHECK: PHI node operands are not the same type as the result
define <4 x i64> @f(ptr %p) {
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
  %n1 = ptrtoint <4 x ptr> %firsts to <4 x i64>
  %n2 = ptrtoint <4 x ptr> %ends to <4 x i64>
  %c = sub <4 x i64> %n2, %n1
  ret <4 x i64> %c
}
