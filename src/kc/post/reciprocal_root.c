/* reciprocal_root.c: a / sqrt(x) of floats by the processor's estimate of 1 / sqrt(x) and a step of Newton's method.
 *
 * Needs the optimized module. Gives it without divisions by a square root that may be 2.5 ulps off (OpenCL C, "Relative error as
 * ULPs"; clang says so by !fpmath metadata, of rsqrt() the built-in library), where the processor has an estimate
 * good to 14 bits. A division after a root keeps the processor's one divider busy for some 30 cycles per vector;
 * this takes 6 instructions that overlap. With y as the estimate and e = 1 - (x * y) * y, the result y + y / 2 * e is at most
 * 1.05 ulps off for all floats, subnormal ones too (tried with each). For x = 0 or infinite, where e is no number, y is exact.
 * Scalars and vectors alike, so that all widths compute the same. */
#include "post.h"
#include <string.h>

struct root {
    struct kernel *k;
    LLVMBuilderRef b;
    LLVMTypeRef type; /* float, or a vector of it */
};

static LLVMValueRef splat(struct root *r, double x) {
    LLVMValueRef one = LLVMConstReal(LLVMFloatTypeInContext(r->k->llvm), x);
    return ir_repeat(r->type, one);
}

/* Of a vector that is a register: 4, 8 or 16 elements. */
static LLVMValueRef estimate_register(void *arg, LLVMValueRef *x) {
    struct root *r = arg;
    LLVMTypeRef type = LLVMTypeOf(*x);
    unsigned n = LLVMGetVectorSize(type);
    const char *name = n == 4   ? "llvm.x86.avx512.rsqrt14.ps.128"
                       : n == 8 ? "llvm.x86.avx512.rsqrt14.ps.256"
                                : "llvm.x86.avx512.rsqrt14.ps.512";
    LLVMTypeRef lanes = LLVMIntTypeInContext(r->k->llvm, n < 8 ? 8 : n);
    LLVMValueRef args[] = {*x, LLVMConstNull(type), LLVMConstAllOnes(lanes)};
    return ir_intrinsic(r->b, name, NULL, 0, args, 3);
}

/* Of as many elements as the type has. */
static LLVMValueRef estimate(struct root *r, LLVMValueRef x) {
    if (LLVMGetTypeKind(r->type) != LLVMVectorTypeKind) {
        LLVMValueRef zero = ir_const32(r->k->llvm, 0), four = LLVMGetPoison(LLVMVectorType(r->type, 4));
        four = LLVMBuildInsertElement(r->b, four, x, zero, "");
        return LLVMBuildExtractElement(r->b, estimate_register(r, &four), zero, "");
    }
    return ir_by_registers(r->b, &x, 1, 16, estimate_register, r);
}

static LLVMValueRef fused(struct root *r, LLVMValueRef x, LLVMValueRef y, LLVMValueRef z) {
    LLVMValueRef args[] = {x, y, z};
    return ir_intrinsic(r->b, "llvm.fma", &r->type, 1, args, 3);
}

static LLVMValueRef reciprocal_root(struct root *r, LLVMValueRef x) {
    LLVMBuilderRef b = r->b;
    LLVMValueRef y = estimate(r, x), root = LLVMBuildFMul(b, x, y, "");
    LLVMValueRef e = fused(r, LLVMBuildFNeg(b, root, ""), y, splat(r, 1));
    LLVMValueRef better = fused(r, LLVMBuildFMul(b, y, splat(r, 0.5), ""), e, y);
    return LLVMBuildSelect(b, LLVMBuildFCmp(b, LLVMRealORD, e, e, ""), better, y, "root");
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

/* What a division by a square root takes the root of, or NULL. */
static LLVMValueRef radicand(struct kernel *k, LLVMValueRef i) {
    enum { MOST = 16 * 16 };
    if (LLVMGetInstructionOpcode(i) != LLVMFDiv || allowed_error(k, i) < 2.5) {
        return NULL;
    }
    LLVMTypeRef type = LLVMTypeOf(i);
    bool is_vector = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = is_vector ? LLVMGetElementType(type) : type;
    LLVMValueRef root = LLVMGetOperand(i, 1);
    if (element != LLVMFloatTypeInContext(k->llvm) || (is_vector && LLVMGetVectorSize(type) > MOST) ||
        !LLVMIsACallInst(root) || !ir_is_intrinsic(root, "llvm.sqrt.")) {
        return NULL;
    }
    return LLVMGetOperand(root, 0);
}

static void replace(struct kernel *k, LLVMValueRef division, LLVMValueRef x) {
    struct root r = {k, ir_before(division), LLVMTypeOf(division)};
    LLVMValueRef root = LLVMGetOperand(division, 1), dividend = LLVMGetOperand(division, 0);
    LLVMValueRef result = reciprocal_root(&r, x);
    if (dividend != splat(&r, 1)) {
        result = LLVMBuildFMul(r.b, dividend, result, "");
    }
    LLVMDisposeBuilder(r.b);
    LLVMReplaceAllUsesWith(division, result);
    LLVMInstructionEraseFromParent(division);
    if (!LLVMGetFirstUse(root)) {
        LLVMInstructionEraseFromParent(root);
    }
}

void reciprocal_root_pass(struct kernel *k) {
    LLVMValueRef f = k->target->estimates_roots ? LLVMGetFirstFunction(k->module) : NULL;
    for (; f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f); block;
             block = LLVMGetNextBasicBlock(block)) {
            for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
                next = LLVMGetNextInstruction(i);
                LLVMValueRef x = radicand(k, i);
                if (x) {
                    replace(k, i, x);
                }
            }
        }
    }
}
