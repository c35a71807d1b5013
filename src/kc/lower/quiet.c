/* quiet.c: accesses of local memory that nothing can race with, found before a checked kernel runs.
 *
 * Needs a kernel with everything inlined, its barriers, and in->covered (instrument.c calls this before it adds checks). Gives:
 * in->quiet, loads and stores of variables in local memory which no other access conflicts with that may be executed between the
 * same two barriers. All work-items of a group pass the same barriers, or are reported, so what may be executed in one interval
 * is what can be reached from the barrier that begins it without another barrier. If all barriers order local memory,
 * accesses of two intervals are in order: that it is inside its variable is all there is to check of such an access.
 *
 *     tile[l] = in[g];                      the interval from the kernel's begin: each work-item writes its own
 *     barrier(CLK_LOCAL_MEM_FENCE);
 *     sum = tile[l] + tile[15 - l];         the interval from the barrier: only reads it
 *
 * Two accesses conflict if one of them writes, unless work-items keep apart by their forms (form_relations.c). A quiet
 * store leaves the cells as they are, which say what is unwritten, so that all reads of its variable have to be covered. Else
 * it enters itself, and need not ask who was there (QUIET_MARKS). Of one whose form lies inside the variable there is nothing
 * to check at all (QUIET_INSIDE).
 * Asynchronous copies write at any time: with them nothing is quiet. */
#include "index_form.h"
#include <string.h>

enum { PAIRS_MOST = 1 << 18 };

struct touch { /* an access of local memory, or of any */
    LLVMValueRef by;
    uint32_t object;                            /* 0: by a pointer to no known variable */
    bool writes, is_plain, has_form, is_behind; /* behind: a barrier comes before it in its block */
    uint32_t align;
    uint64_t bytes, *set; /* set: intervals that it may be executed in */
    struct form form;     /* if has_form */
    LLVMValueRef p;
};

struct intervals {
    struct instrumenting *in;
    unsigned n, words; /* intervals: one from the kernel's begin, one from each barrier; of a set of them */
    uint64_t *at;      /* by block: those that lead into it */
    struct ptrmap starts; /* barrier -> its interval */
    struct list barriers; /* those of intervals from 1 on */
    struct ptrmap blocks; /* that have one -> 1 */
    struct forms forms;
    struct alike alike;
    bool is_behind; /* of the instruction that is looked at: as of a touch */
    struct list touches;
};

static bool is_barrier(LLVMValueRef i) {
    return ir_is_call_to(i, "__weir_barrier");
}

/* Whether it orders the group's local memory, whatever runs. */
static bool orders_local(LLVMValueRef barrier) {
    LLVMValueRef flags = LLVMGetOperand(barrier, 0), scope = LLVMGetOperand(barrier, 1);
    if (!LLVMIsAConstantInt(flags) || !LLVMIsAConstantInt(scope)) {
        return false;
    }
    uint64_t reach = LLVMConstIntGetZExtValue(scope);
    return LLVMConstIntGetZExtValue(flags) & WEIR_FENCE_LOCAL && reach >= 1 && reach <= 3; /* work_group on */
}

static uint64_t *set_at(struct intervals *x, unsigned block) {
    return x->at + (size_t)block * x->words;
}

/* The intervals after the instruction, of those before it. */
static void pass_instruction(struct intervals *x, LLVMValueRef i, uint64_t *set) {
    if (is_barrier(i)) {
        memset(set, 0, x->words * sizeof *set);
        bit_add(set, (unsigned)ptrmap_at(&x->starts, i, 0));
    }
}

static void add_set(struct intervals *x, uint64_t *to, const uint64_t *set) {
    for (unsigned w = 0; w < x->words; w++) {
        to[w] |= set[w];
    }
}

static void find_intervals(struct intervals *x) {
    struct graph *cfg = x->in->cfg;
    uint64_t *set = job_alloc(x->words * sizeof *set);
    bit_add(set_at(x, 0), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned b = 0; b < cfg->n; b++) {
            memcpy(set, set_at(x, b), x->words * sizeof *set);
            for (LLVMValueRef i = LLVMGetFirstInstruction(x->in->blocks[b]); i;
                 i = LLVMGetNextInstruction(i)) {
                pass_instruction(x, i, set);
            }
            for (unsigned s = 0; s < cfg->nsucc[b]; s++) {
                uint64_t *to = set_at(x, cfg->succ[b][s]);
                for (unsigned w = 0; w < x->words; w++) {
                    changed |= (set[w] & ~to[w]) != 0;
                }
                add_set(x, to, set);
            }
        }
    }
}

/* ---- accesses ---- */

enum { NOWHERE = ~0u };

