/* sunk_accesses.c: an access where ways meet, at addresses that they bring, is one on each way again.
 *
 * Needs k->run simplified. Of `if (x < n) v = a[x]; else v = b[x - n];` LLVM makes one load behind both arms, whose address is a PHI, and
 * likewise one store; nobody knows then how a pack's elements lie. Where the address that a way brings is evenly apart from lane to
 * lane, and others are, too, or may be, the access goes back.
 *     one:    %p = getelementptr float, ptr %a, %x; br label %meet         one:    ... %v1 = load float, ptr %p; br label %meet
 *     other:  %q = getelementptr float, ptr %b, %y; br label %meet         other:  ... %v2 = load float, ptr %q; br label %meet
 *     meet:   %at = phi ptr [ %p, %one ], [ %q, %other ]            ->     meet:   %v = phi float [ %v1, %one ], [ %v2, %other ]
 *             %v = load float, ptr %at
 * What it can't do: go past what else a block does with memory before, or around a loop. */
#include "analysis.h"
#include "lower.h"

enum { DEPTH = 6, MOST_WAYS = 4 };

struct sinking {
    struct uniform pack;
    LLVMTargetDataRef layout;
    LLVMBasicBlockRef block;
};

/* The ways into the block, each from a block that leads nowhere else; false: others come, too. */
static bool find_ways(LLVMBasicBlockRef block, LLVMBasicBlockRef *ways, unsigned *n) {
    LLVMValueRef phi = LLVMGetFirstInstruction(block);
    *n = LLVMIsAPHINode(phi) ? LLVMCountIncoming(phi) : 0;
    if (*n < 2 || *n > MOST_WAYS) {
        return false;
    }
    for (unsigned i = 0; i < *n; i++) {
        ways[i] = LLVMGetIncomingBlock(phi, i);
        if (ways[i] == block || LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(ways[i])) != 1) {
            return false;
        }
    }
    return true;
}

struct way {
    LLVMBasicBlockRef block, from;
};

/* What a PHI of the block has on this way. */
static LLVMValueRef brought(const void *arg, LLVMValueRef v) {
    const struct way *w = arg;
    return LLVMIsAPHINode(v) && LLVMGetInstructionParent(v) == w->block ? ir_incoming(v, w->from) : NULL;
}

/* Whether the address is there on each way, or arithmetic on what is, which may be done again there. */
static bool may_be_earlier(const struct sinking *s, LLVMValueRef v, unsigned depth) {
    if (!LLVMIsAInstruction(v) || LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) != s->block) {
        return true;
    }
    bool may = depth && (LLVMIsAGetElementPtrInst(v) || ir_is_address_arithmetic(v));
    for (int n = 0; may && n < LLVMGetNumOperands(v); n++) {
        may = may_be_earlier(s, LLVMGetOperand(v, (unsigned)n), depth - 1);
    }
    return may;
}

static LLVMValueRef value_by(const struct sinking *s, LLVMBuilderRef b, LLVMValueRef v,
                             LLVMBasicBlockRef way) {
    if (!LLVMIsAInstruction(v) || LLVMGetInstructionParent(v) != s->block) {
        return v;
    }
    if (LLVMIsAPHINode(v)) {
        return ir_incoming(v, way);
    }
    LLVMValueRef copy = LLVMInstructionClone(v);
    for (int n = 0; n < LLVMGetNumOperands(v); n++) {
        LLVMSetOperand(copy, (unsigned)n, value_by(s, b, LLVMGetOperand(v, (unsigned)n), way));
    }
    LLVMInsertIntoBuilderWithName(b, copy, "");
    return copy;
}

/* Whether a store's value is there on each way. */
static bool is_brought(const struct sinking *s, LLVMValueRef v) {
    return !LLVMIsAInstruction(v) || LLVMIsAPHINode(v) || LLVMGetInstructionParent(v) != s->block;
}

/* Whether it is worth having the access at an address that isn't evenly apart: code may look whether it is, or it is chosen of two
 * that are (address_choices.c). */
