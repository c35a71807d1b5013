/* expand_copies.c: private arrays filled and copied element by element.
 *
 * In: k->run, simplified: what LLVM could turn into values isn't memory any more. Out: no memset or memcpy of a known
 * short length to or from a private array of numbers, such as an initializer's: loads and stores of its elements
 * instead. For a pack these are vector accesses, and the array may be interleaved (slots.c). */
#include "lower.h"

enum { MOST_ELEMENTS = 64 };

/* The number that an array consists of, or NULL: it isn't one, or an element may hold padding. */
static LLVMTypeRef element_of(LLVMValueRef pointer) {
    LLVMValueRef base = private_base(pointer);
    LLVMTypeRef type = base ? LLVMGetAllocatedType(base) : NULL;
    while (type && LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        type = LLVMGetElementType(type);
    }
    bool is_number = type && private_is_element(type) && LLVMGetTypeKind(type) != LLVMPointerTypeKind;
    return is_number ? type : NULL;
}

static LLVMValueRef element_at(LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef pointer, uint64_t i) {
    LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(LLVMGetTypeContext(type)), i, 0);
    return LLVMBuildInBoundsGEP2(b, type, pointer, &index, 1, "");
}

/* A number all of whose bytes are `byte`. */
static LLVMValueRef repeated(LLVMTypeRef type, unsigned bits, uint64_t byte) {
    uint64_t number = byte * UINT64_C(0x0101010101010101);
    LLVMValueRef whole = LLVMConstInt(LLVMIntTypeInContext(LLVMGetTypeContext(type), bits), number, 0);
    return LLVMConstBitCast(whole, type);
}

static void expand(struct kernel *k, LLVMValueRef call) {
    bool copies = ir_is_intrinsic(call, "llvm.memcpy."), fills = ir_is_intrinsic(call, "llvm.memset.");
    if (!copies && !fills) {
        return;
    }
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1),
                 length = LLVMGetOperand(call, 2);
    LLVMTypeRef type = element_of(to) || !copies ? element_of(to) : element_of(from);
    bool is_volatile = !LLVMIsNull(LLVMGetOperand(call, 3));
    if (!type || is_volatile || !LLVMIsAConstantInt(length) || (fills && !LLVMIsAConstantInt(from))) {
        return;
    }
    unsigned bits = (unsigned)LLVMSizeOfTypeInBits(LLVMGetModuleDataLayout(k->module), type);
    uint64_t bytes = LLVMConstIntGetZExtValue(length), n = bytes / (bits / 8);
    if (bytes % (bits / 8) || n > MOST_ELEMENTS) {
        return;
    }
    LLVMBuilderRef b = ir_before(call);
    for (uint64_t i = 0; i < n; i++) {
        LLVMValueRef value;
        if (fills) {
            value = repeated(type, bits, LLVMConstIntGetZExtValue(from));
        } else {
            value = LLVMBuildLoad2(b, type, element_at(b, type, from, i), "");
            LLVMSetAlignment(value, 1);
        }
        LLVMSetAlignment(LLVMBuildStore(b, value, element_at(b, type, to, i)), 1);
    }
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(call);
}

void expand_copies_pass(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (LLVMIsACallInst(i)) {
                expand(k, i);
            }
        }
    }
}
