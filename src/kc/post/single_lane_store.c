/* single_lane_store.c: masked stores of exactly one lane become scalar stores.
 *
 * Needs the optimized module, where masks of remainders have become constants. Gives k->run without masked stores whose
 * constant mask has one lane on. LLVM 22 makes those scalar itself, but for AVX-512 it forgets that the stored value
 * was truncated, and writes the wider one: over what follows. */
#include "post.h"

/* The only lane that is on, or UINT32_MAX. */
static unsigned only_lane(LLVMValueRef mask) {
    unsigned only = UINT32_MAX;
    for (unsigned i = 0; LLVMIsConstant(mask) && i < LLVMGetVectorSize(LLVMTypeOf(mask)); i++) {
        LLVMValueRef bit = LLVMGetAggregateElement(mask, i);
        if (!bit || !LLVMIsAConstantInt(bit)) {
            return UINT32_MAX;
        }
        if (LLVMConstIntGetZExtValue(bit)) {
            if (only != UINT32_MAX) {
                return UINT32_MAX;
            }
            only = i;
        }
    }
    return only;
}

static void store_lane(struct kernel *k, LLVMValueRef call, unsigned lane) {
    LLVMValueRef value = LLVMGetOperand(call, 0), at = LLVMGetOperand(call, 1);
    LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(value));
    uint64_t bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(k->module), element) * lane;
    LLVMBuilderRef b = ir_before(call);
    LLVMValueRef one = LLVMBuildExtractElement(b, value, ir_const64(k->llvm, lane), "");
    LLVMSetAlignment(LLVMBuildStore(b, one, bytes ? ir_offset(b, at, ir_const64(k->llvm, bytes), "") : at),
                     1);
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(call);
}

void single_lane_store_pass(struct kernel *k) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            unsigned lane = LLVMIsACallInst(i) && ir_is_intrinsic(i, "llvm.masked.store.")
                                ? only_lane(LLVMGetOperand(i, 2))
                                : UINT32_MAX;
            if (lane != UINT32_MAX) {
                store_lane(k, i, lane);
            }
        }
    }
}
