/* flipped_bits.c: whether flipping bits makes a number greater is a test of one bit.
 *
 * In: k->run, its loops' short steps constants. Out: the same; a comparison of x ^ c with x for a constant c looks at c's
 * highest bit in x. The proof: both agree above that bit and differ there, so the number in which it is 1 is greater; for
 * signed ones it is the less if it is the sign. Sorting networks and butterflies ask so which of two partners a work-item
 * is. Of a pack's lanes the answer is known then, as their low bits are (analysis/lane_alignment.c):
 *     %p = xor i32 %l, 4                              %b = and i32 %l, 4
 *     %is = icmp ugt i32 %p, %l           becomes     %is = icmp eq i32 %b, 0
 * What it can't do: partners at a distance that isn't constant. */
#include "lower.h"

/* The constant c if v is x ^ c, else NULL. */
static LLVMValueRef flipped(LLVMValueRef v, LLVMValueRef x) {
    bool is_xor = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMXor;
    for (unsigned n = 0; n < 2 && is_xor; n++) {
        if (LLVMGetOperand(v, n) == x) {
            return LLVMIsAConstantInt(LLVMGetOperand(v, 1 - n));
        }
    }
    return NULL;
}

/* Whether x ^ c is that in order to x where c's highest bit is 0 in x; false: where it is 1. */
static bool holds_for_zero(LLVMIntPredicate p, bool flips_sign) {
    switch (p) {
    case LLVMIntUGT:
    case LLVMIntUGE:
        return true;
    case LLVMIntSGT:
    case LLVMIntSGE:
        return !flips_sign;
    case LLVMIntSLT:
    case LLVMIntSLE:
        return flips_sign;
    default:
        return false;
    }
}

static void test_bit(LLVMValueRef compare, LLVMValueRef x, LLVMValueRef c, LLVMIntPredicate p) {
    uint64_t flips = LLVMConstIntGetZExtValue(c), highest = UINT64_C(1) << (63 - __builtin_clzll(flips));
    unsigned width = LLVMGetIntTypeWidth(LLVMTypeOf(x));
    bool zero = holds_for_zero(p, highest >> (width - 1));
    LLVMBuilderRef b = ir_before(compare);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(compare));
    LLVMValueRef bit = LLVMBuildAnd(b, x, ir_number(LLVMTypeOf(x), highest), "");
    LLVMValueRef is = LLVMBuildICmp(b, zero ? LLVMIntEQ : LLVMIntNE, bit, LLVMConstNull(LLVMTypeOf(x)), "");
    LLVMDisposeBuilder(b);
    LLVMReplaceAllUsesWith(compare, is);
    LLVMInstructionEraseFromParent(compare);
}

void flipped_bits_pass(struct kernel *k) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!LLVMIsAICmpInst(i) ||
                LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) != LLVMIntegerTypeKind ||
                LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(i, 0))) > 64) {
                continue;
            }
            LLVMValueRef x = LLVMGetOperand(i, 0), y = LLVMGetOperand(i, 1), c = flipped(x, y);
            LLVMIntPredicate p = LLVMGetICmpPredicate(i);
            if (!c && (c = flipped(y, x))) {
                p = ir_swapped(p);
                y = x;
            }
            if (c && !LLVMIsNull(c) && p != LLVMIntEQ && p != LLVMIntNE) {
                test_bit(i, y, c, p);
            }
        }
    }
}
