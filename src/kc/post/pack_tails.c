/* pack_tails.c: where a region leads to is found out once, not by each pack.
 *
 * Needs k->run right after `promote`. A region's code is the body of a loop over packs, and has at its end what all work-items
 * compute alike until the next barrier: the branch of a loop around barriers, its counters, and which region is next. Gives
 * loops over packs without that: it comes after them. LLVM hoists what such branches ask for, but leaves them, and the PHIs
 * of all that lives there, in the loop.
 *     packs: ... store                                packs: ... store
 *            br i1 %more, label %on, label %off              br i1 %again, label %packs, label %tail
 *     on:    %half = lshr i32 %step, 1                tail:  br i1 %more, label %on, label %off
 *            br label %next                           on:    %half = lshr i32 %step, 1 ...
 *     off:   br label %next                           off:   br label %done
 *     next:  %s = phi i32 [ %half, %on ], [ %old, %off ]
 *            br i1 %again, label %packs, label %done
 * The tail is blocks without effects, from which all ways lead to the loop's end, and to which one block leads. The proof: its
 * branches ask for what doesn't change in the loop, so each round takes the same way. What a round leaves there is used by no
 * round but as what comes out if the way sets nothing, and that is what came into the loop. So the last round's is all that
 * counts, and may be computed after it, from that round's values.
 * What it can't do: ends that read memory; loops that are left elsewhere. */
#include "post.h"

struct tail {
    LLVMBasicBlockRef header, latch, after, from; /* from: the block that leads to the tail */
    struct ptrmap in;                             /* the loop's blocks */
    struct ptrmap light;                          /* the tail's */
    struct list blocks;                           /* the loop's */
};

static bool has_no_effect(LLVMValueRef i) {
    return LLVMIsAPHINode(i) || LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsACmpInst(i) ||
           LLVMIsASelectInst(i) || LLVMIsAGetElementPtrInst(i) || LLVMIsAFreezeInst(i) ||
           LLVMIsAInsertElementInst(i) || LLVMIsAExtractElementInst(i) || LLVMIsAShuffleVectorInst(i) ||
           (LLVMIsACallInst(i) && (ir_is_marker(i) || ir_has_no_effect(i)));
}

/* ---- loops ------------------------------------------------------------------------------------------------- */

/* Whether the loop has one way back, at which alone it is left. */
static bool find_loop(struct tail *t, const struct graph_loop *loop, const struct graph *cfg,
                      LLVMBasicBlockRef *blocks) {
    t->header = blocks[loop->header];
    for (unsigned p = 0; p < cfg->npred[loop->header]; p++) {
        if (graph_loop_has(loop, cfg->pred[loop->header][p])) {
            if (t->latch) {
                return false;
            }
            t->latch = blocks[cfg->pred[loop->header][p]];
        }
    }
    for (size_t n = 0; n < loop->nodes.n; n++) {
        list_add(&t->blocks, blocks[(uintptr_t)loop->nodes.at[n]]);
        ptrmap_set(&t->in, t->blocks.at[n], 1);
    }
    LLVMValueRef end = LLVMGetBasicBlockTerminator(t->latch), phi = LLVMGetFirstInstruction(t->header);
    for (size_t n = 0; n < t->blocks.n; n++) {
        LLVMValueRef leaves = LLVMGetBasicBlockTerminator(t->blocks.at[n]);
        for (unsigned e = 0; leaves != end && e < LLVMGetNumSuccessors(leaves); e++) {
            if (!ptrmap_at(&t->in, LLVMGetSuccessor(leaves, e), 0)) {
                return false;
            }
        }
    }
    bool is_branch = LLVMIsABranchInst(end) && LLVMIsConditional(end) && t->latch != t->header;
    t->after = is_branch ? LLVMGetSuccessor(end, LLVMGetSuccessor(end, 0) == t->header) : NULL;
    return is_branch && !ptrmap_at(&t->in, t->after, 0) && LLVMIsAPHINode(phi) && LLVMCountIncoming(phi) == 2;
}

/* ---- the tail ---------------------------------------------------------------------------------------------- */

