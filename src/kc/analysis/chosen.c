/* chosen.c: values of loops that each lane chooses by what it has read from memory.
 *
 * In: k->run, a pack's uniformity. Out: u->chosen, the PHIs of loops whose next value depends on the one before by choices
 * that go by varying loads, as the position of a binary search or in a tree: lanes come to ever other ones. As numbers of
 * elements they are nothing to look for a row in (contiguity.c), like those that lanes have read. A choice by the number
 * itself, as `i + 1 < n ? i + 1 : 0`, seldom is another one for two lanes.
 *     r:  %i = phi i64 [ 0, %entry ], [ %next, %r ]                   %i is chosen
 *         %c = icmp ult i32 %loaded, %key
 *         %next = select i1 %c, i64 %more, i64 %i
 * What it can't do: see that loads are alike. */
#include "analysis.h"

enum { MOST = 64 }; /* values that are looked at for one */

struct search {
    const struct uniform *u;
    LLVMValueRef phi;
    struct ptrmap seen[2]; /* [1]: past a choice */
    unsigned left;         /* values that may still be looked at */
};

/* Whether the value is computed of a varying load. */
static bool is_read(struct search *s, struct ptrmap *seen, LLVMValueRef v) {
    if (!LLVMIsAInstruction(v) || uniform_is(s->u, v) || !s->left || ptrmap_at(seen, v, 0)) {
        return false;
    }
    s->left--;
    ptrmap_set(seen, v, 1);
    bool found = LLVMIsALoadInst(v) != NULL;
    for (int n = 0; !found && n < LLVMGetNumOperands(v); n++) {
        found = is_read(s, seen, LLVMGetOperand(v, (unsigned)n));
    }
    return found;
}

static bool goes_by_memory(struct search *s, LLVMValueRef condition) {
    struct ptrmap seen = {0};
    return is_read(s, &seen, condition);
}

/* Whether lanes come to the PHI by a branch that goes by what they have read. */
static bool joins_by_memory(struct search *s, LLVMValueRef phi) {
    bool found = false;
    for (unsigned i = 0; !found && i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(from));
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        bool has_one = use && !LLVMGetNextUse(use) && LLVMIsABranchInst(LLVMGetUser(use));
        end = LLVMGetNumSuccessors(end) == 1 && has_one ? LLVMGetUser(use) : end;
        found = LLVMIsABranchInst(end) && LLVMIsConditional(end) && goes_by_memory(s, LLVMGetCondition(end));
    }
    return found;
}

/* Whether the value comes from the PHI, by a choice or with one behind it already. */
static bool comes_from(struct search *s, LLVMValueRef v, bool is_choice) {
    if (v == s->phi) {
        return is_choice;
    }
    if (!LLVMIsAInstruction(v) || uniform_is(s->u, v) || !s->left || ptrmap_at(&s->seen[is_choice], v, 0)) {
        return false;
    }
    s->left--;
    ptrmap_set(&s->seen[is_choice], v, 1);
    if (!LLVMIsAPHINode(v) && !ir_is_address_arithmetic(v) && !LLVMIsASelectInst(v)) {
        return false;
    }
    bool is_select = LLVMIsASelectInst(v) != NULL, found = false;
    is_choice |=
        is_select ? goes_by_memory(s, LLVMGetOperand(v, 0)) : LLVMIsAPHINode(v) && joins_by_memory(s, v);
    int n = LLVMGetNumOperands(v) - (LLVMIsACallInst(v) != NULL);
    for (int i = is_select ? 1 : 0; !found && i < n; i++) {
        found = comes_from(s, LLVMGetOperand(v, (unsigned)i), is_choice);
    }
    return found;
}

void chosen_find(struct kernel *k, struct uniform *u) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i)) {
            struct search s = {u, i, {{0}}, MOST};
            int64_t stride;
            bool found = false, may = ir_is_index(i) && !uniform_stride(u, i, &stride);
            for (unsigned n = 0; may && !found && n < LLVMCountIncoming(i); n++) {
                found = comes_from(&s, LLVMGetIncomingValue(i, n), false);
            }
            if (found) {
                ptrmap_set(&u->chosen, i, 1);
            }
        }
    }
}
