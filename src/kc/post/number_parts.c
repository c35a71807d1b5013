/* number_parts.c: mantissas and exponents of numbers by the processor's instructions.
 *
 * Needs SSA values, before optimization, and AVX-512 where there are such calls (lower/math_calls.c). Gives the module without calls of
 * __weir_part_*, of which lib/cl/weir.h says what they are: those of packs are one instruction for each register, those of one
 * work-item the same of a register of which one element counts.
 *     call <16 x float> @__weir_part_exponent_float.16(%x)      ->      vgetexpps */
#include "post.h"
#include <stdio.h>
#include <string.h>

struct part {
    struct kernel *k;
    LLVMBuilderRef b;
    bool is_mantissa;
};

static LLVMValueRef of_register(void *arg, LLVMValueRef *x) {
    enum { FROM_3_4 = 3, POSITIVE = 3 << 2, AS_USUAL = 4, WITH_ROUNDING = 512 };
    struct part *p = arg;
    LLVMTypeRef type = LLVMTypeOf(*x);
    unsigned n = LLVMGetVectorSize(type), nargs = 0;
    bool is_double = LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMDoubleTypeKind;
    unsigned bits = (is_double ? 64 : 32) * n;
    LLVMValueRef args[5];
    char name[64];
    snprintf(name, sizeof name, "llvm.x86.avx512.mask.get%s.p%c.%u", p->is_mantissa ? "mant" : "exp",
             is_double ? 'd' : 's', bits);
    args[nargs++] = *x;
    if (p->is_mantissa) {
        args[nargs++] = ir_const32(p->k->llvm, FROM_3_4 | POSITIVE);
    }
    args[nargs++] = LLVMConstNull(type);
    args[nargs++] = LLVMConstAllOnes(LLVMIntTypeInContext(p->k->llvm, n < 8 ? 8 : n));
    if (bits == WITH_ROUNDING) {
        args[nargs++] = ir_const32(p->k->llvm, AS_USUAL);
    }
    return ir_intrinsic(p->b, name, NULL, 0, args, nargs);
}

static void lower(struct kernel *k, LLVMValueRef call, const char *kind) {
    struct part p = {k, ir_before(call), !strncmp(kind, "mantissa", strlen("mantissa"))};
    LLVMValueRef x = LLVMGetOperand(call, 0), zero = ir_const32(k->llvm, 0), result;
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        unsigned size = LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMDoubleTypeKind ? 2 : 1;
        result = ir_by_registers(p.b, &x, 1, target_lanes(k->target) / size, of_register, &p);
    } else {
        x = LLVMBuildInsertElement(p.b, LLVMConstNull(LLVMVectorType(type, 4)), x, zero, "");
        result = LLVMBuildExtractElement(p.b, of_register(&p, &x), zero, "");
    }
    LLVMDisposeBuilder(p.b);
    LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
}

void number_parts_pass(struct kernel *k) {
    intrinsic_lower(k, PART_PREFIX, lower);
}
