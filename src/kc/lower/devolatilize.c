/* devolatilize.c: volatile integers in private memory are ordinary ones.
 *
 * In: k->run with all inlined. Out: the same; accesses of integers and pointers that name a private variable, and copies
 * between such variables, aren't volatile. Only the work-item itself may access them, whoever learns their address, so
 * nothing can tell. Some programs declare private indices volatile to defeat old optimizers, and thereby hide strides from
 * packs. Floating-point variables stay volatile: programs keep compensated (split) sums from being simplified by
 * -cl-fast-relaxed-math with them. */
#include "lower.h"

/* Or a pointer, or an OpenCL vector of them. */
static bool is_integer(LLVMTypeRef type) {
    type = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind || LLVMGetTypeKind(type) == LLVMPointerTypeKind;
}

/* A copy between private variables, or from constant memory to one, as of a structure with volatile members. */
static void quieten_copy(LLVMValueRef call) {
    LLVMValueRef from = LLVMGetOperand(call, 1);
    bool is_fill = ir_is_intrinsic(call, "llvm.memset.");
    bool is_private =
        private_base(LLVMGetOperand(call, 0)) &&
        (is_fill || private_base(from) || LLVMGetPointerAddressSpace(LLVMTypeOf(from)) == AS_CONSTANT);
    if (is_private) {
        LLVMValueRef is_volatile = LLVMGetOperand(call, 3);
        LLVMSetOperand(call, 3, LLVMConstNull(LLVMTypeOf(is_volatile)));
    }
}

static void quieten(LLVMValueRef address) {
    for (LLVMUseRef u = LLVMGetFirstUse(address); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAGetElementPtrInst(user) || LLVMIsAAddrSpaceCastInst(user)) {
            quieten(user);
        } else if (ir_is_intrinsic(user, "llvm.mem")) {
            quieten_copy(user);
        }
        bool is_store = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address;
        if (!is_store && !LLVMIsALoadInst(user)) {
            continue;
        }
        if (is_integer(LLVMTypeOf(is_store ? LLVMGetOperand(user, 0) : user))) {
            LLVMSetVolatile(user, 0);
        }
    }
}

void devolatilize_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && k->optimize;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsAAllocaInst(i)) {
                quieten(i);
            }
        }
    }
}
