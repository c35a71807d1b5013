/* scalar_base.c: gathers and scatters from a scalar base on.
 *
 * Needs the optimized module. Gives it with the addresses of masked gathers and scatters as one scalar and a vector of
 * offsets, right before the access, where they are a sum of such. LLVM's loop passes move the vector that stays the same out of
 * loops and leave a vector of pointers, which takes two instructions of twice the size, and additions; its code generator
 * looks for a scalar base in the access's own block alone.
 *     %lanes = getelementptr i8, ptr %tile, <16 x i64> <i64 0, i64 132, ...>      (before the loop)
 *     %at = getelementptr float, <16 x ptr> %lanes, i64 %i
 * becomes getelementptr i8, ptr (%tile + 4 * %i), <16 x i64> <i64 0, i64 132, ...>. */
#include "post.h"

/* An address: base + bytes + the element of `offsets`, in bytes. */
struct address {
    LLVMValueRef base, bytes, offsets;
};

struct search {
    struct kernel *k;
    LLVMBuilderRef b;
};

static bool is_vector(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMVectorTypeKind;
}

/* The scalar that all elements are, or NULL. */
static LLVMValueRef splat_of(LLVMValueRef v) {
    if (LLVMIsAConstant(v)) {
        LLVMValueRef first = LLVMIsAConstantDataVector(v) || LLVMIsAConstantVector(v) || LLVMIsNull(v)
                                 ? LLVMGetAggregateElement(v, 0)
                                 : NULL;
        for (unsigned i = 1; first && i < LLVMGetVectorSize(LLVMTypeOf(v)); i++) {
            first = LLVMGetAggregateElement(v, i) == first ? first : NULL;
        }
        return first;
    }
    return ir_splat_of(v);
}

static LLVMValueRef sum(struct search *s, LLVMValueRef x, LLVMValueRef y) {
    return x && y ? LLVMBuildAdd(s->b, x, y, "") : x ? x : y;
}

static bool find(struct search *s, LLVMValueRef p, struct address *a) {
    LLVMValueRef scalar = is_vector(p) ? splat_of(p) : p;
    if (scalar) {
        a->base = scalar;
        return true;
    }
    if (!LLVMIsAGetElementPtrInst(p) || LLVMGetNumOperands(p) != 2 || !find(s, LLVMGetOperand(p, 0), a)) {
        return false;
    }
    LLVMValueRef index = LLVMGetOperand(p, 1), all = is_vector(index) ? splat_of(index) : index;
    uint64_t size = LLVMABISizeOfType(LLVMGetModuleDataLayout(s->k->module), LLVMGetGEPSourceElementType(p));
    if (all) {
        a->bytes = sum(s, a->bytes, ir_bytes_of(s->b, all, size));
    } else {
        a->offsets = sum(s, a->offsets, ir_bytes_of(s->b, index, size));
    }
    return true;
}

/* Whether the address has a vector of pointers in it that may become a scalar, or is computed in another block. */
static bool may_be_better(LLVMValueRef p, LLVMValueRef call) {
    LLVMValueRef base = LLVMIsAGetElementPtrInst(p) ? LLVMGetOperand(p, 0) : NULL;
    return base && ((is_vector(base) && !splat_of(base)) ||
                    LLVMGetInstructionParent(p) != LLVMGetInstructionParent(call));
}

static void rebase(struct kernel *k, LLVMValueRef call, unsigned operand) {
    LLVMValueRef p = LLVMGetOperand(call, operand);
    struct search s = {k, ir_before(call)};
    struct address a = {0};
    LLVMTypeRef i8 = LLVMInt8TypeInContext(k->llvm);
    if (may_be_better(p, call) && find(&s, p, &a) && a.offsets) {
        LLVMValueRef base = a.bytes ? LLVMBuildGEP2(s.b, i8, a.base, &a.bytes, 1, "base") : a.base;
        LLVMSetOperand(call, operand, LLVMBuildGEP2(s.b, i8, base, &a.offsets, 1, "lanes"));
    }
    LLVMDisposeBuilder(s.b);
}

void scalar_base_pass(struct kernel *k) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsACallInst(i) && ir_is_intrinsic(i, "llvm.masked.gather.")) {
                rebase(k, i, 0);
            } else if (LLVMIsACallInst(i) && ir_is_intrinsic(i, "llvm.masked.scatter.")) {
                rebase(k, i, 1);
            }
        }
    }
}
