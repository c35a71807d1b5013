/* masked_operands.c: what is read under a mask stays so where its lanes change places.
 *
 * Needs the optimized module, right before code generation. An operand of an instruction under a mask may be in memory. LLVM 22
 * takes a vector there that is read under the same mask, zero where lanes are off, and reads all of it then: right
 * for instructions that work lane by lane; but a shuffle, or a reduction that is made of shuffles, takes what lanes that are
 * off would have had, and reads memory that the mask kept it from. Gives k->run with such vectors behind a fence, which
 * takes no instruction, where they go to anything that isn't lane by lane:
 *     %x = select <8 x i1> %on, <8 x i32> <0, 0, 0, 0, 0, 0, 1, 0>, <8 x i32> zeroinitializer
 *     %s = call i32 @llvm.vector.reduce.add(<8 x i32> %x)
 * becomes the same of @llvm.arithmetic.fence(%x). */
#include "post.h"
#include "target.h"

static bool is_nothing(LLVMValueRef v) {
    return LLVMIsNull(v) || LLVMIsUndef(v);
}

/* Whether the code generator may find it in memory. */
static bool is_in_memory(LLVMValueRef v) {
    while (LLVMIsABitCastInst(v) || LLVMIsAFreezeInst(v)) {
        v = LLVMGetOperand(v, 0);
    }
    return LLVMIsALoadInst(v) || LLVMIsAConstant(v);
}

static bool is_read_under_a_mask(LLVMValueRef i) {
    if (LLVMIsACallInst(i)) {
        return ir_is_intrinsic(i, "llvm.masked.load.") && is_nothing(LLVMGetOperand(i, 2));
    }
    if (!LLVMIsASelectInst(i) || LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) != LLVMVectorTypeKind) {
        return false;
    }
    LLVMValueRef on = LLVMGetOperand(i, 1), off = LLVMGetOperand(i, 2);
    return (is_nothing(off) && is_in_memory(on)) || (is_nothing(on) && is_in_memory(off));
}

static bool is_lane_by_lane(LLVMValueRef user) {
    if (LLVMIsACallInst(user)) {
        return !ir_is_intrinsic(user, "llvm.vector.") && !ir_is_intrinsic(user, "llvm.x86.");
    }
    return !LLVMIsAShuffleVectorInst(user) && !LLVMIsABitCastInst(user) && !LLVMIsAFreezeInst(user);
}

/* The same value, of which the code generator knows nothing. */
static LLVMValueRef fenced(struct kernel *k, LLVMBuilderRef b, LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v), element = LLVMGetElementType(type);
    uint64_t bits = LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(k->module), element);
    unsigned lanes = LLVMGetVectorSize(type);
    bool is_pointer = LLVMGetTypeKind(element) == LLVMPointerTypeKind, is_wide = bits == 64;
    if (bits < 8 || lanes * bits % 32) {
        return v; /* less than what the fence is for */
    }
    LLVMTypeRef numbers = LLVMVectorType(LLVMIntTypeInContext(k->llvm, (unsigned)bits), lanes),
                floats = LLVMVectorType(is_wide ? LLVMDoubleTypeInContext(k->llvm)
                                                : LLVMFloatTypeInContext(k->llvm),
                                        (unsigned)(lanes * bits / (is_wide ? 64 : 32)));
    LLVMValueRef x = is_pointer ? LLVMBuildPtrToInt(b, v, numbers, "") : v;
    x = LLVMBuildBitCast(b, x, floats, "");
    x = ir_intrinsic(b, "llvm.arithmetic.fence", &floats, 1, &x, 1);
    return is_pointer ? LLVMBuildIntToPtr(b, LLVMBuildBitCast(b, x, numbers, ""), type, "")
                      : LLVMBuildBitCast(b, x, type, "");
}

/* Where it goes to anything that isn't lane by lane, the fenced value does. */
static void fence_uses(struct kernel *k, LLVMValueRef v) {
    struct list users = {0};
    for (LLVMUseRef use = LLVMGetFirstUse(v); use; use = LLVMGetNextUse(use)) {
        if (!is_lane_by_lane(LLVMGetUser(use))) {
            list_add(&users, LLVMGetUser(use));
        }
    }
    if (!users.n) {
        return;
    }
    LLVMBuilderRef b = ir_before(LLVMGetNextInstruction(v));
    LLVMValueRef kept = fenced(k, b, v);
    LLVMDisposeBuilder(b);
    for (size_t u = 0; u < users.n; u++) {
        for (unsigned o = 0; o < (unsigned)LLVMGetNumOperands(users.at[u]); o++) {
            if (LLVMGetOperand(users.at[u], o) == v) {
                LLVMSetOperand(users.at[u], o, kept);
            }
        }
    }
}

void masked_operands_pass(struct kernel *k) {
    LLVMBasicBlockRef b = k->target->has_mask_registers ? LLVMGetFirstBasicBlock(k->run) : NULL;
    for (; b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (is_read_under_a_mask(i)) {
                fence_uses(k, i);
            }
        }
    }
}
