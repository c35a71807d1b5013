/* counted_loop.c: loops of one block that count their rounds: where they walk in memory, and whether LLVM makes vectors of
 * rounds.
 *
 * In: k->run simplified. Out: of an address how many bytes it goes on with each round; of a loop how many rounds LLVM's
 * loop vectorizer computes at once where work-items run one by one.
 *     for (j = 0; j < n; j++) b[id * n + j] = a[id * n + j] * x;      8 rounds of float in registers of 256 bits
 *     for (j = 0; j < n; j++) sum += a[id * n + j];                   of int, too; of float only if sums may change their order
 *     for (j = 1; j < n; j++) a[j] += a[j - 1];                       none: a round needs the one before
 * What it can't do: know whether rows overlap that are at distances which only the run tells (LLVM looks), or branches in a
 * round. */
#include "analysis.h"

enum { DEPTH = 6 };

static bool is_outside(LLVMValueRef v, LLVMBasicBlockRef loop) {
    return !LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != loop;
}

/* How much the number goes up with the counter; false: not evenly. */
static bool find_factor(LLVMValueRef v, LLVMValueRef counter, unsigned depth, int64_t *factor) {
    LLVMBasicBlockRef loop = LLVMGetInstructionParent(counter);
    *factor = v == counter;
    if (v == counter || is_outside(v, loop)) {
        return true;
    }
    int64_t x = 0, y = 0;
    LLVMValueRef by = LLVMIsABinaryOperator(v) ? LLVMIsAConstantInt(LLVMGetOperand(v, 1)) : NULL;
    if (!depth || !LLVMGetNumOperands(v) || LLVMIsAPHINode(v) || LLVMIsALoadInst(v) || LLVMIsACallInst(v) ||
        !find_factor(LLVMGetOperand(v, 0), counter, depth - 1, &x)) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(v)) {
    case LLVMSExt:
    case LLVMZExt:
    case LLVMTrunc:
        *factor = x;
        return true;
    case LLVMMul:
        *factor = by ? x * LLVMConstIntGetSExtValue(by) : 0;
        return by;
    case LLVMShl:
        *factor = by ? x * (INT64_C(1) << (LLVMConstIntGetZExtValue(by) & 31)) : 0;
        return by;
    case LLVMOr:
        if (!LLVMGetIsDisjoint(v)) {
            return false;
        } /* fall through */
    case LLVMAdd:
    case LLVMSub:
        if (!find_factor(LLVMGetOperand(v, 1), counter, depth - 1, &y)) {
            return false;
        }
        *factor = LLVMGetInstructionOpcode(v) == LLVMSub ? x - y : x + y;
        return true;
    default:
        return false;
    }
}

bool counted_loop_distance(LLVMTargetDataRef layout, LLVMValueRef counter, LLVMValueRef at, int64_t *bytes) {
    struct gep_step steps[GEP_STEPS];
    int64_t factor;
    LLVMBasicBlockRef loop = LLVMGetInstructionParent(counter);
    for (*bytes = 0; LLVMIsAGetElementPtrInst(at) && !is_outside(at, loop); at = LLVMGetOperand(at, 0)) {
        unsigned n = ir_gep_steps(layout, at, steps);
        for (unsigned i = 0; i < n; i++) {
            if (steps[i].index && !find_factor(steps[i].index, counter, DEPTH, &factor)) {
                return false;
            }
            *bytes += steps[i].index ? (int64_t)steps[i].bytes * factor : 0;
        }
        if (!n) {
            return false;
        }
    }
    return is_outside(at, loop);
}

/* By how much the PHI goes up with each round, or NULL. */
static LLVMValueRef step_of(LLVMValueRef phi, LLVMBasicBlockRef loop) {
    LLVMValueRef next = ir_incoming(phi, loop);
    return next ? ir_counts_by(next, phi) : NULL;
}

LLVMValueRef counted_loop_counter(LLVMBasicBlockRef b) {
    enum { LONG = 100 }; /* instructions */
    LLVMValueRef end = LLVMGetBasicBlockTerminator(b), counter = NULL;
    unsigned n = 0;
    bool closes = LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
                  (LLVMGetSuccessor(end, 0) == b) != (LLVMGetSuccessor(end, 1) == b);
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && closes; i = LLVMGetNextInstruction(i)) {
        bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
        if ((is_access && !ir_is_plain(i)) || LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) ||
            LLVMIsAAtomicCmpXchgInst(i) || (LLVMIsACallInst(i) && !ir_has_no_effect(i)) || ++n > LONG) {
            return NULL;
        }
        LLVMValueRef step = LLVMIsAPHINode(i) ? step_of(i, b) : NULL;
        if (step && (LLVMConstIntGetSExtValue(step) == 1 || LLVMConstIntGetSExtValue(step) == -1)) {
            counter = i;
        }
    }
    return counter;
}

/* ---- rounds at once ---- */

static unsigned uses_in(LLVMValueRef v, LLVMBasicBlockRef loop) {
    unsigned n = 0;
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        n += !is_outside(LLVMGetUser(u), loop);
    }
    return n;
}

