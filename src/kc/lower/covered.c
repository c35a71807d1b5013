/* covered.c: reads of local memory that the group has surely written before.
 *
 * Needs a kernel with everything inlined, and its barriers (instrument.c calls this before it adds checks). Gives:
 * in->covered, reads of variables and arguments in local memory all of whose bytes have been written when they run. A store writes a row of
 * bytes if its index takes all values there (index_form.c), all work-items execute it in all rounds of the loops that the
 * index counts, and a barrier follows: then each work-item that goes on from the barrier finds the row written. Of a store
 * under a condition that says no more than which ids execute it (guards.c) those are all, and whoever goes another way has done
 * what it had to. What a work-item has stored itself it finds without a barrier.
 *
 *     for (uint i = 0; i < 4; i++)
 *         tile[i * 64 + l] = in[i * n + g];         64 work-items: writes all of tile[256]
 *     barrier(CLK_LOCAL_MEM_FENCE);
 *     sum = tile[3 * l] ...                          is defined wherever it lies in tile
 *
 * It is a forward analysis of what holds on all ways. A variable that a value is stored to which stems from other reads of local
 * memory, as far as that can be followed, isn't covered: such a value may be undefined. At first all values are taken to be
 * defined, then those go out that aren't, until none does. */
#include "index_form.h"
#include "lower.h"
#include <string.h>

enum { FACTS_MOST = 64, BITS_OF_LOOPS = 8, COVERED = 0x8000 };
/* What is known of a fact's store on the way here: done in all rounds of its inner j loops; done in those of the j-th that have
 * been so far. */
#define DONE(j) (1u << (j))
#define ALL(j)  (1u << (BITS_OF_LOOPS + (j) - 1))

struct fact { /* of all stores with this form: they are on different ways */
    uint32_t object;
    struct form form;
    uint64_t bytes;      /* of the access */
    struct form part;    /* what all of them write together, which others may join (form_join_row); */
    uint64_t part_bytes; /* 0: it has no such form */
    unsigned nloops;
    const struct counted_loop *loops[FORM_TERMS]; /* that it counts, from the inside to the outside */
    bool fails;                                   /* a value may be undefined */
    bool is_of_some; /* of one store, which ids in the form's ranges execute: see struct skip */
};

struct covering {
    struct instrumenting *in;
    struct forms forms;
    struct fact facts[FACTS_MOST];
    unsigned n;
    struct list skips;     /* struct skip */
    struct ptrmap fact;    /* store -> 1 + its fact */
    struct ptrmap spoilt;  /* objects that undefined values may be stored to */
    bool all_spoilt;       /* by a pointer to no known variable */
    uint16_t *at;          /* by block and fact */
    struct ptrmap tainted; /* values that may be undefined */
    struct list work;
    bool private_tainted; /* what is loaded from private memory is */
};

/* ---- facts ---- */

static bool is_inside(const struct counted_loop *inner, const struct counted_loop *outer) {
    return inner != outer && bit_at(outer->blocks, inner->header);
}

static bool has_loop(const struct fact *f, const struct counted_loop *l) {
    for (unsigned n = 0; n < f->nloops; n++) {
        if (f->loops[n] == l) {
            return true;
        }
    }
    return false;
}

static void find_loops(struct fact *f) {
    for (unsigned t = 0; t < f->form.n; t++) {
        const struct counted_loop *l = f->form.term[t].loop;
        if (!l || has_loop(f, l)) {
            continue;
        }
        unsigned at = f->nloops++;
        for (; at && is_inside(l, f->loops[at - 1]); at--) {
            f->loops[at] = f->loops[at - 1];
        }
        f->loops[at] = l;
    }
}

/* ---- who needn't execute a store ---- */

struct skip { /* whoever takes this edge isn't one of those whose store the fact is of */
    unsigned from, to, fact;
};

/* Whether a condition decides about the store, and guards say all of those. */
static bool is_of_some(struct covering *c, LLVMValueRef store) {
    const struct graph *cfg = c->in->cfg;
    unsigned node = (unsigned)ptrmap_at(&c->in->index, LLVMGetInstructionParent(store), 0);
    bool is_conditional = false;
    guards_find(&c->forms, LLVMGetInstructionParent(store));
    for (unsigned n = 0; n < GUARDS_WAY && cfg->npred[node] == 1; n++) {
        node = cfg->pred[node][0];
        is_conditional |= cfg->nsucc[node] > 1;
    }
    return is_conditional && c->forms.are_all;
}

