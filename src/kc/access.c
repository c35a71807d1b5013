/* access.c: loads and stores of a pack.
 *
 * By the form of the address: one scalar access (uniform), one vector access (affine, a stride of one element, up or
 * down), a wide load and a shuffle (affine, a few elements apart, the parts of OpenCL vectors in a row, or a row in
 * another order), else a gather or scatter. Under a mask that isn't known to be full these are LLVM's masked forms.
 * Where only the run will tell, as in a[(l + 1) % n] or a[l ^ j], code for both looks first whether the pack's elements
 * lie in a row. In local and private memory, which only this thread uses, lanes that are off may read and write back.
 * Volatile and atomic accesses and types that can't be vector elements go lane by lane. A uniform store
 * of differing values keeps the last active lane's. */
#include "vector.h"
#include <string.h>

enum { SHUFFLE_STRIDE = 4 };

static unsigned alignment(struct vec *v, LLVMValueRef access, LLVMTypeRef type) {
    unsigned given = LLVMGetAlignment(access);
    return given ? given : LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(v->k->module), type);
}

static void annotate(struct vec *v, LLVMValueRef access, enum memory_kind kind) {
    if (kind < MEMORY_OTHER) {
        LLVMSetMetadata(access, v->c->facts.scope_kind, v->c->facts.scope[kind]);
    }
    LLVMSetMetadata(access, v->c->facts.noalias_kind, v->c->facts.noalias[kind]);
}

static void align_operand(struct vec *v, LLVMValueRef call, unsigned operand, unsigned align) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, operand + 1, LLVMCreateEnumAttribute(v->llvm, kind, align));
}

/* Whether only this thread uses the memory, and what lies near is there, too (WEIR_ARENA_MARGIN). Then lanes that are
 * off may read as well, next to one that is on, and write back what they have read: masked instructions are slower,
 * above all stores, whose values a later load doesn't get before they are in the cache. */
static bool is_own(enum memory_kind kind) {
    return kind == MEMORY_LOCAL || kind == MEMORY_CONTEXT || kind == MEMORY_LANES;
}

static LLVMValueRef read_vector(struct vec *v, LLVMTypeRef type, LLVMValueRef at, unsigned align,
                                LLVMValueRef mask, enum memory_kind kind) {
    LLVMValueRef read;
    if (mask && !is_own(kind)) {
        LLVMTypeRef overloads[] = {type, LLVMTypeOf(at)};
        LLVMValueRef args[] = {at, mask, LLVMGetPoison(type)};
        read = vec_intrinsic(v, "llvm.masked.load", overloads, 2, args, 3);
        align_operand(v, read, 0, align);
    } else {
        read = LLVMBuildLoad2(v->b, type, at, "");
        LLVMSetAlignment(read, align);
    }
    annotate(v, read, kind);
    return read;
}

LLVMValueRef access_read(struct vec *v, LLVMTypeRef element, LLVMValueRef at, unsigned align,
                         LLVMValueRef mask, enum memory_kind kind) {
    return read_vector(v, vec_type(v, element), at, align, mask, kind);
}

void access_write(struct vec *v, LLVMValueRef value, LLVMValueRef at, unsigned align, LLVMValueRef mask,
                  enum memory_kind kind) {
    LLVMValueRef write;
    if (mask && is_own(kind)) {
        LLVMValueRef old = read_vector(v, LLVMTypeOf(value), at, align, NULL, kind);
        value = LLVMBuildSelect(v->b, mask, value, old, "");
        mask = NULL;
    }
    if (mask) {
        LLVMTypeRef overloads[] = {LLVMTypeOf(value), LLVMTypeOf(at)};
        LLVMValueRef args[] = {value, at, mask};
        write = vec_intrinsic(v, "llvm.masked.store", overloads, 2, args, 3);
        align_operand(v, write, 1, align);
    } else {
        write = LLVMBuildStore(v->b, value, at);
        LLVMSetAlignment(write, align);
    }
    annotate(v, write, kind);
}

/* What a pack reads or writes: per lane `n` elements behind each other. */
struct access {
    LLVMValueRef instruction;
    LLVMValueRef at; /* the address, as the work-item has it */
    LLVMTypeRef type;
    unsigned n;
    int64_t size; /* bytes of one element */
    unsigned align;
    enum memory_kind kind;
};