/* Whether the value is the same in all rounds: it comes from before the loop, or is computed of such. */
static bool is_invariant(const struct tail *t, LLVMValueRef v, struct ptrmap *asked) {
    if (!LLVMIsAInstruction(v) || !ptrmap_at(&t->in, LLVMGetInstructionParent(v), 0) ||
        ptrmap_at(asked, v, 0)) {
        return true;
    }
    bool is_light = ptrmap_at(&t->light, LLVMGetInstructionParent(v), 0);
    bool same = !LLVMIsAFreezeInst(v) && (is_light || (has_no_effect(v) && !LLVMIsAPHINode(v)));
    ptrmap_set(asked, v, 1);
    for (int n = 0; same && n < LLVMGetNumOperands(v); n++) {
        same = is_invariant(t, LLVMGetOperand(v, (unsigned)n), asked);
    }
    return same;
}

static bool asks_invariant(const struct tail *t, LLVMValueRef end) {
    struct ptrmap asked = {0};
    bool is_branch = LLVMIsABranchInst(end) && LLVMIsConditional(end);
    return is_branch || LLVMIsASwitchInst(end) ? is_invariant(t, LLVMGetOperand(end, 0), &asked)
                                               : LLVMIsABranchInst(end) != NULL;
}

static bool leads_on(const struct tail *t, LLVMValueRef end) {
    bool on = LLVMGetNumSuccessors(end) > 0;
    for (unsigned e = 0; e < LLVMGetNumSuccessors(end); e++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, e);
        on &= to == t->latch || ptrmap_at(&t->light, to, 0);
    }
    return on;
}

static bool is_light(LLVMBasicBlockRef b) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b), i = LLVMGetFirstInstruction(b);
    while (i != end && has_no_effect(i)) {
        i = LLVMGetNextInstruction(i);
    }
    return i == end;
}

/* Of the blocks without effects those from which all ways lead through others to the loop's end, by branches that ask for
 * what stays. Then those that one block leads to. */
static bool find_tail(struct tail *t) {
    bool parts = false;
    for (size_t n = 0; n < t->blocks.n; n++) {
        LLVMBasicBlockRef b = t->blocks.at[n];
        ptrmap_set(&t->light, b, b != t->header && b != t->latch && is_light(b));
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = 0; n < t->blocks.n; n++) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(t->blocks.at[n]);
            if (ptrmap_at(&t->light, t->blocks.at[n], 0) && !(leads_on(t, end) && asks_invariant(t, end))) {
                ptrmap_set(&t->light, t->blocks.at[n], 0);
                changed = true;
            }
        }
    }
    for (size_t n = 0; n < t->blocks.n; n++) {
        LLVMBasicBlockRef b = t->blocks.at[n];
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        bool light = ptrmap_at(&t->light, b, 0), enters = false;
        for (unsigned e = 0; e < LLVMGetNumSuccessors(end); e++) {
            LLVMBasicBlockRef to = LLVMGetSuccessor(end, e);
            enters |= b != t->latch && !light && (to == t->latch || ptrmap_at(&t->light, to, 0));
        }
        if (enters && (t->from || !leads_on(t, end) || !asks_invariant(t, end))) {
            return false;
        }
        t->from = enters ? b : t->from;
        parts |= (light || enters) && LLVMGetNumSuccessors(end) > 1;
    }
    return t->from && parts;
}

/* Whether where the other PHI of the loop's end gets the value, its own does. */
static bool stays_where(LLVMValueRef own, LLVMValueRef other, LLVMValueRef value) {
    bool stays = true;
    for (unsigned n = 0; n < LLVMCountIncoming(other); n++) {
        stays &= LLVMGetIncomingValue(other, n) != value ||
                 ir_incoming(own, LLVMGetIncomingBlock(other, n)) == value;
    }
    return stays;
}

/* What came into the loop, if the value is a PHI of it that only passes on to its end's; else NULL. */
static LLVMValueRef passed_on(const struct tail *t, LLVMValueRef phi) {
    LLVMValueRef came = NULL, stays = NULL;
    for (unsigned n = 0; n < 2; n++) {
        bool is_round = LLVMGetIncomingBlock(phi, n) == t->latch;
        stays = is_round ? LLVMGetIncomingValue(phi, n) : stays;
        came = is_round ? came : LLVMGetIncomingValue(phi, n);
    }
    bool is_end = stays && LLVMIsAPHINode(stays) && LLVMGetInstructionParent(stays) == t->latch;
    for (LLVMUseRef u = LLVMGetFirstUse(phi); u && is_end; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        is_end = LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) == t->latch &&
                 stays_where(stays, user, phi);
    }
    return is_end ? came : NULL;
}

