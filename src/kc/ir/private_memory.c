/* private_memory.c: facts about the variables in private memory, which are allocas.
 *
 * In: addresses and variables of k->run. Out: which variable an address surely points into, whether somebody else may learn
 * it, what it takes. */
#include "ir.h"

LLVMValueRef private_base(LLVMValueRef p) {
    p = ir_strip_offsets(p);
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

uint64_t private_align(LLVMTargetDataRef layout, LLVMValueRef var) {
    uint64_t natural = LLVMABIAlignmentOfType(layout, LLVMGetAllocatedType(var)),
             given = LLVMGetAlignment(var);
    return given > natural ? given : natural;
}

uint64_t private_size(LLVMTargetDataRef layout, LLVMValueRef var) {
    const uint64_t too_many = UINT64_C(1) << 48; /* whatever there are more */
    uint64_t bytes = LLVMABISizeOfType(layout, LLVMGetAllocatedType(var)), align = private_align(layout, var);
    if (bytes > too_many) {
        return too_many;
    }
    bytes = bytes ? ir_align_up(bytes, align) : align;
    LLVMValueRef count = LLVMGetOperand(var, 0);
    if (LLVMIsAConstantInt(count) && __builtin_mul_overflow(bytes, LLVMConstIntGetZExtValue(count), &bytes)) {
        return too_many;
    }
    return bytes < too_many ? bytes : too_many;
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
