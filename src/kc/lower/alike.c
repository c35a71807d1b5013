/* alike.c: integers that all work-items of a group have alike.
 *
 * In: a kernel that is to be checked. Out: whether an integer in a block is the same for all work-items that are in the same rounds of
 * the loops around the block: it is computed from constants, arguments, what the group has in common, and counters of those
 * loops, each round's from the last one's. Who meets at a barrier is in the same rounds, or is reported; so until its loop's next round such
 * a counter is one number for the group (alike_headers).
 *
 *     for (uint step = n / 2; step; step /= 2) {
 *         barrier(CLK_LOCAL_MEM_FENCE);
 *         ... step ...                              the same for all, though nobody knows which number
 *     }
 */
#include "index_form.h"
#include <string.h>

enum { DEPTH = 16 };

static unsigned node_of(const struct alike *a, LLVMBasicBlockRef block) {
    return (unsigned)ptrmap_at(&a->in->index, block, 0);
}

/* ---- loops ---- */

/* The blocks from which `latch` is reached without the header; NULL: the program's entry is one of them, as where the header comes
 * later. */
static uint64_t *blocks_of(const struct instrumenting *in, unsigned header, unsigned latch) {
    const struct graph *cfg = in->cfg;
    if (in->place[latch] < in->place[header]) {
        return NULL;
    }
    uint64_t *blocks = job_alloc((cfg->n / 64 + 1) * sizeof *blocks);
    struct list work = {0};
    bit_add(blocks, header);
    list_add(&work, (void *)(uintptr_t)latch);
    while (work.n) {
        unsigned n = (unsigned)(uintptr_t)work.at[--work.n];
        for (unsigned p = 0; !bit_at(blocks, n) && p < cfg->npred[n]; p++) {
            list_add(&work, (void *)(uintptr_t)cfg->pred[n][p]);
        }
        bit_add(blocks, n);
    }
    return header && bit_at(blocks, 0) ? NULL : blocks;
}

int alike_way_to(const struct instrumenting *in, unsigned node) {
    const struct graph *cfg = in->cfg;
    int from = -1;
    for (unsigned p = 0; p < cfg->npred[node]; p++) {
        bool is_back = cfg->npred[node] > 1 && blocks_of(in, node, cfg->pred[node][p]);
        if (!is_back && from >= 0) {
            return -1;
        }
        from = is_back ? from : (int)cfg->pred[node][p];
    }
    return from;
}

/* A PHI that has one value for a round: from before the loop, or from the round before. */
static struct alike_loop *find_loop(struct alike *a, LLVMValueRef phi) {
    unsigned header = node_of(a, LLVMGetInstructionParent(phi));
    for (unsigned n = 0; LLVMCountIncoming(phi) == 2 && n < 2; n++) {
        uint64_t *blocks = blocks_of(a->in, header, node_of(a, LLVMGetIncomingBlock(phi, n)));
        if (blocks && !bit_at(blocks, node_of(a, LLVMGetIncomingBlock(phi, 1 - n)))) {
            struct alike_loop *l = job_alloc(sizeof *l);
            *l = (struct alike_loop){header, n, blocks};
            return l;
        }
    }
    return NULL;
}

/* The loop that the PHI counts, each round alike; NULL: it is none, or not for all. */
static const struct alike_loop *loop_of(struct alike *a, LLVMValueRef phi) {
    uintptr_t known;
    if (ptrmap_get(&a->loops, phi, &known)) {
        return (const struct alike_loop *)known;
    }
    struct alike_loop *l = find_loop(a, phi);
    ptrmap_set(&a->loops, phi, (uintptr_t)l); /* what the next round's comes from may be itself */
    for (unsigned n = 0; l && n < 2; n++) {
        unsigned from = node_of(a, LLVMGetIncomingBlock(phi, n));
        l = alike_value(a, LLVMGetIncomingValue(phi, n), from) ? l : NULL;
    }
    if (!l) { /* what was found meanwhile may have relied on it */
        a->loops = (struct ptrmap){0};
    }
    ptrmap_set(&a->loops, phi, (uintptr_t)l);
    return l;
}

/* ---- values ---- */

static bool is_the_groups(LLVMValueRef v) {
    return ir_is_intrinsic(v, "__weir_group_id_") || ir_is_intrinsic(v, "__weir_local_size_");
}

bool alike_value(struct alike *a, LLVMValueRef v, unsigned node) {
    uintptr_t argument;
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || a->depth > DEPTH) {
        return false;
    }
    if (LLVMIsAConstantInt(v) || ptrmap_get(&a->in->k->numbers, v, &argument) || is_the_groups(v)) {
        return true;
    }
    if (LLVMIsAPHINode(v)) {
        a->depth++;
        const struct alike_loop *l = loop_of(a, v);
        a->depth--;
        return l && bit_at(l->blocks, node);
    }
    bool is = LLVMIsABinaryOperator(v) || LLVMIsATruncInst(v) || LLVMIsAZExtInst(v) || LLVMIsASExtInst(v);
    a->depth++;
    for (unsigned n = 0; is && n < (unsigned)LLVMGetNumOperands(v); n++) {
        is = alike_value(a, LLVMGetOperand(v, n), node);
    }
    a->depth--;
    return is;
}

