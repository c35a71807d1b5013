/* own_progress.c: what of a loop that observes memory shows that it gets on without other work-items.
 *
 * In: a loop of k->run (spin_loops.c). Out: branches that only stay in the loop if somebody else was faster, or if the loop
 * itself has come further, and which observations may be of the same place in each round.
 *     loop:
 *       %old = phi i32 [ %first, %entry ], [ %now, %loop ]
 *       %new = add i32 %old, %x
 *       %pair = cmpxchg ptr addrspace(1) %sum, i32 %old, i32 %new ...
 *       %now = extractvalue { i32, i1 } %pair, 0
 *       %done = icmp eq i32 %now, %old
 *       br i1 %done, label %out, label %loop        stays only if %sum wasn't what the work-item had seen there
 * What it can't do: tell that two addresses are the same unless they are one value, or built alike; follow values through
 * memory. */
#include "analysis.h"

enum { DEEP = 32 }; /* steps from a value to what it stems from */

static bool is_inside(const struct spin_loop *l, LLVMValueRef v) {
    return v && LLVMIsAInstruction(v) &&
           l->stamp[ptrmap_at(l->index, LLVMGetInstructionParent(v), 0)] == l->own;
}

static bool is_header_phi(const struct spin_loop *l, LLVMValueRef v) {
    return LLVMIsAPHINode(v) && LLVMGetInstructionParent(v) == l->header;
}

/* Whether the PHI's n-th value comes with another round, or from elsewhere in the loop. */
static bool comes_around(const struct spin_loop *l, LLVMValueRef phi, unsigned n) {
    return l->stamp[ptrmap_at(l->index, LLVMGetIncomingBlock(phi, n), 0)] == l->own;
}

static LLVMValueRef strip_casts(LLVMValueRef v) {
    while (LLVMIsABitCastInst(v) || LLVMIsAFreezeInst(v) || LLVMIsAAddrSpaceCastInst(v) ||
           LLVMIsAIntToPtrInst(v) || LLVMIsAPtrToIntInst(v)) {
        v = LLVMGetOperand(v, 0);
    }
    return v;
}

/* The access whose result `v` is, as it found memory, or NULL. */
static LLVMValueRef access_of(LLVMValueRef v) {
    v = strip_casts(v);
    if (LLVMIsAExtractValueInst(v) && *LLVMGetIndices(v) == 0) {
        v = LLVMGetOperand(v, 0);
    }
    return LLVMIsALoadInst(v) || LLVMIsAAtomicRMWInst(v) || LLVMIsAAtomicCmpXchgInst(v) ? v : NULL;
}

static bool is_same_place(LLVMValueRef p, LLVMValueRef q) {
    p = strip_casts(p);
    q = strip_casts(q);
    bool same = p == q;
    if (!same && LLVMIsAGetElementPtrInst(p) && LLVMIsAGetElementPtrInst(q) &&
        LLVMGetGEPSourceElementType(p) == LLVMGetGEPSourceElementType(q) &&
        LLVMGetNumOperands(p) == LLVMGetNumOperands(q)) {
        same = true;
        for (int n = 0; n < LLVMGetNumOperands(p); n++) {
            same &= LLVMGetOperand(p, (unsigned)n) == LLVMGetOperand(q, (unsigned)n);
        }
    }
    return same;
}

/* ---- somebody else was faster ---- */

/* Whether the access gives what is there afterwards, too. */
static bool leaves_as_found(LLVMValueRef access) {
    if (!LLVMIsAAtomicRMWInst(access)) {
        return true; /* of a cmpxchg: if it fails, and else the loop has had its way */
    }
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(access);
    LLVMValueRef by = LLVMGetOperand(access, 1);
    return (op == LLVMAtomicRMWBinOpAdd || op == LLVMAtomicRMWBinOpSub || op == LLVMAtomicRMWBinOpOr ||
            op == LLVMAtomicRMWBinOpXor) &&
           LLVMIsAConstant(by) && LLVMIsNull(by);
}

/* Whether the work-item has put the constant there, earlier in the block of the access. */
static bool was_put(LLVMValueRef access, LLVMValueRef constant) {
    LLVMValueRef p = LLVMGetOperand(access, 0);
    for (LLVMValueRef i = LLVMGetPreviousInstruction(access); i; i = LLVMGetPreviousInstruction(i)) {
        bool writes = LLVMIsAAtomicRMWInst(i) && LLVMGetAtomicRMWBinOp(i) == LLVMAtomicRMWBinOpXchg &&
                      is_same_place(LLVMGetOperand(i, 0), p);
        if (writes) {
            return LLVMIsNull(LLVMGetOperand(i, 1)) && LLVMIsNull(constant);
        }
    }
    return false;
}

