/* limits.c: what stays at 0 or at the greatest number is a limit and a sum.
 *
 * In: k->run, simplified. Out: the same; LLVM makes a saturating difference of `x == 0 ? 0 : x - 1`, of which packs know nothing. Of
 * the least or the greatest of a number and a limit they know where it goes on evenly (vector/contiguity.c):
 *     %y = usub.sat i32 %x, 1                         %m = umax i32 %x, 1
 *                                         becomes     %y = sub i32 %m, 1
 *     %y = uadd.sat i32 %x, 1                         %m = umin i32 %x, -2
 *                                                     %y = add i32 %m, 1
 * What it can't do: signed ones, which nothing but a call asks for. */
#include "lower.h"

static LLVMValueRef limited(LLVMValueRef i, bool adds) {
    LLVMValueRef x = LLVMGetOperand(i, 0), by = LLVMGetOperand(i, 1);
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMBuilderRef b = ir_before(i);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(i));
    LLVMValueRef args[] = {x, adds ? LLVMBuildNot(b, by, "") : by};
    LLVMValueRef limit = ir_intrinsic(b, adds ? "llvm.umin" : "llvm.umax", &type, 1, args, 2);
    LLVMValueRef result = adds ? LLVMBuildNUWAdd(b, limit, by, "") : LLVMBuildNUWSub(b, limit, by, "");
    LLVMDisposeBuilder(b);
    return result;
}

void limits_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            bool adds = ir_is_intrinsic(i, "llvm.uadd.sat.");
            if ((adds || ir_is_intrinsic(i, "llvm.usub.sat.")) &&
                LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMIntegerTypeKind) {
                LLVMReplaceAllUsesWith(i, limited(i, adds));
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
}