/* Blocks that are reached from the one, or if is_behind from its end on, without a barrier and without `around`. */
static uint64_t *reached_from(struct intervals *x, unsigned from, bool is_behind, unsigned around) {
    struct graph *cfg = x->in->cfg;
    uint64_t *seen = job_alloc((cfg->n / 64 + 1) * sizeof *seen);
    struct list work = {0};
    for (unsigned s = 0; is_behind && s < cfg->nsucc[from]; s++) {
        list_add(&work, (void *)(uintptr_t)cfg->succ[from][s]);
    }
    if (!is_behind) {
        list_add(&work, (void *)(uintptr_t)from);
    }
    while (work.n) {
        unsigned n = (unsigned)(uintptr_t)work.at[--work.n];
        bool goes_on = n != around && !bit_at(seen, n) && !ptrmap_at(&x->blocks, x->in->blocks[n], 0);
        if (n != around) {
            bit_add(seen, n);
        }
        for (unsigned s = 0; goes_on && s < cfg->nsucc[n]; s++) {
            list_add(&work, (void *)(uintptr_t)cfg->succ[n][s]);
        }
    }
    return seen;
}

static unsigned node_of(struct intervals *x, LLVMValueRef i) {
    return (unsigned)ptrmap_at(&x->in->index, LLVMGetInstructionParent(i), 0);
}

/* Whether on no way from where the interval begins to the access the loop goes on to its next round; *once: or on all, once. */
static bool stays_from(struct intervals *x, const struct touch *t, unsigned interval,
                       const struct alike_loop *l, bool *once) {
    LLVMValueRef barrier = interval ? x->barriers.at[interval - 1] : NULL;
    unsigned from = barrier ? node_of(x, barrier) : 0, to = node_of(x, t->by);
    bool passes = !t->is_behind && bit_at(set_at(x, l->header), interval) &&
                  bit_at(reached_from(x, l->header, false, NOWHERE), to);
    bool around = t->is_behind || bit_at(reached_from(x, from, barrier, l->header), to),
         again = bit_at(reached_from(x, l->header, true, NOWHERE), l->header) &&
                 !ptrmap_at(&x->blocks, x->in->blocks[l->header], 0);
    *once = passes && !around && !again;
    return barrier && bit_at(l->blocks, from) && !passes;
}

/* How the loop's counter is at the access: all work-items come to a barrier in the same rounds of the loops around it. */
static enum steady steadiness(struct intervals *x, const struct touch *t, const struct alike_loop *l) {
    bool stays = true, goes_on = true, once;
    for (unsigned n = 0; n < x->n; n++) {
        if (bit_at(t->set, n)) {
            stays &= stays_from(x, t, n, l, &once);
            goes_on &= once;
        }
    }
    return stays ? AS_IT_WAS : goes_on ? IN_THE_NEXT_ROUND : UNSTEADY;
}

static enum steady counter_at(struct intervals *x, const struct touch *t, const struct counted_loop *l) {
    const struct alike_loop counts = {.header = l->header, .blocks = l->blocks};
    return LLVMIsAConstantInt(l->start) ? steadiness(x, t, &counts) : UNSTEADY;
}

/* Whether strides stay; notes which counters of loops do. */
static bool has_steady_form(struct intervals *x, struct touch *t) {
    struct list loops = {0};
    bool stay = true;
    for (unsigned n = 0; n < t->form.n; n++) {
        const struct counted_loop *l = t->form.term[n].loop;
        if (l && !t->form.term[n].dims) {
            t->form.term[n].steady = counter_at(x, t, l);
        }
    }
    for (unsigned d = 0; d < 3; d++) {
        const struct counted_loop *l = t->form.above[d].loop;
        t->form.above[d].steady = l ? counter_at(x, t, l) : UNSTEADY;
    }
    for (unsigned n = 0; n < WEIR_FORM_STRIDES && t->form.stride[n]; n++) {
        alike_loops(&x->alike, t->form.stride[n], &loops);
    }
    for (size_t n = 0; stay && n < loops.n; n++) {
        stay = loops.at[n] && steadiness(x, t, loops.at[n]) == AS_IT_WAS;
    }
    return stay;
}

static void note(struct intervals *x, LLVMValueRef by, LLVMValueRef p, bool writes, const uint64_t *set) {
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p));
    if (space == AS_GLOBAL || space == AS_CONSTANT || !instrument_is_shared(x->in, p)) {
        return;
    }
    struct touch *t = job_alloc(sizeof *t);
    *t = (struct touch){.by = by,
                        .p = p,
                        .writes = writes,
                        .is_behind = x->is_behind,
                        .set = job_alloc(x->words * sizeof *set)};
    t->is_plain = LLVMIsALoadInst(by) || LLVMIsAStoreInst(by);
    t->object = space == AS_LOCAL ? instrument_object(x->in, p) : 0;
    memcpy(t->set, set, x->words * sizeof *set);
    if (t->is_plain && t->object) {
        LLVMTypeRef type = LLVMTypeOf(LLVMIsAStoreInst(by) ? LLVMGetOperand(by, 0) : by);
        t->bytes = LLVMStoreSizeOfType(x->in->layout, type);
        t->align = instrument_alignment(x->in, by);
        t->has_form = form_of(&x->forms, by, p, &t->form) && has_steady_form(x, t);
    }
    list_add(&x->touches, t);
}

