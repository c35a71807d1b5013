/* reciprocals.c: divisions of floats by the processor's estimates of 1 / x and 1 / sqrt(x).
 *
 * Needs the optimized module. All are within OpenCL C's "Relative error as ULPs":
 * - a / sqrt(x) that may be 2.5 ulps off (clang says so by !fpmath metadata, of rsqrt() the built-in library) is the estimate
 *   and a step of Newton's method, where the estimate is good to 14 bits (AVX-512). A division after a root keeps the
 *   processor's one divider busy for some 30 cycles per vector; this takes 6 instructions that overlap. With y as the estimate
 *   and e = 1 - (x * y) * y, the result y + y / 2 * e is at most 1.05 ulps off for all floats, subnormal ones too (tried with
 *   each). For x = 0 or infinite, where that is no number, y is exact.
 * - What native_rsqrt, native_recip and native_divide divide is multiplied by such an estimate as it is: their precision is
 *   ours to choose. lib/cl/native.cl marks them by the flag arcp alone; what programs with unsafe or relaxed mathematics divide
 *   has other flags with it, and stays within its bounds.
 * - With SSE and AVX, whose estimates are good to 12 bits, a division by a root that has the flag arcp is the estimate and the
 *   step. LLVM would make that of it, too, but no number for x = 0 or infinite. Subnormal x count as 0.
 * Scalars and vectors alike, so that all widths compute the same. */
#include "post.h"
#include <stdio.h>

struct quotient {
    struct kernel *k;
    LLVMBuilderRef b;
    LLVMTypeRef type; /* float, or a vector of it */
    bool of_root;     /* by a square root */
};

static LLVMValueRef splat(struct quotient *r, double x) {
    LLVMValueRef one = LLVMConstReal(LLVMFloatTypeInContext(r->k->llvm), x);
    return ir_repeat(r->type, one);
}

/* Of a vector that is a register: 4, 8 or 16 elements. */
static LLVMValueRef estimate_register(void *arg, LLVMValueRef *x) {
    struct quotient *r = arg;
    LLVMTypeRef type = LLVMTypeOf(*x);
    unsigned n = LLVMGetVectorSize(type);
    const char *what = r->of_root ? "rsqrt" : "rcp";
    char name[64];
    if (!r->k->target->estimates_reciprocals) {
        snprintf(name, sizeof name, n == 4 ? "llvm.x86.sse.%s.ps" : "llvm.x86.avx.%s.ps.256", what);
        return ir_intrinsic(r->b, name, NULL, 0, x, 1);
    }
    snprintf(name, sizeof name, "llvm.x86.avx512.%s14.ps.%u", what, 32 * n);
    LLVMTypeRef lanes = LLVMIntTypeInContext(r->k->llvm, n < 8 ? 8 : n);
    LLVMValueRef args[] = {*x, LLVMConstNull(type), LLVMConstAllOnes(lanes)};
    return ir_intrinsic(r->b, name, NULL, 0, args, 3);
}

/* Of as many elements as the type has. */
static LLVMValueRef estimate(struct quotient *r, LLVMValueRef x) {
    if (LLVMGetTypeKind(r->type) != LLVMVectorTypeKind) {
        LLVMValueRef zero = ir_const32(r->k->llvm, 0), four = LLVMGetPoison(LLVMVectorType(r->type, 4));
        four = LLVMBuildInsertElement(r->b, four, x, zero, "");
        return LLVMBuildExtractElement(r->b, estimate_register(r, &four), zero, "");
    }
    return ir_by_registers(r->b, &x, 1, target_lanes(r->k->target), estimate_register, r);
}

static LLVMValueRef fused(struct quotient *r, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z) {
    LLVMValueRef args[] = {x, y, z};
    bool surely = r->k->target->estimates_reciprocals; /* without FMA it would be a call */
    return ir_intrinsic(r->b, surely ? "llvm.fma" : "llvm.fmuladd", &r->type, 1, args, 3);
}

