/* rows.c: packs of several rows of a work-group: 8 x 8 work-items as 4 packs of 16 lanes.
 *
 * Lane i of a pack of R rows is work-item (x + i % L, y + i / L), where L = W / R, and x and y are lane 0's. Every row by
 * itself is what other packs are: of ids and what is computed from them it has lane 0's scalar and a stride. So of a value
 * that is affine in each row (struct uniform: `row`) the pack has R scalars (FORM_ROWS), and an access at such an address
 * is R accesses of L lanes, each in the form that it has there: a[gy * stride + gx] is R short vectors put together,
 * t[ly][k] is R scalars, and what doesn't depend on y is the same R times, which LLVM finds. Anything else is a vector of W
 * lanes.
 *
 * To look at one row is to have it for the pack for a while (rows_look): its lanes, mask, ids and values are what all
 * of the vectorizer then asks for.
 *     W = 16, L = 8, %x and %y ids, %n one for the group:
 *     %m = mul i32 %y, %n                         rows (y * n, (y + 1) * n), stride 0
 *     %i = add i32 %m, %x                         rows (y * n + x, (y + 1) * n + x), stride 1
 *     %f = load float, ptr %p[%i]                 two loads of <8 x float>, one shuffle
 * Invariant: in a block under a mask a row may have no lane that is on. Its scalars are anything then: they are neither
 * divided by, nor is memory accessed there: another row's address stands in for its own. */
#include "vector.h"

static unsigned lanes_of_row(const struct vec *v) {
    return v->k->width / v->k->rows;
}

/* The row's lanes of a vector, or of a mask (NULL: all). */
static LLVMValueRef slice(struct vec *v, LLVMValueRef vector, unsigned row) {
    return vec_some(v, vector, row * lanes_of_row(v), lanes_of_row(v));
}

/* Vectors of the rows one after the other. */
static LLVMValueRef joined(struct vec *v, LLVMValueRef *rows) {
    LLVMValueRef level[64];
    unsigned order[128], length = lanes_of_row(v);
    for (unsigned i = 0; i < v->k->rows; i++) {
        level[i] = rows[i];
    }
    for (unsigned n = v->k->rows; n > 1; n /= 2, length *= 2) {
        for (unsigned i = 0; i < 2 * length; i++) {
            order[i] = i;
        }
        for (unsigned i = 0; i < n / 2; i++) {
            level[i] = vec_shuffle(v, level[2 * i], level[2 * i + 1], order, 2 * length);
        }
    }
    return level[0];
}

/* ---- looking at one row ---- */

struct look {
    LLVMValueRef mask, y;
    struct uniform *pack;
};

static struct look rows_look(struct vec *v, unsigned row) {
    struct item_loops *loops = &v->wg->loops;
    struct look before = {v->mask, loops->local_id[1], v->wg->pack};
    v->mask = slice(v, v->mask, row);
    v->width = lanes_of_row(v);
    v->in_row = true;
    v->at_row = row;
    v->wg->pack = before.pack->row;
    if (row) {
        loops->local_id[1] = LLVMBuildNUWAdd(v->b, before.y, ir_const64(v->llvm, row), "");
    }
    return before;
}

static void rows_look_away(struct vec *v, const struct look *before) {
    v->mask = before->mask;
    v->width = v->k->width;
    v->in_row = false;
    v->wg->pack = before->pack;
    v->wg->loops.local_id[1] = before->y;
}

struct wide *rows_part(struct vec *v, const struct wide *w) {
    unsigned row = v->at_row, n = lanes_of_row(v);
    struct wide *part = wide_new(FORM_UNIFORM, NULL, 0);
    *part = *w;
    part->at = NULL;
    part->first = part->any = part->all = NULL;
    switch (w->form) {
    case FORM_UNIFORM:
        break;
    case FORM_AFFINE:
        part->value = wide_lane(v, w, row * n);
        break;
    case FORM_ROWS:
        *part = *wide_new(FORM_AFFINE, w->lanes[row], w->stride);
        break;
    case FORM_VECTOR:
        part->value = slice(v, w->value, row);
        break;
    case FORM_LANES:
        part->lanes = w->lanes + row * n;
        break;
    case FORM_PARTS:
        part->lanes = job_alloc(w->n * sizeof *part->lanes);
        for (unsigned i = 0; i < w->n; i++) {
            part->lanes[i] = slice(v, w->lanes[i], row);
        }
        break;
    }
    return part;
}

