/* live.c: where values of a function live, in SSA form.
 *
 * In: the values that are asked about, the function's graph. Out: those that live at the end of each block, as bits, by
 * paths from each use back to the definition (Appel and Palsberg, "Modern Compiler Implementation", 19.6). A PHI reads its
 * operands at the ends of the blocks before it. */
#include "ir.h"

void live_number(struct live *l, LLVMValueRef v) {
    list_add(&l->values, v);
    ptrmap_set(&l->number, v, l->values.n);
}

/* The value is needed at the end of the block `node`, and so from the block on that computes it. */
static void live_from(struct live *l, unsigned value, unsigned node, struct list *work) {
    unsigned def = (unsigned)ptrmap_at(l->index, LLVMGetInstructionParent(l->values.at[value]), 0);
    list_add(work, (void *)(uintptr_t)node);
    while (work->n) {
        unsigned at = (unsigned)(uintptr_t)work->at[--work->n];
        if (bit_at(l->out[at], value)) {
            continue;
        }
        bit_add(l->out[at], value);
        for (unsigned i = 0; at != def && i < l->cfg->npred[at]; i++) {
            list_add(work, (void *)(uintptr_t)l->cfg->pred[at][i]);
        }
    }
}

static void live_for(struct live *l, unsigned value, LLVMValueRef user, struct list *work) {
    LLVMValueRef v = l->values.at[value];
    LLVMBasicBlockRef at = LLVMGetInstructionParent(user);
    if (LLVMIsAPHINode(user)) {
        for (unsigned i = 0; i < LLVMCountIncoming(user); i++) {
            if (LLVMGetIncomingValue(user, i) == v) {
                LLVMBasicBlockRef from = LLVMGetIncomingBlock(user, i);
                live_from(l, value, (unsigned)ptrmap_at(l->index, from, 0), work);
            }
        }
    } else if (at != LLVMGetInstructionParent(v)) {
        unsigned node = (unsigned)ptrmap_at(l->index, at, 0);
        for (unsigned i = 0; i < l->cfg->npred[node]; i++) {
            live_from(l, value, l->cfg->pred[node][i], work);
        }
    }
}

void live_find(struct live *l, const struct graph *cfg, const struct ptrmap *index) {
    struct list work = {0};
    l->cfg = cfg;
    l->index = index;
    l->out = job_alloc(cfg->n * sizeof *l->out);
    for (unsigned n = 0; n < cfg->n; n++) {
        l->out[n] = job_alloc((l->values.n / 64 + 1) * sizeof **l->out);
    }
    for (unsigned v = 0; v < l->values.n; v++) {
        for (LLVMUseRef u = LLVMGetFirstUse(l->values.at[v]); u; u = LLVMGetNextUse(u)) {
            live_for(l, v, LLVMGetUser(u), &work);
        }
    }
}

bool live_across(const struct live *l, unsigned value, LLVMValueRef at) {
    LLVMValueRef v = l->values.at[value];
    LLVMBasicBlockRef block = LLVMGetInstructionParent(at);
    bool uses = false, computes = false;
    for (LLVMValueRef i = LLVMGetNextInstruction(at); i; i = LLVMGetNextInstruction(i)) {
        computes |= i == v;
        for (int o = 0; o < LLVMGetNumOperands(i); o++) {
            uses |= LLVMGetOperand(i, (unsigned)o) == v;
        }
    }
    return !computes && (uses || bit_at(l->out[ptrmap_at(l->index, block, 0)], value));
}
