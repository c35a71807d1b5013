/* memory_access.c: loads and stores of a pack.
 *
 * By the form of the address: one scalar access (uniform), one vector access (affine, a stride of one element, up or
 * down), a wide load and a shuffle (affine, a few elements apart, the parts of OpenCL vectors in a row, or a row in
 * another order; loads only), else a gather or scatter. Under a mask that isn't known to be full these are LLVM's masked
 * forms. Where the processor has no scatter each lane stores by itself, and lanes that are off store to a dummy place.
 * Where lanes' distances are known otherwise, offsets.c has pieces of rows, or vectors and shuffles.
 * Where that is known only at run time, as in a[(l + 1) % n] or a[l ^ j], code for both looks first whether the pack's
 * elements lie in a row, or near each other (window.c). In local and private memory, which only this thread uses, lanes
 * that are off may read and write back. Volatile accesses (but of local memory), atomic ones (but of all lanes at one
 * place) and types that can't be vector elements go lane by lane. A uniform store of differing values keeps the last active
 * lane's. */
#include "report.h"
#include "vector.h"
#include <string.h>

static unsigned alignment(struct vec *v, LLVMValueRef access, LLVMTypeRef type) {
    unsigned given = LLVMGetAlignment(access);
    return given ? given : LLVMABIAlignmentOfType(LLVMGetModuleDataLayout(v->k->module), type);
}

void access_annotate(struct vec *v, LLVMValueRef access, enum memory_kind kind) {
    if (kind < MEMORY_OTHER) {
        LLVMSetMetadata(access, v->wg->facts.scope_kind, v->wg->facts.scope[kind]);
    }
    LLVMSetMetadata(access, v->wg->facts.noalias_kind, v->wg->facts.noalias[kind]);
    if (kind == MEMORY_GLOBAL && v->source) {
        ir_add_lists_of(access, v->source);
    }
}

static void align_operand(struct vec *v, LLVMValueRef call, unsigned operand, unsigned align) {
    unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
    LLVMAddCallSiteAttribute(call, operand + 1, LLVMCreateEnumAttribute(v->llvm, kind, align));
}

/* Whether only this thread uses the memory, and what lies near is there, too (WEIR_ARENA_MARGIN). Then lanes that are
 * off may read as well, next to one that is on, and write back what they have read: masked instructions are slower,
 * above all stores, whose values a later load doesn't get before they are in the cache. */
bool access_is_own(enum memory_kind kind) {
    return kind == MEMORY_LOCAL || kind == MEMORY_CONTEXT || kind == MEMORY_LANES;
}

LLVMValueRef access_read_some(struct vec *v, LLVMTypeRef type, LLVMValueRef at, unsigned align,
                              LLVMValueRef mask, enum memory_kind kind) {
    LLVMValueRef read;
    if (mask && !access_is_own(kind)) {
        LLVMTypeRef overloads[] = {type, LLVMTypeOf(at)};
        LLVMValueRef args[] = {at, mask, LLVMGetPoison(type)};
        read = vec_intrinsic(v, "llvm.masked.load", overloads, 2, args, 3);
        align_operand(v, read, 0, align);
    } else {
        read = LLVMBuildLoad2(v->b, type, at, "");
        LLVMSetAlignment(read, align);
    }
    access_annotate(v, read, kind);
    return read;
}

LLVMValueRef access_read(struct vec *v, LLVMTypeRef element, LLVMValueRef at, unsigned align,
                         LLVMValueRef mask, enum memory_kind kind) {
    return access_read_some(v, vec_type(v, element), at, align, mask, kind);
}

