/* coalesce.c: one place in the context for values that are copies of each other, or live at different times.
 *
 * In: demoted values, which of them cross barriers, and their liveness. Out: the same with fewer: where a variable is
 * copied to another one, as a sum to the PHI of its next iteration, one of them crosses, and no work-item needs what both
 * hold where they differ, they become one, and the copy goes. Two interfere if one is written where the other lives, but
 * for a copy (Chaitin et al., "Register Allocation via Coloring", 1981). It is aggressive, without Briggs' test for colors:
 * the context has room for any number. Only for variables with a value per lane: what a pack shares lives in a scalar,
 * which lanes that go another way might overwrite. Liveness is kept up to date.
 *     loop:  %1 = load i32, ptr %sum.phi
 *            %2 = add i32 %1, %x
 *            store i32 %2, ptr %sum               %sum and %sum.phi become one, the load and store of the copy go
 *            call void @__weir_barrier(...)
 *            %3 = load i32, ptr %sum
 *            store i32 %3, ptr %sum.phi
 * Then values of one type that don't interfere become one in the same way, as those of rounds that were unrolled: the context
 * is as large as what lives at once. */
#include "slots.h"

struct copies {
    struct slots *s;
    const struct graph *cfg;
    LLVMBasicBlockRef *blocks;
    const unsigned char *parts;
    struct ptrmap index;   /* block -> node */
    unsigned *seen, round; /* per node: the round in which interfere() looked at it */
};

static unsigned node_of(const struct copies *c, LLVMValueRef i) {
    uintptr_t node = 0;
    ptrmap_get(&c->index, LLVMGetInstructionParent(i), &node);
    return (unsigned)node;
}

static bool may_join(const struct slot *s) {
    return s && !s->is_array && !s->uniform && !s->is_affine && !s->of_rows;
}

/* Whether lanes that take another way may be off where it is written: then it is better apart. Here as below, what accesses a
 * slot is found among its uses: all instructions for each copy would be the square of the kernel's length. */
static bool is_written_apart(const struct copies *c, const struct slot *s) {
    for (LLVMUseRef use = LLVMGetFirstUse(s->var); use && c->parts; use = LLVMGetNextUse(use)) {
        LLVMValueRef i = LLVMGetUser(use);
        if (LLVMIsAStoreInst(i) && slots_of_access(c->s, i) == s && c->parts[node_of(c, i)]) {
            return true;
        }
    }
    return false;
}

/* Whether the slot holds what is stored, as far as the store's block tells: it was loaded from there, or stored there. */
static bool holds_same(const struct slots *s, const struct slot *slot, LLVMValueRef store) {
    LLVMValueRef value = LLVMGetOperand(store, 0), i = store;
    while ((i = LLVMGetPreviousInstruction(i))) {
        bool is_ours = slots_of_access(s, i) == slot;
        if (is_ours && (i == value || LLVMIsAStoreInst(i))) {
            return i == value || LLVMGetOperand(i, 0) == value;
        }
    }
    return false;
}

static bool lives_after(const struct copies *c, unsigned node, unsigned slot) {
    for (unsigned n = 0; n < c->cfg->nsucc[node]; n++) {
        if (bit_at(c->s->live_in[c->cfg->succ[node][n]], slot)) {
            return true;
        }
    }
    return false;
}

static bool interfere_in(const struct copies *c, unsigned node, const struct slot *x, const struct slot *y) {
    bool x_lives = lives_after(c, node, (unsigned)(x - c->s->at));
    bool y_lives = lives_after(c, node, (unsigned)(y - c->s->at));
    for (LLVMValueRef i = LLVMGetLastInstruction(c->blocks[node]); i; i = LLVMGetPreviousInstruction(i)) {
        const struct slot *slot = slots_of_access(c->s, i);
        if (slot != x && slot != y) {
            continue;
        }
        const struct slot *other = slot == x ? y : x;
        bool *lives = slot == x ? &x_lives : &y_lives;
        if (LLVMIsALoadInst(i)) {
            *lives = true;
            continue;
        }
        if ((slot == x ? y_lives : x_lives) && !holds_same(c->s, other, i)) {
            return true;
        }
        *lives = false;
    }
    return false;
}