static void add_skips(struct covering *c, LLVMValueRef store, unsigned fact) {
    const struct graph *cfg = c->in->cfg;
    unsigned node = (unsigned)ptrmap_at(&c->in->index, LLVMGetInstructionParent(store), 0);
    for (unsigned n = 0; n < GUARDS_WAY && cfg->npred[node] == 1; n++) {
        unsigned from = cfg->pred[node][0];
        for (unsigned s = 0; s < cfg->nsucc[from]; s++) {
            if (cfg->succ[from][s] != node) {
                struct skip *skip = job_alloc(sizeof *skip);
                *skip = (struct skip){from, cfg->succ[from][s], fact};
                list_add(&c->skips, skip);
            }
        }
        node = from;
    }
}

static bool is_skipped(const struct covering *c, unsigned fact, unsigned from, unsigned to) {
    for (size_t n = 0; n < c->skips.n; n++) {
        const struct skip *s = c->skips.at[n];
        if (s->fact == fact && s->from == from && s->to == to) {
            return true;
        }
    }
    return false;
}

/* The form of the store's address: over those that execute it if guards say who they are, else over all. */
static bool find_form(struct covering *c, LLVMValueRef store, struct fact *f) {
    LLVMValueRef p = LLVMGetOperand(store, 1);
    f->is_of_some = is_of_some(c, store);
    c->forms.is_free = !f->is_of_some;
    bool found = form_of(&c->forms, store, p, &f->form);
    c->forms.is_free = false;
    return found && !c->forms.is_never;
}

static void add_store(struct covering *c, LLVMValueRef store) {
    LLVMValueRef p = LLVMGetOperand(store, 1);
    struct fact f = {.object = instrument_object(c->in, p)};
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != AS_LOCAL || !f.object || LLVMGetOrdering(store) ||
        !find_form(c, store, &f)) {
        return;
    }
    f.bytes = f.part_bytes = LLVMStoreSizeOfType(c->in->layout, LLVMTypeOf(LLVMGetOperand(store, 0)));
    f.part = f.form;
    f.part_bytes = form_condense(&f.part, &f.part_bytes) ? f.part_bytes : 0;
    find_loops(&f);
    unsigned n = 0;
    while (n < c->n && (f.is_of_some || c->facts[n].is_of_some || c->facts[n].object != f.object ||
                        c->facts[n].bytes != f.bytes || !form_is_same(&c->facts[n].form, &f.form))) {
        n++;
    }
    if (n == FACTS_MOST) {
        return;
    }
    if (n == c->n) {
        c->facts[c->n++] = f;
    }
    ptrmap_set(&c->fact, store, n + 1);
    if (f.is_of_some) {
        add_skips(c, store, n);
    }
}

/* ---- values ---- */

static bool is_local(LLVMValueRef p) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_LOCAL;
}

/* The address of memory that may change, which the instruction reads, or NULL. */
static LLVMValueRef read_by(struct covering *c, LLVMValueRef i) {
    bool reads = LLVMIsALoadInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
    return reads && !kernel_is_invariant(i) ? LLVMGetOperand(i, 0) : NULL;
}

static void taint(struct covering *c, LLVMValueRef v) {
    if (!ptrmap_at(&c->tainted, v, 0)) {
        ptrmap_set(&c->tainted, v, 1);
        list_add(&c->work, v);
    }
}

static void taint_reads(struct covering *c, const struct list *instructions, bool of_private) {
    for (size_t n = 0; n < instructions->n; n++) {
        LLVMValueRef p = read_by(c, instructions->at[n]);
        unsigned space = p ? LLVMGetPointerAddressSpace(LLVMTypeOf(p)) : AS_GLOBAL;
        if (space == (of_private ? AS_PRIVATE : AS_LOCAL) &&
            !ptrmap_at(&c->in->covered, instructions->at[n], 0)) {
            taint(c, instructions->at[n]);
        }
    }
}

