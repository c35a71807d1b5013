/* tuples.c: what a work-item reads or writes one beside the other is an OpenCL vector.
 *
 * Needs what packs share (wg->pack). Gives k->run with loads, and stores, of adjacent elements in a block as one of a
 * vector: where lanes lie apart, so that each scalar one would be a gather or scatter, or every second, third or fourth
 * element of a row, as of points of x, y and z. memory_access.c then has a form for all of a pack. Reads move up to the
 * first of them, writes down to the last; nothing in between may access the same. Addresses are the same sum but for a
 * constant, which no extension wraps around:
 *     %i1 = or disjoint i64 %i, 1                  (%i = 4 * id)
 *     %p0 = getelementptr float, ptr %a, i64 %i
 *     %p1 = getelementptr float, ptr %a, i64 %i1   4 bytes after %p0
 *     ...                                          loads of %p0 to %p3: load <4 x float>, ptr %p0 */
#include "analysis.h"
#include "lower.h"
#include "vector.h"
#include <stdlib.h>
#include <string.h>

/* LEAST_BYTES: what is gathered by one instruction. A pack's row may be of less for each lane. */
enum { TERMS = 8, MOST_PARTS = 16, LEAST_BYTES = 8, MOST_IN_ROW = 4 };

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
    /* Into a buffer of less than 2^31 bytes: two addresses that are a known distance apart modulo 2^32, as indices of 32 bits may
     * wrap around, are so; if that is less than 2^31. */
    bool is_modular;
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
    LLVMValueRef buffer; /* that no other one overlaps (apart.c); NULL: it may be any */
    struct place place;
    struct list members; /* of struct member */
    struct list written; /* of reads: struct member, stores since the first one */
};

struct tuples {
    struct wg *wg;
    LLVMTargetDataRef layout;
    struct list open, found; /* of struct row; of struct tuple */
    struct ptrmap *looks; /* accesses -> how many there are in one; 0: it is none. NULL: they are changed */
    bool changed;
};

struct tuple {
    struct member *members; /* in the order of their places */
    unsigned n;
    bool is_store;
    LLVMTypeRef type;
    int64_t size;
};

/* ---- places ---- */

/* Terms are in an order of their own, so that equal sums have equal ones. */
static bool add_term(struct place *p, struct term term) {
    unsigned at = p->n;
    if (p->n == TERMS) {
        return false;
    }
    for (; at > 0 && (uintptr_t)p->terms[at - 1].number > (uintptr_t)term.number; at--) {
        p->terms[at] = p->terms[at - 1];
    }
    p->terms[at] = term;
    p->n++;
    return true;
}

static bool is_extension(LLVMValueRef x) {
    return LLVMIsASExtInst(x) || LLVMIsAZExtInst(x);
}

/* Whether a number is a sum, or a difference, also when it is extended so: of both extended. */
static bool is_sum(LLVMValueRef x, LLVMOpcode extension, bool is_modular) {
    switch (LLVMIsABinaryOperator(x) ? LLVMGetInstructionOpcode(x) : 0) {
    case LLVMOr:
        return LLVMGetIsDisjoint(x);
    case LLVMAdd:
    case LLVMSub:
        return !extension || is_modular || (extension == LLVMSExt ? LLVMGetNSW(x) : LLVMGetNUW(x));
    default:
        return false;
    }
}

/* The sum's parts, each times `bytes`. Of a number that is extended, or cut off, only what it is modulo 2^32 counts if
 * p->is_modular; else it is what an `extension` (0: none) is made of. */
static bool add_number(struct place *p, LLVMValueRef x, LLVMOpcode extension, uint64_t bytes) {
    if (LLVMIsAConstantInt(x)) {
        bool is_signed = p->is_modular || extension != LLVMZExt;
        p->constant += (int64_t)(bytes * (is_signed ? (uint64_t)LLVMConstIntGetSExtValue(x)
                                                    : LLVMConstIntGetZExtValue(x)));
        return true;
    }
    if (is_extension(x) && (!extension || p->is_modular)) {
        return add_number(p, LLVMGetOperand(x, 0), LLVMGetInstructionOpcode(x), bytes);
    }
    if (p->is_modular && LLVMIsATruncInst(x) && LLVMGetIntTypeWidth(LLVMTypeOf(x)) == 32) {
        return add_number(p, LLVMGetOperand(x, 0), extension, bytes);
    }
    if (is_sum(x, extension, p->is_modular)) {
        bool is_difference = LLVMGetInstructionOpcode(x) == LLVMSub;
        return add_number(p, LLVMGetOperand(x, 0), extension, bytes) &&
               add_number(p, LLVMGetOperand(x, 1), extension, is_difference ? -bytes : bytes);
    }
    return add_term(p, (struct term){x, p->is_modular ? 0 : extension, bytes});
}

