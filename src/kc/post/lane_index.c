/* lane_index.c: which lane of a vector is taken stays within the vector, whatever it is computed from.
 *
 * Needs the optimized module, right before code generation. The number of the first, or last, lane that is on is a count of
 * zeros in a mask, which LLVM takes for one of a mask that isn't 0 where a test says so, and then computes in front of that
 * test, together with the lane's element: of a mask that is 0, the element is never used. Its code generator reads an
 * element at a computed lane from memory. It keeps the lane within the vector unless it knows that it is, and this it
 * thinks it knows of such a count, whose instruction leaves anything of a mask that is 0. Gives k->run with these numbers
 * frozen, of which it knows nothing:
 *     %l = call i16 @llvm.ctlz.i16(i16 %mask, i1 true)        %l = ...
 *     %e = extractelement <16 x i32> %v, i16 %l     becomes   %f = freeze i16 %l
 *                                                             %e = extractelement <16 x i32> %v, i16 %f */
#include "post.h"

static void freeze_lane(LLVMValueRef i, unsigned operand) {
    LLVMValueRef lane = LLVMGetOperand(i, operand);
    if (!LLVMIsAConstant(lane)) {
        LLVMBuilderRef b = ir_before(i);
        LLVMSetOperand(i, operand, LLVMBuildFreeze(b, lane, "lane"));
        LLVMDisposeBuilder(b);
    }
}

void lane_index_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAExtractElementInst(i)) {
                freeze_lane(i, 1);
            } else if (LLVMIsAInsertElementInst(i)) {
                freeze_lane(i, 2);
            }
        }
    }
}