/* Every `step`-th element of `x`, from `first` on. */
static LLVMValueRef every(struct vec *v, LLVMValueRef x, unsigned first, unsigned step) {
    unsigned order[64];
    for (unsigned i = 0; i < v->width; i++) {
        order[i] = first + i * step;
    }
    return vec_shuffle(v, x, NULL, order, v->width);
}

/* Each lane's bit, n times. */
static LLVMValueRef spread_mask(struct vec *v, LLVMValueRef mask, unsigned n) {
    unsigned *order = job_alloc(v->width * n * sizeof *order);
    for (unsigned i = 0; mask && i < v->width * n; i++) {
        order[i] = i / n;
    }
    return mask ? vec_shuffle(v, mask, NULL, order, v->width * n) : NULL;
}

/* n vectors to one, the parts of each lane side by side. */
static LLVMValueRef woven(struct vec *v, LLVMValueRef *parts, unsigned n) {
    LLVMValueRef *level = job_alloc(n * sizeof *level);
    unsigned *order = job_alloc(v->width * n * 2 * sizeof *order), length = v->width;
    memcpy(level, parts, n * sizeof *level);
    for (unsigned count = n; count > 1; count /= 2, length *= 2) { /* behind each other */
        for (unsigned i = 0; i < 2 * length; i++) {
            order[i] = i;
        }
        for (unsigned i = 0; i < count / 2; i++) {
            level[i] = vec_shuffle(v, level[2 * i], level[2 * i + 1], order, 2 * length);
        }
    }
    for (unsigned i = 0; i < length; i++) {
        order[i] = i % n * v->width + i / n;
    }
    return vec_shuffle(v, level[0], NULL, order, length);
}

static LLVMValueRef reversed(struct vec *v, LLVMValueRef vector) {
    unsigned order[64];
    for (unsigned i = 0; i < v->width; i++) {
        order[i] = v->width - 1 - i;
    }
    return vector ? vec_shuffle(v, vector, NULL, order, v->width) : NULL;
}

static LLVMValueRef address_of_last(struct vec *v, const struct wide *p) {
    uint64_t back = (uint64_t)(p->stride * (int64_t)(v->width - 1));
    return ir_offset(v->b, p->value, ir_const64(v->llvm, back), "");
}

static LLVMValueRef gather(struct vec *v, LLVMTypeRef element, LLVMValueRef pointers, unsigned align,
                           enum memory_kind kind) {
    LLVMTypeRef overloads[] = {vec_type(v, element), LLVMTypeOf(pointers)};
    LLVMValueRef args[] = {pointers, vec_full(v, v->mask), LLVMGetPoison(overloads[0])};
    LLVMValueRef read = vec_intrinsic(v, "llvm.masked.gather", overloads, 2, args, 3);
    align_operand(v, read, 0, align);
    annotate(v, read, kind);
    return read;
}

static void scatter(struct vec *v, LLVMValueRef value, LLVMValueRef pointers, unsigned align,
                    enum memory_kind kind) {
    LLVMTypeRef overloads[] = {LLVMTypeOf(value), LLVMTypeOf(pointers)};
    LLVMValueRef args[] = {value, pointers, vec_full(v, v->mask)};
    LLVMValueRef write = vec_intrinsic(v, "llvm.masked.scatter", overloads, 2, args, 3);
    align_operand(v, write, 1, align);
    annotate(v, write, kind);
}

/* ---- in a row or not: only the run tells ---- */

/* Whether the index may be computed from ids, not read from memory: then looking is worth it. */
static bool may_be_in_row(struct vec *v, LLVMValueRef index, unsigned depth) {
    if (!LLVMIsAInstruction(index) || wide_of(v, index)->form != FORM_VECTOR) {
        return true;
    }
    if (LLVMIsALoadInst(index)) {
        return slots_of_access(&v->c->slots, index) != NULL;
    }
    bool may = depth && !LLVMIsACallInst(index);
    for (int n = 0; may && n < LLVMGetNumOperands(index); n++) {
        may = may_be_in_row(v, LLVMGetOperand(index, (unsigned)n), depth - 1);
    }
    return may;
}

