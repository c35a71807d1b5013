/* devolatilize.c: volatile integers in private memory are ordinary ones.
 *
 * In: k->run with all inlined. Out: the same; accesses of integers and pointers to variables whose addresses don't
 * escape aren't volatile. Only the work-item itself sees them, so nothing can tell. Programs keep indices in such
 * variables against optimizers of their time, and so hide from packs where elements lie. Numbers in floating point stay
 * volatile: programs keep what they split in two from being joined again by -cl-fast-relaxed-math. */
#include "lower.h"

static void quieten(LLVMValueRef address) {
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool is_store = LLVMIsAStoreInst(user);
        if (!is_store && !LLVMIsALoadInst(user)) {
            quieten(user);
            continue;
        }
        LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(is_store ? LLVMGetOperand(user, 0) : user));
        if (kind == LLVMIntegerTypeKind || kind == LLVMPointerTypeKind) {
            LLVMSetVolatile(user, 0);
        }
    }
}

void devolatilize_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && k->optimize;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAAllocaInst(i) && !private_escapes(i)) {
                quieten(i);
            }
        }
    }
}