/* The estimate y and a step. */
static LLVMValueRef refined(struct quotient *r, LLVMValueRef x) {
    LLVMBuilderRef b = r->b;
    LLVMValueRef y = estimate(r, x), one = r->of_root ? LLVMBuildFMul(b, x, y, "") : x;
    LLVMValueRef e = fused(r, LLVMBuildFNeg(b, one, ""), y, splat(r, 1));
    LLVMValueRef slope = r->of_root ? LLVMBuildFMul(b, y, splat(r, 0.5), "") : y;
    LLVMValueRef better = fused(r, slope, e, y);
    return LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealORD, better, better, ""), better, y, "refined");
}

/* In ulps; 0: none is said. */
static double allowed_error(struct kernel *k, LLVMValueRef i) {
    LLVMValueRef node = LLVMGetMetadata(i, LLVMGetMDKindIDInContext(k->llvm, "fpmath", 6)), ulps;
    LLVMBool loses;
    if (!node) {
        return 0;
    }
    LLVMGetMDNodeOperands(node, &ulps);
    return LLVMConstRealGetDouble(ulps, &loses);
}

static bool is_root(LLVMValueRef v) {
    return LLVMIsACallInst(v) && ir_is_intrinsic(v, "llvm.sqrt.");
}

/* Whether it is a division of floats that may be that far off, in ulps. */
static bool may_be_off(struct kernel *k, LLVMValueRef i, double ulps) {
    enum { MOST = 16 * 16 };
    if (LLVMGetInstructionOpcode(i) != LLVMFDiv || allowed_error(k, i) < ulps) {
        return false;
    }
    LLVMTypeRef type = LLVMTypeOf(i);
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
    return element == LLVMFloatTypeInContext(k->llvm) && !(is_vector && LLVMGetVectorSize(type) > MOST);
}

/* Whether it is a native_ function's. */
static bool is_rough(LLVMValueRef i) {
    const LLVMFastMathFlags OTHERS = LLVMFastMathApproxFunc | LLVMFastMathAllowReassoc | LLVMFastMathNoNaNs;
    return (LLVMGetFastMathFlags(i) & (LLVMFastMathAllowReciprocal | OTHERS)) == LLVMFastMathAllowReciprocal;
}

/* Whether the processor's estimate replaces it. */
static bool is_estimated(struct kernel *k, LLVMValueRef i) {
    if (!may_be_off(k, i, 2.5)) {
        return false;
    }
    bool of_root = is_root(LLVMGetOperand(i, 1));
    if (!k->target->estimates_reciprocals) {
        return of_root && (LLVMGetFastMathFlags(i) & LLVMFastMathAllowReciprocal);
    }
    return of_root || is_rough(i);
}

static void replace(struct kernel *k, LLVMValueRef division) {
    LLVMValueRef dividend = LLVMGetOperand(division, 0), divisor = LLVMGetOperand(division, 1);
    struct quotient r = {k, ir_before(division), LLVMTypeOf(division), is_root(divisor)};
    LLVMValueRef x = r.of_root ? LLVMGetOperand(divisor, 0) : divisor;
    bool as_it_is = is_rough(division) && k->target->estimates_reciprocals;
    LLVMValueRef result = as_it_is ? estimate(&r, x) : refined(&r, x);
    if (dividend != splat(&r, 1)) {
        result = LLVMBuildFMul(r.b, dividend, result, "");
    }
    LLVMDisposeBuilder(r.b);
    LLVMReplaceAllUsesWith(division, result);
    LLVMInstructionEraseFromParent(division);
    if (r.of_root && !LLVMGetFirstUse(divisor)) {
        LLVMInstructionEraseFromParent(divisor);
    }
}

void reciprocals_pass(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
                next = LLVMGetNextInstruction(i);
                if (is_estimated(k, i)) {
                    replace(k, i);
                }
            }
        }
    }
}
