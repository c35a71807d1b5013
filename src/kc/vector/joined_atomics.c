/* joined_atomics.c: an atomic that all lanes of a pack do at one place, as one.
 *
 * In: an atomicrmw of integers whose address the pack shares, and whose operands can be joined in any grouping. Out: one
 * atomic with what the lanes that are on give together, of the same order and scope; a lane's result is what was there
 * and what the lanes before it gave. This is as if the pack's work-items came one right after the other: one of the orders
 * in which other threads may see them, whatever they ask for. An atomic costs a thread some 20 cycles and takes the cache
 * line from the others, and a counter or a flag of a whole launch is the most common of all. Sums of floats are left out:
 * their order shows. */
#include "report.h"
#include "vector.h"

/* The operation as subgroup_ops.c names it, or NULL. A difference takes the sum away. */
static const char *operation_of(LLVMAtomicRMWBinOp op) {
    switch (op) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
        return "add";
    case LLVMAtomicRMWBinOpAnd:
        return "and";
    case LLVMAtomicRMWBinOpOr:
        return "or";
    case LLVMAtomicRMWBinOpXor:
        return "xor";
    case LLVMAtomicRMWBinOpMax:
        return "smax";
    case LLVMAtomicRMWBinOpMin:
        return "smin";
    case LLVMAtomicRMWBinOpUMax:
        return "umax";
    case LLVMAtomicRMWBinOpUMin:
        return "umin";
    default:
        return NULL;
    }
}

/* What the lanes that are on give together where all give the same. */
static LLVMValueRef total_of_equal(struct vec *v, LLVMAtomicRMWBinOp op, LLVMValueRef value) {
    LLVMTypeRef type = LLVMTypeOf(value);
    if (op != LLVMAtomicRMWBinOpAdd && op != LLVMAtomicRMWBinOpSub && op != LLVMAtomicRMWBinOpXor) {
        return value;
    }
    LLVMValueRef count = LLVMConstInt(type, v->width, 0);
    if (v->mask) {
        LLVMValueRef bits = vec_bits(v, v->mask);
        LLVMTypeRef number = LLVMTypeOf(bits);
        LLVMValueRef ones = vec_intrinsic(v, "llvm.ctpop", &number, 1, &bits, 1);
        count = LLVMBuildIntCast2(v->b, ones, type, 0, "");
    }
    if (op == LLVMAtomicRMWBinOpXor) {
        count = LLVMBuildAnd(v->b, count, LLVMConstInt(type, 1, 0), "");
    }
    return LLVMBuildMul(v->b, value, count, "");
}

/* All lanes' atomics at one address. */
static void join(struct vec *v, LLVMValueRef rmw, const char *operation, LLVMValueRef at) {
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(rmw);
    LLVMTypeRef type = LLVMTypeOf(rmw);
    const struct wide *given = wide_of(v, LLVMGetOperand(rmw, 1));
    LLVMValueRef each = wide_vector(v, given, type);
    LLVMValueRef total = given->form == FORM_UNIFORM ? total_of_equal(v, op, given->value)
                                                     : subgroup_total(v, operation, each);
    LLVMValueRef one = LLVMInstructionClone(rmw);
    LLVMSetOperand(one, 0, at);
    LLVMSetOperand(one, 1, total);
    LLVMInsertIntoBuilderWithName(v->b, one, "");
    if (LLVMGetFirstUse(rmw)) {
        each = op == LLVMAtomicRMWBinOpSub ? LLVMBuildNeg(v->b, each, "") : each;
        LLVMValueRef before = subgroup_after_lanes_before(v, operation, each, one);
        wide_set(v, rmw, wide_new(FORM_VECTOR, before, 0));
    }
}

/* i1: the lanes that are on have one address, that of lane `first`. */
static LLVMValueRef is_one_place(struct vec *v, LLVMValueRef address, LLVMValueRef first) {
    LLVMValueRef part = address;
    for (LLVMValueRef from = address; from; from = lane_loop_source(v, from)) {
        part = wide_of(v, from)->form == FORM_VECTOR ? from : part;
    }
    part = wide_of(v, part)->value;
    LLVMValueRef same = wide_splat(v, LLVMBuildExtractElement(v->b, part, first, ""));
    LLVMValueRef differ = LLVMBuildICmp(v->b, LLVMIntNE, part, same, "");
    return LLVMBuildNot(v->b, vec_any(v, vec_and(v, v->mask, vec_defined(v, differ))), "one.place");
}

bool joined_atomic_widen(struct vec *v, LLVMValueRef rmw) {
    const char *operation = LLVMIsAAtomicRMWInst(rmw) ? operation_of(LLVMGetAtomicRMWBinOp(rmw)) : NULL;
    LLVMValueRef address = LLVMGetOperand(rmw, 0);
    const struct wide *at = wide_of(v, address);
    if (!operation || !private_is_element(LLVMTypeOf(rmw))) {
        return false;
    }
    if (at->form == FORM_UNIFORM) {
        report_joined(v->k, rmw);
        join(v, rmw, operation, at->value);
        return true;
    }
    bool is_counter = LLVMIsAtomicSingleThread(rmw); /* counters.c: each lane has one of its own */
    if (at->form != FORM_VECTOR || LLVMGetFirstUse(rmw) || is_counter) {
        return false;
    }
    LLVMValueRef first = vec_first(v, v->mask);
    LLVMBasicBlockRef joined = ir_block(v->k->run, "joined"), apart = ir_block(v->k->run, "apart"),
                      next = ir_block(v->k->run, "joined.next");
    LLVMBuildCondBr(v->b, is_one_place(v, address, first), joined, apart);
    LLVMPositionBuilderAtEnd(v->b, joined);
    join(v, rmw, operation, LLVMBuildExtractElement(v->b, at->value, first, ""));
    LLVMBuildBr(v->b, next);
    LLVMPositionBuilderAtEnd(v->b, apart);
    widen_by_lane(v, rmw, true);
    LLVMBuildBr(v->b, next);
    LLVMPositionBuilderAtEnd(v->b, next);
    return true;
}