void alike_loops(struct alike *a, LLVMValueRef v, struct list *loops) {
    if (LLVMIsAPHINode(v)) {
        list_add(loops, (void *)loop_of(a, v));
    } else if (LLVMIsAInstruction(v) && !LLVMIsACallInst(v)) {
        for (unsigned n = 0; n < (unsigned)LLVMGetNumOperands(v); n++) {
            alike_loops(a, LLVMGetOperand(v, n), loops);
        }
    }
}

/* ---- what they may be ---- */

/* What `is` of a value follows from: of the values that a PHI gets, where it holds for itself if it does for them. */
static bool holds_for_all(struct alike *a, LLVMValueRef phi, bool (*is)(struct alike *, LLVMValueRef)) {
    bool again = false, all = a->depth++ <= DEPTH;
    for (size_t n = 0; n < a->asked.n; n++) {
        again |= a->asked.at[n] == phi;
    }
    all &= !again;
    list_add(&a->asked, phi);
    for (unsigned n = 0; all && n < LLVMCountIncoming(phi); n++) {
        all = is(a, LLVMGetIncomingValue(phi, n));
    }
    a->asked.n--;
    a->depth--;
    return all || again;
}

static bool by_more_than_one(LLVMValueRef v) {
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    LLVMValueRef by = LLVMGetOperand(v, 1);
    uint64_t n = LLVMIsAConstantInt(by) ? LLVMConstIntGetZExtValue(by) : 0;
    return (op == LLVMLShr && n >= 1) || (op == LLVMUDiv && n >= 2);
}

/* Whether it is less than 2^31, as an unsigned number. */
static bool is_half(struct alike *a, LLVMValueRef v) {
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    if (LLVMIsAConstantInt(v)) {
        return bits <= 64 && LLVMConstIntGetZExtValue(v) <= INT32_MAX;
    }
    if (LLVMIsAPHINode(v)) {
        return holds_for_all(a, v, is_half);
    }
    if (LLVMIsAZExtInst(v)) {
        return is_half(a, LLVMGetOperand(v, 0));
    }
    bool is_less = LLVMIsABinaryOperator(v) && by_more_than_one(v);
    return bits < 32 || (is_less && (bits == 32 || is_half(a, LLVMGetOperand(v, 0))));
}

bool alike_is_power(struct alike *a, LLVMValueRef v) {
    if (LLVMIsAConstantInt(v)) {
        uint64_t n = LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64 ? LLVMConstIntGetZExtValue(v) : 3;
        return !(n & (n - 1));
    }
    if (LLVMIsAPHINode(v)) {
        return holds_for_all(a, v, alike_is_power);
    }
    LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMPHI;
    switch (op) {
    case LLVMShl:
    case LLVMLShr:
    case LLVMTrunc:
    case LLVMZExt:
        return alike_is_power(a, LLVMGetOperand(v, 0));
    case LLVMMul:
        return alike_is_power(a, LLVMGetOperand(v, 0)) && alike_is_power(a, LLVMGetOperand(v, 1));
    case LLVMUDiv:
        return by_more_than_one(v) && alike_is_power(a, LLVMGetOperand(v, 0)) &&
               alike_is_power(a, LLVMGetOperand(v, 1));
    default:
        return false;
    }
}

/* Whether the comparison, which holds or doesn't, says that the value is at least 1; *is_signed: as a signed number. */
static bool says_positive(LLVMValueRef compare, LLVMValueRef v, bool holds, bool *is_signed) {
    if (!LLVMIsAICmpInst(compare) || LLVMGetOperand(compare, 0) != v ||
        !LLVMIsAConstantInt(LLVMGetOperand(compare, 1))) {
        return false;
    }
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    int64_t n = LLVMConstIntGetSExtValue(LLVMGetOperand(compare, 1));
    p = holds ? p : ir_opposite(p);
    *is_signed = (p == LLVMIntSGT && n >= 0) || (p == LLVMIntSGE && n >= 1);
    return *is_signed || (p == LLVMIntNE && !n) || (p == LLVMIntUGT && n >= 0) || (p == LLVMIntUGE && n >= 1);
}

bool alike_is_divisor(struct alike *a, LLVMValueRef v, unsigned node, bool may_be_0) {
    const struct graph *cfg = a->in->cfg;
    bool positive = may_be_0 || (LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v)), half = is_half(a, v);
    for (unsigned n = 0; n < GUARDS_WAY && cfg->npred[node] == 1 && !(positive && half); n++) {
        unsigned from = cfg->pred[node][0];
        LLVMValueRef branch = LLVMGetBasicBlockTerminator(a->in->blocks[from]);
        bool is_signed = false;
        if (LLVMIsABranchInst(branch) && LLVMIsConditional(branch) &&
            LLVMGetSuccessor(branch, 0) != LLVMGetSuccessor(branch, 1)) {
            bool holds = LLVMGetSuccessor(branch, 0) == a->in->blocks[node];
            positive |= says_positive(LLVMGetCondition(branch), v, holds, &is_signed);
            half |= is_signed && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 32;
        }
        node = from;
    }
    return positive && half;
}
