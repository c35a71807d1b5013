/* blended_store.c: what lanes that are off write back stays a blend and a plain store.
 *
 * Needs the optimized module, right before code generation. In memory that only this thread uses, a pack's lanes that are
 * off write back what they have read (vector/memory_access.c). LLVM's code generator makes one masked store of that, from
 * which no processor forwards values to the loads that follow, and which with AVX2 takes a Zen 3 three times as long (5.0 ns
 * instead of 1.7). Gives k->run with what was read frozen, which it doesn't look through
 * and which is no instruction:
 *     %old = load <8 x i32>, ptr %p                           %old = load <8 x i32>, ptr %p
 *     %v = select <8 x i1> %on, %new, %old     becomes        %f = freeze <8 x i32> %old
 *     store <8 x i32> %v, ptr %p                              %v = select <8 x i1> %on, %new, %f ... */
#include "post.h"

static bool is_read_from(LLVMValueRef v, LLVMValueRef at) {
    return LLVMIsALoadInst(v) && LLVMGetOperand(v, 0) == at;
}

static void keep_blend(LLVMValueRef store) {
    LLVMValueRef at = LLVMGetOperand(store, 1), value = LLVMGetOperand(store, 0);
    for (unsigned n = 1; LLVMIsASelectInst(value) && n <= 2; n++) {
        LLVMValueRef old = LLVMGetOperand(value, n);
        if (is_read_from(old, at)) {
            LLVMBuilderRef b = ir_before(value);
            LLVMSetOperand(value, n, LLVMBuildFreeze(b, old, ""));
            LLVMDisposeBuilder(b);
        }
    }
}

void blended_store_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAStoreInst(i) &&
                LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMVectorTypeKind) {
                keep_blend(i);
            }
        }
    }
}