void access_write(struct vec *v, LLVMValueRef value, LLVMValueRef at, unsigned align, LLVMValueRef mask,
                  enum memory_kind kind) {
    LLVMValueRef write;
    if (mask && access_is_own(kind)) {
        LLVMValueRef old = access_read_some(v, LLVMTypeOf(value), at, align, NULL, kind);
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
    access_annotate(v, write, kind);
}

/* Each lane's bit, n times. */
static LLVMValueRef spread_mask(struct vec *v, LLVMValueRef mask, unsigned n) {
    unsigned *order = job_alloc(v->width * n * sizeof *order);
    for (unsigned i = 0; mask && i < v->width * n; i++) {
        order[i] = i / n;
    }
    return mask ? vec_shuffle(v, mask, NULL, order, v->width * n) : NULL;
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
    access_annotate(v, read, kind);
    return read;
}

static void scatter(struct vec *v, LLVMValueRef value, LLVMValueRef pointers, unsigned align,
                    enum memory_kind kind) {
    LLVMTypeRef overloads[] = {LLVMTypeOf(value), LLVMTypeOf(pointers)};
    LLVMValueRef args[] = {value, pointers, vec_full(v, v->mask)};
    LLVMValueRef write = vec_intrinsic(v, "llvm.masked.scatter", overloads, 2, args, 3);
    align_operand(v, write, 1, align);
    access_annotate(v, write, kind);
}

enum { WIDEST_ROW = 1024 }; /* bytes */

/* Whether a row of OpenCL vectors goes through blocks: all lanes access it. */
static bool is_in_blocks(struct vec *v, const struct access *a) {
    return !v->mask && weave_has_blocks(v, a->type, a->n);
}

/* Whether the parts of OpenCL vectors that lie in a row are worth one access. Of many parts each would take an element of
 * every register: without a mask, by_lane.c has fewer shuffles. */
static bool is_row_of_tuples(struct vec *v, const struct access *a, int64_t stride) {
    bool is_long = a->n > 4 && a->size >= 4 && !v->mask && by_lane_has_pieces(v, a) && !is_in_blocks(v, a);
    return a->n > 1 && !is_long && stride == a->size * a->n && stride * v->width <= WIDEST_ROW &&
           (!v->mask || a->size >= 4 || access_is_own(a->kind));
}

/* A row of OpenCL vectors that all lanes access, in blocks: their halves of registers are moved on the way. */
static void access_blocks(struct vec *v, const struct access *a, LLVMValueRef at, LLVMValueRef *parts,
                          bool writes) {
    unsigned each = WEAVE_BLOCK / (unsigned)a->size, count = v->width * a->n / each;
    LLVMValueRef *blocks = job_alloc(count * sizeof *blocks);
    if (writes) {
        weave_to_blocks(v, parts, a->type, a->n, blocks);
    }
    for (unsigned i = 0; i < count; i++) {
        LLVMValueRef there = ir_offset(v->b, at, ir_const64(v->llvm, (uint64_t)i * WEAVE_BLOCK), "");
        unsigned align = access_part_align(a, i * each);
        if (writes) {
            access_write(v, blocks[i], there, align, NULL, a->kind);
        } else {
            blocks[i] = access_read_some(v, LLVMVectorType(a->type, each), there, align, NULL, a->kind);
        }
    }
    if (!writes) {
        weave_blocks_apart(v, blocks, a->type, parts, a->n);
    }
}

/* A row of OpenCL vectors. */
static void access_tuples(struct vec *v, const struct access *a, LLVMValueRef at, LLVMValueRef *parts,
                          bool writes) {
    LLVMTypeRef all = LLVMVectorType(a->type, v->width * a->n);
    if (is_in_blocks(v, a)) {
        access_blocks(v, a, at, parts, writes);
    } else if (writes) {
        access_write(v, weave(v, parts, a->n), at, a->align, spread_mask(v, v->mask, a->n), a->kind);
    } else {
        LLVMValueRef read = access_read_some(v, all, at, a->align, spread_mask(v, v->mask, a->n), a->kind);
        weave_apart(v, read, parts, a->n);
    }
}

/* Elements side by side, the first at `at`, of the lanes that are on in `mask`. */
static void access_adjacent(struct vec *v, const struct access *a, LLVMValueRef at, LLVMValueRef mask,
                            LLVMValueRef *part, bool writes) {
    if (writes) {
        access_write(v, *part, at, a->align, mask, a->kind);
    } else {
        *part = access_read_row(v, a, at, mask);
    }
}

/* ACCESS_NONE: it can't be done so. */
static enum access_kind access_affine(struct vec *v, const struct access *a, const struct wide *p,
                                      LLVMValueRef *parts, bool writes) {
    if (p->form != FORM_AFFINE) {
        return ACCESS_NONE;
    }
    if (is_row_of_tuples(v, a, p->stride)) {
        access_tuples(v, a, p->value, parts, writes);
        return ACCESS_SHUFFLED;
    }
    if (a->n == 1 && p->stride == a->size) {
        access_adjacent(v, a, p->value, v->mask, parts, writes);
        return ACCESS_CONTIGUOUS;
    }
    if (a->n == 1 && p->stride == -a->size) {
        LLVMValueRef mask = reversed(v, v->mask), row = writes ? reversed(v, *parts) : NULL;
        access_adjacent(v, a, address_of_last(v, p), mask, &row, writes);
        *parts = writes ? *parts : reversed(v, row);
        return ACCESS_REVERSED;
    }
    return offsets_access(v, a, p, parts, writes) ? ACCESS_SHUFFLED : ACCESS_NONE;
}

/* Whether elements that are so many bytes apart have a form without a gather or scatter. */
bool access_has_short_form(struct vec *v, const struct access *a, int64_t stride, bool writes) {
    struct wide row = {.form = FORM_AFFINE, .stride = stride};
    return stride == a->size * a->n || (a->n == 1 && (stride == -a->size || offsets_may(v, a, &row, writes)));
}

static void report(struct vec *v, const struct access *a, enum access_kind kind, int64_t stride) {
    bool interleaved = v->k->report && wide_is_interleaved(v, a->at);
    report_access(v->k, a->instruction, kind, stride, interleaved, v->mask);
}

/* Part i's alignment. */
unsigned access_part_align(const struct access *a, unsigned i) {
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
            scatter(v, parts[i], at, access_part_align(a, i), a->kind);
        } else {
            parts[i] = gather(v, a->type, at, access_part_align(a, i), a->kind);
        }
    }
}