/* `x` is a sum times 2^32, of which an arithmetic shift leaves the lower half extended: what LLVM makes of sext(i - 1) * 4. */
static bool add_shifted(struct place *p, LLVMValueRef x, uint64_t bytes) {
    LLVMValueRef by = LLVMIsABinaryOperator(x) ? LLVMIsAConstantInt(LLVMGetOperand(x, 1)) : NULL;
    uint64_t n = by ? LLVMConstIntGetZExtValue(by) : 0;
    if (by && LLVMGetInstructionOpcode(x) == LLVMAdd && !(n & UINT32_MAX)) {
        p->constant += (int64_t)bytes * (int32_t)(n >> 32);
        return add_shifted(p, LLVMGetOperand(x, 0), bytes);
    }
    bool is_shift = by && LLVMGetInstructionOpcode(x) == LLVMShl && n == 32;
    return is_shift && add_number(p, LLVMGetOperand(x, 0), LLVMSExt, bytes);
}

static bool add_step(struct place *p, const struct gep_step *step) {
    LLVMValueRef x = step->index;
    if (!x) {
        p->constant += (int64_t)step->bytes;
        return true;
    }
    LLVMValueRef by = LLVMIsABinaryOperator(x) && LLVMGetInstructionOpcode(x) == LLVMAShr
                          ? LLVMIsAConstantInt(LLVMGetOperand(x, 1))
                          : NULL;
    if (by && p->is_modular && LLVMConstIntGetZExtValue(by) <= 32) {
        struct place before = *p;
        if (add_shifted(p, LLVMGetOperand(x, 0), step->bytes << (32 - LLVMConstIntGetZExtValue(by)))) {
            return true;
        }
        *p = before;
    }
    bool is_long = LLVMGetIntTypeWidth(LLVMTypeOf(x)) == 64;
    return (LLVMIsAConstantInt(x) || is_long) && add_number(p, x, 0, step->bytes);
}

