/* tuples.c: what a work-item reads or writes one beside the other is an OpenCL vector.
 *
 * Needs what packs share (wg->pack). Gives k->run with loads, and stores, of adjacent elements in a block as one of a vector:
 * where lanes lie apart, so that each scalar one would be a gather or scatter. memory_access.c then has a form for all of a
 * pack. Reads move up to the first of them, writes down to the last; nothing in between may access the same. Addresses are the
 * same sum but for a constant, which no extension wraps around:
 *     %i1 = or disjoint i64 %i, 1                  (%i = 4 * id)
 *     %p0 = getelementptr float, ptr %a, i64 %i
 *     %p1 = getelementptr float, ptr %a, i64 %i1   4 bytes after %p0
 *     ...                                          loads of %p0 to %p3: load <4 x float>, ptr %p0 */
#include "vector.h"
#include <stdlib.h>
#include <string.h>

enum { TERMS = 4, MOST_PARTS = 16, LEAST_BYTES = 16 };

/* root + the terms' numbers, extended, times their bytes + a constant. */
struct place {
    LLVMValueRef root;
    struct term {
        LLVMValueRef number;
        LLVMOpcode extension; /* 0: none */
        uint64_t bytes;
    } terms[TERMS];
    unsigned n;
    int64_t constant;
};

struct member {
    LLVMValueRef access;
    int64_t at;
    unsigned order; /* in the block */
};

/* Loads or stores that may become vectors. */
struct row {
    bool is_store;
    LLVMTypeRef type;
    int64_t size;
    unsigned space;
    struct place place;
    struct list members; /* of struct member */
    struct list written; /* of reads: struct member, stores since the first one */
};

struct tuples {
    struct wg *wg;
    LLVMTargetDataRef layout;
    struct list open, found; /* of struct row; of struct tuple */
};

struct tuple {
    struct member *members; /* in the order of their places */
    unsigned n;
    bool is_store;
    LLVMTypeRef type;
    int64_t size;
};

/* ---- places ---- */

/* The number without a constant that is added to it, which *sum gets; of one that is to be extended only where that is the same
 * before and after. */
static LLVMValueRef without_constant(LLVMValueRef x, LLVMOpcode extension, int64_t *sum) {
    LLVMValueRef c = LLVMIsABinaryOperator(x) ? LLVMGetOperand(x, 1) : NULL;
    *sum = c && LLVMIsAConstantInt(c) ? LLVMConstIntGetSExtValue(c) : 0;
    bool is_sum = false;
    if (*sum && LLVMGetInstructionOpcode(x) == LLVMOr) {
        is_sum = LLVMGetIsDisjoint(x) && *sum > 0;
    } else if (*sum && LLVMGetInstructionOpcode(x) == LLVMAdd) {
        is_sum = !extension || (extension == LLVMSExt ? LLVMGetNSW(x) : LLVMGetNUW(x) && *sum > 0);
    }
    *sum = is_sum ? *sum : 0;
    return is_sum ? LLVMGetOperand(x, 0) : x;
}

static bool add_step(struct place *p, const struct gep_step *step) {
    LLVMValueRef x = step->index;
    if (!x || LLVMIsAConstantInt(x)) {
        p->constant += (int64_t)step->bytes * (x ? LLVMConstIntGetSExtValue(x) : 1);
        return true;
    }
    if (p->n == TERMS || LLVMGetIntTypeWidth(LLVMTypeOf(x)) != 64) {
        return false;
    }
    LLVMOpcode extension = LLVMIsASExtInst(x) ? LLVMSExt : LLVMIsAZExtInst(x) ? LLVMZExt : 0;
    int64_t sum;
    x = without_constant(extension ? LLVMGetOperand(x, 0) : x, extension, &sum);
    if (!extension && (LLVMIsASExtInst(x) || LLVMIsAZExtInst(x))) {
        extension = LLVMGetInstructionOpcode(x);
        x = LLVMGetOperand(x, 0);
    }
    p->terms[p->n++] = (struct term){x, extension, step->bytes};
    p->constant += (int64_t)step->bytes * sum;
    return true;
}

static bool find_place(struct tuples *t, LLVMValueRef at, struct place *p) {
    struct gep_step steps[GEP_STEPS];
    *p = (struct place){.root = at};
    for (; LLVMIsAGetElementPtrInst(p->root); p->root = LLVMGetOperand(p->root, 0)) {
        unsigned n = ir_gep_steps(t->layout, p->root, steps);
        for (unsigned i = 0; i < n; i++) {
            if (!add_step(p, &steps[i])) {
                return false;
            }
        }
        if (!n) {
            return false;
        }
    }
    return true;
}

static bool are_near(const struct place *p, const struct place *q) {
    bool same = p->root == q->root && p->n == q->n;
    for (unsigned i = 0; same && i < p->n; i++) {
        const struct term *x = &p->terms[i], *y = &q->terms[i];
        same = x->number == y->number && x->extension == y->extension && x->bytes == y->bytes;
    }
    return same;
}

