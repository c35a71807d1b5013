/* reads_again.c: what is read again, after stores to other elements of the same array, is what was read, or stored, before.
 *
 * In: k->run, simplified. Out: the same; a load whose block has read or written that address before, with nothing but stores to
 * other places in between, is that value. LLVM's own elimination of redundant loads (Muchnick, 1997) asks whether addresses may be
 * the same, which it doesn't know of indices of 32 bits that may wrap around. For a pack it costs more than a load: it would wait
 * for the store before it, which overlaps what it reads in other lanes. Addresses are sums modulo 2^32 of values with factors; if
 * two differ by a number that is no multiple of 2^32 they differ, wrap or not:
 *     %low = 256 * l + 127, %high = 256 * l + 255      %x = load %high
 *     %x = load %high; store %x, %low                  store %x, %low
 *     %y = load %high                          becomes %x
 * What it can't do: more than one block, and addresses from two variables. */
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

static bool add_number(struct sum *s, LLVMValueRef x, uint32_t times, unsigned depth) {
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

static bool is_plain(LLVMValueRef i) {
    return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && !LLVMGetVolatile(i) &&
           LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

/* Whether it may write memory or order accesses. */
static bool has_effect(LLVMValueRef i) {
    return LLVMIsACallInst(i) ? !ir_is_marker(i) && !ir_has_no_effect(i)
                              : LLVMIsAStoreInst(i) || LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) ||
                                    LLVMIsAAtomicCmpXchgInst(i) || (LLVMIsALoadInst(i) && !is_plain(i));
}

/* What the load's memory holds, where the block has read or written it before; else NULL. */
static LLVMValueRef known(struct kernel *k, LLVMValueRef load) {
    LLVMValueRef at = LLVMGetOperand(load, 0), i = LLVMGetPreviousInstruction(load);
    bool has_sum = false;
    struct sum sum;
    for (unsigned n = 0; i && n < LOOKS; n++, i = LLVMGetPreviousInstruction(i)) {
        bool is_store = is_plain(i) && LLVMIsAStoreInst(i);
        LLVMValueRef value = is_store ? LLVMGetOperand(i, 0) : i;
        if (is_plain(i) && LLVMGetOperand(i, is_store) == at && LLVMTypeOf(value) == LLVMTypeOf(load)) {
            return value;
        }
        if (is_store && !has_sum && !(has_sum = find_sum(k, at, &sum))) {
            return NULL;
        }
        if (has_effect(i) && !(is_store && are_apart(k, &sum, load, i))) {
            return NULL;
        }
    }
    return NULL;
}

void reads_again_pass(struct kernel *k) {
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(k->run); block;
         block = LLVMGetNextBasicBlock(block)) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef value = is_plain(i) && LLVMIsALoadInst(i) ? known(k, i) : NULL;
            if (value) {
                LLVMReplaceAllUsesWith(i, value);
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
}