/* Whether `v` is what the work-item has last found at the place of the access. */
static bool is_content(const struct spin_loop *l, LLVMValueRef access, LLVMValueRef v, struct ptrmap *seen) {
    v = strip_casts(v);
    if (LLVMIsAConstant(v)) {
        return was_put(access, v);
    }
    if (!is_inside(l, v)) {
        return false;
    }
    if (ptrmap_at(seen, v, 0)) {
        return true;
    }
    ptrmap_set(seen, v, 1);
    if (LLVMIsAPHINode(v)) {
        bool all = true;
        for (unsigned n = 0; n < LLVMCountIncoming(v) && all; n++) {
            all = !comes_around(l, v, n) || is_content(l, access, LLVMGetIncomingValue(v, n), seen);
        }
        return all;
    }
    if (LLVMIsASelectInst(v)) {
        return is_content(l, access, LLVMGetOperand(v, 1), seen) &&
               is_content(l, access, LLVMGetOperand(v, 2), seen);
    }
    LLVMValueRef found = access_of(v);
    return found && leaves_as_found(found) &&
           is_same_place(LLVMGetOperand(found, 0), LLVMGetOperand(access, 0));
}

/* Whether `x` is what an access finds, and `y` what was there before: then they differ if somebody else has written. */
static bool was_faster(const struct spin_loop *l, LLVMValueRef x, LLVMValueRef y) {
    struct ptrmap seen = {0};
    LLVMValueRef access = access_of(x);
    return access && is_inside(l, access) && is_content(l, access, y, &seen);
}

static bool has_failed(const struct spin_loop *l, LLVMValueRef exchange) {
    struct ptrmap seen = {0};
    return is_inside(l, exchange) && is_content(l, exchange, LLVMGetOperand(exchange, 1), &seen);
}

/* ---- counters ---- */

/* Of a constant the sign, 2 of what the loop doesn't change, else 0. */
static int step_of(const struct spin_loop *l, LLVMValueRef by) {
    if (LLVMIsAConstantInt(by)) {
        int64_t n = LLVMConstIntGetSExtValue(by);
        return (n > 0) - (n < 0);
    }
    return is_inside(l, by) ? 0 : 2;
}

/* Which way the atomic counts, or 0: it doesn't, or something else in the loop writes there. */
static int counts(const struct spin_loop *l, LLVMValueRef access) {
    if (!access || !LLVMIsAAtomicRMWInst(access) || !is_inside(l, access)) {
        return 0;
    }
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(access);
    int step = step_of(l, LLVMGetOperand(access, 1));
    step = op == LLVMAtomicRMWBinOpAdd ? step : op == LLVMAtomicRMWBinOpSub ? (step == 2 ? 2 : -step) : 0;
    for (unsigned n = 0; n < l->cfg->n && step; n++) {
        LLVMValueRef i = l->stamp[n] == l->own ? LLVMGetFirstInstruction(l->blocks[n]) : NULL;
        for (; i; i = LLVMGetNextInstruction(i)) {
            bool is_atomic = LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
            LLVMValueRef p = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1)
                             : is_atomic         ? LLVMGetOperand(i, 0)
                                                 : NULL;
            if (i != access && p && is_same_place(p, LLVMGetOperand(access, 0))) {
                return 0;
            }
        }
    }
    return step;
}

/* Whether it is a zero extension, written as a mask. */
static bool is_low_mask(LLVMValueRef v) {
    uint64_t mask = LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : 0;
    return mask >= INT32_MAX && !(mask & (mask + 1));
}

/* `v` without arithmetic by what the loop doesn't change. *steps: some of it makes another number. */
static LLVMValueRef strip_arithmetic(const struct spin_loop *l, LLVMValueRef v, bool *steps) {
    for (unsigned n = 0; n < DEEP && is_inside(l, v); n++) {
        LLVMValueRef a = LLVMGetNumOperands(v) > 0 ? LLVMGetOperand(v, 0) : NULL,
                     b = LLVMGetNumOperands(v) > 1 ? LLVMGetOperand(v, 1) : NULL;
        bool commutes = false;
        switch (LLVMGetInstructionOpcode(v)) {
        case LLVMZExt:
        case LLVMSExt:
        case LLVMTrunc:
        case LLVMFreeze:
            v = a;
            continue;
        case LLVMAdd:
        case LLVMMul:
        case LLVMOr:
            commutes = true;
            break;
        case LLVMGetElementPtr:
            if (LLVMGetNumOperands(v) != 2) {
                return v;
            }
            break;
        case LLVMAnd:
            if (!is_low_mask(b)) {
                return v;
            }
            v = a;
            continue;
        case LLVMSub:
        case LLVMShl:
        case LLVMLShr:
        case LLVMAShr:
            break;
        default:
            return v;
        }
        if (commutes && !is_inside(l, a)) {
            LLVMValueRef other = a;
            a = b;
            b = other;
        }
        if (is_inside(l, b)) {
            return v;
        }
        *steps |= step_of(l, b) != 0;
        v = a;
    }
    return v;
}