/* ---- values ---- */

static struct wide *rows_new(LLVMValueRef *scalars, int64_t stride) {
    struct wide *w = wide_new(FORM_ROWS, NULL, 0);
    w->stride = stride;
    w->lanes = scalars;
    return w;
}

static bool are_same(const struct vec *v, const struct wide *w) {
    for (unsigned r = 1; r < v->k->rows; r++) {
        if (w->lanes[r] != w->lanes[0]) {
            return false;
        }
    }
    return true;
}

/* <lane 0's distance, lane 1's ...>: from lane 0's value, or from that of each row. */
static LLVMValueRef distances(struct vec *v, const struct wide *w, LLVMTypeRef integer) {
    LLVMValueRef each[64];
    for (unsigned i = 0; i < v->width; i++) {
        int64_t at = w->at ? w->at[i] : w->stride * (i % lanes_of_row(v));
        each[i] = LLVMConstInt(integer, (uint64_t)at, 1);
    }
    return LLVMConstVector(each, v->width);
}

/* Each row's scalar in its lanes. */
static LLVMValueRef spread(struct vec *v, const struct wide *w, LLVMTypeRef element) {
    unsigned order[64];
    LLVMValueRef all = LLVMGetPoison(LLVMVectorType(element, v->k->rows));
    for (unsigned r = 0; r < v->k->rows; r++) {
        all = LLVMBuildInsertElement(v->b, all, w->lanes[r], ir_const32(v->llvm, r), "");
    }
    for (unsigned i = 0; i < v->width; i++) {
        order[i] = i / lanes_of_row(v);
    }
    return vec_shuffle(v, all, NULL, order, v->width);
}

LLVMValueRef rows_vector(struct vec *v, const struct wide *w, LLVMTypeRef element) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    bool is_pointer = LLVMGetTypeKind(element) == LLVMPointerTypeKind;
    LLVMValueRef from = w->at || are_same(v, w) ? wide_splat(v, w->lanes[0]) : spread(v, w, element);
    if (!w->at && !w->stride) {
        return from;
    }
    LLVMValueRef lanes = distances(v, w, is_pointer ? i64 : element);
    return is_pointer ? LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->llvm), from, &lanes, 1, "")
                      : LLVMBuildAdd(v->b, from, lanes, "");
}

LLVMValueRef rows_lane(struct vec *v, const struct wide *w, unsigned lane) {
    unsigned n = lanes_of_row(v);
    const struct wide row = {.form = FORM_AFFINE, .value = w->lanes[lane / n], .stride = w->stride};
    return wide_lane(v, &row, lane % n);
}

static bool has_scalars(struct vec *v, LLVMValueRef i) {
    for (int o = 0; o < LLVMGetNumOperands(i) - (LLVMIsACallInst(i) != NULL); o++) {
        enum form form = wide_of(v, LLVMGetOperand(i, (unsigned)o))->form;
        if (form != FORM_UNIFORM && form != FORM_ROWS) {
            return false;
        }
    }
    return true;
}

/* Whether lane 0's value can be found out from those of the operands. */
static bool has_distances(struct vec *v, LLVMValueRef i) {
    bool has = lane_alignment_stays(v->wg->pack, i);
    for (int o = 0; o < LLVMGetNumOperands(i) && !LLVMIsACallInst(i); o++) {
        const struct wide *w = wide_of(v, LLVMGetOperand(i, (unsigned)o));
        has &= w->form == FORM_UNIFORM || w->at;
    }
    return has;
}

/* Whether an operation on scalars gives one that is right whatever they are. */
static bool is_scalar_operation(LLVMValueRef i) {
    return ir_is_address_arithmetic(i) || LLVMIsAPtrToIntInst(i) || LLVMIsAIntToPtrInst(i) ||
           intrinsic_id(i, NULL);
}

/* What `scalar_of` gives of lane 0 of a row. */
static LLVMValueRef of_row(struct vec *v, LLVMValueRef i, unsigned row, int64_t stride,
                           LLVMValueRef scalar_of(struct vec *, LLVMValueRef, bool varies)) {
    struct look before = rows_look(v, row);
    LLVMValueRef scalar = scalar_of(v, i, stride);
    rows_look_away(v, &before);
    return scalar;
}

/* Lane 0's value, from which other lanes' are constants away. Of an extended number it isn't what its own row has: where that
 * is off, it may have wrapped around, and others have not. */
