/* if_conversion.c: short branches at which the lanes of a pack part become selects.
 *
 * In: k->run, simplified, its OpenCL vectors scalars. Out: the same; where lanes part and meet again after a few
 * instructions without effects, all of them run these and each takes its own results (Allen, Kennedy, Porterfield and
 * Warren, 1983). LLVM does so only for what is cheaper than a branch that a processor guesses wrongly now and then. Lanes
 * that part cost more: both ways run in any case, with masks beside them, and what lives across is blended at each. The
 * steps of a binary search, whose loop lanes leave at different times, become one block.
 *     %c: br i1 %varies, label %a, label %j              %x = add i32 %i, 1
 *     a:  %x = add i32 %i, 1                   becomes   %p = select i1 %varies, i32 %x, i32 %i
 *     j:  %p = phi i32 [ %x, %a ], [ %i, %c ]
 * A store to local memory is for all lanes, too, if what it replaces has been read right before: those that wouldn't run it
 * write that back, as no other thread uses this memory, and lanes have a place each. So an exchange of two elements in a
 * sorting network has no branch, which would go either way in each pack.
 *     %c: %x = load i32, ptr addrspace(3) %p             %x = load i32, ptr addrspace(3) %p
 *         br i1 %varies, label %a, label %j    becomes   %s = select i1 %varies, i32 %y, i32 %x
 *     a:  store i32 %y, ptr addrspace(3) %p              store i32 %s, ptr addrspace(3) %p
 * Where both ways go on to the same two blocks, each by a condition of its own, as of `up ? x < y : x > y`, they meet before that:
 * then one of both conditions is chosen, and lanes part once.
 *     %c: br i1 %up, label %a, label %b                  %a: ... br label %m             %b: ... br label %m
 *     %a: ... br i1 %x, label %s, label %e     becomes   %m: %p = phi i1 [ %x, %a ], [ %y, %b ]
 *     %b: ... br i1 %y, label %s, label %e                   br i1 %p, label %s, label %e
 * What it can't do: blocks that read memory, or divide; stores on both ways. */
#include "analysis.h"
#include "lower.h"

enum { SHORT = 12 }; /* instructions of both ways together */

/* Whether running it for nobody is right and cheap. */
static bool is_harmless(LLVMValueRef i) {
    static const char *const functions[] = {"llvm.fabs.",   "llvm.fma.",      "llvm.fmuladd.",
                                            "llvm.minnum.", "llvm.maxnum.",   "llvm.minimum",
                                            "llvm.maximum", "llvm.copysign.", "llvm.abs."};
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMFAdd:
    case LLVMFSub:
    case LLVMFMul:
    case LLVMFNeg:
    case LLVMFPExt:
    case LLVMFPTrunc:
    case LLVMSIToFP:
    case LLVMUIToFP:
    case LLVMBitCast:
    case LLVMICmp:
    case LLVMFCmp:
    case LLVMSelect:
    case LLVMFreeze:
        return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVectorTypeKind;
    case LLVMCall:
        for (size_t n = 0; n < sizeof functions / sizeof *functions; n++) {
            if (ir_is_intrinsic(i, functions[n])) {
                return true;
            }
        }
        return ir_is_limit(i);
    default:
        return ir_is_address_arithmetic(i);
    }
}

/* What was found out of the kernel as it was. */
struct converting {
    struct kernel *k;
    bool is_known;         /* the rest: somebody has asked */
    struct ptrmap parting; /* branches at which lanes part -> whether by ids alone */
    struct ptrmap apart;   /* stores to local memory of which each lane has a place of its own */
};

/* ---- stores ---- */

/* Whether code before a branch may write memory, or wait for others to. */
static bool may_write(LLVMValueRef i) {
    return ir_may_write(i) && !is_harmless(i);
}

/* What the block before the branch read from where the store goes, after all that it writes; NULL: nothing. */
static LLVMValueRef replaced_by(LLVMValueRef store, LLVMBasicBlockRef from) {
    LLVMValueRef at = LLVMGetOperand(store, 1), i = LLVMGetBasicBlockTerminator(from);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    for (; i && !may_write(i); i = LLVMGetPreviousInstruction(i)) {
        if (LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == at && LLVMTypeOf(i) == type) {
            return i;
        }
    }
    return NULL;
}

/* Whether no two lanes of a pack have the same place. */
static bool are_distinct(const struct uniform *pack, LLVMValueRef address) {
    int64_t stride;
    const int64_t *at = uniform_offsets(pack, address);
    if (uniform_stride(pack, address, &stride)) {
        return stride;
    }
    for (unsigned i = 0; at && i < pack->width; i++) {
        for (unsigned k = 0; k < i; k++) {
            if (at[i] == at[k]) {
                return false;
            }
        }
    }
    return at;
}

