/* check.c: whether what the analyses found fits together, before regions are cut: with NDEBUG nothing of it is left.
 *
 * In: struct wg with all that is known. A failed assertion is a bug of ours: the worker ends, the request fails with a
 * sentence. Each check is one pass over the function, and asks for what the stages after rely on:
 * - values: what the work-group shares a pack shares; an affine value's operands are affine, and where it is extended they
 *   are exact; PHIs where work-items from different paths meet are not affine;
 * - islands: each block where lanes may be off is in one island, at one place; lanes leave an island to one block; its
 *   loops lie inside each other;
 * - slots: no value but variables and what the entry computes is used outside its block; what is read where a block begins
 *   is live there; what lives after a barrier has a place in the context, which nothing else has. */
#include "wg.h"
#include <assert.h>

#ifdef NDEBUG
void check_values(struct wg *wg) {
}
void check_slots(struct wg *wg) {
}
#else

/* ---- values ---- */

static bool is_affine(const struct wg *wg, LLVMValueRef v) {
    int64_t ignored;
    return uniform_stride(wg->pack, v, &ignored);
}

static void check_affine(const struct wg *wg, LLVMValueRef i) {
    uintptr_t ignored;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    assert(!ptrmap_get(&wg->pack->joins, i, &ignored) && "a value of several paths or iterations is affine");
    if (op == LLVMCall || op == LLVMAlloca) {
        return; /* an id, a variable of each lane */
    }
    for (int o = 0; o < LLVMGetNumOperands(i); o++) {
        assert(is_affine(wg, LLVMGetOperand(i, (unsigned)o)) && "affine, of something that isn't");
    }
    if (op == LLVMSExt || op == LLVMZExt) {
        bool is_signed;
        assert(uniform_extends(wg->pack, i, &is_signed) &&
               "affine when extended, but lanes may wrap around before");
    }
}

void check_values(struct wg *wg) {
    for (unsigned n = 0; wg->pack && n < wg->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            assert((!uniform_is(&wg->uniform, i) || uniform_is(wg->pack, i)) &&
                   "the work-group shares it, a pack doesn't");
            if (!uniform_is(wg->pack, i) && is_affine(wg, i)) {
                check_affine(wg, i);
            }
        }
    }
}

/* ---- islands ---- */

static void check_spans(const struct linear *l) {
    for (unsigned s = 0; s < l->nspans; s++) {
        const struct span *span = &l->spans[s], *outer = &l->spans[span->parent];
        if (span->island == NONE) {
            continue;
        }
        assert(span->first <= span->last && span->last < l->length && "a loop beyond its region");
        assert((span->parent == NONE || (outer->first <= span->first && outer->last >= span->last)) &&
               "a loop that is partly in another one");
        assert((span->loop == NONE || l->spans[span->loop].together) &&
               "lanes part in a loop for all of them");
        for (unsigned p = span->first; span->together && p <= span->last; p++) {
            assert(linearize_holds(l, s, l->order[p]) && "a loop for all lanes that some walk past in part");
        }
    }
}

/* Where all lanes run: some go into the island of one successor, the others where it leads or into it as well. */
static void check_parting(const struct linear *l, unsigned v) {
    const unsigned *succ = l->g->succ[v];
    bool meet = false;
    for (unsigned s = 0; s < 2; s++) {
        bool comes_around = l->loop[succ[s]] == l->loop[v];
        unsigned island = comes_around ? l->island[succ[s]] : linearize_island_of(l, succ[s]),
                 other = succ[!s];
        meet |= island != NONE && (linearize_is_in(l, island, other) || l->after[island] == other);
    }
    assert(meet && "lanes part, and no block is where they meet");
}

static void check_islands(const struct wg *wg, const struct region *r) {
    const struct linear *l = r->linear;
    assert(l->length == l->g->n && "a block has no place");
    for (unsigned v = 0; v < l->g->n; v++) {
        unsigned island = l->island[v];
        LLVMValueRef end =
            v < l->nblocks ? LLVMGetBasicBlockTerminator(wg->blocks[(uintptr_t)r->blocks.at[v]]) : NULL;
        bool parts = end && !uniform_is(wg->pack, end);
        assert((!end || !LLVMIsASwitchInst(end)) && "a switch where packs take branches alone");
        for (unsigned s = 0; s < l->g->nsucc[v]; s++) {
            unsigned to = l->g->succ[v][s];
            assert((island == NONE || linearize_is_in(l, island, to) || l->after[island] == to) &&
                   "lanes leave an island to several blocks");
        }
        assert(l->order[l->place[v]] == v && "a block isn't at its place");
        if (parts && island == NONE) {
            check_parting(l, v);
        }
        unsigned span = island == NONE ? NONE : l->innermost[v];
        assert((span == NONE || linearize_holds(l, span, v)) && "a block isn't in its loop");
    }
    check_spans(l);
}