static bool may_be_even(const struct sinking *s, LLVMValueRef at) {
    int64_t stride;
    bool is_choice = LLVMIsASelectInst(at) && uniform_stride(&s->pack, LLVMGetOperand(at, 1), &stride) &&
                     uniform_stride(&s->pack, LLVMGetOperand(at, 2), &stride);
    return is_choice || address_has_one_index(&s->pack, s->layout, at);
}

static bool goes_back(const struct sinking *s, LLVMValueRef i, LLVMBasicBlockRef *ways, unsigned n) {
    LLVMValueRef at = ir_is_plain(i) ? ir_address(i) : NULL;
    int64_t stride;
    bool may = at && !uniform_stride(&s->pack, at, &stride) && may_be_earlier(s, at, DEPTH) &&
               LLVMGetTypeKind(ir_access_type(i)) != LLVMVectorTypeKind &&
               (LLVMIsALoadInst(i) || is_brought(s, LLVMGetOperand(i, 0)));
    unsigned even = 0;
    for (unsigned w = 0; may && w < n; w++) {
        struct way way = {s->block, ways[w]};
        bool is_even = address_stride(&(struct address_way){&s->pack, s->layout, brought, &way}, at, &stride);
        may = is_even || (LLVMIsAPHINode(at) && may_be_even(s, ir_incoming(at, ways[w])));
        even += is_even;
    }
    return may && even;
}

static void go_back(struct sinking *s, LLVMValueRef i, LLVMBasicBlockRef *ways, unsigned n) {
    LLVMValueRef results[MOST_WAYS];
    for (unsigned w = 0; w < n; w++) {
        LLVMBuilderRef b = ir_before(LLVMGetBasicBlockTerminator(ways[w]));
        results[w] = value_by(s, b, i, ways[w]);
        LLVMDisposeBuilder(b);
    }
    if (LLVMIsALoadInst(i)) {
        LLVMBuilderRef b = ir_before(LLVMGetFirstInstruction(s->block));
        LLVMValueRef phi = LLVMBuildPhi(b, LLVMTypeOf(i), "");
        LLVMAddIncoming(phi, results, ways, n);
        LLVMDisposeBuilder(b);
        uniform_learn(&s->pack, phi, i);
        LLVMReplaceAllUsesWith(i, phi);
    }
    LLVMInstructionEraseFromParent(i);
}

/* Accesses that nothing in the block comes before which they might not pass: a store passes no load that stays. */
static void look_at(struct sinking *s, LLVMBasicBlockRef block) {
    LLVMBasicBlockRef ways[MOST_WAYS];
    unsigned n;
    s->block = block;
    if (!find_ways(block, ways, &n)) {
        return;
    }
    bool has_read = false;
    for (LLVMValueRef next, i = LLVMGetFirstInstruction(block); i; i = next) {
        next = LLVMGetNextInstruction(i);
        bool is_store = LLVMIsAStoreInst(i) != NULL,
             back = goes_back(s, i, ways, n) && !(is_store && has_read);
        if (back) {
            go_back(s, i, ways, n);
        } else if (ir_may_write(i)) {
            return;
        } else {
            has_read |= LLVMIsALoadInst(i) != NULL;
        }
    }
}

void sunk_accesses_pass(struct kernel *k) {
    struct sinking s = {.pack = {.of_pack = true, .width = k->width, .rows = 1}};
    if (k->checked || !k->optimize) {
        return;
    }
    LLVMBasicBlockRef ways[MOST_WAYS];
    unsigned nways;
    bool any = false;
    s.layout = LLVMGetModuleDataLayout(k->module);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && !any; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i)) {
            any |= ir_is_index(i) && find_ways(b, ways, &nways);
        }
    }
    if (any) {
        uniform_run(k, &s.pack);
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b && any; b = LLVMGetNextBasicBlock(b)) {
        look_at(&s, b);
    }
}