/* Whether lanes part by ids alone, which switch most packs off or on as a whole. */
bool if_conversion_is_of_ids(const struct uniform *pack, LLVMValueRef condition) {
    int64_t stride;
    bool compares = LLVMIsAICmpInst(condition), is = compares || LLVMIsABinaryOperator(condition);
    for (unsigned n = 0; is && n < 2; n++) {
        LLVMValueRef x = LLVMGetOperand(condition, n);
        is = compares ? uniform_stride(pack, x, &stride) : if_conversion_is_of_ids(pack, x);
    }
    return is;
}

static void find_out(struct converting *c) {
    struct uniform pack = {.of_pack = true, .width = c->k->width, .rows = 1};
    uniform_run(c->k, &pack);
    c->is_known = true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(c->k->run); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (LLVMIsABranchInst(end) && LLVMIsConditional(end) && !uniform_is(&pack, end)) {
            ptrmap_set(&c->parting, end, if_conversion_is_of_ids(&pack, LLVMGetCondition(end)));
        }
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef at = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
            if (at && LLVMGetPointerAddressSpace(LLVMTypeOf(at)) == AS_LOCAL && are_distinct(&pack, at)) {
                ptrmap_set(&c->apart, i, 1);
            }
        }
    }
}

static bool parts(struct converting *c, LLVMValueRef branch, bool *by_ids) {
    uintptr_t ids = 0;
    if (!c->is_known) {
        find_out(c);
    }
    bool found = ptrmap_get(&c->parting, branch, &ids);
    *by_ids = ids;
    return found;
}

/* Whether all lanes may run the store at the end of `from`, each with its own place's value as it is or the new one. */
static bool may_be_for_all(struct converting *c, LLVMValueRef store, LLVMBasicBlockRef from) {
    bool by_ids;
    return private_is_element(LLVMTypeOf(LLVMGetOperand(store, 0))) && ir_is_plain(store) &&
           replaced_by(store, from) && parts(c, LLVMGetBasicBlockTerminator(from), &by_ids) && !by_ids &&
           ptrmap_at(&c->apart, store, 0);
}

/* ---- branches ---- */

/* A branch and its ways: `by[s]` is where successor s comes to `join` from: its own block, or the branch's. */
struct parting {
    LLVMValueRef branch;
    LLVMBasicBlockRef from, join, by[2];
};

/* Instructions of a block that one branch leads to, and that goes on to one other, and how many of them are stores; more than
 * SHORT: it isn't such a one. */
static unsigned length_of(struct converting *c, LLVMBasicBlockRef from, LLVMBasicBlockRef way,
                          unsigned *stores) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(way);
    unsigned n = 0;
    *stores = 0;
    if (!ir_only_predecessor(way) || !LLVMIsABranchInst(end) || LLVMIsConditional(end)) {
        return SHORT + 1;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(way); i != end && n <= SHORT;
         i = LLVMGetNextInstruction(i)) {
        bool is_store = LLVMIsAStoreInst(i) && may_be_for_all(c, i, from);
        *stores += is_store;
        n = is_store || is_harmless(i) ? n + 1 : SHORT + 1;
    }
    return n;
}

/* What a call promises of arguments and results holds where the program runs it. */
static void drop_promises(LLVMValueRef call) {
    static const char *const promises[] = {"noundef", "range"};
    for (unsigned p = 0; p < 2; p++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(promises[p], promises[p][0] == 'n' ? 7 : 5);
        for (unsigned at = 0; at <= LLVMGetNumArgOperands(call); at++) {
            LLVMRemoveCallSiteEnumAttribute(call, at, kind);
        }
    }
}

/* The way that the branch goes when its condition is `holds`. */
static void move_before(LLVMBuilderRef b, const struct parting *p, LLVMBasicBlockRef way, bool holds) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(way), old[SHORT];
    unsigned stores = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(way); i != end; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsAStoreInst(i)) {
            old[stores++] = replaced_by(i, p->from);
        }
    }
    stores = 0;
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(way); i != end; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsACallInst(i)) {
            drop_promises(i);
        }
        if (LLVMIsAStoreInst(i)) {
            LLVMValueRef new = LLVMGetOperand(i, 0), before = old[stores++];
            new = LLVMBuildSelect(b, LLVMGetCondition(p->branch), holds ? new : before, holds ? before : new,
                                  "");
            LLVMSetOperand(i, 0, new);
        }
        LLVMMetadataRef line = LLVMInstructionGetDebugLoc(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilderWithName(b, i, "");
        LLVMInstructionSetDebugLoc(i, line);
    }
}