/* ---- slots ---- */

static void check_operands(const struct wg *wg, LLVMValueRef i) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(wg->k->run);
    assert(!LLVMIsAPHINode(i) && "a PHI is left");
    for (int o = 0; o < LLVMGetNumOperands(i); o++) {
        LLVMValueRef v = LLVMGetOperand(i, (unsigned)o);
        assert((!v || !LLVMIsAInstruction(v) || LLVMIsAAllocaInst(v) ||
                LLVMGetInstructionParent(v) == LLVMGetInstructionParent(i) ||
                LLVMGetInstructionParent(v) == entry) &&
               "a value is used outside its block");
    }
}

/* Every slot that is live after the block lives in it, too, unless it is stored there. */
static void check_liveness(const struct wg *wg, unsigned node, uint64_t *stored, unsigned words) {
    for (unsigned w = 0; w < words; w++) {
        stored[w] = 0;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
        const struct slot *slot = slots_of_access(&wg->slots, i);
        unsigned s = slot ? (unsigned)(slot - wg->slots.at) : 0;
        if (slot && !slot->is_array && LLVMIsAStoreInst(i)) {
            bit_add(stored, s);
        } else if (slot && !slot->is_array) {
            assert((bit_at(stored, s) || bit_at(wg->slots.live_in[node], s)) && "read, but not live");
        } else if (ir_is_intrinsic(i, "llvm.lifetime.start")) { /* ends what came before */
            uintptr_t at;
            if (ptrmap_get(&wg->slots.by_var, LLVMGetOperand(i, 0), &at)) {
                bit_add(stored, (unsigned)at);
            }
        }
    }
    for (unsigned e = 0; e < wg->cfg->nsucc[node]; e++) {
        const uint64_t *after = wg->slots.live_in[wg->cfg->succ[node][e]];
        for (unsigned w = 0; w < words; w++) {
            assert(!(after[w] & ~stored[w] & ~wg->slots.live_in[node][w]) && "live after a block, not in it");
        }
    }
}

static void check_places(const struct wg *wg) {
    uint64_t values = 0, arrays = 0;
    for (unsigned n = 0; n < wg->slots.n; n++) {
        const struct slot *s = &wg->slots.at[n];
        if (s->crosses && !s->uniform) {
            const struct context_area *area = s->is_array ? &wg->arrays : &wg->values;
            assert(s->offset % wg_alignment(s->bytes) == 0 && "a slot isn't aligned");
            assert(s->offset + s->bytes <= area->per_item && "a slot lies beyond its area");
            *(s->is_array ? &arrays : &values) += s->bytes;
        }
        assert(!(s->fixed && (s->crosses || !s->is_array)) && "a large array in two places");
    }
    assert(values <= wg->values.per_item && arrays <= wg->arrays.per_item && "slots overlap");
}

static void check_crossing(const struct wg *wg) {
    for (unsigned r = 1; wg->slots.live_in && r < wg->nregions; r++) {
        unsigned start = wg->regions[r].start;
        for (unsigned s = 0; s < wg->slots.n; s++) {
            assert((!bit_at(wg->slots.live_in[start], s) || !bit_at(wg->slots.touched_in[start], s) ||
                    wg->slots.at[s].crosses) &&
                   "lives after a barrier without a place");
        }
    }
}

void check_slots(struct wg *wg) {
    unsigned words = wg->slots.n / 64 + 1;
    uint64_t *stored = job_alloc(words * sizeof *stored);
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            check_operands(wg, i);
        }
        if (wg->slots.live_in) {
            check_liveness(wg, n, stored, words);
        }
    }
    check_crossing(wg);
    check_places(wg);
    for (unsigned r = 0; wg->pack && r < wg->nregions; r++) {
        check_islands(wg, &wg->regions[r]);
    }
}
#endif
