/* reads_again.c: what is read again, after stores to other elements of the same array, is what was read, or stored, before.
 *
 * In a block, and in the rounds of a loop.
 *
 * In: k->run, simplified. Out: the same; a load whose block has read or written that address before, with nothing but stores to
 * other places in between, is that value. LLVM's own elimination of redundant loads (Muchnick, 1997) asks whether addresses may be
 * the same, which it doesn't know of indices of 32 bits that may wrap around. For a pack it costs more than a load: it would wait
 * for the store before it, which overlaps what it reads in other lanes. Addresses are sums modulo 2^32 of values with factors; if
 * two differ by a number that is no multiple of 2^32 they differ, wrap or not:
 *     %low = 256 * l + 127, %high = 256 * l + 255      %x = load %high
 *     %x = load %high; store %x, %low                  store %x, %low
 *     %y = load %high                          becomes %x
 * What a loop of one block reads at one place in all rounds is read before it, if its stores are to other objects, or further on
 * with each round. An object has less than 2^31 bytes (objects.c), so a place in it that goes on by less than that with each
 * round never comes around: modulo 2^32 it would be in no object before. If the first round stores behind what is read and the
 * others further behind, none stores there; the same backwards. So a row of a matrix stays in a register while those below it
 * are changed:
 *     for (i = k + 1; i < n; i++) s[i][c] -= s[i][k] * s[k][c];      s[k][c]: i begins at k + 1, a row ahead
 * What it can't do: more than one block, and addresses from two variables. */
#include "analysis.h"
#include "lower.h"

enum { TERMS = 8, DEPTH = 12, LOOKS = 48 };

/* root + constant + the terms' sum, in bytes modulo 2^32. */
struct sum {
    LLVMValueRef root;
    uint32_t constant;
    unsigned n;
    struct {
        LLVMValueRef value;
        uint32_t times;
    } term[TERMS];
};

static bool add_term(struct sum *s, LLVMValueRef value, uint32_t times) {
    unsigned at = 0;
    while (at < s->n && s->term[at].value != value) {
        at++;
    }
    if (at == TERMS) {
        return false;
    }
    s->term[at].value = value;
    s->term[at].times = (at < s->n ? s->term[at].times : 0) + times;
    s->n += at == s->n;
    return true;
}

/* Whether the cast leaves what a number is modulo 2^32. */
static bool keeps_rest(LLVMValueRef x) {
    if (!LLVMIsAZExtInst(x) && !LLVMIsASExtInst(x) && !LLVMIsATruncInst(x)) {
        return false;
    }
    LLVMTypeRef from = LLVMTypeOf(LLVMGetOperand(x, 0)), to = LLVMTypeOf(x);
    return LLVMGetIntTypeWidth(from) >= 32 && LLVMGetIntTypeWidth(from) <= 64 &&
           LLVMGetIntTypeWidth(to) >= 32;
}

/* What an instruction adds to the PHI in a round of its loop. */
static bool find_step(LLVMValueRef phi, LLVMValueRef next, uint32_t *step) {
    LLVMValueRef by = ir_counts_by(next, phi);
    *step = by ? (uint32_t)LLVMConstIntGetZExtValue(by) : 0;
    return by;
}

/* Whether both PHIs of a block count alike: `x` is `y` and a number in all rounds, as of loops that begin at k and at k + 1. */
static bool counts_as(LLVMValueRef x, LLVMValueRef y, uint32_t *more) {
    uint32_t steps[2];
    bool is = LLVMIsAPHINode(y) && LLVMCountIncoming(x) == 2 &&
              LLVMGetTypeKind(LLVMTypeOf(y)) == LLVMIntegerTypeKind &&
              LLVMGetIntTypeWidth(LLVMTypeOf(y)) >= 32 && LLVMGetIntTypeWidth(LLVMTypeOf(x)) >= 32;
    unsigned constants = 0;
    for (unsigned n = 0; is && n < 2; n++) {
        bool same = LLVMGetIncomingBlock(y, 0) == LLVMGetIncomingBlock(x, n);
        LLVMValueRef a = LLVMGetIncomingValue(x, n), b = LLVMGetIncomingValue(y, !same);
        if (LLVMIsAConstantInt(a) && LLVMIsAConstantInt(b)) {
            *more = (uint32_t)(LLVMConstIntGetZExtValue(a) - LLVMConstIntGetZExtValue(b));
            constants++;
        } else {
            is = find_step(x, a, &steps[0]) && find_step(y, b, &steps[1]) && steps[0] == steps[1];
        }
    }
    return is && constants == 1;
}