static bool find_place(struct tuples *t, LLVMValueRef at, struct place *p) {
    struct gep_step steps[GEP_STEPS];
    *p = (struct place){.root = at, .is_modular = object_of(at)};
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
    return !p->is_modular || (p->constant < 1 << 30 && p->constant > -(1 << 30));
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
        int64_t size = (int64_t)p->terms[i].bytes;
        size = size < 0 ? -size : size ? size : 1;
        int64_t least = (bytes + size - 1) / size;
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

/* Whether lanes' vectors lie one right after the other, where no index wraps around. */
static bool is_row(const struct tuples *t, LLVMValueRef at, const struct place *p, int64_t bytes) {
    int64_t stride, sum = 0;
    if (uniform_stride(t->wg->pack, at, &stride)) {
        return stride == bytes;
    }
    bool is_known = uniform_is(t->wg->pack, p->root);
    for (unsigned i = 0; is_known && i < p->n; i++) {
        is_known = uniform_stride(t->wg->pack, p->terms[i].number, &stride);
        sum += is_known ? stride * (int64_t)p->terms[i].bytes : 0;
    }
    return is_known && sum == bytes;
}

static void take(struct tuples *t, const struct row *r, size_t first, unsigned n) {
    struct tuple *found = job_alloc(sizeof *found);
    struct member *members = job_alloc(n * sizeof *members);
    for (unsigned i = 0; i < n; i++) {
        members[i] = *(const struct member *)r->members.at[first + i];
    }
    *found = (struct tuple){members, n, r->is_store, r->type, r->size};
    if (are_apart(t, ir_address(members[0].access), &r->place, n * r->size)) {
        list_add(&t->found, found);
    }
}

/* Nothing joins it any more. */
static void end_row(struct tuples *t, struct row *r) {
    unsigned most = t->wg->k->target->vector_bits >= 512 ? MOST_PARTS : MOST_PARTS / 2;
    if (r->members.n > 1) {
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
        bool may_be_row = n >= 2 && n <= MOST_IN_ROW;
        if (may_be_row && is_row(t, ir_address(first->access), &r->place, n * r->size)) {
            take(t, r, i, (unsigned)n);
            continue;
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

static bool may_meet(const struct row *r, unsigned space, LLVMValueRef buffer) {
    return (r->space == AS_LOCAL) == (space == AS_LOCAL) && (!r->buffer || !buffer || r->buffer == buffer);
}

/* Ends rows that what accesses that memory in another way may be at odds with. */
static void end_rows(struct tuples *t, bool writes, bool anywhere, unsigned space, LLVMValueRef buffer) {
    for (size_t i = 0; i < t->open.n; i++) {
        struct row *r = t->open.at[i];
        if ((writes || r->is_store) && (anywhere || may_meet(r, space, buffer))) {
            end_row(t, r);
            t->open.at[i--] = t->open.at[--t->open.n];
        }
    }
}

/* The member of the row that is at this place; NULL: there is none. */
static const struct member *member_at(const struct row *r, int64_t at) {
    const struct member *found = NULL;
    for (size_t i = 0; i < r->members.n; i++) {
        const struct member *m = r->members.at[i];
        found = m->at == at ? m : found;
    }
    return found;
}

/* What a load gives that reads again what was read, or written, with nothing in between that may have changed it; else NULL. */
static LLVMValueRef known_value(const struct tuples *t, const struct member *m, const struct row *like) {
    for (size_t i = 0; i < t->open.n; i++) {
        const struct row *r = t->open.at[i];
        bool fits = r->type == like->type && are_near(&r->place, &like->place);
        const struct member *same = fits ? member_at(r, m->at) : NULL;
        if (same && (r->is_store || !overlap(&r->written, m->at, r->size))) {
            return r->is_store ? LLVMGetOperand(same->access, 0) : same->access;
        }
    }
    return NULL;
}

/* The row that the access joins, of which all others have heard; NULL: there is none. */
static struct row *tell_rows(struct tuples *t, struct member *m, const struct row *like) {
    struct row *joins = NULL;
    for (size_t i = 0; i < t->open.n; i++) {
        struct row *r = t->open.at[i];
        bool same_kind = r->is_store == like->is_store, near = are_near(&r->place, &like->place);
        bool fits = near && r->type == like->type;
        if (!may_meet(r, like->space, like->buffer) || (!r->is_store && !like->is_store && !fits)) {
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
    LLVMValueRef at = ir_address(i);
    struct row like = {.is_store = is_store, .type = type};
    like.space = LLVMGetPointerAddressSpace(LLVMTypeOf(at));
    like.buffer = object_of(at);
    if (like.space == AS_PRIVATE && private_base(at)) {
        return;
    }
    bool plain = ir_is_plain(i);
    if (!plain || like.space == AS_PRIVATE || !private_is_element(type) ||
        LLVMGetTypeKind(type) == LLVMPointerTypeKind || uniform_is(t->wg->pack, at) ||
        !find_place(t, at, &like.place)) {
        end_rows(t, is_store || !plain, like.space == AS_PRIVATE || !plain, like.space, like.buffer);
        return;
    }
    struct member *m = job_alloc(sizeof *m);
    *m = (struct member){i, like.place.constant, order};
    like.size = (int64_t)LLVMABISizeOfType(t->layout, type);
    LLVMValueRef known = is_store ? NULL : known_value(t, m, &like);
    if (known && t->looks) {
        ptrmap_set(t->looks, i, 0);
        return;
    }
    if (known) {
        LLVMReplaceAllUsesWith(i, known);
        LLVMInstructionEraseFromParent(i);
        t->changed = true;
        return;
    }
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
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        order++;
        if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) {
            look_at_access(t, i, order);
        } else if (ir_is_action(i)) {
            end_rows(t, true, true, 0, NULL);
        }
    }
    end_rows(t, true, true, 0, NULL);
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
    LLVMValueRef at = ir_address(from->access), access, all = LLVMGetPoison(type);
    at = e ? ir_offset(b, at, ir_const64(c, (uint64_t)(-(int64_t)e * x->size)), "") : at;
    for (unsigned i = 0; x->is_store && i < x->n; i++) {
        LLVMValueRef value = LLVMGetOperand(x->members[i].access, 0);
        all = LLVMBuildInsertElement(b, all, value, ir_const64(c, i), "");
    }
    access = x->is_store ? LLVMBuildStore(b, all, at) : LLVMBuildLoad2(b, type, at, "");
    LLVMSetAlignment(access, alignment(x, from, e));
    ir_add_lists_of(access, from->access);
    for (unsigned i = 0; !x->is_store && i < x->n; i++) {
        LLVMValueRef part = LLVMBuildExtractElement(b, access, ir_const64(c, i), "");
        LLVMReplaceAllUsesWith(x->members[i].access, part);
    }
    for (unsigned i = 0; i < x->n; i++) {
        LLVMInstructionEraseFromParent(x->members[i].access);
    }
    LLVMDisposeBuilder(b);
}

static bool may_be(const struct wg *wg) {
    return !wg->k->checked && wg->k->rows == 1 && wg->k->width >= 4;
}

bool tuples_look(struct wg *wg, struct ptrmap *parts) {
    struct tuples t = {.wg = wg, .layout = LLVMGetModuleDataLayout(wg->k->module), .looks = parts};
    for (unsigned n = 0; n < wg->cfg->n && may_be(wg); n++) {
        look_at_block(&t, wg->blocks[n]);
    }
    for (size_t i = 0; i < t.found.n; i++) {
        const struct tuple *x = t.found.at[i];
        for (unsigned m = 0; m < x->n; m++) {
            ptrmap_set(parts, x->members[m].access, x->n);
        }
    }
    return t.found.n;
}

bool tuples_make(struct wg *wg) {
    struct tuples t = {.wg = wg, .layout = LLVMGetModuleDataLayout(wg->k->module)};
    for (unsigned n = 0; n < wg->cfg->n && may_be(wg); n++) {
        look_at_block(&t, wg->blocks[n]);
    }
    for (size_t i = 0; i < t.found.n; i++) {
        make(&t, t.found.at[i]);
    }
    return t.found.n || t.changed;
}
