/* object_indices.c: an index of 32 bits into a variable or a buffer isn't negative, whatever its type.
 *
 * In: k->run, whose objects have marks (apart.c), packs to come. Out: the same; where such an index is extended as an unsigned
 * number for an address within an object, the extension says that it is positive as a signed one (`nneg`). The proof: an object
 * with a mark has less than 2^31 bytes, so an index from there on leads outside, and the address is none (`inbounds`). So
 * `m[p - 4]` with an unsigned p of known offsets is p - 4 for the lanes that are on, where others would wrap around.
 *     %j = add nsw i32 %p, -4                         %j = add nsw i32 %p, -4
 *     %x = zext i32 %j to i64                 becomes %x = zext nneg i32 %j to i64
 * What it can't do: indices of which the extension is also used for something else get one of their own. */
#include "analysis.h"
#include "lower.h"

static bool is_unsigned_index(LLVMValueRef x) {
    return LLVMIsAZExtInst(x) && !LLVMGetNNeg(x) && LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind &&
           LLVMGetIntTypeWidth(LLVMTypeOf(LLVMGetOperand(x, 0))) == 32;
}

static void set_positive(LLVMValueRef address, unsigned operand) {
    LLVMValueRef x = LLVMGetOperand(address, operand);
    if (LLVMGetNextUse(LLVMGetFirstUse(x))) { /* elsewhere it may be any */
        LLVMValueRef own = LLVMInstructionClone(x);
        LLVMBuilderRef b = ir_before(address);
        LLVMInsertIntoBuilderWithName(b, own, "");
        LLVMDisposeBuilder(b);
        LLVMSetOperand(address, operand, own);
        x = own;
    }
    LLVMSetNNeg(x, 1);
}

void object_indices_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && !k->checked;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool is_within = LLVMIsAGetElementPtrInst(i) && LLVMIsInBounds(i) && object_of(i);
            for (int n = 1; is_within && n < LLVMGetNumOperands(i); n++) {
                if (is_unsigned_index(LLVMGetOperand(i, (unsigned)n))) {
                    set_positive(i, (unsigned)n);
                }
            }
        }
    }
}