/* The one index that differs between lanes, or NULL; *bytes: from one to the next. */
static LLVMValueRef index_of(struct vec *v, LLVMValueRef p, uint64_t *bytes) {
    struct gep_step steps[GEP_STEPS];
    LLVMValueRef index = NULL;
    while (!index && LLVMIsAGetElementPtrInst(p)) {
        unsigned n = ir_gep_steps(LLVMGetModuleDataLayout(v->k->module), p, steps);
        for (unsigned i = 0; i < n; i++) {
            if (!steps[i].index || wide_of(v, steps[i].index)->form == FORM_UNIFORM) {
                continue;
            }
            if (index) {
                return NULL;
            }
            index = steps[i].index;
            *bytes = steps[i].bytes;
        }
        p = LLVMGetOperand(p, 0);
    }
    return index && wide_of(v, p)->form == FORM_UNIFORM ? index : NULL;
}

static bool ascends(struct vec *v, LLVMValueRef index) {
    const struct wide *w = wide_of(v, index);
    return w->form == FORM_AFFINE && w->stride == 1;
}

/* For an index like `l + 1 < n ? l + 1 : 0`, whose choice is a compare with scalars: its ascending arm, and whether
 * all lanes take it; else NULL. */
static LLVMValueRef ascending_arm(struct vec *v, LLVMValueRef index, LLVMValueRef *all) {
    const struct wide *choice = LLVMIsASelectInst(index) ? wide_of(v, LLVMGetOperand(index, 0)) : NULL;
    if (choice && choice->all && ascends(v, LLVMGetOperand(index, 1))) {
        *all = choice->all;
        return LLVMGetOperand(index, 1);
    }
    if (choice && choice->any && ascends(v, LLVMGetOperand(index, 2))) {
        *all = LLVMBuildNot(v->b, choice->any, "row");
        return LLVMGetOperand(index, 2);
    }
    return NULL;
}

/* The first lane's index, before it is extended; *is_row: i1, those of the active lanes go on in even steps, or wrap
 * around. */
static LLVMValueRef row_of(struct vec *v, LLVMValueRef index, LLVMValueRef *is_row) {
    LLVMTypeRef type = LLVMTypeOf(index);
    bool is_affine = wide_of(v, index)->form == FORM_AFFINE;
    LLVMValueRef arm = is_affine ? index : ascending_arm(v, index, is_row), lanes[64];
    if (arm) {
        *is_row = arm == index ? LLVMConstInt(LLVMInt1TypeInContext(v->llvm), 1, 0) : *is_row;
        return wide_of(v, arm)->value;
    }
    LLVMValueRef at = LLVMBuildFreeze(v->b, wide_vector(v, wide_of(v, index), type), "");
    for (unsigned i = 0; i < v->width; i++) {
        lanes[i] = LLVMConstInt(type, i, 0);
    }
    LLVMValueRef back = LLVMBuildSub(v->b, at, LLVMConstVector(lanes, v->width), "");
    LLVMValueRef astray = LLVMBuildICmp(v->b, LLVMIntNE, back, every(v, at, 0, 0), "");
    *is_row = LLVMBuildNot(v->b, vec_any(v, vec_and(v, v->mask, astray)), "row");
    return LLVMBuildExtractElement(v->b, at, ir_const64(v->llvm, 0), "");
}

/* The address with `first` in place of the index. */
static LLVMValueRef address_with(struct vec *v, LLVMValueRef p, LLVMValueRef index, LLVMValueRef first) {
    const struct wide *w = p == index ? NULL : wide_of(v, p);
    if (!w || w->form == FORM_UNIFORM) {
        return w ? w->value : first;
    }
    unsigned n = (unsigned)LLVMGetNumOperands(p);
    LLVMValueRef *operands = job_alloc(n * sizeof *operands);
    for (unsigned o = 0; o < n; o++) {
        operands[o] = address_with(v, LLVMGetOperand(p, o), index, first);
    }
    return LLVMBuildGEP2(v->b, LLVMGetGEPSourceElementType(p), operands[0], operands + 1, n - 1, "");
}

