/* extents.c: accesses beyond the variables that the compiler knows: in private memory, at program scope, tables of constants.
 *
 * Needs a kernel with everything inlined and scalars in registers. Gives: before each access of a variable at an index that
 * isn't surely inside, a comparison of its offset with the variable's size (lib/cl/check.cl: __weir_check_extent). The
 * offset is summed up from the indices, so no address is taken and private arrays may still be registers or interleaved.
 * Pointers that may lead to one variable alone are followed through PHIs and selects; others are not known here. */
#include "frontend.h"
#include "instrument.h"
#include <string.h>

struct extents {
    struct instrumenting *in;
    LLVMTypeRef i64;
    struct ptrmap offsets; /* PHI or select of pointers -> its offset */
    struct ptrmap numbers; /* variable -> 1 + its place */
};

/* ---- variables ---- */

/* One whose size the compiler knows, and that no table of the runtime tells of. */
static bool is_variable(LLVMValueRef v) {
    return LLVMIsAAllocaInst(v) ||
           (LLVMIsAGlobalVariable(v) && LLVMGetPointerAddressSpace(LLVMTypeOf(v)) != AS_LOCAL);
}

static bool is_gep(LLVMValueRef p) {
    return ir_is_op(p, LLVMGetElementPtr);
}

static bool is_step(LLVMValueRef p) {
    return is_gep(p) || ir_is_op(p, LLVMAddrSpaceCast) || LLVMIsABitCastInst(p);
}

/* Joins what p may lead to into *variable. False: not one variable alone. */
static bool find_variable(LLVMValueRef p, struct ptrmap *seen, LLVMValueRef *variable) {
    while (is_step(p)) {
        p = LLVMGetOperand(p, 0);
    }
    if (is_variable(p)) {
        bool same = !*variable || *variable == p;
        *variable = p;
        return same;
    }
    if (ptrmap_at(seen, p, 0)) {
        return true;
    }
    ptrmap_set(seen, p, 1);
    if (LLVMIsASelectInst(p)) {
        return find_variable(LLVMGetOperand(p, 1), seen, variable) &&
               find_variable(LLVMGetOperand(p, 2), seen, variable);
    }
    for (unsigned i = 0; LLVMIsAPHINode(p) && i < LLVMCountIncoming(p); i++) {
        if (!find_variable(LLVMGetIncomingValue(p, i), seen, variable)) {
            return false;
        }
    }
    return LLVMIsAPHINode(p);
}

static uint64_t size_of(struct extents *x, LLVMValueRef variable) {
    if (LLVMIsAAllocaInst(variable)) {
        uint64_t each = LLVMABISizeOfType(x->in->layout, LLVMGetAllocatedType(variable));
        LLVMValueRef count = LLVMGetOperand(variable, 0);
        return LLVMIsAConstantInt(count) ? each * LLVMConstIntGetZExtValue(count) : UINT64_MAX;
    }
    return LLVMABISizeOfType(x->in->layout, LLVMGlobalGetValueType(variable));
}

/* For reports: 1 + the place of the variable. */
static uint32_t number_of(struct extents *x, LLVMValueRef variable) {
    struct kernel *k = x->in->k;
    uintptr_t known;
    if (ptrmap_get(&x->numbers, variable, &known)) {
        return (uint32_t)known;
    }
    struct kernel_place *p = job_alloc(sizeof *p);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(variable));
    p->variable = "";
    p->name = types_text(k->llvm, variable, 0);
    p->type = types_text(k->llvm, variable, 1);
    if (!*p->name && LLVMIsAGlobalVariable(variable)) {
        size_t n;
        p->name = job_strdup(LLVMGetValueName2(variable, &n));
    }
    p->space = LLVMIsAAllocaInst(variable) ? WEIR_PLACE_PRIVATE
               : space == AS_CONSTANT      ? WEIR_PLACE_CONSTANT
                                           : WEIR_PLACE_PROGRAM;
    p->offset = WEIR_PLACE_NOWHERE;
    p->bytes = size_of(x, variable);
    list_add(&k->places, p);
    ptrmap_set(&x->numbers, variable, k->places.n);
    return (uint32_t)k->places.n;
}

/* ---- offsets ---- */

static LLVMValueRef offset_of(struct extents *x, LLVMValueRef p);

static LLVMValueRef add_steps(struct extents *x, LLVMValueRef gep, LLVMValueRef sum) {
    struct gep_step steps[GEP_STEPS];
    unsigned n = ir_gep_steps(x->in->layout, gep, steps);
    for (unsigned s = 0; s < n; s++) {
        LLVMValueRef by = ir_const64(x->in->k->llvm, steps[s].bytes);
        if (steps[s].index) {
            LLVMValueRef index = LLVMBuildIntCast2(x->in->b, steps[s].index, x->i64, 1, "");
            by = LLVMBuildMul(x->in->b, index, by, "");
        }
        sum = LLVMBuildAdd(x->in->b, sum, by, "");
    }
    return sum;
}

