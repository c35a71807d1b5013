/* any_all.c: whether any, or all, of a vector's components are true is asked of one after the other.
 *
 * In: k->run before OpenCL vectors become scalars. Out: the same without comparisons of a vector of truths, taken as one
 * number, with 0 or with all ones, which LLVM makes of any() and all(), and of what is written with them, as normalize().
 * Components that are a work-item's own vectors have no number in a pack; their disjunction and conjunction are masks.
 *     %n = bitcast <4 x i1> %v to i4                   %v0 = extractelement <4 x i1> %v, i64 0 ...
 *     %c = icmp ne i4 %n, 0                 becomes    %c = or (or %v0, %v1), (or %v2, %v3)
 * What it can't do: other uses of the number. */
#include "lower.h"

/* Whether all components are true, or any. */
static LLVMValueRef fold(LLVMBuilderRef b, LLVMValueRef vector, bool all) {
    LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(vector));
    LLVMValueRef sum = NULL;
    for (unsigned i = 0; i < LLVMGetVectorSize(LLVMTypeOf(vector)); i++) {
        LLVMValueRef part = LLVMBuildExtractElement(b, vector, ir_const64(c, i), "");
        if (!sum) {
            sum = part;
        } else {
            sum = all ? LLVMBuildAnd(b, sum, part, "") : LLVMBuildOr(b, sum, part, "");
        }
    }
    return sum;
}

static void replace(LLVMValueRef compare, LLVMValueRef vector) {
    LLVMValueRef with = LLVMGetOperand(compare, 1);
    bool all = LLVMIsAConstantInt(with) && LLVMConstIntGetSExtValue(with) == -1;
    if (!all && !LLVMIsNull(with)) {
        return;
    }
    LLVMBuilderRef b = ir_before(compare);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(compare));
    LLVMValueRef is = fold(b, vector, all);
    if ((LLVMGetICmpPredicate(compare) == LLVMIntEQ) != all) {
        is = LLVMBuildNot(b, is, "");
    }
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(compare, is);
    LLVMInstructionEraseFromParent(compare);
}

/* The vector of truths whose number `v` is, or NULL. */
static LLVMValueRef truths(LLVMValueRef v) {
    LLVMValueRef vector = LLVMIsABitCastInst(v) ? LLVMGetOperand(v, 0) : NULL;
    LLVMTypeRef type = vector ? LLVMTypeOf(vector) : NULL;
    bool is = type && LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
              LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMIntegerTypeKind &&
              LLVMGetIntTypeWidth(LLVMGetElementType(type)) == 1;
    return is ? vector : NULL;
}

void any_all_pass(struct kernel *k) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef vector = LLVMIsAICmpInst(i) ? truths(LLVMGetOperand(i, 0)) : NULL;
            LLVMIntPredicate p = vector ? LLVMGetICmpPredicate(i) : LLVMIntEQ;
            if (vector && (p == LLVMIntEQ || p == LLVMIntNE)) {
                replace(i, vector);
            }
        }
    }
}