static void access_permuted(struct vec *v, const struct access *a, LLVMValueRef start, const unsigned *order,
                            LLVMValueRef *part, bool writes) {
    struct wide row = {.form = FORM_AFFINE, .value = start, .stride = a->size};
    if (!writes) {
        access_affine(v, a, &row, part, false);
        *part = vec_shuffle(v, *part, NULL, order, v->width);
        return;
    }
    unsigned inverse[64];
    for (unsigned i = 0; i < v->width; i++) {
        inverse[order[i]] = i;
    }
    LLVMValueRef ordered = vec_shuffle(v, *part, NULL, inverse, v->width);
    access_affine(v, a, &row, &ordered, true);
}

/* Elements that don't lie in a row. No processor gathers or scatters less than 32 bits: of those LLVM would make a branch
 * for each lane. */
static void access_scattered(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                             bool writes) {
    if (by_lane_has_pieces(v, a)) {
        by_lane_pieces(v, a, p, parts, writes);
    } else if (!v->k->target->has_scatter || a->size < 4 || by_lane_is_better(v, a, p, writes)) {
        by_lane_elements(v, a, p, parts, writes);
    } else {
        one_by_one(v, a, wide_vector(v, p, LLVMTypeOf(a->at)), parts, writes);
    }
}

/* Two ways to access the same elements, by what the code finds out of their addresses. */
struct choice {
    LLVMBasicBlockRef from[2], next;
    LLVMValueRef branch;
};

static struct choice choice_begin(struct vec *v, LLVMValueRef condition, const char *first,
                                  const char *second) {
    struct choice c = {{ir_block(v->k->run, first), ir_block(v->k->run, second)},
                       ir_block(v->k->run, job_printf("%s.next", first)),
                       NULL};
    c.branch = LLVMBuildCondBr(v->b, condition, c.from[0], c.from[1]);
    LLVMPositionBuilderAtEnd(v->b, c.from[0]);
    return c;
}

static void choice_else(struct vec *v, struct choice *c) {
    c->from[0] = LLVMGetInsertBlock(v->b);
    LLVMBuildBr(v->b, c->next);
    LLVMPositionBuilderAtEnd(v->b, c->from[1]);
}