/* The phi's value by the branch's condition in place of those by its two ways. */
static void choose(LLVMBuilderRef b, const struct parting *p, LLVMValueRef phi) {
    LLVMValueRef x = ir_incoming(phi, p->by[0]), y = ir_incoming(phi, p->by[1]);
    LLVMValueRef choice = x == y ? x : LLVMBuildSelect(b, LLVMGetCondition(p->branch), x, y, "");
    LLVMBuilderRef at = ir_before(phi);
    LLVMValueRef rest = LLVMBuildPhi(at, LLVMTypeOf(phi), "");
    LLVMAddIncoming(rest, &choice, (LLVMBasicBlockRef[]){p->from}, 1);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef value = LLVMGetIncomingValue(phi, i);
        if (from != p->by[0] && from != p->by[1]) {
            LLVMAddIncoming(rest, &value, &from, 1);
        }
    }
    LLVMDisposeBuilder(at);
    LLVMReplaceAllUsesWith(phi, rest);
    LLVMInstructionEraseFromParent(phi);
}

static void convert(const struct parting *p) {
    LLVMBuilderRef b = ir_before(p->branch);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(p->branch));
    for (unsigned s = 0; s < 2; s++) {
        if (p->by[s] != p->from) {
            move_before(b, p, p->by[s], s == 0);
        }
    }
    for (LLVMValueRef next, phi = LLVMGetFirstInstruction(p->join); LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        choose(b, p, phi);
    }
    LLVMBuildBr(b, p->join);
    LLVMDisposeBuilder(b);
    LLVMInstructionEraseFromParent(p->branch);
    for (unsigned s = 0; s < 2; s++) {
        if (p->by[s] != p->from) {
            LLVMDeleteBasicBlock(p->by[s]);
        }
    }
}

/* The two ways of the branch, if both come to one block with little to do; false: they don't. */
static bool find(struct converting *c, LLVMBasicBlockRef from, struct parting *p) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) {
        return false;
    }
    LLVMBasicBlockRef to[] = {LLVMGetSuccessor(branch, 0), LLVMGetSuccessor(branch, 1)}, after[2];
    unsigned length[2], stores[2];
    for (unsigned s = 0; s < 2; s++) {
        length[s] = length_of(c, from, to[s], &stores[s]);
        after[s] = length[s] > SHORT ? NULL : LLVMGetSuccessor(LLVMGetBasicBlockTerminator(to[s]), 0);
    }
    *p = (struct parting){branch, from, NULL, {to[0], to[1]}};
    if (after[0] && after[0] == after[1] && length[0] + length[1] <= SHORT && !(stores[0] && stores[1])) {
        p->join = after[0];
    } else if (after[0] && after[0] == to[1]) {
        p->join = to[1];
        p->by[1] = from;
    } else if (after[1] && after[1] == to[0]) {
        p->join = to[0];
        p->by[0] = from;
    }
    bool has_stores = (p->by[0] != from && stores[0]) || (p->by[1] != from && stores[1]);
    return p->join && p->join != from && (has_stores || LLVMIsAPHINode(LLVMGetFirstInstruction(p->join)));
}

/* The block that `from` alone goes on to becomes its end. */
static void absorb(LLVMBasicBlockRef from, LLVMBasicBlockRef rest) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(rest);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(rest); LLVMIsAPHINode(phi);
         phi = LLVMGetFirstInstruction(rest)) {
        LLVMReplaceAllUsesWith(phi, LLVMGetIncomingValue(phi, 0));
        LLVMInstructionEraseFromParent(phi);
    }
    for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++) {
        ir_come_from(LLVMGetSuccessor(end, s), rest, from);
    }
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(from));
    LLVMBuilderRef b = ir_at_end(from);
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(rest); i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilderWithName(b, i, "");
    }
    LLVMDisposeBuilder(b);
    LLVMDeleteBasicBlock(rest);
}

/* ---- two conditions ---- */

/* A branch whose ways are two short blocks that go on to the same two. */
struct pair {
    LLVMBasicBlockRef way[2], to[2];
    bool is_opposite; /* the second way goes to to[0] where its condition doesn't hold */
};

static bool is_short_way(LLVMBasicBlockRef way, LLVMBasicBlockRef from) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(way), i = LLVMGetFirstInstruction(way);
    unsigned n = 0;
    for (; i != end && n <= SHORT / 2; i = LLVMGetNextInstruction(i)) {
        n = LLVMIsAPHINode(i) || !is_harmless(i) ? SHORT : n + 1;
    }
    return n <= SHORT / 2 && ir_only_predecessor(way) == from && LLVMIsABranchInst(end) &&
           LLVMIsConditional(end);
}

