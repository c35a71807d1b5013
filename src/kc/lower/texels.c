/* texels.c: channels of an image that are written as they were read.
 *
 * In: k->run as scalars. Out: the same; a channel's number n that only becomes a colour, n * (1 / most), and then a channel
 * again, that times `most`, limited and rounded, is n itself. Copies, turns and cuts of images whose colours are
 * normalized integers then move bits, and LLVM joins those of a texel. A texel or the border's colour, by a condition,
 * is such a number, too. */
#include "lower.h"
#include <math.h>

enum { MOST_BITS = 16, DEPTH = 8 }; /* up to 20 bits the product is nearer to n than a half */

static bool constant(LLVMValueRef v, double *number) {
    LLVMBool inexact;
    if (!LLVMIsAConstantFP(v)) {
        return false;
    }
    *number = LLVMConstRealGetDouble(v, &inexact);
    return !inexact;
}

/* Integers from 0 to `most`, a number of ones. */
static bool is_at_most(LLVMValueRef v, uint64_t most) {
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    if (LLVMIsAZExtInst(v)) {
        return LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0))) <= MOST_BITS &&
               most + 1 >= UINT64_C(1) << LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(v, 0)));
    }
    LLVMValueRef by = LLVMIsABinaryOperator(v) ? LLVMGetOperand(v, 1) : NULL;
    if (!by || !LLVMIsAConstantInt(by) || bits > 32) {
        return false;
    }
    uint64_t c = LLVMConstIntGetZExtValue(by);
    return LLVMGetInstructionOpcode(v) == LLVMAnd ? c <= most
                                                  : LLVMGetInstructionOpcode(v) == LLVMLShr && c < bits &&
                                                        most >= (UINT64_C(1) << (bits - c)) - 1;
}

/* What is looked for: numbers of this type and range. `b` is where selects of them go. */
struct search {
    LLVMBuilderRef b;
    LLVMTypeRef type;
    uint64_t most;
};

/* A constant that is n * factor. */
static LLVMValueRef constant_number(const struct search *s, LLVMValueRef v, double factor) {
    double c, n;
    if (!constant(v, &c) || !(c >= 0) || c > factor * (double)s->most) {
        return NULL;
    }
    n = rint(c / factor);
    return n * factor == c ? LLVMConstInt(s->type, (uint64_t)n, 0) : NULL;
}

static LLVMValueRef chosen(const struct search *s, LLVMValueRef select, int depth,
                           LLVMValueRef (*number)(const struct search *, LLVMValueRef, int)) {
    LLVMValueRef yes = number(s, LLVMGetOperand(select, 1), depth);
    LLVMValueRef no = yes ? number(s, LLVMGetOperand(select, 2), depth) : NULL;
    return no ? LLVMBuildSelect(s->b, LLVMGetOperand(select, 0), yes, no, "") : NULL;
}

/* n of n * (1 / most), or NULL. */
static LLVMValueRef number_of_color(const struct search *s, LLVMValueRef v, int depth) {
    double c;
    if (LLVMIsConstant(v)) { /* of a border: 0 or 1 */
        return constant(v, &c) && (c == 0 || c == 1) ? LLVMConstInt(s->type, c == 0 ? 0 : s->most, 0) : NULL;
    }
    if (LLVMIsASelectInst(v) && depth) {
        return chosen(s, v, depth - 1, number_of_color);
    }
    bool is_product = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMFMul;
    if (!is_product || !constant(LLVMGetOperand(v, 1), &c) || c != (double)(1.0f / (float)s->most)) {
        return NULL;
    }
    LLVMValueRef converted = LLVMGetOperand(v, 0);
    if (!LLVMIsAUIToFPInst(converted) && !LLVMIsASIToFPInst(converted)) {
        return NULL;
    }
    LLVMValueRef n = LLVMGetOperand(converted, 0);
    return LLVMTypeOf(n) == s->type && is_at_most(n, s->most) ? n : NULL;
}

/* Whether a select is its second operand limited by a constant at one end of the range. */
static bool is_limit(const struct search *s, LLVMValueRef select) {
    LLVMValueRef condition = LLVMGetOperand(select, 0), by = LLVMGetOperand(select, 2);
    double c;
    if (!LLVMIsAFCmpInst(condition) || LLVMGetOperand(condition, 0) != LLVMGetOperand(select, 1) ||
        LLVMGetOperand(condition, 1) != by || !constant(by, &c)) {
        return false;
    }
    switch (LLVMGetFCmpPredicate(condition)) {
    case LLVMRealOGT:
    case LLVMRealOGE:
    case LLVMRealUGT:
    case LLVMRealUGE:
        return c == 0;
    case LLVMRealOLT:
    case LLVMRealOLE:
    case LLVMRealULT:
    case LLVMRealULE:
        return c == (double)s->most;
    default:
        return false;
    }
}

/* n of n * (1 / most) * most, limited, or NULL. */
static LLVMValueRef number_of_product(const struct search *s, LLVMValueRef v, int depth) {
    double c;
    if (LLVMIsConstant(v)) {
        return constant_number(s, v, 1);
    }
    if (LLVMIsASelectInst(v) && depth) {
        return is_limit(s, v) ? number_of_product(s, LLVMGetOperand(v, 1), depth - 1)
                              : chosen(s, v, depth - 1, number_of_product);
    }
    bool is_product = LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMFMul;
    return is_product && constant(LLVMGetOperand(v, 1), &c) && c == (double)s->most
               ? number_of_color(s, LLVMGetOperand(v, 0), depth)
               : NULL;
}

/* The most that a limit on the way to a number allows: 2^bits - 1, or 0. */
static uint64_t range_of(LLVMValueRef limited) {
    double c;
    if (!LLVMIsASelectInst(limited) || !constant(LLVMGetOperand(limited, 2), &c)) {
        return 0;
    }
    for (unsigned bits = 1; bits <= MOST_BITS; bits++) {
        if (c == (double)((UINT64_C(1) << bits) - 1)) {
            return (UINT64_C(1) << bits) - 1;
        }
    }
    return 0;
}

static bool is_unused(LLVMValueRef i) {
    bool is_arithmetic = LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsASelectInst(i) ||
                         LLVMIsAFCmpInst(i) || ir_is_intrinsic(i, "llvm.rint.");
    return is_arithmetic && !LLVMGetFirstUse(i);
}

/* From the end: what an instruction used comes before it. */
static void remove_unused(LLVMValueRef function) {
    for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(function); b; b = LLVMGetPreviousBasicBlock(b)) {
        for (LLVMValueRef before, i = LLVMGetLastInstruction(b); i; i = before) {
            before = LLVMGetPreviousInstruction(i);
            if (is_unused(i)) {
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
}

static bool replace(LLVMValueRef integer) {
    LLVMValueRef rounded = LLVMGetOperand(integer, 0);
    if (!ir_is_intrinsic(rounded, "llvm.rint.")) {
        return false;
    }
    LLVMValueRef limited = LLVMGetOperand(rounded, 0);
    struct search s = {.type = LLVMTypeOf(integer), .most = range_of(limited)};
    if (!s.most) {
        return false;
    }
    s.b = ir_before(integer);
    LLVMValueRef n = number_of_product(&s, limited, DEPTH);
    LLVMDisposeBuilder(s.b);
    if (n) {
        LLVMReplaceAllUsesWith(integer, n);
    }
    return n != NULL;
}

void texels_pass(struct kernel *k) {
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            any |= LLVMIsAFPToSIInst(i) && replace(i);
        }
    }
    if (any) {
        remove_unused(k->run);
    }
}