/* The first PHI of the block that counts as this one. */
static LLVMValueRef first_counter(LLVMValueRef phi, uint32_t *more) {
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetInstructionParent(phi));
    for (unsigned n = 0; i != phi && n < LOOKS; n++, i = LLVMGetNextInstruction(i)) {
        if (counts_as(phi, i, more)) {
            return i;
        }
    }
    *more = 0;
    return phi;
}

static bool add_number(struct sum *s, LLVMValueRef x, uint32_t times, unsigned depth) {
    if (LLVMIsAPHINode(x)) {
        uint32_t more = 0;
        x = first_counter(x, &more);
        s->constant += times * more;
        return add_term(s, x, times);
    }
    if (LLVMIsAConstantInt(x)) {
        s->constant += times * (uint32_t)LLVMConstIntGetZExtValue(x);
        return true;
    }
    if (depth && keeps_rest(x)) {
        return add_number(s, LLVMGetOperand(x, 0), times, depth - 1);
    }
    if (!depth || !LLVMIsABinaryOperator(x)) {
        return add_term(s, x, times);
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    LLVMValueRef a = LLVMGetOperand(x, 0), b = LLVMGetOperand(x, 1), c = LLVMIsAConstantInt(b);
    uint64_t n = c ? LLVMConstIntGetZExtValue(c) : 0;
    if (op == LLVMAdd || op == LLVMSub || (op == LLVMOr && LLVMGetIsDisjoint(x))) {
        return add_number(s, a, times, depth - 1) &&
               add_number(s, b, op == LLVMSub ? -times : times, depth - 1);
    }
    if (c && (op == LLVMMul || (op == LLVMShl && n < 32))) {
        return add_number(s, a, times * (op == LLVMMul ? (uint32_t)n : 1u << n), depth - 1);
    }
    return add_term(s, x, times);
}

static bool find_sum(struct kernel *k, LLVMValueRef at, struct sum *s) {
    struct gep_step steps[GEP_STEPS];
    *s = (struct sum){.root = at};
    for (; LLVMIsAGetElementPtrInst(s->root); s->root = LLVMGetOperand(s->root, 0)) {
        unsigned n = ir_gep_steps(LLVMGetModuleDataLayout(k->module), s->root, steps);
        for (unsigned i = 0; i < n; i++) {
            uint32_t bytes = (uint32_t)steps[i].bytes;
            if (!steps[i].index) {
                s->constant += bytes;
            } else if (LLVMGetIntTypeWidth(LLVMTypeOf(steps[i].index)) < 32 ||
                       !add_number(s, steps[i].index, bytes, DEPTH)) {
                return false;
            }
        }
        if (!n) {
            return false;
        }
    }
    return true;
}

static bool has_terms_of(const struct sum *x, const struct sum *y) {
    for (unsigned i = 0; i < x->n; i++) {
        uint32_t times = 0;
        for (unsigned j = 0; j < y->n; j++) {
            times = y->term[j].value == x->term[i].value ? y->term[j].times : times;
        }
        if (times != x->term[i].times) {
            return false;
        }
    }
    return true;
}

static int64_t bytes_of(struct kernel *k, LLVMTypeRef type) {
    return (int64_t)LLVMStoreSizeOfType(LLVMGetModuleDataLayout(k->module), type);
}

/* Whether what is stored surely isn't what the load reads. */
static bool are_apart(struct kernel *k, const struct sum *read, LLVMValueRef load, LLVMValueRef store) {
    LLVMValueRef to = LLVMGetOperand(store, 1);
    struct sum written;
    if (!find_sum(k, to, &written) || written.root != read->root || !has_terms_of(read, &written) ||
        !has_terms_of(&written, read)) {
        return false;
    }
    int32_t ahead = (int32_t)(written.constant - read->constant);
    return ahead >= bytes_of(k, LLVMTypeOf(load)) ||
           ahead <= -bytes_of(k, LLVMTypeOf(LLVMGetOperand(store, 0)));
}

/* What the load's memory holds, where the block has read or written it before; else NULL. */
static LLVMValueRef known(struct kernel *k, LLVMValueRef load) {
    LLVMValueRef at = LLVMGetOperand(load, 0), i = LLVMGetPreviousInstruction(load);
    bool has_sum = false;
    struct sum sum;
    for (unsigned n = 0; i && n < LOOKS; n++, i = LLVMGetPreviousInstruction(i)) {
        bool is_store = ir_is_plain(i) && LLVMIsAStoreInst(i);
        LLVMValueRef value = is_store ? LLVMGetOperand(i, 0) : i;
        if (ir_is_plain(i) && LLVMGetOperand(i, is_store) == at && LLVMTypeOf(value) == LLVMTypeOf(load)) {
            return value;
        }
        if (is_store && !has_sum && !(has_sum = find_sum(k, at, &sum))) {
            return NULL;
        }
        if (ir_may_write(i) && !(is_store && are_apart(k, &sum, load, i))) {
            return NULL;
        }
    }
    return NULL;
}

/* ---- rounds of a loop ---- */

/* A loop of one block, which one other block leads to and does nothing else. */
struct loop {
    LLVMBasicBlockRef block, before;
};

static bool find_loop(LLVMBasicBlockRef block, struct loop *l) {
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    if (!LLVMIsAPHINode(phi) || LLVMCountIncoming(phi) != 2) {
        return false;
    }
    unsigned outside = LLVMGetIncomingBlock(phi, 0) == block; /* the other way in */
    l->block = block;
    l->before = LLVMGetIncomingBlock(phi, outside);
    return LLVMGetIncomingBlock(phi, !outside) == block && l->before != block &&
           LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(l->before)) == 1;
}