enum { WIDEST_ROW = 1024 }; /* bytes */

/* Whether the parts of OpenCL vectors that lie in a row are worth one access. */
static bool is_row_of_tuples(struct vec *v, const struct access *a, int64_t stride) {
    return a->n > 1 && stride == a->size * a->n && stride * v->width <= WIDEST_ROW &&
           (!v->mask || a->size >= 4 || is_own(a->kind));
}

/* ACCESS_NONE: it can't be done so. */
static enum access_kind read_affine(struct vec *v, const struct access *a, const struct wide *p,
                                    LLVMValueRef *parts) {
    int64_t stride = p->stride, step = stride % a->size == 0 ? stride / a->size : 0;
    if (p->form != FORM_AFFINE) {
        return ACCESS_NONE;
    }
    if (is_row_of_tuples(v, a, stride)) {
        LLVMTypeRef all = LLVMVectorType(a->type, v->width * a->n);
        LLVMValueRef read = read_vector(v, all, p->value, a->align, spread_mask(v, v->mask, a->n), a->kind);
        for (unsigned i = 0; i < a->n; i++) {
            parts[i] = every(v, read, i, a->n);
        }
        return ACCESS_SHUFFLED;
    }
    if (a->n > 1) {
        return ACCESS_NONE;
    }
    if (step == 1) {
        parts[0] = access_read(v, a->type, p->value, a->align, v->mask, a->kind);
        return ACCESS_CONTIGUOUS;
    }
    if (step == -1) {
        LLVMValueRef mask = reversed(v, v->mask);
        parts[0] = reversed(v, access_read(v, a->type, address_of_last(v, p), a->align, mask, a->kind));
        return ACCESS_REVERSED;
    }
    if (step > 1 && step <= SHUFFLE_STRIDE && (!v->mask || is_own(a->kind)) && v->width <= 16) {
        LLVMTypeRef all = LLVMVectorType(a->type, (v->width - 1) * (unsigned)step + 1);
        parts[0] = every(v, read_vector(v, all, p->value, a->align, NULL, a->kind), 0, (unsigned)step);
        return ACCESS_SHUFFLED;
    }
    return ACCESS_NONE;
}

static enum access_kind write_affine(struct vec *v, const struct access *a, const struct wide *p,
                                     LLVMValueRef *parts) {
    if (p->form != FORM_AFFINE) {
        return ACCESS_NONE;
    }
    if (is_row_of_tuples(v, a, p->stride)) {
        access_write(v, woven(v, parts, a->n), p->value, a->align, spread_mask(v, v->mask, a->n), a->kind);
        return ACCESS_SHUFFLED;
    }
    if (a->n == 1 && p->stride == a->size) {
        access_write(v, parts[0], p->value, a->align, v->mask, a->kind);
        return ACCESS_CONTIGUOUS;
    }
    if (a->n == 1 && p->stride == -a->size) {
        LLVMValueRef mask = reversed(v, v->mask);
        access_write(v, reversed(v, parts[0]), address_of_last(v, p), a->align, mask, a->kind);
        return ACCESS_REVERSED;
    }
    return ACCESS_NONE;
}

/* Whether an index that ascends by `step` but for a wrap has a form without a gather or scatter. */
static bool is_short_step(struct vec *v, const struct access *a, int64_t step, bool writes) {
    bool shuffles =
        !writes && (!v->mask || is_own(a->kind)) && v->width <= 16 && step > 1 && step <= SHUFFLE_STRIDE;
    return step == 1 || (a->n == 1 && (step == -1 || shuffles));
}

/* i1: indices that begin at `first`, a step apart, don't wrap around. */
static LLVMValueRef fits(struct vec *v, LLVMValueRef first, int64_t step, bool is_signed) {
    LLVMTypeRef type = LLVMTypeOf(first);
    uint64_t most = UINT64_MAX >> (64 - LLVMGetIntTypeWidth(type) + is_signed);
    uint64_t least = is_signed ? ~most : 0, reach = (uint64_t)step * (v->width - 1);
    LLVMIntPredicate p = step > 0 ? is_signed ? LLVMIntSLE : LLVMIntULE : is_signed ? LLVMIntSGE : LLVMIntUGE;
    return LLVMBuildICmp(v->b, p, first, LLVMConstInt(type, (step > 0 ? most : least) - reach, 0), "");
}