/* A store of a value that may be undefined. True: that is new. */
static bool spoil(struct covering *c, LLVMValueRef store, const struct list *instructions) {
    LLVMValueRef p = LLVMGetOperand(store, 1);
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p)), n = (unsigned)ptrmap_at(&c->fact, store, 0);
    if (space == AS_PRIVATE && !c->private_tainted) {
        c->private_tainted = true;
        taint_reads(c, instructions, true);
    }
    if (space != AS_LOCAL && (space != AS_PRIVATE || private_base(p))) {
        return false;
    }
    uint32_t object = space == AS_LOCAL ? instrument_object(c->in, p) : 0;
    const void *key = (const void *)(uintptr_t)object;
    bool is_new = object ? !ptrmap_at(&c->spoilt, key, 0) : !c->all_spoilt;
    c->all_spoilt |= !object;
    if (object) {
        ptrmap_set(&c->spoilt, key, 1);
    }
    if (n) {
        c->facts[n - 1].fails = true;
    }
    return is_new;
}

/* What stems from reads that aren't covered. True: that spoils a variable that wasn't yet. */
static bool follow(struct covering *c, const struct list *instructions) {
    bool changed = false;
    c->tainted = (struct ptrmap){0};
    c->private_tainted = false;
    taint_reads(c, instructions, false);
    while (c->work.n) {
        LLVMValueRef v = c->work.at[--c->work.n];
        for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef user = LLVMGetUser(u);
            bool is_stored = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == v;
            if (is_stored) {
                changed |= spoil(c, user, instructions);
            } else if (LLVMIsAInstruction(user) && LLVMGetTypeKind(LLVMTypeOf(user)) != LLVMVoidTypeKind) {
                taint(c, user);
            }
        }
    }
    return changed;
}

/* ---- the analysis ---- */

static void pass_instruction(struct covering *c, LLVMValueRef i, uint16_t *state) {
    unsigned n = (unsigned)ptrmap_at(&c->fact, i, 0);
    if (n) {
        state[n - 1] |= DONE(0);
    }
    for (n = 0; ir_is_call_to(i, "__weir_barrier") && n < c->n; n++) {
        state[n] |= !c->facts[n].fails && state[n] & DONE(c->facts[n].nloops) ? COVERED : 0;
    }
}

/* What the edge makes of what is known at the end of `from`. */
static uint16_t pass_edge(const struct fact *f, unsigned from, unsigned to, uint16_t state) {
    for (unsigned j = 1; j <= f->nloops; j++) {
        const struct counted_loop *l = f->loops[j - 1];
        bool done = state & DONE(j - 1), all = state & ALL(j);
        if (from == l->header && !bit_at(l->blocks, to)) {
            state = (uint16_t)(all ? state | DONE(j) : state & ~DONE(j));
        }
        if (to == l->header) {
            bool again = bit_at(l->blocks, from);
            state = (uint16_t)(!again || (all && done) ? state | ALL(j) : state & ~ALL(j));
            state = (uint16_t)(state & ~(DONE(j) - 1)); /* those inside begin anew */
        }
    }
    return state;
}

static void run_block(struct covering *c, unsigned b, uint16_t *state,
                      void (*look)(struct covering *, LLVMValueRef, const uint16_t *state)) {
    memcpy(state, c->at + (size_t)b * c->n, c->n * sizeof *state);
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->in->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
        if (look) {
            look(c, i, state);
        }
        pass_instruction(c, i, state);
    }
}

static void find_states(struct covering *c) {
    struct graph *cfg = c->in->cfg;
    uint16_t *state = job_alloc(c->n * sizeof *state);
    memset(c->at, 0xff, (size_t)cfg->n * c->n * sizeof *c->at);
    memset(c->at, 0, c->n * sizeof *c->at);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned b = 0; b < cfg->n; b++) {
            run_block(c, b, state, NULL);
            for (unsigned s = 0; s < cfg->nsucc[b]; s++) {
                uint16_t *to = c->at + (size_t)cfg->succ[b][s] * c->n;
                for (unsigned f = 0; f < c->n; f++) {
                    bool skips = is_skipped(c, f, b, cfg->succ[b][s]);
                    uint16_t now = (uint16_t)(state[f] | (skips ? DONE(0) : 0));
                    uint16_t more = to[f] & pass_edge(&c->facts[f], b, cfg->succ[b][s], now);
                    changed |= more != to[f];
                    to[f] = more;
                }
            }
        }
    }
}

/* ---- reads ---- */