/* Whether the PHI joins what rounds give, in any order. */
static bool is_reduction(LLVMValueRef phi, LLVMBasicBlockRef loop) {
    static const char *const limits[] = {"llvm.smin.", "llvm.smax.", "llvm.umin.", "llvm.umax."};
    LLVMValueRef next = ir_incoming(phi, loop);
    if (!next || is_outside(next, loop) || uses_in(phi, loop) != 1 || uses_in(next, loop) != 1) {
        return false;
    }
    bool joins = false;
    for (int o = 0; o < LLVMGetNumOperands(next); o++) {
        joins |= LLVMGetOperand(next, (unsigned)o) == phi;
    }
    for (size_t n = 0; joins && LLVMIsACallInst(next) && n < sizeof limits / sizeof *limits; n++) {
        if (ir_is_intrinsic(next, limits[n])) {
            return true;
        }
    }
    switch (LLVMGetInstructionOpcode(next)) {
    case LLVMAdd:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return joins;
    case LLVMFAdd:
    case LLVMFMul:
        return joins && LLVMGetFastMathFlags(next) & LLVMFastMathAllowReassoc;
    default:
        return false;
    }
}

static LLVMValueRef address_of(LLVMValueRef i) {
    return LLVMIsALoadInst(i) ? LLVMGetOperand(i, 0) : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

/* An address as a constant and a sum of other values, each times a number of bytes. */
struct sum {
    LLVMValueRef terms[8];
    uint64_t scales[8];
    unsigned n;
    int64_t constant;
    bool is_long;
};

static void add(struct sum *s, LLVMValueRef v, uint64_t scale, unsigned depth) {
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMPHI;
    if (LLVMIsAConstantInt(v)) {
        s->constant += LLVMConstIntGetSExtValue(v) * (int64_t)scale;
    } else if (depth && (op == LLVMZExt || op == LLVMSExt || op == LLVMTrunc)) {
        add(s, LLVMGetOperand(v, 0), scale, depth - 1);
    } else if (depth && (op == LLVMAdd || (op == LLVMOr && LLVMGetIsDisjoint(v)))) {
        add(s, LLVMGetOperand(v, 0), scale, depth - 1);
        add(s, LLVMGetOperand(v, 1), scale, depth - 1);
    } else if (s->n < sizeof s->terms / sizeof *s->terms) {
        s->scales[s->n] = scale;
        s->terms[s->n++] = v;
    } else {
        s->is_long = true;
    }
}

static LLVMValueRef sum_of(LLVMTargetDataRef layout, LLVMValueRef at, struct sum *s) {
    struct gep_step steps[GEP_STEPS];
    for (; LLVMIsAGetElementPtrInst(at); at = LLVMGetOperand(at, 0)) {
        unsigned n = ir_gep_steps(layout, at, steps);
        s->is_long |= !n;
        for (unsigned i = 0; i < n; i++) {
            if (steps[i].index) {
                add(s, steps[i].index, steps[i].bytes, DEPTH);
            } else {
                s->constant += (int64_t)steps[i].bytes;
            }
        }
    }
    return at;
}

static bool has_term(const struct sum *s, LLVMValueRef v, uint64_t scale) {
    bool found = false;
    for (unsigned i = 0; i < s->n; i++) {
        found |= s->terms[i] == v && s->scales[i] == scale;
    }
    return found;
}

/* Whether the store may write what another round reads or writes at this address, as far as one can tell: LLVM looks at places
 * that are apart by what only the run tells. */
static bool meets(LLVMTargetDataRef layout, LLVMValueRef store, LLVMValueRef at) {
    struct sum x = {.n = 0}, y = {.n = 0};
    bool is_same = sum_of(layout, LLVMGetOperand(store, 1), &x) == sum_of(layout, at, &y);
    if (!is_same || x.is_long || y.is_long) {
        return is_same;
    }
    is_same = x.n == y.n;
    for (unsigned i = 0; i < x.n && is_same; i++) {
        is_same = has_term(&y, x.terms[i], x.scales[i]);
    }
    return is_same && x.constant != y.constant;
}

/* Whether what the store writes is no other round's, of all that the loop accesses. */
static bool is_alone(LLVMTargetDataRef layout, LLVMValueRef store, LLVMBasicBlockRef loop) {
    bool met = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop); i && !met; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef at = address_of(i);
        met = at && meets(layout, store, at);
    }
    return !met;
}

unsigned counted_loop_rounds(const struct kernel *k, LLVMBasicBlockRef loop) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->module);
    LLVMValueRef counter = counted_loop_counter(loop);
    int64_t most = 0, distance;
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop); i && counter; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef at = address_of(i);
        if (LLVMIsAPHINode(i) && !step_of(i, loop) && !is_reduction(i, loop)) {
            return 0;
        }
        if (LLVMIsACallInst(i) && !ir_is_intrinsic(i, "llvm.")) {
            return 0;
        }
        if (!at) {
            continue;
        }
        LLVMTypeRef type = ir_access_type(i);
        int64_t bytes = (int64_t)LLVMABISizeOfType(layout, type);
        bool is_row = LLVMGetTypeKind(type) != LLVMVectorTypeKind && private_is_element(type) &&
                      counted_loop_distance(layout, counter, at, &distance) &&
                      (distance == bytes || (!distance && LLVMIsALoadInst(i)));
        if (!is_row || (LLVMIsAStoreInst(i) && !is_alone(layout, i, loop))) {
            return 0;
        }
        most = distance && bytes > most ? bytes : most;
    }
    bool may = most && !ir_divides(k->run); /* else the vectorizer is off (post/vectorizer_off.c) */
    return may ? k->target->vector_bits / (8 * (unsigned)most) : 0;
}
