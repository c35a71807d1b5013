/* checks.c: a checked kernel's accesses, a pack at a time.
 *
 * In: calls of __weir_check_access (lower/instrument.c), one for each access of a work-item. Out: calls of the checker's
 * function for packs (struct weir_check.pack), with the lanes that are on, and where a work-item's address and value are
 * numbers, arrays of them. So a check costs a few instructions here, and the decision is compiled once, in the runtime. */
#include "vector.h"
#include <stddef.h>

enum { OPERAND_ADDRESS, OPERAND_SITE, OPERAND_WHAT, OPERAND_BYTES, OPERAND_VALUE, OPERAND_MORE };

bool checks_is(LLVMValueRef i) {
    return ir_is_call_to(i, CHECK_ACCESS);
}

/* Of the work-item, or of lane 0. */
static LLVMValueRef linear_id(struct wg *wg) {
    LLVMValueRef *id = wg->loops.local_id, *size = wg->loops.size;
    LLVMValueRef rows = LLVMBuildAdd(wg->b, LLVMBuildMul(wg->b, id[2], size[1], ""), id[1], "");
    LLVMValueRef linear = LLVMBuildAdd(wg->b, LLVMBuildMul(wg->b, rows, size[0], ""), id[0], "");
    return LLVMBuildTrunc(wg->b, linear, LLVMInt32TypeInContext(wg->k->llvm), "item");
}

static LLVMValueRef lanes_variable(struct wg *wg, unsigned width) {
    LLVMBuilderRef b = ir_at_entry(wg->k->run);
    LLVMTypeRef type = LLVMArrayType2(LLVMInt64TypeInContext(wg->k->llvm), 3 * (uint64_t)width);
    LLVMValueRef variable = LLVMBuildAlloca(b, type, "lanes");
    LLVMSetAlignment(variable, 64);
    LLVMDisposeBuilder(b);
    return variable;
}

static void emit_call(struct wg *wg, LLVMValueRef check, LLVMValueRef lanes, LLVMValueRef mask, uint32_t what,
                      unsigned width) {
    LLVMContextRef c = wg->k->llvm;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, AS_PRIVATE), i64 = LLVMInt64TypeInContext(c),
                i32 = LLVMInt32TypeInContext(c);
    LLVMTypeRef params[] = {pointer, pointer, i64, i32, i32, i32};
    LLVMValueRef state = kernel_field(wg->k, wg->b, RUN_WORKER, WORKER_FIELD(check), pointer, "check");
    LLVMValueRef at = ir_offset(wg->b, state, ir_const64(c, offsetof(struct weir_check, pack)), "");
    LLVMValueRef f = kernel_invariant_load(wg->k, wg->b, pointer, at, "check.pack");
    what |= (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_WHAT));
    uint64_t site = LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_SITE));
    uint32_t code = (uint32_t)site | what << WEIR_CODE_WHAT_SHIFT | (uint32_t)width << WEIR_CODE_WIDTH_SHIFT;
    LLVMValueRef args[] = {LLVMGetParam(wg->k->run, RUN_WORKER), lanes,        mask, ir_const32(c, code),
                           LLVMGetOperand(check, OPERAND_BYTES), linear_id(wg)};
    LLVMBuildCall2(wg->b, LLVMFunctionType(LLVMVoidTypeInContext(c), params, 6, 0), f, args, 6, "");
}

/* How many numbers of the lanes' value the checker looks at. */
static unsigned value_parts(LLVMValueRef check) {
    if ((LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_WHAT)) & 15) != WEIR_SITE_WRITE) {
        return 0;
    }
    return LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_BYTES)) > 8 ? 2 : 1;
}

void checks_alone(struct wg *wg, LLVMValueRef check, LLVMValueRef *args) {
    LLVMValueRef lanes = lanes_variable(wg, 1);
    for (unsigned part = 0; part <= value_parts(check); part++) {
        LLVMBuildStore(wg->b, args[part ? OPERAND_VALUE + part - 1 : OPERAND_ADDRESS],
                       ir_offset(wg->b, lanes, ir_const64(wg->k->llvm, part * sizeof(uint64_t)), ""));
    }
    emit_call(wg, check, lanes, ir_const64(wg->k->llvm, 1), 0, 1);
}

static LLVMValueRef lanes_that_are_on(struct vec *v) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    if (!v->mask) {
        return ir_const64(v->llvm, UINT64_MAX >> (64 - v->width));
    }
    LLVMTypeRef bits = LLVMIntTypeInContext(v->llvm, v->width);
    return LLVMBuildZExtOrBitCast(v->b, LLVMBuildBitCast(v->b, v->mask, bits, ""), i64, "on");
}

void checks_widen(struct vec *v, LLVMValueRef check) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    const struct wide *at = wide_of(v, LLVMGetOperand(check, OPERAND_ADDRESS));
    int64_t bytes = (int64_t)LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_BYTES));
    bool one = at->form == FORM_UNIFORM, row = at->form == FORM_AFFINE && at->stride == bytes;
    LLVMValueRef lanes = lanes_variable(v->wg, v->width);
    LLVMBuildStore(v->b, one || row ? at->value : wide_vector(v, at, i64), lanes);
    for (unsigned part = 1; part <= value_parts(check); part++) {
        LLVMValueRef value = LLVMGetOperand(check, OPERAND_VALUE + part - 1);
        LLVMBuildStore(v->b, wide_vector(v, wide_of(v, value), i64),
                       ir_offset(v->b, lanes, ir_const64(v->llvm, part * v->width * sizeof(uint64_t)), ""));
    }
    emit_call(v->wg, check, lanes, lanes_that_are_on(v),
              one   ? WEIR_CHECK_UNIFORM
              : row ? WEIR_CHECK_ROW
                    : 0,
              v->width);
}