static bool is_in(LLVMValueRef v, const struct loop *l) {
    return LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == l->block;
}

/* Of an address' sum the one in the loop's first round, and what is added to it with each round; false: neither is known. */
static bool in_first_round(const struct loop *l, const struct sum *s, struct sum *first, uint32_t *step) {
    *first = (struct sum){.root = s->root, .constant = s->constant};
    *step = 0;
    bool is_known = !is_in(s->root, l);
    for (unsigned n = 0; n < s->n && is_known; n++) {
        LLVMValueRef x = s->term[n].value;
        uint32_t times = s->term[n].times;
        if (!is_in(x, l)) {
            is_known = add_number(first, x, times, DEPTH);
            continue;
        }
        uint32_t each;
        is_known = LLVMIsAPHINode(x) && find_step(x, ir_incoming(x, l->block), &each) &&
                   add_number(first, ir_incoming(x, l->before), times, DEPTH);
        *step += is_known ? times * each : 0;
    }
    return is_known;
}

/* Whether no round of the loop stores to what the load, at one place in all rounds, reads. */
static bool stays_apart(struct kernel *k, const struct loop *l, LLVMValueRef load, LLVMValueRef store) {
    LLVMValueRef from = LLVMGetOperand(load, 0), to = LLVMGetOperand(store, 1);
    LLVMValueRef object = object_of(from), other = object_of(to);
    struct sum read, place, written, first;
    uint32_t step;
    if (!object || !other || object != other) {
        return object && other;
    }
    if (!find_sum(k, from, &place) || !find_sum(k, to, &written) || written.root != place.root ||
        !in_first_round(l, &place, &read, &step) || step || !in_first_round(l, &written, &first, &step) ||
        !has_terms_of(&read, &first) || !has_terms_of(&first, &read)) {
        return false;
    }
    int32_t ahead = (int32_t)(first.constant - read.constant), each = (int32_t)step;
    return each >= 0 ? ahead >= bytes_of(k, LLVMTypeOf(load)) && each < INT32_MAX
                     : ahead <= -bytes_of(k, LLVMTypeOf(LLVMGetOperand(store, 0))) && each > INT32_MIN;
}

static bool is_the_same_in_all_rounds(struct kernel *k, const struct loop *l, LLVMValueRef load,
                                      const struct list *effects) {
    bool is = !is_in(LLVMGetOperand(load, 0), l);
    for (size_t n = 0; n < effects->n && is; n++) {
        LLVMValueRef i = effects->at[n];
        is = LLVMIsAStoreInst(i) && ir_is_plain(i) && stays_apart(k, l, load, i);
    }
    return is;
}

static void read_before(struct kernel *k, LLVMBasicBlockRef block) {
    struct loop l;
    struct list effects = {0};
    if (!find_loop(block, &l)) {
        return;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (ir_may_write(i)) {
            list_add(&effects, i);
        }
    }
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i && effects.n <= LOOKS; i = next) {
        next = LLVMGetNextInstruction(i);
        if (LLVMIsALoadInst(i) && ir_is_plain(i) && is_the_same_in_all_rounds(k, &l, i, &effects)) {
            LLVMBuilderRef b = ir_before(LLVMGetBasicBlockTerminator(l.before));
            LLVMInstructionRemoveFromParent(i);
            LLVMInsertIntoBuilderWithName(b, i, "");
            LLVMDisposeBuilder(b);
        }
    }
}

void reads_again_pass(struct kernel *k) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef value = ir_is_plain(i) && LLVMIsALoadInst(i) ? known(k, i) : NULL;
            if (value) {
                LLVMReplaceAllUsesWith(i, value);
                LLVMInstructionEraseFromParent(i);
            }
        }
        read_before(k, block);
    }
}
