/* library_calls.c: what the built-in library tells the checker of: asynchronous copies (OpenCL C, 6.15.11), coordinates of
 * texels.
 *
 * In: calls of __weir_async_to_local, __weir_async_to_global, __weir_async_wait and __weir_image_at, which the library's
 * functions begin with. Out: in a checked kernel calls of lib/cl/check.cl; in others nothing, and a copy's event is the one
 * that was passed. */
#include "instrument.h"
#include "lower.h"

enum { COPY_OPERANDS = 10, OPERAND_TO = 0, OPERAND_FROM = 1, OPERAND_EVENT = 9 };

bool library_calls_copies(LLVMValueRef i) {
    return ir_is_call_to(i, "__weir_async_to_local") || ir_is_call_to(i, "__weir_async_to_global");
}

static bool is_wait(LLVMValueRef i) {
    return ir_is_call_to(i, "__weir_async_wait");
}

static bool is_texel(LLVMValueRef i) {
    return ir_is_call_to(i, "__weir_image_at");
}

void library_calls_drop(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(b); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (library_calls_copies(i)) {
                LLVMReplaceAllUsesWith(i, LLVMGetOperand(i, OPERAND_EVENT));
            }
            if (library_calls_copies(i) || is_wait(i) || is_texel(i)) {
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
}

/* Operands: the image, x, y, z, level, what it is. */
static void check_texel(struct instrumenting *in, LLVMValueRef i) {
    enum { OPERANDS = 6 };
    LLVMValueRef args[OPERANDS + 1];
    instrument_before(in, i);
    for (unsigned n = 0; n < OPERANDS; n++) {
        args[n] = LLVMGetOperand(i, n);
    }
    args[OPERANDS] = instrument_site(in, i, WEIR_SITE_TEXEL, 0, instrument_image(in, args[0]));
    instrument_call(in, "__weir_check_texel", args, OPERANDS + 1);
    LLVMInstructionEraseFromParent(i);
}

bool library_calls_check(struct instrumenting *in, LLVMValueRef i) {
    if (is_wait(i)) {
        LLVMValueRef args[] = {LLVMGetOperand(i, 0), instrument_site(in, i, WEIR_SITE_WAIT, 0, 0)};
        instrument_before(in, i);
        instrument_call(in, "__weir_check_async_wait", args, 2);
        LLVMInstructionEraseFromParent(i);
        return true;
    }
    if (is_texel(i)) {
        check_texel(in, i);
        return true;
    }
    if (!library_calls_copies(i)) {
        return false;
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(in->k->llvm);
    LLVMValueRef args[COPY_OPERANDS + 2], to = LLVMGetOperand(i, OPERAND_TO),
                                          from = LLVMGetOperand(i, OPERAND_FROM);
    instrument_before(in, i);
    for (unsigned n = 0; n < COPY_OPERANDS; n++) {
        args[n] = LLVMGetOperand(i, n);
    }
    args[OPERAND_TO] = LLVMBuildPtrToInt(in->b, to, i64, "");
    args[OPERAND_FROM] = LLVMBuildPtrToInt(in->b, from, i64, "");
    args[COPY_OPERANDS] = instrument_access_site(in, i, WEIR_SITE_WRITE, 0, to);
    args[COPY_OPERANDS + 1] = instrument_access_site(in, i, WEIR_SITE_READ, 0, from);
    LLVMReplaceAllUsesWith(i, instrument_value(in, "__weir_check_async", i64, args, COPY_OPERANDS + 2));
    LLVMInstructionEraseFromParent(i);
    return true;
}
