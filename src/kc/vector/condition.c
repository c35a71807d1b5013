/* condition.c: what a pack shares of a condition, apart from what differs between its lanes.
 *
 * In: the condition of a branch in a block that all lanes run. Out: struct condition. In `if (row > k && column > k)`, where
 * a pack lies in one row, a branch on the first part skips packs, and LLVM can split and unroll the loop over rows; what
 * compares with bounds say of all lanes (widen.c) holds for the second part then. */
#include "vector.h"

static LLVMValueRef joined(struct vec *v, LLVMValueRef x, LLVMValueRef y) {
    return x && y ? LLVMBuildAnd(v->b, x, y, "") : x ? x : y;
}

static LLVMValueRef unless(struct vec *v, LLVMValueRef x, bool holds) {
    return x && !holds ? LLVMBuildNot(v->b, x, "") : x;
}

/* The operands of which both have to hold; false: it isn't joined like that. A select doesn't look at the second one if the
 * first one decides. */
static bool split(LLVMValueRef i, bool holds, LLVMValueRef operand[2]) {
    if (!LLVMIsAInstruction(i)) {
        return false;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool is_select = op == LLVMSelect;
    operand[0] = LLVMGetNumOperands(i) > 1 ? LLVMGetOperand(i, 0) : NULL;
    operand[1] = LLVMGetNumOperands(i) > 1 ? LLVMGetOperand(i, is_select && !holds ? 2 : 1) : NULL;
    LLVMValueRef decided = is_select ? LLVMGetOperand(i, holds ? 2 : 1) : NULL;
    return op == (holds ? LLVMAnd : LLVMOr) ||
           (decided && LLVMIsAConstantInt(decided) && LLVMIsNull(decided) == holds);
}

/* What is known of several parts. */
struct parts {
    unsigned n, ranges; /* that differ between lanes, and of these compares with what all share */
    struct range range;
};

static void add(struct vec *v, LLVMValueRef i, bool holds, bool may_be_poison, struct condition *c,
                struct parts *parts) {
    LLVMValueRef operand[2];
    if (split(i, holds, operand)) {
        add(v, operand[0], holds, may_be_poison, c, parts);
        add(v, operand[1], holds, may_be_poison || LLVMIsASelectInst(i), c, parts);
        return;
    }
    const struct wide *w = wide_of(v, i);
    if (w->form == FORM_UNIFORM) {
        LLVMValueRef value = may_be_poison ? LLVMBuildFreeze(v->b, w->value, "") : w->value;
        c->shared = joined(v, c->shared, unless(v, value, holds));
        return;
    }
    LLVMValueRef lanes = wide_vector(v, w, LLVMTypeOf(i));
    lanes = v->base || may_be_poison ? LLVMBuildFreeze(v->b, lanes, "") : lanes;
    bool first = !c->lanes;
    LLVMValueRef all = unless(v, holds ? w->all : w->any, holds);
    all = all && may_be_poison ? LLVMBuildFreeze(v->b, all, "all") : all;
    c->any = first ? unless(v, holds ? w->any : w->all, holds) : NULL;
    c->all = first ? all : c->all && all ? joined(v, c->all, all) : NULL;
    c->lanes = joined(v, c->lanes, unless(v, lanes, holds));
    parts->n++;
    parts->ranges += compare_narrows(v, i, holds, may_be_poison, &parts->range);
}

void condition_find(struct vec *v, LLVMValueRef condition, bool holds, struct condition *c) {
    struct parts parts = {0};
    *c = (struct condition){0};
    add(v, condition, holds, false, c, &parts);
    if (parts.ranges > 1) {
        LLVMValueRef all;
        compare_ranges(v, &parts.range, &all, &c->maybe);
        c->all = parts.ranges == parts.n ? all : c->all;
    }
}
