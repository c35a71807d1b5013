/* private_memory.c: facts about the variables in private memory, which are allocas.
 *
 * In: addresses and variables of k->run. Out: which variable an address surely points into, whether somebody else may learn
 * it, what it takes. */
#include "ir.h"

LLVMValueRef private_base(LLVMValueRef p) {
    while (LLVMIsAGetElementPtrInst(p) || LLVMIsAAddrSpaceCastInst(p)) {
        p = LLVMGetOperand(p, 0);
    }
    return LLVMIsAAllocaInst(p) ? p : NULL;
}

bool private_escapes(LLVMValueRef p) {
    for (LLVMUseRef u = LLVMGetFirstUse(p); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        switch (LLVMGetInstructionOpcode(user)) {
        case LLVMLoad:
            break;
        case LLVMStore:
            if (LLVMGetOperand(user, 0) == p) {
                return true;
            }
            break;
        case LLVMGetElementPtr:
        case LLVMAddrSpaceCast:
            if (private_escapes(user)) {
                return true;
            }
            break;
        case LLVMCall:
            if (!ir_is_intrinsic(user, "llvm.lifetime.") && !ir_is_intrinsic(user, "llvm.mem")) {
                return true;
            }
            break;
        default:
            return true;
        }
    }
    return false;
}

uint64_t private_size(LLVMTargetDataRef layout, LLVMValueRef var) {
    LLVMTypeRef type = LLVMGetAllocatedType(var);
    uint64_t align = LLVMABIAlignmentOfType(layout, type), given = LLVMGetAlignment(var);
    align = given > align ? given : align;
    uint64_t bytes = LLVMABISizeOfType(layout, type);
    bytes = bytes ? (bytes + align - 1) / align * align : align;
    LLVMValueRef count = LLVMGetOperand(var, 0);
    return bytes * (LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 1);
}

bool private_is_element(LLVMTypeRef type) {
    unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind: /* others have gaps between them */
        return bits >= 8 && bits <= 64 && !(bits & (bits - 1));
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return true;
    default:
        return false;
    }
}
