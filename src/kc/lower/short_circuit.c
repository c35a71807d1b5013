/* short_circuit.c: branches of a checked kernel that matter only if one behind them agrees: those of `a && b` and `a || b`.
 *
 * Needs a conditional branch, and whatever tells a value's origin (definedness.c). Gives an i1 before the branch: whether the
 * program comes to the same place with the same values, whichever way it goes. `a` may be undefined where `b` is false:
 *
 *     br %a, %rest, %end                      %b.1 = icmp uge i32 %lane, %d
 *  rest:                                      settled = !%b.1, if that is defined
 *     %b = icmp uge i32 %lane, %d
 *     br %b, %then, %end
 *
 * For that the condition behind is computed before the branch, too, if it reads no memory and does no harm. */
#include "instrument.h"

enum { MOST_CONDITIONS = 4, MOST_INSTRUCTIONS = 24 };

struct circuit {
    struct instrumenting *in;
    LLVMBasicBlockRef from, end; /* where the branch is, and where one of its ways leads */
    struct ptrmap copies;        /* instruction behind the branch -> its copy before it */
    origin_of_copy *origin;
    void *user;
};

/* Whether it may be computed where the program wouldn't. */
static bool is_harmless(struct instrumenting *in, LLVMValueRef i) {
    static const char *const places[] = {"__weir_local_", "__weir_global_id_", "__weir_group_id_",
                                         "__weir_launch", "__weir_worker",     "__weir_sub_width"};
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return kernel_is_invariant(i);
    case LLVMCall:
        for (size_t n = 0; n < sizeof places / sizeof *places; n++) {
            if (ir_is_intrinsic(i, places[n])) {
                return true;
            }
        }
        return subgroup_is_place(i);
    default:
        return (LLVMIsABinaryOperator(i) && !ir_is_division(i)) || LLVMIsACastInst(i) || LLVMIsACmpInst(i) ||
               LLVMIsASelectInst(i) || LLVMIsAGetElementPtrInst(i);
    }
}

static LLVMValueRef at_branch(struct circuit *c, LLVMValueRef v) {
    return (LLVMValueRef)ptrmap_at(&c->copies, v, (uintptr_t)v);
}

static bool copy(struct circuit *c, LLVMBasicBlockRef block) {
    unsigned count = 0;
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != last; i = LLVMGetNextInstruction(i)) {
        if (!is_harmless(c->in, i) || ++count > MOST_INSTRUCTIONS) {
            return false;
        }
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i != last; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef twin = LLVMInstructionClone(i);
        for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(i); n++) {
            LLVMSetOperand(twin, n, at_branch(c, LLVMGetOperand(i, n)));
        }
        ir_drop_flags(twin);
        LLVMInsertIntoBuilder(c->in->b, twin);
        ptrmap_set(&c->copies, i, (uintptr_t)twin);
        c->origin(c->user, twin);
    }
    return true;
}

static LLVMValueRef is_defined(struct circuit *c, LLVMValueRef v) {
    LLVMValueRef origin = c->origin(c->user, v);
    return LLVMBuildICmp(c->in->b, LLVMIntEQ, origin, LLVMConstNull(LLVMTypeOf(origin)), "");
}

/* Whether the end gets the same values from `block` as from the branch; NULL: it can't be told. */
static LLVMValueRef brings_the_same(struct circuit *c, LLVMBasicBlockRef block) {
    LLVMValueRef all = LLVMConstInt(LLVMInt1TypeInContext(c->in->k->llvm), 1, 0);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(c->end); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        LLVMValueRef one = ir_incoming(phi, c->from), other = ir_incoming(phi, block);
        if (!one || !other || LLVMGetTypeKind(LLVMTypeOf(phi)) != LLVMIntegerTypeKind) {
            return NULL;
        }
        other = at_branch(c, other);
        LLVMValueRef same = LLVMBuildICmp(c->in->b, LLVMIntEQ, one, other, "");
        same = LLVMBuildAnd(c->in->b, same, is_defined(c, one), "");
        all = LLVMBuildAnd(c->in->b, all, LLVMBuildAnd(c->in->b, same, is_defined(c, other), ""), "");
    }
    return all;
}

/* Whether the way by `block`, to which `before` alone leads, comes to the end as well; NULL: it can't be told. */
static LLVMValueRef comes_to_end(struct circuit *c, LLVMBasicBlockRef before, LLVMBasicBlockRef block,
                                 unsigned more) {
    unsigned node = (unsigned)ptrmap_at(&c->in->index, block, 0);
    LLVMValueRef last = LLVMGetBasicBlockTerminator(block), rest = NULL;
    bool is_alone = c->in->cfg->npred[node] == 1 && c->in->blocks[c->in->cfg->pred[node][0]] == before;
    if (!more || block == c->end || !is_alone || !LLVMIsABranchInst(last) || !copy(c, block)) {
        return NULL;
    }
    LLVMBasicBlockRef to = LLVMGetSuccessor(last, 0),
                      other = LLVMIsConditional(last) ? LLVMGetSuccessor(last, 1) : to;
    LLVMValueRef same = to == c->end || other == c->end ? brings_the_same(c, block) : NULL;
    if (!same || to == other) {
        return same;
    }
    LLVMValueRef condition = at_branch(c, LLVMGetCondition(last));
    LLVMValueRef goes = to == c->end ? condition : LLVMBuildNot(c->in->b, condition, "");
    goes = LLVMBuildAnd(c->in->b, goes, is_defined(c, condition), "");
    rest = comes_to_end(c, block, to == c->end ? other : to, more - 1);
    return LLVMBuildAnd(c->in->b, same, rest ? LLVMBuildOr(c->in->b, goes, rest, "") : goes, "");
}

LLVMValueRef short_circuit(struct instrumenting *in, LLVMValueRef branch, origin_of_copy *origin,
                           void *user) {
    LLVMValueRef found = NULL;
    for (unsigned way = 0; way < 2 && !found; way++) {
        struct circuit c = {.in = in,
                            .from = LLVMGetInstructionParent(branch),
                            .end = LLVMGetSuccessor(branch, 1 - way),
                            .origin = origin,
                            .user = user};
        found = comes_to_end(&c, c.from, LLVMGetSuccessor(branch, way), MOST_CONDITIONS);
    }
    return found;
}