/* Whether it goes with a header's PHI that each round changes by as much. */
static bool is_round_number(const struct spin_loop *l, LLVMValueRef v) {
    bool steps = false;
    LLVMValueRef phi = strip_arithmetic(l, v, &steps);
    bool all = is_inside(l, phi) && is_header_phi(l, phi);
    for (unsigned n = 0; all && n < LLVMCountIncoming(phi); n++) {
        steps = !comes_around(l, phi, n);
        all = steps || (strip_arithmetic(l, LLVMGetIncomingValue(phi, n), &steps) == phi && steps);
    }
    return all;
}

/* Whether x OP y, with a counter as x, ends as the counter goes on. */
static bool ends_by_counting(const struct spin_loop *l, LLVMValueRef x, LLVMIntPredicate op, LLVMValueRef y) {
    if (is_inside(l, y)) {
        return false;
    }
    bool ignored = false;
    int step = counts(l, access_of(strip_arithmetic(l, x, &ignored)));
    switch (op) {
    case LLVMIntULT:
    case LLVMIntULE:
    case LLVMIntSLT:
    case LLVMIntSLE:
        return step > 0;
    case LLVMIntUGT:
    case LLVMIntUGE:
    case LLVMIntSGT:
    case LLVMIntSGE:
        return step < 0 || step == 2;
    case LLVMIntNE:
        return step < 0 && LLVMIsAConstant(y) && LLVMIsNull(y);
    default:
        return false;
    }
}

static bool counts_rounds(const struct spin_loop *l, LLVMValueRef x, LLVMValueRef y) {
    return l->works && !is_inside(l, y) && is_round_number(l, x);
}

/* ---- conditions ---- */

static LLVMIntPredicate inverse(LLVMIntPredicate op) {
    static const unsigned char of[] = {LLVMIntNE,  LLVMIntEQ,  LLVMIntULE, LLVMIntULT, LLVMIntUGE,
                                       LLVMIntUGT, LLVMIntSLE, LLVMIntSLT, LLVMIntSGE, LLVMIntSGT};
    return (LLVMIntPredicate)of[op - LLVMIntEQ];
}

static bool compares(const struct spin_loop *l, LLVMValueRef c, bool truth) {
    LLVMValueRef x = LLVMGetOperand(c, 0), y = LLVMGetOperand(c, 1);
    if (LLVMIsAFCmpInst(c)) {
        LLVMRealPredicate op = LLVMGetFCmpPredicate(c);
        bool differ = truth ? op == LLVMRealUNE || op == LLVMRealONE : op == LLVMRealOEQ || op == LLVMRealUEQ;
        return differ && (was_faster(l, x, y) || was_faster(l, y, x));
    }
    LLVMIntPredicate op = truth ? LLVMGetICmpPredicate(c) : inverse(LLVMGetICmpPredicate(c));
    return (op == LLVMIntNE && (was_faster(l, x, y) || was_faster(l, y, x))) ||
           ends_by_counting(l, x, op, y) || ends_by_counting(l, y, ir_swapped(op), x) ||
           counts_rounds(l, x, y) || counts_rounds(l, y, x);
}

/* Whether the loop has got on, or somebody else has, if the condition has this value. */
static bool implies(const struct spin_loop *l, LLVMValueRef c, bool truth, unsigned depth) {
    if (!is_inside(l, c) || depth > DEEP) {
        return false;
    }
    LLVMValueRef a = LLVMGetNumOperands(c) > 0 ? LLVMGetOperand(c, 0) : NULL;
    LLVMValueRef b = LLVMGetNumOperands(c) > 1 ? LLVMGetOperand(c, 1) : NULL;
    bool all = true;
    switch (LLVMGetInstructionOpcode(c)) {
    case LLVMICmp:
    case LLVMFCmp:
        return compares(l, c, truth);
    case LLVMExtractValue:
        return !truth && LLVMIsAAtomicCmpXchgInst(a) && *LLVMGetIndices(c) == 1 && has_failed(l, a);
    case LLVMFreeze:
        return implies(l, a, truth, depth + 1);
    case LLVMXor: /* not */
        return LLVMIsAConstantInt(b) && implies(l, a, !truth, depth + 1);
    case LLVMAnd:
    case LLVMOr:
        all = (LLVMGetInstructionOpcode(c) == LLVMAnd) != truth; /* it doesn't tell which of the two */
        return all ? implies(l, a, truth, depth + 1) && implies(l, b, truth, depth + 1)
                   : implies(l, a, truth, depth + 1) || implies(l, b, truth, depth + 1);
    case LLVMSelect: {
        LLVMValueRef arms[] = {b, LLVMGetOperand(c, 2)};
        for (unsigned n = 0; n < 2; n++) { /* one that can't be, or tells, or is chosen by what tells */
            bool never = LLVMIsAConstantInt(arms[n]) && LLVMConstIntGetZExtValue(arms[n]) != truth;
            all &= never || implies(l, arms[n], truth, depth + 1) || implies(l, a, !n, depth + 1);
        }
        return all;
    }
    case LLVMPHI:
        for (unsigned n = 0; n < LLVMCountIncoming(c) && all; n++) {
            LLVMValueRef v = LLVMGetIncomingValue(c, n);
            bool never = LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) != truth;
            all = never || !comes_around(l, c, n) || implies(l, v, truth, depth + 1);
        }
        return all;
    default:
        return false;
    }
}