/* Whether no round uses what one before it left. */
static bool is_used_after(const struct tail *t) {
    for (LLVMValueRef phi = LLVMGetFirstInstruction(t->latch); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        for (LLVMUseRef u = LLVMGetFirstUse(phi); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            bool is_round = LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) == t->header;
            if (ptrmap_at(&t->in, LLVMGetInstructionParent(user), 0) && !(is_round && passed_on(t, user))) {
                return false;
            }
        }
    }
    return true;
}

/* What the loop's rest uses is computed in it. */
static bool is_used_within(const struct tail *t) {
    for (size_t n = 0; n < t->blocks.n; n++) {
        LLVMBasicBlockRef b = t->blocks.at[n];
        LLVMValueRef i = ptrmap_at(&t->light, b, 0) ? LLVMGetFirstInstruction(b) : NULL;
        for (; i; i = LLVMGetNextInstruction(i)) {
            for (LLVMUseRef u = LLVMGetFirstUse(i); u; u = LLVMGetNextUse(u)) {
                LLVMValueRef user = LLVMGetUser(u);
                LLVMBasicBlockRef at = LLVMGetInstructionParent(user);
                bool is_phi = LLVMIsAPHINode(user) && at == t->latch;
                if (ptrmap_at(&t->in, at, 0) && !is_phi && !ptrmap_at(&t->light, at, 0)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/* ---- the move ---------------------------------------------------------------------------------------------- */

/* The loop's PHIs that what the end leaves comes back by: nothing comes back. */
static void drop_rounds(struct tail *t) {
    for (LLVMValueRef next, phi = LLVMGetFirstInstruction(t->header); LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMValueRef came = passed_on(t, phi);
        if (came) {
            LLVMReplaceAllUsesWith(phi, came);
            LLVMInstructionEraseFromParent(phi);
        }
    }
}

static void move(struct kernel *k, struct tail *t) {
    LLVMBasicBlockRef start = LLVMInsertBasicBlockInContext(k->llvm, t->after, "tail"),
                      join = LLVMInsertBasicBlockInContext(k->llvm, t->after, "tail.end");
    drop_rounds(t);
    LLVMBuilderRef b = ir_at_end(join);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(t->from);
    for (LLVMValueRef next, phi = LLVMGetFirstInstruction(t->latch); LLVMIsAPHINode(phi); phi = next) {
        next = LLVMGetNextInstruction(phi);
        LLVMInstructionRemoveFromParent(phi);
        LLVMInsertIntoBuilderWithName(b, phi, "");
    }
    LLVMBuildBr(b, t->after);
    LLVMPositionBuilderAtEnd(b, t->from);
    LLVMInstructionRemoveFromParent(end);
    LLVMBuildBr(b, t->latch);
    LLVMPositionBuilderAtEnd(b, start);
    LLVMInsertIntoBuilderWithName(b, end, "");
    LLVMDisposeBuilder(b);
    ir_lead(end, t->latch, join);
    ir_come_from(join, t->from, start);
    for (size_t n = 0; n < t->blocks.n; n++) {
        LLVMBasicBlockRef block = t->blocks.at[n];
        if (ptrmap_at(&t->light, block, 0)) {
            ir_lead(LLVMGetBasicBlockTerminator(block), t->latch, join);
            ir_come_from(block, t->from, start);
            LLVMMoveBasicBlockBefore(block, join);
        }
    }
    ir_lead(LLVMGetBasicBlockTerminator(t->latch), t->after, start);
    ir_come_from(t->after, t->latch, join);
}

/* Whether a loop that wasn't looked at before has lost its tail. Inner ones come first. */
static bool shorten_one(struct kernel *k, struct ptrmap *done) {
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    const struct graph *cfg = cfg_of(k->run, &index, &blocks);
    struct list loops = graph_loops(cfg);
    for (size_t n = loops.n; n > 0; n--) {
        const struct graph_loop *loop = loops.at[n - 1];
        struct tail t = {0};
        if (ptrmap_at(done, blocks[loop->header], 0)) {
            continue;
        }
        ptrmap_set(done, blocks[loop->header], 1);
        if (find_loop(&t, loop, cfg, blocks) && find_tail(&t) && is_used_after(&t) && is_used_within(&t)) {
            move(k, &t);
            return true;
        }
    }
    return false;
}

void pack_tails_pass(struct kernel *k) {
    struct ptrmap done = {0};
    bool more = k->optimize && !ir_is_long(k->module);
    while (more) {
        more = shorten_one(k, &done);
    }
}