static LLVMValueRef first_of(struct vec *v, LLVMValueRef i, LLVMValueRef in_row,
                             LLVMValueRef scalar_of(struct vec *, LLVMValueRef, bool varies)) {
    bool differs = LLVMIsAZExtInst(i) || LLVMIsASExtInst(i);
    for (int o = 0; o < LLVMGetNumOperands(i) && !LLVMIsACallInst(i); o++) {
        const struct wide *w = wide_of(v, LLVMGetOperand(i, (unsigned)o));
        differs |= w->form == FORM_ROWS && w->first != w->lanes[0];
    }
    return differs ? scalar_of(v, i, true) : in_row;
}

bool rows_widen(struct vec *v, LLVMValueRef i,
                LLVMValueRef scalar_of(struct vec *, LLVMValueRef, bool varies)) {
    int64_t stride;
    if (v->k->rows == 1 || !has_scalars(v, i)) {
        return false;
    }
    if (uniform_is(v->wg->pack, i)) { /* by the low bits of ids, which rows begin with: y >> 1 of two rows */
        wide_set(v, i, wide_new(FORM_UNIFORM, of_row(v, i, 0, 0, scalar_of), 0));
        return true;
    }
    if (!ir_is_index(i) || !is_scalar_operation(i) || !uniform_stride(v->wg->pack->row, i, &stride)) {
        return false;
    }
    LLVMValueRef *scalars = job_alloc(v->k->rows * sizeof *scalars);
    for (unsigned r = 0; r < v->k->rows; r++) {
        scalars[r] = of_row(v, i, r, stride, scalar_of);
    }
    struct wide *w = rows_new(scalars, stride);
    w->at = has_distances(v, i) ? uniform_offsets(v->wg->pack, i) : NULL;
    w->first = w->at ? first_of(v, i, scalars[0], scalar_of) : scalars[0];
    wide_set(v, i, w);
    return true;
}

/* ---- accesses ---- */

/* i1 for each row: whether a lane of it is on. */
static void find_any(struct vec *v, LLVMValueRef *any) {
    for (unsigned r = 0; v->mask && r < v->k->rows; r++) {
        LLVMValueRef lanes = slice(v, v->mask, r);
        LLVMTypeRef bits = LLVMIntTypeInContext(v->llvm, lanes_of_row(v));
        any[r] = LLVMBuildIsNotNull(v->b, LLVMBuildBitCast(v->b, lanes, bits, ""), "any");
    }
}

/* Addresses of the rows, where lanes may be off of rows that have some which are on. Some lane is on. */
static struct wide *accessible(struct vec *v, const struct wide *p) {
    LLVMValueRef any[64], instead = p->lanes[0];
    if (!v->mask || are_same(v, p)) {
        return rows_new(p->lanes, p->stride);
    }
    LLVMValueRef *scalars = job_alloc(v->k->rows * sizeof *scalars);
    find_any(v, any);
    for (unsigned r = 1; r < v->k->rows; r++) {
        instead = LLVMBuildSelect(v->b, any[r], p->lanes[r], instead, "");
    }
    for (unsigned r = 0; r < v->k->rows; r++) {
        scalars[r] = LLVMBuildSelect(v->b, any[r], p->lanes[r], instead, "");
    }
    return rows_new(scalars, p->stride);
}

bool rows_may(struct vec *v, const struct access *a, const struct wide *p, bool writes) {
    enum { NEAR = WEIR_ARENA_MARGIN / 2 };
    struct index x;
    if (v->k->rows == 1 || v->in_row || a->kind == MEMORY_LANES || p->form == FORM_UNIFORM ||
        p->form == FORM_AFFINE) {
        return false;
    }
    bool is_near = !v->mask || !access_is_own(a->kind) || !p->at || p->at[v->width - 1] <= NEAR;
    bool is_rows = p->form == FORM_ROWS;
    if (is_rows && !p->stride) { /* of lanes that store to one place the last one wins */
        return !writes;
    }
    if (p->at && is_near && offsets_may(v, a, p, writes)) {
        return false;
    }
    return is_rows || (p->form == FORM_VECTOR && contiguity_index(v, a, &x));
}