bool own_progress_on(const struct spin_loop *l, LLVMValueRef branch, unsigned successor) {
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) {
        return false;
    }
    LLVMBasicBlockRef other = LLVMGetSuccessor(branch, !successor);
    struct spin_loop here = *l;
    here.works &= l->stamp[ptrmap_at(l->index, other, 0)] != l->own; /* it may end by its number of rounds */
    return implies(&here, LLVMGetCondition(branch), successor == 0, 0);
}

/* ---- places ---- */

static bool stays(const struct spin_loop *l, LLVMValueRef v, struct ptrmap *known);

/* Whether the PHI of the loop's header may have the value that it had: a round may hand on that, or the same again. */
static bool keeps(const struct spin_loop *l, LLVMValueRef phi, LLVMValueRef v, struct ptrmap *known,
                  struct ptrmap *seen) {
    if (v == phi) {
        return true;
    }
    bool is_phi = is_inside(l, v) && LLVMIsAPHINode(v) && !is_header_phi(l, v);
    if (!is_phi && !(is_inside(l, v) && LLVMIsASelectInst(v))) {
        return stays(l, v, known);
    }
    if (ptrmap_at(seen, v, 0)) {
        return false;
    }
    ptrmap_set(seen, v, 1);
    bool any = false;
    for (unsigned n = 0; is_phi && n < LLVMCountIncoming(v) && !any; n++) {
        any = keeps(l, phi, LLVMGetIncomingValue(v, n), known, seen);
    }
    return any || (!is_phi && (keeps(l, phi, LLVMGetOperand(v, 1), known, seen) ||
                               keeps(l, phi, LLVMGetOperand(v, 2), known, seen)));
}

static bool stays_now(const struct spin_loop *l, LLVMValueRef v, struct ptrmap *known) {
    bool any = false, all = true;
    if (is_header_phi(l, v)) {
        struct ptrmap seen = {0};
        for (unsigned n = 0; n < LLVMCountIncoming(v) && !any; n++) {
            any = comes_around(l, v, n) && keeps(l, v, LLVMGetIncomingValue(v, n), known, &seen);
        }
        return any;
    }
    if (LLVMIsAPHINode(v)) {
        for (unsigned n = 0; n < LLVMCountIncoming(v) && !any; n++) {
            any = stays(l, LLVMGetIncomingValue(v, n), known);
        }
        return any;
    }
    if (LLVMIsASelectInst(v)) {
        return stays(l, LLVMGetOperand(v, 1), known) || stays(l, LLVMGetOperand(v, 2), known);
    }
    if (LLVMIsALoadInst(v) || LLVMIsAAtomicCmpXchgInst(v) || LLVMIsAAtomicRMWInst(v)) {
        return !counts(l, v) && stays(l, LLVMGetOperand(v, 0), known);
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool is_cyclic =
        op == LLVMURem || op == LLVMSRem || (op == LLVMAnd && !is_low_mask(LLVMGetOperand(v, 1)));
    if (is_cyclic) {
        return true;
    }
    for (int n = 0; n < LLVMGetNumOperands(v); n++) {
        all &= stays(l, LLVMGetOperand(v, (unsigned)n), known);
    }
    return all;
}

/* Whether `v` may be in a round what it was in the one before, or some before. While a PHI is looked at it is taken to
 * change. */
static bool stays(const struct spin_loop *l, LLVMValueRef v, struct ptrmap *known) {
    enum { NO = 1, YES };
    if (!is_inside(l, v)) {
        return true;
    }
    uintptr_t so_far = ptrmap_at(known, v, 0);
    if (!so_far) {
        ptrmap_set(known, v, NO);
        so_far = stays_now(l, v, known) ? YES : NO;
        ptrmap_set(known, v, so_far);
    }
    return so_far == YES;
}

bool own_progress_stays(const struct spin_loop *l, LLVMValueRef pointer) {
    struct ptrmap known = {0};
    return stays(l, pointer, &known);
}