/* i1: the active lanes access elements in a row, or a few apart; *row: where then. NULL: not worth looking. */
static LLVMValueRef in_row(struct vec *v, const struct access *a, struct wide *row, bool writes) {
    uint64_t bytes = 0;
    LLVMValueRef extended = index_of(v, a->at, &bytes), index = extended, is_row = NULL;
    if (!index || bytes != (uint64_t)a->size * a->n) {
        return NULL;
    }
    bool is_signed = LLVMIsASExtInst(index), extends = is_signed || LLVMIsAZExtInst(index);
    index = extends ? LLVMGetOperand(index, 0) : index;
    LLVMTypeRef type = LLVMTypeOf(index);
    const struct wide *w = wide_of(v, index);
    int64_t step = w->form == FORM_AFFINE ? w->stride : 1;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) < 32 ||
        !is_short_step(v, a, step, writes) || !may_be_in_row(v, index, 6)) {
        return NULL;
    }
    LLVMValueRef first = row_of(v, index, &is_row);
    if (extends) { /* what wraps around before it is extended is two rows */
        first = LLVMBuildFreeze(v->b, first, "");
        is_row = LLVMBuildAnd(v->b, is_row, fits(v, first, step, is_signed), "row");
        first = LLVMBuildIntCast2(v->b, first, LLVMTypeOf(extended), is_signed, "");
    }
    *row = (struct wide){.form = FORM_AFFINE, .stride = step * (int64_t)bytes};
    row->value = address_with(v, a->at, extended, first);
    return is_row;
}

static void report(struct vec *v, const struct access *a, enum access_kind kind, int64_t stride) {
    bool alternates = v->k->report && wide_alternates(v, a->at);
    report_access(v->k, a->instruction, kind, stride, alternates, v->mask);
}

/* Part i's alignment and, in *p, its place. */
static unsigned part_align(const struct access *a, unsigned i) {
    unsigned align = a->align;
    while ((uint64_t)a->size * i % align) {
        align /= 2;
    }
    return align;
}

/* Each part by itself, wherever it may lie. */
static void one_by_one(struct vec *v, const struct access *a, LLVMValueRef pointers, LLVMValueRef *parts,
                       bool writes) {
    for (unsigned i = 0; i < a->n; i++) {
        LLVMValueRef step = ir_const64(v->llvm, (uint64_t)a->size * i);
        LLVMValueRef at = pointers;
        if (i) {
            at = LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->llvm), pointers, &step, 1, "");
        }
        if (writes) {
            scatter(v, parts[i], at, part_align(a, i), a->kind);
        } else {
            parts[i] = gather(v, a->type, at, part_align(a, i), a->kind);
        }
    }
}

/* Where each lane's element lies in the row that all lanes together access, whose start is *start; NULL: the indices
 * aren't constant, or aren't a row in another order. */
static unsigned *order_in_row(struct vec *v, const struct access *a, LLVMValueRef *start) {
    uint64_t bytes = 0, seen = 0;
    LLVMValueRef index = a->n == 1 && !v->mask ? index_of(v, a->at, &bytes) : NULL;
    if (!index || bytes != (uint64_t)a->size) {
        return NULL;
    }
    LLVMValueRef at = wide_vector(v, wide_of(v, index), LLVMTypeOf(index)), lane = NULL;
    int64_t values[64], least = INT64_MAX;
    for (unsigned i = 0; i < v->width; i++) {
        lane = LLVMIsConstant(at) ? LLVMGetAggregateElement(at, i) : NULL;
        if (!lane || !LLVMIsAConstantInt(lane)) {
            return NULL;
        }
        values[i] = LLVMConstIntGetSExtValue(lane);
        least = values[i] < least ? values[i] : least;
    }
    unsigned *order = job_alloc(v->width * sizeof *order);
    for (unsigned i = 0; i < v->width; i++) {
        uint64_t place = (uint64_t)values[i] - (uint64_t)least;
        order[i] = (unsigned)place;
        seen |= place < v->width ? UINT64_C(1) << place : 0;
    }
    LLVMValueRef first = LLVMConstInt(LLVMTypeOf(index), (uint64_t)least, 1);
    *start = address_with(v, a->at, index, first);
    return seen == UINT64_MAX >> (64 - v->width) ? order : NULL;
}

