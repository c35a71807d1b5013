/* large_blocks.c: functions with very large blocks are scheduled once.
 *
 * In: the optimized module. Out: attributes for the code generator. For some processors LLVM orders instructions a
 * second time after register allocation; the time it takes grows with the square of a block's length, up to minutes.
 * Out-of-order processors hardly gain by it: functions with such blocks take the scheduling model of one that goes
 * without. Instruction selection stays this processor's. */
#include "post.h"

void large_blocks_pass(struct kernel *k) {
    enum { LARGE = 2000 }; /* instructions of a block */
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        unsigned longest = 0;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            unsigned n = ir_length(b);
            longest = n > longest ? n : longest;
        }
        if (longest > LARGE) {
            LLVMAddTargetDependentFunctionAttr(f, "tune-cpu", "x86-64");
        }
    }
}
