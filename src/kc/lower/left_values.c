/* left_values.c: counters of loops that lanes leave at different times stay scalars in their loops.
 *
 * Needs k->run simplified. Gives the same; where such a loop's counter is a place in memory and is used after the loop,
 * too, what comes after uses a copy made in each round. Inside, all lanes that are still on count alike; only after the
 * loop may they differ (temporal divergence, analysis/uniform.c). Without the copy the one value would have to be a vector
 * everywhere, and each of its addresses one for each lane.
 *     for (i = 0; i < n; i++) if (a[i] >= x) break;                   a[i]: one load for the pack, no gather
 *     found = i;                                                      the copy of i, a vector
 * What it can't do: counters that begin at different numbers. */
#include "analysis.h"
#include "lower.h"

/* The blocks of the loop that begins at the PHI's block; false: it isn't entered there alone. */
static bool find_loop(LLVMValueRef phi, LLVMValueRef next, struct ptrmap *loop) {
    LLVMBasicBlockRef header = LLVMGetInstructionParent(phi);
    struct list work = {0};
    ptrmap_set(loop, header, 1);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        if (LLVMGetIncomingValue(phi, i) == next) {
            list_add(&work, LLVMGetIncomingBlock(phi, i));
        }
    }
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(header));
    for (size_t n = 0; n < work.n; n++) {
        LLVMBasicBlockRef block = work.at[n];
        if (ptrmap_at(loop, block, 0)) {
            continue;
        }
        if (block == entry) {
            return false;
        }
        ptrmap_set(loop, block, 1);
        for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
            if (LLVMIsATerminatorInst(LLVMGetUser(u))) {
                list_add(&work, LLVMGetInstructionParent(LLVMGetUser(u)));
            }
        }
    }
    return true;
}

static bool is_in(const struct ptrmap *loop, LLVMValueRef i) {
    return ptrmap_at(loop, LLVMGetInstructionParent(i), 0);
}

static bool is_used_beyond(const struct ptrmap *loop, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        if (!is_in(loop, LLVMGetUser(u))) {
            return true;
        }
    }
    return false;
}

/* Whether an address in the loop is computed from the number. */
static bool is_place(const struct ptrmap *loop, LLVMValueRef v, unsigned depth) {
    bool found = false;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u && depth && !found; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool computes = LLVMIsACastInst(user) || LLVMIsABinaryOperator(user);
        found = is_in(loop, user) &&
                (LLVMIsAGetElementPtrInst(user) || (computes && is_place(loop, user, depth - 1)));
    }
    return found;
}

/* What is after the loop uses copies of the value, made in each round: short ones where that takes 32 bits of it. */
static void copy(const struct ptrmap *loop, LLVMValueRef v) {
    LLVMValueRef at = ir_after_phis(LLVMGetNextInstruction(v)), whole = NULL, part = NULL;
    struct list users = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        if (!is_in(loop, LLVMGetUser(u))) {
            list_add(&users, LLVMGetUser(u));
        }
    }
    LLVMBuilderRef b = ir_before(at);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(v));
    for (size_t n = 0; n < users.n; n++) {
        LLVMValueRef user = users.at[n];
        if (LLVMIsATruncInst(user) && LLVMGetIntTypeWidth(LLVMTypeOf(user)) == 32) {
            part = part ? part : LLVMBuildTrunc(b, v, LLVMTypeOf(user), "");
            LLVMReplaceAllUsesWith(user, part);
            LLVMInstructionEraseFromParent(user);
            continue;
        }
        whole = whole ? whole : LLVMBuildFreeze(b, v, "");
        for (int o = 0; o < LLVMGetNumOperands(user); o++) {
            if (LLVMGetOperand(user, (unsigned)o) == v) {
                LLVMSetOperand(user, (unsigned)o, whole);
            }
        }
    }
    LLVMDisposeBuilder(b);
}

/* The PHI plus a constant, if that is what it is in the next round; else NULL. */
static LLVMValueRef next_of(LLVMValueRef phi) {
    LLVMValueRef found = NULL;
    for (unsigned i = 0;
         LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMIntegerTypeKind && i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        found = ir_counts_by(v, phi) ? v : found;
    }
    return found;
}

/* Whether the PHI is a loop's counter, a place in memory, and used after the loop, too. */
static bool is_left(LLVMValueRef phi, struct ptrmap *loop) {
    enum { DEPTH = 4 };
    LLVMValueRef next = next_of(phi);
    return next && find_loop(phi, next, loop) && is_in(loop, next) &&
           (is_used_beyond(loop, phi) || is_used_beyond(loop, next)) && is_place(loop, phi, DEPTH);
}

/* Whether lanes would count alike, but for the loop that they leave at different times. */
static bool is_even(const struct uniform *pack, LLVMValueRef phi) {
    bool is = !uniform_is(pack, phi);
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, i);
        is &= v == next_of(phi) || uniform_is(pack, v);
    }
    return is;
}

void left_values_pass(struct kernel *k) {
    struct uniform pack = {.of_pack = true, .width = k->width, .rows = 1};
    struct list found = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i)) {
            struct ptrmap loop = {0};
            if (is_left(i, &loop)) {
                list_add(&found, i);
            }
        }
    }
    if (k->checked || !k->optimize || !found.n) {
        return;
    }
    uniform_run(k, &pack);
    for (size_t n = 0; n < found.n; n++) {
        LLVMValueRef both[] = {found.at[n], next_of(found.at[n])};
        struct ptrmap loop = {0};
        for (unsigned i = 0; i < 2 && is_even(&pack, both[0]) && find_loop(both[0], both[1], &loop); i++) {
            copy(&loop, both[i]);
        }
    }
}