static void access_permuted(struct vec *v, const struct access *a, LLVMValueRef start, const unsigned *order,
                            LLVMValueRef *part, bool writes) {
    struct wide row = {.form = FORM_AFFINE, .value = start, .stride = a->size};
    if (!writes) {
        read_affine(v, a, &row, part);
        *part = vec_shuffle(v, *part, NULL, order, v->width);
        return;
    }
    unsigned inverse[64];
    for (unsigned i = 0; i < v->width; i++) {
        inverse[order[i]] = i;
    }
    LLVMValueRef ordered = vec_shuffle(v, *part, NULL, inverse, v->width);
    write_affine(v, a, &row, &ordered);
}

/* The pointers, but for lanes that are off to a place that nobody reads. */
static LLVMValueRef off_lanes_elsewhere(struct vec *v, LLVMValueRef pointers, LLVMTypeRef pointer) {
    enum { LARGEST = 128 }; /* bytes of a type */
    LLVMTypeRef bytes = LLVMArrayType2(LLVMInt8TypeInContext(v->llvm), LARGEST);
    v->nowhere = v->nowhere ? v->nowhere : vec_variable(v, bytes, "nowhere");
    LLVMSetAlignment(v->nowhere, LARGEST);
    LLVMValueRef at = v->nowhere;
    if (LLVMTypeOf(at) != pointer) {
        at = LLVMBuildAddrSpaceCast(v->b, at, pointer, "");
    }
    return LLVMBuildSelect(v->b, v->mask, pointers, wide_splat(v, at), "");
}

/* One instruction for each element: faster than the gathers of processors with short vectors, which have no scatters. */
static void lane_by_lane(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                         bool writes) {
    LLVMTypeRef pointer = LLVMTypeOf(a->at);
    LLVMValueRef pointers = p->form == FORM_AFFINE && !v->mask ? NULL : wide_vector(v, p, pointer);
    if (v->mask) {
        pointers = off_lanes_elsewhere(v, pointers, pointer);
    }
    for (unsigned i = 0; i < a->n; i++) {
        parts[i] = writes ? parts[i] : LLVMGetPoison(vec_type(v, a->type));
        for (unsigned lane = 0; lane < v->width; lane++) {
            LLVMValueRef number = ir_const64(v->llvm, lane), access;
            LLVMValueRef base = pointers ? LLVMBuildExtractElement(v->b, pointers, number, "") : p->value;
            int64_t bytes = (pointers ? 0 : p->stride * lane) + a->size * i;
            LLVMValueRef address = ir_offset(v->b, base, ir_const64(v->llvm, (uint64_t)bytes), "");
            if (writes) {
                access = LLVMBuildStore(v->b, LLVMBuildExtractElement(v->b, parts[i], number, ""), address);
            } else {
                access = LLVMBuildLoad2(v->b, a->type, address, "");
                parts[i] = LLVMBuildInsertElement(v->b, parts[i], access, number, "");
            }
            LLVMSetAlignment(access, part_align(a, i));
            annotate(v, access, a->kind);
        }
    }
}

/* Elements that don't lie in a row. */
static void access_strewn(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                          bool writes) {
    if (v->k->vector_bits < 512) {
        lane_by_lane(v, a, p, parts, writes);
    } else {
        one_by_one(v, a, wide_vector(v, p, LLVMTypeOf(a->at)), parts, writes);
    }
}