static void note_instruction(struct intervals *x, LLVMValueRef i, const uint64_t *set) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        note(x, i, LLVMGetOperand(i, 0), false, set);
        break;
    case LLVMStore:
        note(x, i, LLVMGetOperand(i, 1), true, set);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        note(x, i, LLVMGetOperand(i, 0), true, set);
        break;
    case LLVMCall:
        for (unsigned n = 0; n < LLVMGetNumArgOperands(i) && !ir_has_no_effect(i) && !ir_is_marker(i); n++) {
            LLVMValueRef p = LLVMGetOperand(i, n);
            if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind) {
                note(x, i, p, true, set);
            }
        }
        break;
    default:
        break;
    }
}

static void find_touches(struct intervals *x) {
    uint64_t *set = job_alloc(x->words * sizeof *set);
    for (unsigned b = 0; b < x->in->cfg->n; b++) {
        memcpy(set, set_at(x, b), x->words * sizeof *set);
        x->is_behind = false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(x->in->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
            note_instruction(x, i, set);
            pass_instruction(x, i, set);
            x->is_behind |= is_barrier(i);
        }
    }
}

/* ---- conflicts ---- */

/* Whether the one is in a counted loop, the other one behind it, and since the barrier before all have come to the loop's next round,
 * or its end: then not both are executed. */
static bool is_behind_loop(struct intervals *x, const struct touch *in, const struct touch *behind) {
    for (unsigned t = 0; in->has_form && t < in->form.n; t++) {
        const struct counted_loop *l = in->form.term[t].loop;
        if (l && in->form.term[t].steady == IN_THE_NEXT_ROUND && !bit_at(l->blocks, node_of(x, behind->by))) {
            if (counter_at(x, behind, l) == IN_THE_NEXT_ROUND) {
                return true;
            }
        }
    }
    return false;
}

static bool conflict(struct intervals *x, const struct touch *a, const struct touch *b) {
    bool meet = false;
    for (unsigned w = 0; w < x->words; w++) {
        meet |= (a->set[w] & b->set[w]) != 0;
    }
    return meet && (a->writes || b->writes) &&
           !(a->has_form && b->has_form &&
             form_is_apart(&x->forms, &a->form, &b->form, a->bytes, b->bytes)) &&
           !is_behind_loop(x, a, b) && !is_behind_loop(x, b, a);
}

static bool may_be_one(const struct touch *a, const struct touch *b) {
    return !a->object || !b->object || a->object == b->object;
}

/* Whether reads ask cells of the variable what is unwritten; atomics do, for what they add to unwritten memory stays that. */
static bool has_cells(const struct intervals *x, const struct touch *t) {
    for (size_t n = 0; n < x->touches.n; n++) {
        const struct touch *other = x->touches.at[n];
        bool asks = !other->is_plain || (!other->writes && !ptrmap_at(&x->in->covered, other->by, 0));
        if (may_be_one(t, other) && asks) {
            return true;
        }
    }
    return false;
}

/* Whether all that it may access lies in the variable, at multiples of its element's alignment. */
static bool is_inside(const struct intervals *x, const struct touch *t) {
    uint64_t size = t->has_form && !form_has_strides(&t->form) ? instrument_local_bytes(x->in, t->p) : 0,
             align = t->align;
    int64_t least, most;
    form_range(&t->form, &least, &most);
    bool is =
        size && least >= 0 && (uint64_t)most + t->bytes <= size && t->form.constant % (int64_t)align == 0;
    for (unsigned n = 0; n < t->form.n; n++) {
        is &= t->form.term[n].times % (int64_t)align == 0;
    }
    return is;
}

static enum quiet how_quiet(struct intervals *x, const struct touch *t) {
    if (!t->is_plain || !t->object) {
        return QUIET_NOT;
    }
    for (size_t n = 0; n < x->touches.n; n++) {
        const struct touch *other = x->touches.at[n];
        if (may_be_one(t, other) && conflict(x, t, other)) {
            return QUIET_NOT;
        }
    }
    if (t->writes && has_cells(x, t)) {
        return QUIET_MARKS;
    }
    return is_inside(x, t) ? QUIET_INSIDE : QUIET_WHOLLY;
}

void quiet_find(struct instrumenting *in, const struct list *instructions) {
    struct intervals x = {.in = in, .n = 1, .forms = {.in = in}, .alike = {.in = in}};
    x.forms.alike = &x.alike;
    x.forms.is_wide = true;
    if (in->halves.used) {
        return; /* work-items between its halves and behind it meet */
    }
    for (size_t i = 0; i < instructions->n; i++) {
        LLVMValueRef at = instructions->at[i];
        if (library_calls_copies(at) || (is_barrier(at) && !orders_local(at))) {
            return;
        }
        if (is_barrier(at)) {
            ptrmap_set(&x.starts, at, x.n++);
            ptrmap_set(&x.blocks, LLVMGetInstructionParent(at), 1);
            list_add(&x.barriers, at);
        }
    }
    x.words = (x.n + 63) / 64;
    x.at = job_alloc((size_t)in->cfg->n * x.words * sizeof *x.at);
    find_intervals(&x);
    find_touches(&x);
    for (size_t n = 0; n < x.touches.n && x.touches.n * x.touches.n < PAIRS_MOST; n++) {
        const struct touch *t = x.touches.at[n];
        ptrmap_set(&in->quiet, t->by, how_quiet(&x, t));
    }
}