/* Whether it lies where all stores of one form write, though these leave holes, or where the work-item itself has stored. */
static bool is_within_one(struct covering *c, LLVMValueRef read, uint32_t object, const uint16_t *state) {
    struct form form;
    bool known = LLVMIsALoadInst(read) && form_of(&c->forms, read, LLVMGetOperand(read, 0), &form);
    for (unsigned n = 0; known && n < c->n; n++) {
        const struct fact *f = &c->facts[n];
        bool is_alike =
            f->object == object && f->bytes == LLVMStoreSizeOfType(c->in->layout, LLVMTypeOf(read));
        bool own = state[n] & DONE(0) && !f->nloops && !f->fails && !f->is_of_some;
        if (is_alike && ((state[n] & COVERED && form_is_within(&form, &f->form)) ||
                         (own && form_is_sum(&form, &f->form)))) {
            return true;
        }
    }
    return false;
}

/* The bytes that it may read: those of its form, or all. False: nobody knows. */
static bool find_bytes(struct covering *c, LLVMValueRef read, uint64_t *from, uint64_t *end) {
    struct form form;
    int64_t least, most;
    LLVMValueRef p = LLVMGetOperand(read, 0);
    *from = 0;
    *end = instrument_local_bytes(c->in, p);
    if (LLVMIsALoadInst(read) && form_of(&c->forms, read, p, &form)) {
        form_range(&form, &least, &most);
        if (least >= 0) {
            *from = (uint64_t)least;
            *end = (uint64_t)most + LLVMStoreSizeOfType(c->in->layout, LLVMTypeOf(read));
        }
    }
    return *end > *from;
}

/* What the object's covered facts write, joined: where they lie side by side. */
static unsigned find_parts(struct covering *c, uint32_t object, const uint16_t *state, struct form *parts,
                           uint64_t *bytes) {
    unsigned count = 0;
    for (unsigned n = 0; n < c->n; n++) {
        const struct fact *f = &c->facts[n];
        if (f->object == object && state[n] & COVERED && f->part_bytes) {
            bytes[count] = f->part_bytes;
            parts[count++] = f->part;
        }
    }
    for (unsigned n = 0; n < count; n++) {
        for (unsigned m = 0; m < count && parts[n].n; m++) {
            m = form_join_row(&parts[n], &bytes[n], &parts[m], bytes[m]) ? ~0u : m;
        }
    }
    return count;
}

/* Whether all of it was written, by rows. */
static bool is_covered(struct covering *c, LLVMValueRef read, uint32_t object, const uint16_t *state) {
    struct form parts[FACTS_MOST];
    uint64_t to, end, bytes[FACTS_MOST];
    if (!find_bytes(c, read, &to, &end)) {
        return false;
    }
    unsigned count = find_parts(c, object, state, parts, bytes);
    for (uint64_t before = to + 1; before != to && to < end;) {
        before = to;
        for (unsigned n = 0; n < count; n++) {
            uint64_t start = (uint64_t)parts[n].constant;
            to = !parts[n].n && start <= to && start + bytes[n] > to ? start + bytes[n] : to;
        }
    }
    return to >= end;
}

static void look_at(struct covering *c, LLVMValueRef i, const uint16_t *state) {
    LLVMValueRef p = read_by(c, i);
    uint32_t object = p && is_local(p) ? instrument_object(c->in, p) : 0;
    bool spoilt = c->all_spoilt || ptrmap_at(&c->spoilt, (const void *)(uintptr_t)object, 0);
    if (object && !spoilt && (is_covered(c, i, object, state) || is_within_one(c, i, object, state))) {
        ptrmap_set(&c->in->covered, i, 1);
    }
}

static void find_reads(struct covering *c) {
    uint16_t *state = job_alloc(c->n * sizeof *state);
    c->forms.is_wide = true;
    for (unsigned b = 0; b < c->in->cfg->n; b++) {
        run_block(c, b, state, look_at);
    }
}

void covered_find(struct instrumenting *in, const struct list *instructions) {
    struct covering *c = job_alloc(sizeof *c);
    c->in = in;
    c->forms.in = in;
    if (in->halves.used) {
        return; /* not all that one has written before it waits is written for others */
    }
    for (size_t n = 0; n < instructions->n; n++) {
        if (LLVMIsAStoreInst(instructions->at[n])) {
            add_store(c, instructions->at[n]);
        }
    }
    if (!c->n) {
        return;
    }
    c->at = job_alloc((size_t)in->cfg->n * c->n * sizeof *c->at);
    for (bool changed = true; changed;) {
        in->covered = (struct ptrmap){0};
        find_states(c);
        find_reads(c);
        changed = follow(c, instructions);
    }
}