static bool find_pair(LLVMBasicBlockRef from, struct pair *p) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
    for (unsigned w = 0; w < 2; w++) {
        if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) ||
            !is_short_way(LLVMGetSuccessor(branch, w), from)) {
            return false;
        }
        p->way[w] = LLVMGetSuccessor(branch, w);
    }
    LLVMValueRef first = LLVMGetBasicBlockTerminator(p->way[0]),
                 second = LLVMGetBasicBlockTerminator(p->way[1]);
    p->to[0] = LLVMGetSuccessor(first, 0);
    p->to[1] = LLVMGetSuccessor(first, 1);
    p->is_opposite = LLVMGetSuccessor(second, 0) == p->to[1];
    return p->way[0] != p->way[1] && p->to[0] != p->to[1] && p->to[0] != from && p->to[1] != from &&
           LLVMGetSuccessor(second, p->is_opposite) == p->to[0] &&
           LLVMGetSuccessor(second, !p->is_opposite) == p->to[1];
}

/* What comes to the block by both ways comes to it from where they meet. */
static void come_together(const struct pair *p, LLVMBuilderRef at_meeting, LLVMBasicBlockRef meeting,
                          LLVMBasicBlockRef to) {
    for (LLVMValueRef next, phi = LLVMGetFirstInstruction(to); LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMValueRef came[] = {ir_incoming(phi, p->way[0]), ir_incoming(phi, p->way[1])}, value = came[0];
        if (came[0] != came[1]) {
            value = LLVMBuildPhi(at_meeting, LLVMTypeOf(phi), "");
            LLVMAddIncoming(value, came, (LLVMBasicBlockRef *)p->way, 2);
        }
        LLVMBuilderRef b = ir_before(phi);
        LLVMValueRef rest = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
        LLVMDisposeBuilder(b);
        LLVMAddIncoming(rest, &value, &meeting, 1);
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
            LLVMValueRef other = LLVMGetIncomingValue(phi, i);
            if (from != p->way[0] && from != p->way[1]) {
                LLVMAddIncoming(rest, &other, &from, 1);
            }
        }
        LLVMReplaceAllUsesWith(phi, rest);
        LLVMInstructionEraseFromParent(phi);
    }
}

static void meet(struct kernel *k, const struct pair *p) {
    LLVMBasicBlockRef meeting = LLVMInsertBasicBlockInContext(k->llvm, p->way[1], "meet");
    LLVMMoveBasicBlockAfter(meeting, p->way[1]);
    LLVMBuilderRef at = ir_at_end(meeting);
    LLVMValueRef conditions[2], is = LLVMBuildPhi(at, LLVMInt1TypeInContext(k->llvm), "");
    for (unsigned w = 0; w < 2; w++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(p->way[w]);
        LLVMBuilderRef b = ir_before(end);
        LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(end));
        conditions[w] = LLVMGetCondition(end);
        if (w && p->is_opposite) {
            conditions[w] = LLVMBuildNot(b, conditions[w], "");
        }
        LLVMBuildBr(b, meeting);
        LLVMSetCurrentDebugLocation2(at, LLVMInstructionGetDebugLoc(end));
        LLVMDisposeBuilder(b);
        LLVMInstructionEraseFromParent(end);
    }
    LLVMAddIncoming(is, conditions, (LLVMBasicBlockRef *)p->way, 2);
    come_together(p, at, meeting, p->to[0]);
    come_together(p, at, meeting, p->to[1]);
    LLVMBuildCondBr(at, is, p->to[0], p->to[1]);
    LLVMDisposeBuilder(at);
}

/* Where lanes part and each goes on by a condition, all go on by one. */
static void meet_all(struct converting *c) {
    bool found = false, by_ids;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(c->k->run); b; b = LLVMGetNextBasicBlock(b)) {
        struct pair p;
        if (find_pair(b, &p) && parts(c, LLVMGetBasicBlockTerminator(b), &by_ids)) {
            meet(c->k, &p);
            found = true;
        }
    }
    if (found) {
        *c = (struct converting){.k = c->k};
    }
}

/* ---- the pass ---- */

void if_conversion_pass(struct kernel *k) {
    struct converting c = {.k = k};
    if (!k->optimize || k->checked) {
        return;
    }
    meet_all(&c);
    LLVMBasicBlockRef before, block = LLVMGetLastBasicBlock(k->run);
    bool by_ids;
    for (struct parting p; block; block = before) { /* inner ones come first */
        while (find(&c, block, &p) && parts(&c, p.branch, &by_ids)) {
            convert(&p);
            if (ir_only_predecessor(p.join)) {
                absorb(block, p.join);
            }
        }
        before = LLVMGetPreviousBasicBlock(block);
    }
}
