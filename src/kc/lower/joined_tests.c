/* joined_tests.c: what is asked of several numbers at once is asked of each.
 *
 * In: k->run, simplified. Out: the same; whether none of two numbers is negative, or both are 0, isn't asked of their bits
 * together, as LLVM makes it where both are surely defined. An id and what is computed from it lie in ranges: packs know of
 * a comparison by their first and last lanes, and of an equality which lane it is (vector/compare.c), but nothing of the
 * bits of two ids together:
 *     %b = or i32 %x, %y                              %p = icmp sgt i32 %x, -1
 *     %is = icmp sgt i32 %b, -1        becomes        %q = icmp sgt i32 %y, -1
 *                                                     %is = and i1 %p, %q
 * What it can't do: tests of bits other than the sign. */
#include "lower.h"

/* Whether the comparison asks that of its first operand's bits: whether the sign is 0 or 1, or whether all are 0 or any is not.
 * *clear: the first of these, which holds for x | y where it holds for both. */
static bool is_test(LLVMValueRef compare, bool *sign, bool *clear) {
    LLVMValueRef limit = LLVMIsAICmpInst(compare) ? LLVMGetOperand(compare, 1) : NULL;
    if (!limit || !LLVMIsAConstantInt(limit)) {
        return false;
    }
    bool zero = LLVMIsNull(limit), minus = LLVMIsNull(LLVMConstNot(limit));
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    *sign = p == LLVMIntSGT || p == LLVMIntSLT;
    *clear = p == LLVMIntSGT || p == LLVMIntEQ;
    return (p == LLVMIntSGT && minus) || ((p == LLVMIntSLT || p == LLVMIntEQ || p == LLVMIntNE) && zero);
}

/* The comparison of each operand instead, if it asks for what it does of both. Gives where to go on: at the first of them,
 * which may be of several, too. */
static LLVMValueRef split(LLVMValueRef compare) {
    LLVMValueRef next = LLVMGetNextInstruction(compare);
    bool sign, clear;
    LLVMValueRef both = is_test(compare, &sign, &clear) ? LLVMGetOperand(compare, 0) : NULL;
    bool joins =
        both && LLVMIsABinaryOperator(both) && LLVMGetTypeKind(LLVMTypeOf(both)) == LLVMIntegerTypeKind;
    LLVMOpcode op = joins ? LLVMGetInstructionOpcode(both) : LLVMPHI;
    if (op != LLVMOr && !(op == LLVMAnd && sign)) {
        return next;
    }
    LLVMBuilderRef b = ir_before(compare);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(compare));
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    LLVMValueRef limit = LLVMGetOperand(compare, 1);
    LLVMValueRef first = LLVMBuildICmp(b, p, LLVMGetOperand(both, 0), limit, ""),
                 second = LLVMBuildICmp(b, p, LLVMGetOperand(both, 1), limit, "");
    LLVMValueRef is =
        clear == (op == LLVMOr) ? LLVMBuildAnd(b, first, second, "") : LLVMBuildOr(b, first, second, "");
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(compare, is);
    LLVMInstructionEraseFromParent(compare);
    if (!LLVMGetFirstUse(both)) {
        LLVMInstructionEraseFromParent(both);
    }
    return LLVMIsAInstruction(first) ? first : LLVMIsAInstruction(second) ? second : next;
}

void joined_tests_pass(struct kernel *k) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = split(i)) {
        }
    }
}