/* `parts` is what was read in the first way, and then in either; `others` in the second. */
static void choice_end(struct vec *v, struct choice *c, const struct access *a, LLVMValueRef *parts,
                       LLVMValueRef *others, bool writes) {
    c->from[1] = LLVMGetInsertBlock(v->b);
    LLVMBuildBr(v->b, c->next);
    LLVMPositionBuilderAtEnd(v->b, c->next);
    for (unsigned i = 0; i < a->n && !writes; i++) {
        LLVMValueRef phi = LLVMBuildPhi(v->b, vec_type(v, a->type), "");
        LLVMAddIncoming(phi, (LLVMValueRef[]){parts[i], others[i]}, c->from, 2);
        parts[i] = phi;
    }
}

bool access_has_masks(const struct vec *v, const struct access *a) {
    const struct target *t = v->k->target;
    return t->has_mask_registers || (a->size >= 4 && t->vector_bits >= 256);
}

/* Of a variable that LLVM knows the contents of. For LLVM a row that isn't all within it is none that is read: a table of
 * one row's length would be read at its beginning always. */
static bool is_known_table(LLVMValueRef at) {
    LLVMValueRef base = ir_strip_offsets(at);
    return LLVMGetPointerAddressSpace(LLVMTypeOf(base)) == AS_CONSTANT && !LLVMIsALoadInst(base);
}

/* A row for the lanes of a mask. Where the processor has no masked load of such elements LLVM makes a branch for each lane; but in
 * the page of a lane that is on everybody may read. */