/* ---- whether lanes lie apart ---- */

/* Whether a number that differs between lanes goes up by `least` or more from one to the next, by what it is multiplied with. */
static bool is_multiple(const struct tuples *t, LLVMValueRef x, int64_t least, unsigned depth) {
    if (uniform_is(t->wg->pack, x)) {
        return true;
    }
    LLVMValueRef by = LLVMIsABinaryOperator(x) ? LLVMGetOperand(x, 1) : NULL;
    if (LLVMIsASExtInst(x) || LLVMIsAZExtInst(x)) {
        return depth && is_multiple(t, LLVMGetOperand(x, 0), least, depth - 1);
    }
    if (!by || !depth) {
        return false;
    }
    bool constant = LLVMIsAConstantInt(by) != NULL;
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMMul:
        return !constant || LLVMConstIntGetSExtValue(by) >= least;
    case LLVMShl:
        return !constant || INT64_C(1) << (LLVMConstIntGetZExtValue(by) & 31) >= least;
    case LLVMAdd:
    case LLVMOr:
        return is_multiple(t, LLVMGetOperand(x, 0), least, depth - 1) && is_multiple(t, by, least, depth - 1);
    default:
        return false;
    }
}

static bool are_apart(const struct tuples *t, LLVMValueRef at, const struct place *p, int64_t bytes) {
    enum { DEPTH = 6, VECTORS = 4 };
    int64_t stride;
    if (uniform_stride(t->wg->pack, at, &stride)) {
        return stride >= bytes || stride <= -bytes;
    }
    if (uniform_offsets(t->wg->pack, at) || !uniform_is(t->wg->pack, p->root)) {
        return false;
    }
    for (unsigned i = 0; i < p->n; i++) {
        int64_t least = (bytes + (int64_t)p->terms[i].bytes - 1) / (int64_t)p->terms[i].bytes;
        if (least > 1 && !is_multiple(t, p->terms[i].number, least, DEPTH)) {
            return false;
        }
    }
    return true;
}

/* ---- finding them ---- */

static int by_place(const void *a, const void *b) {
    const struct member *x = *(const struct member *const *)a, *y = *(const struct member *const *)b;
    return (x->at > y->at) - (x->at < y->at);
}

static LLVMValueRef address_of(LLVMValueRef access) {
    return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static void take(struct tuples *t, const struct row *r, size_t first, unsigned n) {
    struct tuple *found = job_alloc(sizeof *found);
    struct member *members = job_alloc(n * sizeof *members);
    for (unsigned i = 0; i < n; i++) {
        members[i] = *(const struct member *)r->members.at[first + i];
    }
    *found = (struct tuple){members, n, r->is_store, r->type, r->size};
    if (are_apart(t, address_of(members[0].access), &r->place, n * r->size)) {
        list_add(&t->found, found);
    }
}

/* Nothing joins it any more. */
static void end_row(struct tuples *t, struct row *r) {
    unsigned most = t->wg->k->target->vector_bits >= 512 ? MOST_PARTS : MOST_PARTS / 2;
    if (r->members.n * (size_t)r->size >= LEAST_BYTES) {
        qsort(r->members.at, r->members.n, sizeof *r->members.at, by_place);
    }
    for (size_t i = 0, n; i < r->members.n; i += n) {
        const struct member *first = r->members.at[i];
        for (n = 1; i + n < r->members.n && n < most; n++) {
            const struct member *next = r->members.at[i + n];
            if (next->at != first->at + (int64_t)n * r->size) {
                break;
            }
        }
        while (n & (n - 1)) {
            n &= n - 1;
        }
        if (n > 1 && n * (size_t)r->size >= LEAST_BYTES) {
            take(t, r, i, (unsigned)n);
        }
    }
    r->members.n = 0;
}

static bool overlap(const struct list *members, int64_t at, int64_t size) {
    for (size_t i = 0; i < members->n; i++) {
        int64_t apart = ((const struct member *)members->at[i])->at - at;
        if (apart < size && -apart < size) {
            return true;
        }
    }
    return false;
}

/* Ends rows that what accesses that memory in another way may be at odds with. */
static void end_rows(struct tuples *t, bool writes, bool anywhere, unsigned space) {
    for (size_t i = 0; i < t->open.n; i++) {
        struct row *r = t->open.at[i];
        if ((writes || r->is_store) && (anywhere || (r->space == AS_LOCAL) == (space == AS_LOCAL))) {
            end_row(t, r);
            t->open.at[i--] = t->open.at[--t->open.n];
        }
    }
}

/* The row that the access joins, of which all others have heard; NULL: there is none. */
static struct row *tell_rows(struct tuples *t, struct member *m, const struct row *like) {
    struct row *joins = NULL;
    for (size_t i = 0; i < t->open.n; i++) {
        struct row *r = t->open.at[i];
        bool same_kind = r->is_store == like->is_store, near = are_near(&r->place, &like->place);
        bool fits = near && r->type == like->type;
        if ((r->space == AS_LOCAL) != (like->space == AS_LOCAL) ||
            (!r->is_store && !like->is_store && !fits)) {
            continue;
        }
        bool meets = overlap(&r->members, m->at, r->size);
        if (fits && same_kind && !meets && !overlap(&r->written, m->at, r->size)) {
            joins = r;
        } else if (fits && !same_kind && !r->is_store) {
            list_add(&r->written, m);
        } else if (!fits || meets || same_kind) {
            end_row(t, r);
            t->open.at[i--] = t->open.at[--t->open.n];
        }
    }
    return joins;
}

static void look_at_access(struct tuples *t, LLVMValueRef i, unsigned order) {
    bool is_store = LLVMIsAStoreInst(i) != NULL;
    LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(i, 0) : i);
    LLVMValueRef at = address_of(i);
    struct row like = {.is_store = is_store, .type = type};
    like.space = LLVMGetPointerAddressSpace(LLVMTypeOf(at));
    if (like.space == AS_PRIVATE && private_base(at)) {
        return;
    }
    bool plain = !LLVMGetVolatile(i) && LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
    if (!plain || like.space == AS_PRIVATE || !private_is_element(type) ||
        LLVMGetTypeKind(type) == LLVMPointerTypeKind || uniform_is(t->wg->pack, at) ||
        !find_place(t, at, &like.place)) {
        end_rows(t, is_store || !plain, like.space == AS_PRIVATE || !plain, like.space);
        return;
    }
    struct member *m = job_alloc(sizeof *m);
    *m = (struct member){i, like.place.constant, order};
    like.size = (int64_t)LLVMABISizeOfType(t->layout, type);
    struct row *row = tell_rows(t, m, &like);
    if (!row) {
        row = job_alloc(sizeof *row);
        *row = like;
        list_add(&t->open, row);
    }
    list_add(&row->members, m);
}