static LLVMValueRef offset_of_phi(struct extents *x, LLVMValueRef phi) {
    LLVMBuilderRef outer = x->in->b;
    x->in->b = LLVMCreateBuilderInContext(x->in->k->llvm);
    LLVMPositionBuilderBefore(x->in->b, phi);
    LLVMValueRef offset = LLVMBuildPhi(x->in->b, x->i64, "offset");
    ptrmap_set(&x->offsets, phi, (uintptr_t)offset);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMPositionBuilderBefore(x->in->b, LLVMGetBasicBlockTerminator(from));
        LLVMValueRef one = offset_of(x, LLVMGetIncomingValue(phi, i));
        LLVMAddIncoming(offset, &one, &from, 1);
    }
    LLVMDisposeBuilder(x->in->b);
    x->in->b = outer;
    return offset;
}

/* In bytes from the variable that p leads to, at the builder's place, which p dominates. */
static LLVMValueRef offset_of(struct extents *x, LLVMValueRef p) {
    uintptr_t known;
    if (is_variable(p)) {
        return ir_const64(x->in->k->llvm, 0);
    }
    if (is_gep(p)) {
        return add_steps(x, p, offset_of(x, LLVMGetOperand(p, 0)));
    }
    if (is_step(p)) {
        return offset_of(x, LLVMGetOperand(p, 0));
    }
    if (ptrmap_get(&x->offsets, p, &known)) {
        return (LLVMValueRef)known;
    }
    if (LLVMIsAPHINode(p)) {
        return offset_of_phi(x, p);
    }
    return LLVMBuildSelect(x->in->b, LLVMGetOperand(p, 0), offset_of(x, LLVMGetOperand(p, 1)),
                           offset_of(x, LLVMGetOperand(p, 2)), "");
}

/* ---- accesses ---- */

static bool is_inside(LLVMValueRef offset, LLVMValueRef bytes, uint64_t size) {
    if (!LLVMIsAConstantInt(offset) || !LLVMIsAConstantInt(bytes)) {
        return false;
    }
    uint64_t at = LLVMConstIntGetZExtValue(offset), n = LLVMConstIntGetZExtValue(bytes);
    return at <= size && size - at >= n;
}

static void check(struct extents *x, LLVMValueRef i, LLVMValueRef p, LLVMValueRef bytes, uint32_t what) {
    struct ptrmap seen = {0};
    LLVMValueRef variable = NULL;
    if (!find_variable(p, &seen, &variable) || !variable || size_of(x, variable) == UINT64_MAX ||
        (LLVMIsAGlobalVariable(variable) && instrument_is_library(x->in->k, i))) {
        return; /* the library's tables are its own */
    }
    instrument_before(x->in, i);
    LLVMValueRef offset = offset_of(x, p);
    if (is_inside(offset, bytes, size_of(x, variable))) {
        return;
    }
    uint32_t fixed = LLVMIsAConstantInt(bytes) ? (uint32_t)LLVMConstIntGetZExtValue(bytes) : 0;
    uint32_t object = number_of(x, variable) | WEIR_SITE_PLACE;
    LLVMValueRef args[] = {offset, ir_const64(x->in->k->llvm, size_of(x, variable)),
                           LLVMBuildZExtOrBitCast(x->in->b, bytes, x->i64, ""),
                           instrument_site(x->in, i, what, fixed, object)};
    instrument_call(x->in, "__weir_check_extent", args, 4);
}

static void check_instruction(struct extents *x, LLVMValueRef i) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        check(x, i, LLVMGetOperand(i, 0),
              ir_const64(x->in->k->llvm, LLVMStoreSizeOfType(x->in->layout, LLVMTypeOf(i))), WEIR_SITE_READ);
        break;
    case LLVMStore:
        check(
            x, i, LLVMGetOperand(i, 1),
            ir_const64(x->in->k->llvm, LLVMStoreSizeOfType(x->in->layout, LLVMTypeOf(LLVMGetOperand(i, 0)))),
            WEIR_SITE_WRITE);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        check(
            x, i, LLVMGetOperand(i, 0),
            ir_const64(x->in->k->llvm, LLVMStoreSizeOfType(x->in->layout, LLVMTypeOf(LLVMGetOperand(i, 1)))),
            WEIR_SITE_ATOMIC);
        break;
    case LLVMCall:
        if (ir_is_intrinsic(i, "llvm.mem")) {
            check(x, i, LLVMGetOperand(i, 0), LLVMGetOperand(i, 2), WEIR_SITE_WRITE);
        }
        if (ir_is_intrinsic(i, "llvm.memcpy.") || ir_is_intrinsic(i, "llvm.memmove.")) {
            check(x, i, LLVMGetOperand(i, 1), LLVMGetOperand(i, 2), WEIR_SITE_READ);
        }
        break;
    default:
        break;
    }
}

void extents_insert(struct instrumenting *in, const struct list *instructions) {
    struct extents x = {.in = in, .i64 = LLVMInt64TypeInContext(in->k->llvm)};
    for (size_t n = 0; n < instructions->n; n++) {
        check_instruction(&x, instructions->at[n]);
    }
}
