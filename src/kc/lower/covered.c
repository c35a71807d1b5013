/* covered.c: reads of local memory that the group has surely written before.
 *
 * Needs a kernel with everything inlined, and its barriers (instrument.c calls this before it adds checks). Gives:
 * in->covered, reads of variables and arguments in local memory all of whose bytes have been written when they run. A store writes a row of
 * bytes if its index takes all values there (index_form.c), all work-items execute it in all rounds of the loops that the
 * index counts, and a barrier follows: then each work-item that goes on from the barrier finds the row written.
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
    uint64_t bytes; /* of the access */
    struct row row; /* that all of them write; no bytes: it has holes */
    unsigned nloops;
    const struct counted_loop *loops[FORM_TERMS]; /* that it counts, from the inside to the outside */
    bool fails;                                   /* a value may be undefined */
};

struct covering {
    struct instrumenting *in;
    struct forms forms;
    struct fact facts[FACTS_MOST];
    unsigned n;
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

static void add_store(struct covering *c, LLVMValueRef store) {
    LLVMValueRef p = LLVMGetOperand(store, 1);
    struct fact f = {.object = instrument_object(c->in, p)};
    uint64_t bytes = LLVMStoreSizeOfType(c->in->layout, LLVMTypeOf(LLVMGetOperand(store, 0)));
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != AS_LOCAL || !f.object || LLVMGetOrdering(store) ||
        !form_of(&c->forms, store, p, &f.form)) {
        return;
    }
    f.bytes = bytes;
    form_row(&f.form, bytes, &f.row);
    find_loops(&f);
    unsigned n = 0;
    while (n < c->n && (c->facts[n].object != f.object || c->facts[n].bytes != bytes ||
                        !form_is_same(&c->facts[n].form, &f.form))) {
        n++;
    }
    if (n == FACTS_MOST) {
        return;
    }
    if (n == c->n) {
        c->facts[c->n++] = f;
    }
    ptrmap_set(&c->fact, store, n + 1);
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
                    uint16_t more = to[f] & pass_edge(&c->facts[f], b, cfg->succ[b][s], state[f]);
                    changed |= more != to[f];
                    to[f] = more;
                }
            }
        }
    }
}

/* ---- reads ---- */

/* Bytes of a variable, or of an argument, if the variant is made for its size; 0: nobody knows. */
static uint64_t size_of(struct covering *c, uint32_t object, LLVMValueRef p) {
    if (!(object & WEIR_SITE_PLACE)) {
        return enter_local_bytes(c->in->k, object - 1);
    }
    while (!LLVMIsAGlobalVariable(p)) {
        p = LLVMGetOperand(p, 0);
    }
    return LLVMABISizeOfType(c->in->layout, LLVMGlobalGetValueType(p));
}

/* Whether it lies where all stores of one form write, though these leave holes. */
static bool is_within_one(struct covering *c, LLVMValueRef read, uint32_t object, const uint16_t *state) {
    struct form form;
    bool known = LLVMIsALoadInst(read) && form_of(&c->forms, read, LLVMGetOperand(read, 0), &form);
    for (unsigned n = 0; known && n < c->n; n++) {
        const struct fact *f = &c->facts[n];
        if (f->object == object && state[n] & COVERED &&
            f->bytes == LLVMStoreSizeOfType(c->in->layout, LLVMTypeOf(read)) &&
            form_is_within(&form, &f->form)) {
            return true;
        }
    }
    return false;
}

static bool is_covered(struct covering *c, uint32_t object, uint64_t size, const uint16_t *state) {
    for (uint64_t to = 0, before = 1; before != to;) {
        before = to;
        for (unsigned n = 0; n < c->n; n++) {
            const struct fact *f = &c->facts[n];
            if (f->object == object && state[n] & COVERED && f->row.start <= to &&
                f->row.start + f->row.bytes > to) {
                to = f->row.start + f->row.bytes;
            }
        }
        if (to >= size) {
            return true;
        }
    }
    return false;
}

static void look_at(struct covering *c, LLVMValueRef i, const uint16_t *state) {
    LLVMValueRef p = read_by(c, i);
    uint32_t object = p && is_local(p) ? instrument_object(c->in, p) : 0;
    bool spoilt = c->all_spoilt || ptrmap_at(&c->spoilt, (const void *)(uintptr_t)object, 0);
    uint64_t size = object ? size_of(c, object, p) : 0;
    if (object && !spoilt &&
        ((size && is_covered(c, object, size, state)) || is_within_one(c, i, object, state))) {
        ptrmap_set(&c->in->covered, i, 1);
    }
}

static void find_reads(struct covering *c) {
    uint16_t *state = job_alloc(c->n * sizeof *state);
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