void rows_access(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                 bool writes,
                 void access(struct vec *, const struct access *, const struct wide *, LLVMValueRef *,
                             bool)) {
    LLVMValueRef *of_row = job_alloc(a->n * sizeof *of_row),
                 *all = job_alloc(a->n * v->k->rows * sizeof *all);
    struct access masked = *a;
    if (p->form == FORM_ROWS) {
        p = accessible(v, p);
    } else if (v->mask) { /* nothing is known of where a row lies that is off */
        masked.kind = access_is_own(a->kind) ? MEMORY_OTHER : a->kind;
    }
    for (unsigned r = 0; r < v->k->rows; r++) {
        struct look before = rows_look(v, r);
        for (unsigned i = 0; i < a->n; i++) {
            of_row[i] = writes ? slice(v, parts[i], r) : NULL;
        }
        access(v, &masked, rows_part(v, p), of_row, writes);
        for (unsigned i = 0; i < a->n; i++) {
            all[i * v->k->rows + r] = of_row[i];
        }
        rows_look_away(v, &before);
    }
    for (unsigned i = 0; i < a->n && !writes; i++) {
        parts[i] = joined(v, all + i * v->k->rows);
    }
}

bool rows_load(struct vec *v, LLVMValueRef load, const struct wide *p,
               LLVMValueRef clone_at(struct vec *, LLVMValueRef, LLVMValueRef)) {
    if (p->form != FORM_ROWS || p->stride || !ir_is_index(load)) {
        return false;
    }
    LLVMValueRef *scalars = job_alloc(v->k->rows * sizeof *scalars);
    p = accessible(v, p);
    for (unsigned r = 0; r < v->k->rows; r++) {
        scalars[r] = clone_at(v, load, p->lanes[r]);
    }
    wide_set(v, load, rows_new(scalars, 0));
    return true;
}

/* ---- variables ---- */

static LLVMValueRef variable(struct vec *v, struct slot *s, unsigned row) {
    if (!s->rows) {
        s->rows = job_alloc(v->k->rows * sizeof *s->rows);
        for (unsigned r = 0; r < v->k->rows; r++) {
            s->rows[r] = vec_variable(v, s->type, "row");
        }
    }
    return s->rows[row];
}

struct wide *rows_read(struct vec *v, struct slot *s) {
    LLVMValueRef *scalars = job_alloc(v->k->rows * sizeof *scalars);
    for (unsigned r = 0; r < v->k->rows; r++) {
        scalars[r] = LLVMBuildLoad2(v->b, s->type, variable(v, s, r), "");
    }
    return rows_new(scalars, s->stride);
}

/* Lane 0's value of a row: of a vector by that of the first lane that is on. */
static LLVMValueRef first_of_row(struct vec *v, const struct wide *w, unsigned row, int64_t stride) {
    unsigned n = lanes_of_row(v);
    if (w->form != FORM_VECTOR || !v->mask) {
        return wide_lane(v, w, row * n);
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    struct look before = rows_look(v, row);
    LLVMValueRef first = vec_first(v, v->mask);
    LLVMValueRef value = LLVMBuildExtractElement(v->b, slice(v, w->value, row), first, "");
    rows_look_away(v, &before);
    LLVMValueRef back =
        LLVMBuildMul(v->b, LLVMBuildZExt(v->b, first, i64, ""), ir_const64(v->llvm, (uint64_t)-stride), "");
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind
               ? ir_offset(v->b, value, back, "")
               : LLVMBuildAdd(v->b, value, LLVMBuildTruncOrBitCast(v->b, back, LLVMTypeOf(value), ""), "");
}

void rows_write(struct vec *v, struct slot *s, const struct wide *w, bool blends) {
    LLVMValueRef any[64];
    if (blends) {
        find_any(v, any);
    }
    for (unsigned r = 0; r < v->k->rows; r++) {
        LLVMValueRef value = first_of_row(v, w, r, s->stride), var = variable(v, s, r);
        if (blends) {
            value = LLVMBuildSelect(v->b, any[r], value, LLVMBuildLoad2(v->b, s->type, var, ""), "");
        }
        LLVMBuildStore(v->b, value, var);
    }
}

void rows_restore(struct vec *v, struct slot *s, LLVMValueRef at) {
    for (unsigned r = 0; r < v->k->rows; r++) {
        uint64_t bytes = r * lanes_of_row(v) * s->bytes;
        LLVMValueRef value =
            LLVMBuildLoad2(v->b, s->type, ir_offset(v->b, at, ir_const64(v->llvm, bytes), ""), "");
        LLVMSetAlignment(value, wg_alignment(s->bytes));
        LLVMBuildStore(v->b, value, variable(v, s, r));
    }
}