static void look_at_block(struct tuples *t, LLVMBasicBlockRef block) {
    unsigned order = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        order++;
        if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) {
            look_at_access(t, i, order);
        } else if (LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) ||
                   (LLVMIsACallInst(i) && !ir_has_no_effect(i) && !ir_is_marker(i))) {
            end_rows(t, true, true, 0);
        }
    }
    end_rows(t, true, true, 0);
}

/* ---- making vectors ---- */

static unsigned alignment(const struct tuple *x, const struct member *from, unsigned e) {
    unsigned given = LLVMGetAlignment(from->access), natural = (unsigned)x->size;
    given = given ? given : natural;
    return e && given > natural ? natural : given;
}

static void make(struct tuples *t, const struct tuple *x) {
    LLVMContextRef c = t->wg->k->llvm;
    unsigned e = 0, last = 0;
    for (unsigned i = 1; i < x->n; i++) {
        e = x->members[i].order < x->members[e].order ? i : e;
        last = x->members[i].order > x->members[last].order ? i : last;
    }
    e = x->is_store ? 0 : e;
    const struct member *from = &x->members[e];
    LLVMBuilderRef b = ir_before(x->is_store ? x->members[last].access : from->access);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(from->access));
    LLVMTypeRef type = LLVMVectorType(x->type, x->n);
    LLVMValueRef at = address_of(from->access), access, all = LLVMGetPoison(type);
    at = e ? ir_offset(b, at, ir_const64(c, (uint64_t)(-(int64_t)e * x->size)), "") : at;
    for (unsigned i = 0; x->is_store && i < x->n; i++) {
        LLVMValueRef value = LLVMGetOperand(x->members[i].access, 0);
        all = LLVMBuildInsertElement(b, all, value, ir_const64(c, i), "");
    }
    access = x->is_store ? LLVMBuildStore(b, all, at) : LLVMBuildLoad2(b, type, at, "");
    LLVMSetAlignment(access, alignment(x, from, e));
    for (unsigned i = 0; !x->is_store && i < x->n; i++) {
        LLVMValueRef part = LLVMBuildExtractElement(b, access, ir_const64(c, i), "");
        LLVMReplaceAllUsesWith(x->members[i].access, part);
    }
    for (unsigned i = 0; i < x->n; i++) {
        LLVMInstructionEraseFromParent(x->members[i].access);
    }
    LLVMDisposeBuilder(b);
}

bool tuples_make(struct wg *wg) {
    struct tuples t = {.wg = wg, .layout = LLVMGetModuleDataLayout(wg->k->module)};
    if (wg->k->checked || wg->k->rows > 1 || wg->k->width < 4) {
        return false;
    }
    for (unsigned n = 0; n < wg->cfg->n; n++) {
        look_at_block(&t, wg->blocks[n]);
    }
    for (size_t i = 0; i < t.found.n; i++) {
        make(&t, t.found.at[i]);
    }
    return t.found.n;
}