static void access_any(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                       bool writes) {
    LLVMValueRef start;
    enum access_kind kind = writes ? write_affine(v, a, p, parts) : read_affine(v, a, p, parts);
    if (kind) {
        report(v, a, kind, 0);
        return;
    }
    const unsigned *order = p->form == FORM_VECTOR ? order_in_row(v, a, &start) : NULL;
    if (order) {
        report(v, a, ACCESS_SHUFFLED, 0);
        access_permuted(v, a, start, order, parts, writes);
        return;
    }
    struct wide row;
    bool may = p->form == FORM_VECTOR && (a->n == 1 || is_row_of_tuples(v, a, a->size * a->n));
    LLVMValueRef is_row = may ? in_row(v, a, &row, writes) : NULL;
    if (!is_row) {
        report(v, a, p->form == FORM_AFFINE ? ACCESS_STRIDED : ACCESS_SCATTERED, p->stride);
        access_strewn(v, a, p, parts, writes);
        return;
    }
    report(v, a, ACCESS_CHECKED, 0);
    LLVMBasicBlockRef blocks[] = {ir_block(v->k->run, "row"), ir_block(v->k->run, "scattered"),
                                  ir_block(v->k->run, "row.next")};
    LLVMValueRef *strewn = job_alloc(a->n * sizeof *strewn);
    memcpy(strewn, parts, a->n * sizeof *strewn);
    ir_expect(LLVMBuildCondBr(v->b, is_row, blocks[0], blocks[1]));
    LLVMPositionBuilderAtEnd(v->b, blocks[0]);
    writes ? write_affine(v, a, &row, parts) : read_affine(v, a, &row, parts);
    LLVMBuildBr(v->b, blocks[2]);
    LLVMPositionBuilderAtEnd(v->b, blocks[1]);
    access_strewn(v, a, p, strewn, writes);
    LLVMBuildBr(v->b, blocks[2]);
    LLVMPositionBuilderAtEnd(v->b, blocks[2]);
    for (unsigned i = 0; !writes && i < a->n; i++) {
        LLVMValueRef phi = LLVMBuildPhi(v->b, vec_type(v, a->type), "");
        LLVMAddIncoming(phi, (LLVMValueRef[]){parts[i], strewn[i]}, blocks, 2);
        parts[i] = phi;
    }
}

/* In a private array whose lanes alternate, the parts of an OpenCL vector lie a pack apart. */
static void access_alternating(struct vec *v, const struct access *a, const struct wide *p,
                               LLVMValueRef *parts, bool writes) {
    for (unsigned i = 0; i < a->n; i++) {
        LLVMValueRef step = ir_const64(v->llvm, (uint64_t)a->size * i * v->width);
        struct access part = *a;
        struct wide at = *p;
        part.n = 1;
        part.align = (unsigned)a->size;
        at.value = LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->llvm), p->value, &step, 1, "");
        access_any(v, &part, &at, parts + i, writes);
    }
}

static struct access access_of(struct vec *v, LLVMValueRef access, LLVMTypeRef type) {
    bool is_tuple = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
    LLVMTypeRef element = is_tuple ? LLVMGetElementType(type) : type;
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(v->k->module);
    LLVMValueRef at = LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
    return (struct access){access,
                           at,
                           element,
                           is_tuple ? LLVMGetVectorSize(type) : 1,
                           (int64_t)LLVMABISizeOfType(layout, element),
                           alignment(v, access, type),
                           wide_alternates(v, at) ? MEMORY_LANES : cut_kind(access)};
}

/* ---- OpenCL vectors ---- */

/* Vectors of at most 64 bits go as integers of their size. */
static unsigned packed_bits(const struct access *a) {
    unsigned bits = (unsigned)a->size * a->n * 8;
    return a->n > 1 && bits <= 64 && !(bits & (bits - 1)) ? bits : 0;
}

/* The same as one element. */
static struct access packed(struct vec *v, const struct access *a) {
    struct access p = *a;
    p.type = LLVMIntTypeInContext(v->llvm, packed_bits(a));
    p.size *= a->n;
    p.n = 1;
    return p;
}

static void load_tuple(struct vec *v, LLVMValueRef load, const struct wide *p) {
    struct access a = access_of(v, load, LLVMTypeOf(load));
    LLVMValueRef *parts = job_alloc(a.n * sizeof *parts);
    if (wide_alternates(v, a.at)) {
        access_alternating(v, &a, p, parts, false);
    } else if (packed_bits(&a)) {
        struct access one = packed(v, &a);
        access_any(v, &one, p, parts, false);
        LLVMValueRef all = LLVMBuildBitCast(v->b, parts[0], LLVMVectorType(a.type, v->width * a.n), "");
        for (unsigned i = 0; i < a.n; i++) {
            parts[i] = every(v, all, i, a.n);
        }
    } else {
        access_any(v, &a, p, parts, false);
    }
    wide_set(v, load, wide_parts(parts, a.n));
}

