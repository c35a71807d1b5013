/* divide.c: integer divisions that can't trap.
 *
 * In OpenCL C a division by zero gives some value, and no exception; here the processor's would end the application.
 * So would that of the smallest number by -1. Needs inlined code (the library's, too) before LLVM may conclude from a
 * division that its divisor isn't zero. Gives divisors that are 1 in place of those. */
#include "lower.h"

/* Whether an operand is known to be no 0 and, of a signed division, no -1. */
static bool is_safe_constant(LLVMValueRef d, bool is_signed) {
    if (LLVMGetTypeKind(LLVMTypeOf(d)) == LLVMVectorTypeKind) {
        bool safe = LLVMIsConstant(d);
        for (unsigned i = 0; safe && i < LLVMGetVectorSize(LLVMTypeOf(d)); i++) {
            LLVMValueRef element = LLVMGetAggregateElement(d, i);
            safe = element && is_safe_constant(element, is_signed);
        }
        return safe;
    }
    return LLVMIsAConstantInt(d) && !LLVMIsNull(d) && !(is_signed && LLVMIsNull(LLVMConstNot(d)));
}

/* Its own negative number is what a signed quotient by -1 gives, also where there is none. */
static void negate_instead(LLVMBuilderRef b, LLVMValueRef quotient, LLVMValueRef minus) {
    LLVMValueRef n = LLVMGetOperand(quotient, 0); /* poison divided by what is no -1 is poison, no trap */
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(quotient));
    LLVMValueRef result = LLVMBuildSelect(b, minus, LLVMBuildNeg(b, n, ""), LLVMGetUndef(LLVMTypeOf(n)), "");
    LLVMReplaceAllUsesWith(quotient, result);
    LLVMSetOperand(result, 2, quotient);
}

/* The divisor in place of a bad one doesn't depend on the dividend: it stays the same for all work-items. */
static void guard(LLVMValueRef i, bool is_signed) {
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMBuilderRef b = ir_before(i);
    LLVMValueRef d = LLVMBuildFreeze(b, LLVMGetOperand(i, 1), "");
    LLVMValueRef bad = LLVMBuildICmp(b, LLVMIntEQ, d, LLVMConstNull(type), "");
    if (is_signed) {
        LLVMValueRef minus = LLVMBuildICmp(b, LLVMIntEQ, d, LLVMConstAllOnes(type), "");
        bad = LLVMBuildOr(b, bad, minus, "");
        LLVMSetOperand(i, 1, LLVMBuildSelect(b, bad, ir_number(type, 1), d, "divisor"));
        if (LLVMGetInstructionOpcode(i) == LLVMSDiv) {
            negate_instead(b, i, minus);
        }
    } else {
        LLVMSetOperand(i, 1, LLVMBuildSelect(b, bad, ir_number(type, 1), d, "divisor"));
    }
    LLVMDisposeBuilder(b);
}

void divide_pass(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
                LLVMOpcode op = LLVMGetInstructionOpcode(i);
                bool is_signed = op == LLVMSDiv || op == LLVMSRem;
                if (ir_is_division(i) && !is_safe_constant(LLVMGetOperand(i, 1), is_signed)) {
                    guard(i, is_signed);
                }
            }
        }
    }
}