static bool interfere(struct copies *c, const struct slot *x, const struct slot *y) {
    const struct slot *slots[] = {x, y};
    c->round++;
    for (unsigned k = 0; k < 2; k++) {
        for (LLVMUseRef use = LLVMGetFirstUse(slots[k]->var); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef i = LLVMGetUser(use);
            unsigned node = slots_of_access(c->s, i) ? node_of(c, i) : 0;
            if (!slots_of_access(c->s, i) || c->seen[node] == c->round) {
                continue;
            }
            c->seen[node] = c->round;
            if (interfere_in(c, node, x, y)) {
                return true;
            }
        }
    }
    return false;
}

/* `gone` becomes `kept`. */
static void join(struct copies *c, struct slot *kept, struct slot *gone) {
    unsigned to = (unsigned)(kept - c->s->at), from = (unsigned)(gone - c->s->at);
    LLVMReplaceAllUsesWith(gone->var, kept->var);
    kept->crosses = kept->joined = true;
    kept->of_memory |= gone->of_memory;
    gone->crosses = false;
    for (unsigned n = 0; n < c->cfg->n; n++) {
        uint64_t *sets[] = {c->s->live_in[n], c->s->touched_in[n]};
        for (unsigned k = 0; k < 2; k++) {
            if (bit_at(sets[k], from)) {
                sets[k][from / 64] &= ~(UINT64_C(1) << (from % 64));
                bit_add(sets[k], to);
            }
        }
    }
}

/* Whether some block may be entered with both. */
static bool live_together(const struct copies *c, unsigned x, unsigned y) {
    for (unsigned n = 0; n < c->cfg->n; n++) {
        if (bit_at(c->s->live_in[n], x) && bit_at(c->s->live_in[n], y)) {
            return true;
        }
    }
    return false;
}

static bool may_share(const struct copies *c, const struct slot *s) {
    return s->crosses && may_join(s) && !is_written_apart(c, s);
}

/* Gives values that live at different times one place; where there are very many that would take long. */
static void share(struct copies *c) {
    enum { MOST = 64 };
    unsigned n = 0, *shared = job_alloc(c->s->n * sizeof *shared);
    for (unsigned i = 0; i < c->s->n; i++) {
        if (may_share(c, &c->s->at[i])) {
            shared[n++] = i;
        }
    }
    for (unsigned i = 0; i < n && n <= MOST; i++) {
        struct slot *to = &c->s->at[shared[i]];
        for (unsigned k = i + 1; k < n && to->crosses; k++) {
            struct slot *from = &c->s->at[shared[k]];
            if (from->crosses && from->type == to->type && !live_together(c, shared[i], shared[k]) &&
                !interfere(c, to, from)) {
                join(c, to, from);
            }
        }
    }
}

void slots_coalesce(struct slots *s, const struct graph *cfg, LLVMBasicBlockRef *blocks,
                    const unsigned char *parts) {
    struct copies c = {.s = s, .cfg = cfg, .blocks = blocks, .parts = parts};
    c.seen = job_alloc(cfg->n * sizeof *c.seen);
    for (unsigned n = 0; n < cfg->n; n++) {
        ptrmap_set(&c.index, blocks[n], n);
    }
    for (unsigned n = 0; n < cfg->n; n++) {
        for (LLVMValueRef next, i = LLVMGetFirstInstruction(blocks[n]); i; i = next) {
            next = LLVMGetNextInstruction(i);
            struct slot *to = LLVMIsAStoreInst(i) ? slots_of_access(s, i) : NULL;
            LLVMValueRef value = to ? LLVMGetOperand(i, 0) : NULL;
            struct slot *from = value && LLVMIsALoadInst(value) ? slots_of_access(s, value) : NULL;
            if (!may_join(to) || !may_join(from) || !holds_same(s, from, i)) {
                continue;
            }
            if (from != to && (from->crosses || to->crosses) && from->type == to->type &&
                !is_written_apart(&c, to) && !is_written_apart(&c, from) && !interfere(&c, to, from)) {
                join(&c, from->crosses ? from : to, from->crosses ? to : from);
                from = to = slots_of_access(s, i);
            }
            if (from == to) {
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
    share(&c);
}