static void store_tuple(struct vec *v, LLVMValueRef store, const struct wide *p, LLVMValueRef *parts) {
    struct access a = access_of(v, store, LLVMTypeOf(LLVMGetOperand(store, 0)));
    if (wide_alternates(v, a.at)) {
        access_alternating(v, &a, p, parts, true);
    } else if (packed_bits(&a)) {
        struct access one = packed(v, &a);
        LLVMValueRef value = LLVMBuildBitCast(v->b, woven(v, parts, a.n), vec_type(v, one.type), "");
        access_any(v, &one, p, &value, true);
    } else {
        access_any(v, &a, p, parts, true);
    }
}

/* ---- loads and stores ---- */

static bool is_ordered(LLVMValueRef access) {
    return LLVMGetVolatile(access) || LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic;
}

static bool is_tuple(LLVMValueRef access, LLVMTypeRef type) {
    return !is_ordered(access) && LLVMGetTypeKind(type) == LLVMVectorTypeKind &&
           slots_is_element(LLVMGetElementType(type)) &&
           !(LLVMGetVectorSize(type) & (LLVMGetVectorSize(type) - 1));
}

void access_load(struct vec *v, LLVMValueRef load) {
    LLVMTypeRef type = LLVMTypeOf(load);
    const struct wide *p = wide_of(v, LLVMGetOperand(load, 0));
    if (p->form == FORM_UNIFORM && !is_ordered(load)) {
        LLVMValueRef copy = LLVMInstructionClone(load);
        LLVMSetOperand(copy, 0, p->value);
        LLVMInsertIntoBuilderWithName(v->b, copy, "");
        annotate(v, copy, cut_kind(load));
        report_access(v->k, load, ACCESS_UNIFORM, 0, false, false);
        wide_set(v, load, wide_new(FORM_UNIFORM, copy, 0));
    } else if (!is_ordered(load) && slots_is_element(type)) {
        struct access a = access_of(v, load, type);
        LLVMValueRef read;
        access_any(v, &a, p, &read, false);
        wide_set(v, load, wide_new(FORM_VECTOR, read, 0));
    } else if (is_tuple(load, type)) {
        load_tuple(v, load, p);
    } else {
        widen_by_lane(v, load, true);
    }
}

static void store_uniform(struct vec *v, LLVMValueRef store, const struct wide *p, const struct wide *value) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    LLVMValueRef scalar = value->value;
    if (value->form != FORM_UNIFORM) {
        LLVMValueRef last = vec_last(v, v->mask);
        scalar = LLVMBuildExtractElement(v->b, wide_vector(v, value, type), last, "");
    }
    LLVMValueRef copy = LLVMInstructionClone(store);
    LLVMSetOperand(copy, 0, scalar);
    LLVMSetOperand(copy, 1, p->value);
    LLVMInsertIntoBuilderWithName(v->b, copy, "");
    annotate(v, copy, cut_kind(store));
    report_access(v->k, store, ACCESS_UNIFORM, 0, false, false);
}

void access_store(struct vec *v, LLVMValueRef store) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    const struct wide *value = wide_of(v, LLVMGetOperand(store, 0)),
                      *p = wide_of(v, LLVMGetOperand(store, 1));
    bool is_element = !is_ordered(store) && slots_is_element(type);
    if (is_element && p->form == FORM_UNIFORM) {
        store_uniform(v, store, p, value);
    } else if (is_element) {
        struct access a = access_of(v, store, type);
        LLVMValueRef vector = wide_vector(v, value, type);
        access_any(v, &a, p, &vector, true);
    } else if (is_tuple(store, type) && p->form != FORM_UNIFORM) {
        store_tuple(v, store, p, wide_to_parts(v, value, type));
    } else {
        widen_by_lane(v, store, true);
    }
}