LLVMValueRef access_read_row(struct vec *v, const struct access *a, LLVMValueRef at, LLVMValueRef mask) {
    enum { PAGE = 4096 };
    if (!mask || access_has_masks(v, a) || access_is_own(a->kind)) {
        return access_read(v, a->type, at, a->align, mask, a->kind);
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    LLVMValueRef place = LLVMBuildAnd(v->b, LLVMBuildPtrToInt(v->b, at, i64, ""),
                                      ir_const64(v->llvm, PAGE - 1), ""),
                 last = ir_const64(v->llvm, PAGE - (uint64_t)a->size * v->width),
                 is_within = LLVMBuildICmp(v->b, LLVMIntULE, place, last, "");
    struct choice c = choice_begin(v, LLVMBuildAnd(v->b, vec_any(v, mask), is_within, ""), "page", "pages");
    ir_expect(c.branch);
    LLVMValueRef row = access_read(v, a->type, at, a->align, NULL, a->kind), other;
    if (is_known_table(at)) {
        LLVMSetVolatile(row, true);
    }
    choice_else(v, &c);
    other = access_read(v, a->type, at, a->align, mask, a->kind);
    choice_end(v, &c, a, &row, &other, false);
    return row;
}

/* The lanes of each row by themselves. */
static void access_two_rows(struct vec *v, const struct access *a, const struct rows *rows,
                            LLVMValueRef *part, bool writes) {
    LLVMValueRef mask = v->mask, read[2];
    struct access masked = *a;
    masked.kind =
        mask && access_is_own(a->kind) ? MEMORY_OTHER : a->kind; /* the lanes at the ends may be off */
    for (unsigned i = 0; i < 2; i++) {
        v->mask = rows->mask[i];
        access_affine(v, &masked, &rows->row[i], writes ? part : &read[i], writes);
    }
    v->mask = mask;
    *part = writes ? *part : LLVMBuildSelect(v->b, rows->mask[0], read[0], read[1], "");
}

/* The same where nothing was found by looking at the index: addresses are computed here alone. */
static void access_wherever(struct vec *v, const struct access *a, const struct index *x, LLVMValueRef *parts,
                            bool writes) {
    access_scattered(v, a, wide_new(FORM_VECTOR, contiguity_addresses(v, a, x), 0), parts, writes);
}

/* Elements that don't lie in a window. */
static void access_far_apart(struct vec *v, const struct access *a, const struct index *x,
                             LLVMValueRef *parts, bool writes) {
    struct rows rows;
    LLVMValueRef are_two = contiguity_two_rows(v, a, x, &rows), scattered = *parts;
    if (!are_two) {
        access_wherever(v, a, x, parts, writes);
        return;
    }
    struct choice c = choice_begin(v, are_two, "rows", "scattered");
    access_two_rows(v, a, &rows, parts, writes);
    choice_else(v, &c);
    access_wherever(v, a, x, &scattered, writes);
    choice_end(v, &c, a, parts, &scattered, writes);
}

/* Elements that don't lie in one row. */
static void access_no_row(struct vec *v, const struct access *a, const struct index *x, LLVMValueRef *parts,
                          bool writes) {
    struct window w;
    LLVMValueRef is_window = contiguity_window(v, a, x, &w, writes), scattered = *parts;
    if (!is_window) {
        access_far_apart(v, a, x, parts, writes);
        return;
    }
    struct choice c = choice_begin(v, is_window, "window", "far.apart");
    if (x->is_no_row) {
        ir_expect(c.branch);
    }
    if (writes) {
        window_write(v, a, &w, *parts);
    } else {
        *parts = window_read(v, a, &w);
    }
    choice_else(v, &c);
    access_far_apart(v, a, x, &scattered, writes);
    choice_end(v, &c, a, parts, &scattered, writes);
}

/* One element for all lanes. */
static void read_one_place(struct vec *v, const struct access *a, LLVMValueRef place, LLVMValueRef *parts) {
    for (unsigned i = 0; i < a->n; i++) {
        LLVMValueRef at = ir_offset(v->b, place, ir_const64(v->llvm, (uint64_t)a->size * i), "");
        LLVMValueRef read = LLVMBuildLoad2(v->b, a->type, at, "");
        LLVMSetAlignment(read, access_part_align(a, i));
        access_annotate(v, read, a->kind);
        parts[i] = wide_splat(v, read);
    }
}

static void access_places(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                          bool writes);

static void access_row(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                       bool writes);

static void access_any(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                       bool writes) {
    if (!writes && p->form == FORM_VECTOR && !p->at && table_read(v, a, parts)) {
        report(v, a, ACCESS_SHUFFLED, 0);
        return;
    }
    if (rows_may(v, a, p, writes)) {
        rows_access(v, a, p, parts, writes, access_row);
        return;
    }
    LLVMValueRef place,
        is_one = p->form == FORM_VECTOR && !writes ? contiguity_one_place(v, a, &place) : NULL;
    if (!is_one) {
        access_places(v, a, p, parts, writes);
        return;
    }
    LLVMValueRef *others = job_alloc(a->n * sizeof *others);
    struct choice c = choice_begin(v, is_one, "one.place", "places");
    ir_expect(c.branch);
    read_one_place(v, a, place, parts);
    choice_else(v, &c);
    access_places(v, a, p, others, false);
    choice_end(v, &c, a, parts, others, false);
}

/* That of one row of the pack. */
static void access_row(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                       bool writes) {
    if (p->form == FORM_UNIFORM) {
        report(v, a, ACCESS_UNIFORM, 0);
        read_one_place(v, a, p->value, parts);
    } else {
        access_any(v, a, p, parts, writes);
    }
}

static void access_places(struct vec *v, const struct access *a, const struct wide *p, LLVMValueRef *parts,
                          bool writes) {
    LLVMValueRef start;
    enum access_kind kind = access_affine(v, a, p, parts, writes);
    if (kind) {
        report(v, a, kind, 0);
        return;
    }
    const unsigned *order = p->form == FORM_VECTOR ? contiguity_order(v, a, &start) : NULL;
    if (order) {
        report(v, a, ACCESS_SHUFFLED, 0);
        access_permuted(v, a, start, order, parts, writes);
        return;
    }
    if (offsets_access(v, a, p, parts, writes)) {
        report(v, a, ACCESS_SHUFFLED, 0);
        return;
    }
    if (p->form == FORM_VECTOR && !p->at && quotient_rows_access(v, a, parts, writes)) {
        report(v, a, ACCESS_ROWS, 0);
        return;
    }
    struct wide row;
    struct index x;
    bool may = p->form == FORM_VECTOR && !p->at && (a->n == 1 || is_row_of_tuples(v, a, a->size * a->n));
    bool has_index = may && contiguity_index(v, a, &x);
    if (has_index && x.is_no_row) {
        report(v, a, ACCESS_SCATTERED, 0);
        access_no_row(v, a, &x, parts, writes);
        return;
    }
    LLVMValueRef is_row = has_index ? contiguity_one_row(v, a, &x, &row, writes) : NULL;
    if (is_row && LLVMIsAConstantInt(is_row) && LLVMConstIntGetZExtValue(is_row)) {
        report(v, a, access_affine(v, a, &row, parts, writes), 0);
        return;
    }
    if (!is_row) {
        report(v, a, p->form == FORM_AFFINE ? ACCESS_STRIDED : ACCESS_SCATTERED, p->stride);
        access_scattered(v, a, p, parts, writes);
        return;
    }
    report(v, a, ACCESS_CHECKED, 0);
    LLVMValueRef *scattered = job_alloc(a->n * sizeof *scattered);
    memcpy(scattered, parts, a->n * sizeof *scattered);
    struct choice c = choice_begin(v, is_row, "row", "no.row");
    ir_expect(c.branch);
    access_affine(v, a, &row, parts, writes);
    choice_else(v, &c);
    access_no_row(v, a, &x, scattered, writes);
    choice_end(v, &c, a, parts, scattered, writes);
}

/* In an interleaved private array, the parts of an OpenCL vector lie a pack apart. */
static void access_interleaved(struct vec *v, const struct access *a, const struct wide *p,
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
    LLVMValueRef at = ir_address(access);
    return (struct access){access,
                           at,
                           element,
                           is_tuple ? LLVMGetVectorSize(type) : 1,
                           (int64_t)LLVMABISizeOfType(layout, element),
                           alignment(v, access, type),
                           wide_is_interleaved(v, at) ? MEMORY_LANES : wg_kind(access)};
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

/* Whether all that is done with an element of a load is to extend it. */
static bool is_extended(LLVMValueRef load, unsigned element) {
    for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef part = LLVMGetUser(u),
                     at = LLVMIsAExtractElementInst(part) ? LLVMGetOperand(part, 1) : NULL;
        bool is_it = at && LLVMIsAConstantInt(at) && LLVMConstIntGetZExtValue(at) == element;
        for (LLVMUseRef w = is_it ? LLVMGetFirstUse(part) : NULL; w; w = LLVMGetNextUse(w)) {
            LLVMValueRef user = LLVMGetUser(w);
            if (!LLVMIsAZExtInst(user) && !LLVMIsASExtInst(user) && !LLVMIsAUIToFPInst(user) &&
                !LLVMIsASIToFPInst(user)) {
                return false;
            }
        }
        if (!at) {
            return false;
        }
    }
    return true;
}

/* The parts of such integers. One of a byte, or two, that is extended next is the integer shifted, which takes less than a
 * shuffle of bytes across a register where that isn't one instruction. */
static void unpack(struct vec *v, const struct access *a, LLVMValueRef packed, LLVMValueRef *parts) {
    LLVMValueRef all = LLVMBuildBitCast(v->b, packed, LLVMVectorType(a->type, v->width * a->n), "");
    bool may_shift = LLVMGetTypeKind(a->type) == LLVMIntegerTypeKind && packed_bits(a) == 32 &&
                     !v->k->target->has_mask_registers;
    if (!may_shift && weave_has_blocks(v, a->type, a->n)) {
        weave_apart(v, all, parts, a->n);
        return;
    }
    for (unsigned i = 0; i < a->n; i++) {
        if (!may_shift || !is_extended(a->instruction, i)) {
            parts[i] = vec_every(v, all, i, a->n);
            continue;
        }
        LLVMValueRef by = LLVMConstInt(LLVMIntTypeInContext(v->llvm, 32), 8 * (uint64_t)a->size * i, 0);
        parts[i] = LLVMBuildLShr(v->b, packed, wide_splat(v, by), "");
        parts[i] = LLVMBuildTrunc(v->b, parts[i], vec_type(v, a->type), "");
    }
}

static void load_tuple(struct vec *v, LLVMValueRef load, const struct wide *p) {
    struct access a = access_of(v, load, LLVMTypeOf(load));
    LLVMValueRef *parts = job_alloc(a.n * sizeof *parts);
    if (wide_is_interleaved(v, a.at)) {
        access_interleaved(v, &a, p, parts, false);
    } else if (packed_bits(&a)) {
        struct access one = packed(v, &a);
        LLVMValueRef all;
        access_any(v, &one, p, &all, false);
        unpack(v, &a, all, parts);
    } else {
        access_any(v, &a, p, parts, false);
    }
    wide_set(v, load, wide_parts(parts, a.n));
}

static void store_tuple(struct vec *v, LLVMValueRef store, const struct wide *p, LLVMValueRef *parts) {
    struct access a = access_of(v, store, LLVMTypeOf(LLVMGetOperand(store, 0)));
    if (wide_is_interleaved(v, a.at)) {
        access_interleaved(v, &a, p, parts, true);
    } else if (packed_bits(&a)) {
        struct access one = packed(v, &a);
        LLVMValueRef value = LLVMBuildBitCast(v->b, weave(v, parts, a.n), vec_type(v, one.type), "");
        access_any(v, &one, p, &value, true);
    } else {
        access_any(v, &a, p, parts, true);
    }
}

/* ---- loads and stores ---- */

/* Whether one access does what those of all lanes would, though others may see them: an atomic one at a place that the pack
 * shares. As in joined_atomics.c it is as if the lanes came one right after the other. */
static bool is_joined(LLVMValueRef access, LLVMTypeRef type, const struct wide *p) {
    return LLVMGetOrdering(access) != LLVMAtomicOrderingNotAtomic && p->form == FORM_UNIFORM &&
           private_is_element(type);
}

static bool is_tuple(LLVMValueRef access, LLVMTypeRef type) {
    unsigned n = LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 0;
    return kernel_is_plain(access) && n && (n == 3 || !(n & (n - 1))) &&
           private_is_element(LLVMGetElementType(type));
}

/* The scalar load from another address. */
static LLVMValueRef load_at(struct vec *v, LLVMValueRef load, LLVMValueRef address) {
    LLVMValueRef copy = LLVMInstructionClone(load);
    LLVMSetOperand(copy, 0, address);
    LLVMSetVolatile(copy, kernel_is_volatile(load));
    LLVMInsertIntoBuilderWithName(v->b, copy, "");
    access_annotate(v, copy, wg_kind(load));
    report_access(v->k, load, ACCESS_UNIFORM, 0, false, false);
    return copy;
}

void access_load(struct vec *v, LLVMValueRef load) {
    v->source = load;
    LLVMTypeRef type = LLVMTypeOf(load);
    const struct wide *p = wide_of(v, LLVMGetOperand(load, 0));
    if (p->form == FORM_UNIFORM && (kernel_is_plain(load) || is_joined(load, type, p))) {
        wide_set(v, load, wide_new(FORM_UNIFORM, load_at(v, load, p->value), 0));
    } else if (kernel_is_plain(load) && rows_load(v, load, p, load_at)) {
        return;
    } else if (kernel_is_plain(load) && private_is_element(type)) {
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
    LLVMSetVolatile(copy, kernel_is_volatile(store));
    LLVMInsertIntoBuilderWithName(v->b, copy, "");
    access_annotate(v, copy, wg_kind(store));
    report_access(v->k, store, ACCESS_UNIFORM, 0, false, false);
}

void access_store(struct vec *v, LLVMValueRef store) {
    v->source = store;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(store, 0));
    const struct wide *value = wide_of(v, LLVMGetOperand(store, 0)),
                      *p = wide_of(v, LLVMGetOperand(store, 1));
    bool is_element = kernel_is_plain(store) && private_is_element(type);
    if ((is_element && p->form == FORM_UNIFORM) || is_joined(store, type, p)) {
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
