/* check_row.c: the usual case of a checked access, beside the access: the pack's lanes access cells in a row, or all read
 * one place, and nobody whom nothing orders before has been there.
 *
 * In: the access of a pack (checks.c). Out: code that looks at the cells, as src/check/pack_cells.h does, and enters the
 * pack if that is all there is to do; in all other cases it has changed nothing, and control comes to where src/check decides.
 * So it can't lose a finding: it goes on by itself only if
 *   - the whole row lies in the memory that the site is known to access (weir_object), at multiples of the cells' size, or
 *     of 8 where the access has to;
 *   - each cell of a lane that is on has a last writer, and for a store a last reader, that is ordered before by a barrier
 *     or is of an earlier launch (`low`, `covered`), or is the work-item itself, or one of its sub-group before that one's
 *     last barrier. What else might order them (atomics, other commands) is asked about.
 *   - a load comes over no reader of another command, who is set aside (src/check/access.c).
 * Of a store that nothing can race with (lower/quiet.c) no cell is looked at.
 * What it enters then is what pack_cells.h would: a store its lanes; a read its lanes, or that there are several readers
 * where another one has read the cell in no order. Lanes of a row have cells of their own, so none of them can meet.
 *
 * Of a place that all lanes read it goes on if the cell has several readers of this interval already: nothing is to be
 * entered. Which of them the cell names is the one that was first, as in pack.c (read_one). Else, in local memory, it
 * enters that there are several. */
#include "vector.h"
#include <stddef.h>

enum { MOST_CELLS = 32 }; /* of a row; more aren't worth the code */

struct look {
    struct vec *v;
    const struct checked *c;
    bool is_local;
    LLVMValueRef at;            /* lane 0's address */
    LLVMValueRef state, offset; /* struct weir_check; bytes in the object */
    LLVMValueRef now, low, base, covered,
        fresh; /* i64; local memory has `fresh` alone: what isn't ordered is no less */
    LLVMValueRef some, first,
        covered_in;   /* i64, in kernels with barriers of sub-groups: several of the pack's work-items and its
                         first one, as cells tell of them; what its barriers order; else NULL */
    LLVMTypeRef type; /* of what is compared: i64 or a vector */
};

static LLVMValueRef number(struct vec *v, uint64_t n) {
    return ir_const64(v->llvm, n);
}

/* A number of struct weir_check; barriers and the runtime change it. */
static LLVMValueRef state_at(struct look *l, LLVMValueRef offset) {
    return LLVMBuildLoad2(l->v->b, LLVMInt64TypeInContext(l->v->llvm),
                          ir_offset(l->v->b, l->state, offset, ""), "");
}

static LLVMValueRef state_field(struct look *l, size_t field) {
    return state_at(l, number(l->v, field));
}

/* What is ordered before. Cells of local memory are of this group from `base` on, for no other one uses it. */
static void load_order(struct look *l) {
    struct vec *v = l->v;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(v->llvm, AS_PRIVATE);
    l->state = kernel_field(v->k, v->b, RUN_WORKER, WORKER_FIELD(check), pointer, "check");
    l->now = state_field(l, offsetof(struct weir_check, now));
    l->base = state_field(l, offsetof(struct weir_check, base));
    if (l->is_local) {
        l->covered = state_field(l, offsetof(struct weir_check, covered));
        l->fresh = LLVMBuildAdd(v->b, l->base, l->covered, "fresh");
        return;
    }
    LLVMValueRef space = LLVMBuildShl(
        v->b, checks_object_field(v->wg, l->c, offsetof(struct weir_object, space)), number(v, 3), "");
    l->low = state_at(l, LLVMBuildAdd(v->b, space, number(v, offsetof(struct weir_check, low)), ""));
    l->covered = state_at(l, LLVMBuildAdd(v->b, space, number(v, offsetof(struct weir_check, covered)), ""));
}

static LLVMValueRef each(struct look *l, LLVMValueRef scalar) {
    bool is_vector = LLVMGetTypeKind(l->type) == LLVMVectorTypeKind;
    return is_vector ? ir_splat(l->v->b, l->type, scalar) : scalar;
}

/* Of cells whose work-items are of the pack's sub-group: true. */
static LLVMValueRef are_of_subgroup(struct look *l, LLVMValueRef cells) {
    LLVMBuilderRef b = l->v->b;
    LLVMValueRef who = LLVMBuildAnd(b, cells, ir_number(l->type, WEIR_CELL_ITEM), "who");
    LLVMValueRef members = ir_number(l->type, (uint64_t)l->v->width << WEIR_CELL_ITEM_SHIFT);
    LLVMValueRef one = LLVMBuildICmp(b, LLVMIntULT, LLVMBuildSub(b, who, each(l, l->first), ""), members, "");
    return LLVMBuildOr(b, one, LLVMBuildICmp(b, LLVMIntEQ, who, each(l, l->some), ""), "");
}

/* Of cells that nothing orders before: true. */
static LLVMValueRef unordered(struct look *l, LLVMValueRef cells) {
    LLVMBuilderRef b = l->v->b;
    LLVMValueRef late, since = LLVMBuildSub(b, cells, each(l, l->base), "");
    if (l->is_local) {
        late = LLVMBuildICmp(b, LLVMIntUGE, cells, each(l, l->fresh), "");
    } else {
        late = LLVMBuildICmp(b, LLVMIntUGE, cells, each(l, l->low), "");
        late = LLVMBuildAnd(b, late, LLVMBuildICmp(b, LLVMIntUGE, since, each(l, l->covered), ""), "");
    }
    if (!l->some) {
        return late;
    }
    LLVMValueRef before = LLVMBuildICmp(b, LLVMIntULT, since, each(l, l->covered_in), "");
    before = LLVMBuildAnd(b, before, are_of_subgroup(l, cells), "");
    return LLVMBuildAnd(b, late, LLVMBuildNot(b, before, ""), "");
}

static LLVMValueRef differs(struct look *l, LLVMValueRef x, LLVMValueRef y, uint64_t in) {
    LLVMBuilderRef b = l->v->b;
    LLVMValueRef bits = LLVMBuildAnd(b, LLVMBuildXor(b, x, y, ""), ir_number(l->type, in), "");
    return LLVMBuildICmp(b, LLVMIntNE, bits, LLVMConstNull(l->type), "");
}

static LLVMValueRef others(struct look *l, LLVMValueRef cells, LLVMValueRef me) {
    return LLVMBuildAnd(l->v->b, unordered(l, cells), differs(l, cells, me, WEIR_CELL_GROUP | WEIR_CELL_ITEM),
                        "others");
}

/* Or of which the cell tells of some bytes alone, of which others may have accessed the rest. */
static LLVMValueRef others_or_parts(struct look *l, LLVMValueRef cells, LLVMValueRef me) {
    return LLVMBuildAnd(l->v->b, unordered(l, cells),
                        differs(l, cells, me, WEIR_CELL_GROUP | WEIR_CELL_ITEM | WEIR_CELL_BYTES), "others");
}

/* Where the site's array has the cell of the first lane; each of its entries has `bytes`. */
static LLVMValueRef entry_at(struct look *l, size_t array, unsigned bytes) {
    LLVMBuilderRef b = l->v->b;
    LLVMValueRef start = checks_object_field(l->v->wg, l->c, array), offset = l->offset;
    offset = bytes == 8 ? LLVMBuildShl(b, offset, number(l->v, 1), "")
                        : LLVMBuildLShr(b, offset, number(l->v, 1), "");
    LLVMTypeRef pointer = LLVMPointerTypeInContext(l->v->llvm, AS_PRIVATE);
    return LLVMBuildIntToPtr(b, LLVMBuildAdd(b, start, offset, ""), pointer, "");
}

static LLVMValueRef load(struct look *l, LLVMTypeRef type, LLVMValueRef at, unsigned align) {
    LLVMValueRef value = LLVMBuildLoad2(l->v->b, type, at, "");
    LLVMSetAlignment(value, align);
    return value;
}

/* For entries that are on (NULL: all), whose others are `old`. Cells of local memory are this thread's own: it may write
 * others back, and what reads them soon needn't wait for a store under a mask. */
static void store(struct look *l, LLVMValueRef value, LLVMValueRef old, LLVMValueRef at, unsigned align,
                  LLVMValueRef on) {
    LLVMBuilderRef b = l->v->b;
    if (on && !l->is_local) {
        LLVMTypeRef overloads[] = {LLVMTypeOf(value), LLVMTypeOf(at)};
        LLVMValueRef args[] = {value, at, on};
        LLVMValueRef call = vec_intrinsic(l->v, "llvm.masked.store", overloads, 2, args, 3);
        unsigned kind = LLVMGetEnumAttributeKindForName("align", 5);
        LLVMAddCallSiteAttribute(call, 2, LLVMCreateEnumAttribute(l->v->llvm, kind, align));
        return;
    }
    value = on ? LLVMBuildSelect(b, on, value, old ? old : load(l, LLVMTypeOf(value), at, align), "") : value;
    LLVMSetAlignment(LLVMBuildStore(b, value, at), align);
}

static LLVMValueRef any(struct look *l, LLVMValueRef set) {
    unsigned n = LLVMGetVectorSize(l->type);
    LLVMValueRef bits = LLVMBuildBitCast(l->v->b, set, LLVMIntTypeInContext(l->v->llvm, n), "");
    return LLVMBuildIsNotNull(l->v->b, bits, "odd");
}

/* Goes on where `is` holds, else to `ask`. */
static void go_on_if(struct look *l, LLVMValueRef is, const char *name, LLVMBasicBlockRef ask) {
    LLVMBasicBlockRef next = ir_block(l->v->k->run, name);
    ir_expect(LLVMBuildCondBr(l->v->b, is, next, ask));
    LLVMPositionBuilderAtEnd(l->v->b, next);
}

/* A pack is a sub-group. Where some are shorter there is no table of what their barriers order (src/check/launch.c). */
static void load_subgroup(struct look *l, LLVMBasicBlockRef ask) {
    struct vec *v = l->v;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    LLVMValueRef table = state_field(l, offsetof(struct weir_check, subgroups));
    go_on_if(l, LLVMBuildIsNotNull(v->b, table, ""), "subgroups", ask);
    LLVMValueRef item = LLVMBuildZExt(v->b, checks_item(v->wg), i64, "");
    LLVMValueRef own = LLVMBuildLShr(v->b, item, number(v, (uint64_t)__builtin_ctz(v->width)), "");
    LLVMValueRef space =
        l->is_local ? number(v, 0) : checks_object_field(v->wg, l->c, offsetof(struct weir_object, space));
    LLVMValueRef entry = LLVMBuildMul(v->b, own, number(v, WEIR_CELL_SPACES), "");
    entry = LLVMBuildShl(v->b, LLVMBuildAdd(v->b, entry, space, ""), number(v, 3), "");
    LLVMValueRef at = LLVMBuildIntToPtr(v->b, LLVMBuildAdd(v->b, table, entry, ""),
                                        LLVMPointerTypeInContext(v->llvm, AS_PRIVATE), "");
    l->covered_in = LLVMBuildLoad2(v->b, i64, at, "covered_in");
    l->first = LLVMBuildShl(v->b, item, number(v, WEIR_CELL_ITEM_SHIFT), "");
    own = LLVMBuildShl(v->b, own, number(v, WEIR_CELL_ITEM_SHIFT), "");
    l->some = LLVMBuildAdd(v->b, own, number(v, WEIR_CELL_SOME), "some");
}

/* Which cells of the row are of lanes that are on; NULL: all. */
static LLVMValueRef cells_on(struct look *l) {
    unsigned n = LLVMGetVectorSize(l->type), *order = job_alloc(n * sizeof *order);
    for (unsigned i = 0; i < n; i++) {
        order[i] = i * l->v->width / n;
    }
    bool alike = n == l->v->width;
    return !l->v->mask || alike ? l->v->mask : vec_shuffle(l->v, l->v->mask, NULL, order, n);
}

/* What lanes enter. */
static LLVMValueRef comers(struct look *l) {
    struct vec *v = l->v;
    unsigned n = LLVMGetVectorSize(l->type);
    LLVMValueRef *items = job_alloc(n * sizeof *items);
    for (unsigned i = 0; i < n; i++) {
        items[i] = number(v, (uint64_t)(i * v->width / n) << WEIR_CELL_ITEM_SHIFT | WEIR_CELL_BYTES);
    }
    LLVMValueRef item = LLVMBuildZExt(v->b, checks_item(v->wg), LLVMInt64TypeInContext(v->llvm), "");
    LLVMValueRef first =
        LLVMBuildAdd(v->b, l->now, LLVMBuildShl(v->b, item, number(v, WEIR_CELL_ITEM_SHIFT), ""), "");
    return LLVMBuildAdd(v->b, each(l, first), LLVMConstVector(items, n), "me");
}

/* `crowd`, or who has read cells that other groups have. *odd: they are of another command, which isn't to be forgotten. */
static LLVMValueRef name_groups(struct look *l, LLVMValueRef read, LLVMValueRef me, LLVMValueRef joins,
                                LLVMValueRef crowd, LLVMValueRef *odd) {
    LLVMBuilderRef b = l->v->b;
    LLVMValueRef several = each(l, state_field(l, offsetof(struct weir_check, several)));
    LLVMValueRef far = differs(l, read, me, WEIR_CELL_GROUP);
    LLVMValueRef first = each(l, state_field(l, offsetof(struct weir_check, first)));
    LLVMValueRef cells = each(l, state_field(l, offsetof(struct weir_check, cells)));
    LLVMValueRef foreign = LLVMBuildICmp(b, LLVMIntUGE, LLVMBuildSub(b, read, first, ""), cells, "foreign");
    foreign = LLVMBuildAnd(b, LLVMBuildAnd(b, joins, far, ""), foreign, "");
    *odd = LLVMBuildOr(b, *odd, foreign, "");
    return LLVMBuildSelect(b, far, several, crowd, "");
}

/* Which of them read cells that others have read in no order; *now: what they all enter. *odd: src/check has to (check_several). */
static LLVMValueRef join(struct look *l, LLVMValueRef read, LLVMValueRef me, LLVMValueRef *now,
                         LLVMValueRef *odd) {
    LLVMBuilderRef b = l->v->b;
    LLVMValueRef joins = others(l, read, me);
    LLVMValueRef crowd = each(l, LLVMBuildOr(b, l->now, number(l->v, WEIR_CELL_MANY), ""));
    if (l->some) {
        LLVMValueRef some = each(l, LLVMBuildOr(b, l->now, l->some, ""));
        crowd = LLVMBuildSelect(b, are_of_subgroup(l, read), some, crowd, "");
    } else {
        size_t field = offsetof(struct weir_check, careful) + (l->is_local ? 0 : sizeof(uint64_t));
        LLVMValueRef passed = LLVMBuildSub(b, state_field(l, field), l->base, "");
        LLVMValueRef since = LLVMBuildSub(b, read, each(l, l->base), "");
        LLVMValueRef early = LLVMBuildICmp(b, LLVMIntULT, since, each(l, passed), "");
        *odd = LLVMBuildOr(b, *odd, LLVMBuildAnd(b, joins, early, ""), "");
    }
    if (!l->is_local) {
        crowd = name_groups(l, read, me, joins, crowd, odd);
    }
    LLVMValueRef bytes = LLVMBuildAnd(b, read, ir_number(l->type, WEIR_CELL_BYTES), "");
    *now = LLVMBuildSelect(b, joins, LLVMBuildOr(b, crowd, bytes, ""), me, "");
    return joins;
}

/* On if none of the cells that are on is odd. */
static void go_on_unless(struct look *l, LLVMValueRef odd, LLVMValueRef on, const char *name,
                         LLVMBasicBlockRef ask) {
    odd = on ? LLVMBuildAnd(l->v->b, odd, on, "") : odd;
    go_on_if(l, LLVMBuildNot(l->v->b, any(l, odd), ""), name, ask);
}

/* `now` where they are on; their site where they are `named`. */
static void enter(struct look *l, LLVMValueRef now, LLVMValueRef old, LLVMValueRef on, LLVMValueRef named) {
    bool writes = l->c->writes;
    LLVMTypeRef site_type = LLVMVectorType(LLVMInt16TypeInContext(l->v->llvm), LLVMGetVectorSize(l->type));
    LLVMValueRef sites = entry_at(
        l, writes ? offsetof(struct weir_object, sites) : offsetof(struct weir_object, reader_sites), 2);
    store(l, ir_number(site_type, l->c->site), NULL, sites, 2, named);
    if (!l->is_local) { /* who finds the cell finds its site, too (src/check/check.h) */
        LLVMBuildFence(l->v->b, LLVMAtomicOrderingRelease, true, "");
    }
    LLVMValueRef cells = entry_at(
        l, writes ? offsetof(struct weir_object, writers) : offsetof(struct weir_object, readers), 8);
    store(l, now, old, cells, 8, on);
}

static LLVMValueRef cells_of(struct look *l, size_t array) {
    return load(l, l->type, entry_at(l, array, 8), 8);
}

static void look_at_written_row(struct look *l, LLVMValueRef on, LLVMValueRef me, LLVMBasicBlockRef ask) {
    LLVMValueRef written = NULL;
    if (!l->c->marks) {
        written = cells_of(l, offsetof(struct weir_object, writers));
        LLVMValueRef read = cells_of(l, offsetof(struct weir_object, readers));
        LLVMValueRef odd =
            LLVMBuildOr(l->v->b, others_or_parts(l, written, me), others_or_parts(l, read, me), "");
        go_on_unless(l, odd, on, "enter", ask);
    }
    enter(l, me, written, on, on);
}

/* Memory that groups share is entered before the writers are looked at (src/check/check.h: enter_before_looking). */
static void look_at_read_row(struct look *l, LLVMValueRef on, LLVMValueRef me, LLVMBasicBlockRef ask) {
    LLVMBuilderRef b = l->v->b;
    size_t writers = offsetof(struct weir_object, writers);
    LLVMValueRef now,
        odd = LLVMConstNull(LLVMVectorType(LLVMInt1TypeInContext(l->v->llvm), LLVMGetVectorSize(l->type)));
    LLVMValueRef read = cells_of(l, offsetof(struct weir_object, readers));
    LLVMValueRef joins = join(l, read, me, &now, &odd), named = on;
    if (l->is_local) {
        odd = LLVMBuildOr(b, odd, others_or_parts(l, cells_of(l, writers), me), "");
    }
    go_on_unless(l, odd, on, "enter", ask);
    if (l->c->updates) { /* other readers' sites stay */
        LLVMValueRef first = LLVMBuildNot(b, joins, "");
        named = on ? LLVMBuildAnd(b, on, first, "") : first;
    }
    enter(l, now, read, on, named);
    if (!l->is_local) {
        LLVMBuildFence(b, LLVMAtomicOrderingSequentiallyConsistent, true, "");
        go_on_unless(l, others_or_parts(l, cells_of(l, writers), me), on, "seen", ask);
    }
}

static void look_at_row(struct look *l, LLVMBasicBlockRef ask) {
    l->type = LLVMVectorType(LLVMInt64TypeInContext(l->v->llvm), (unsigned)(l->v->width * l->c->bytes / 4));
    (l->c->writes ? look_at_written_row : look_at_read_row)(l, cells_on(l), comers(l), ask);
}

/* Local memory is entered here, too: that several have read it, if several are on. */
static void enter_one(struct look *l, LLVMValueRef read, LLVMValueRef seen, LLVMBasicBlockRef ask,
                      LLVMBasicBlockRef after) {
    struct vec *v = l->v;
    LLVMBasicBlockRef first = ir_block(v->k->run, "first");
    LLVMBuildCondBr(v->b, seen, after, first);
    LLVMPositionBuilderAtEnd(v->b, first);
    if (v->mask) {
        LLVMValueRef several =
            LLVMBuildICmp(v->b, LLVMIntNE, vec_first(v, v->mask), vec_last(v, v->mask), "");
        go_on_if(l, several, "several", ask);
    }
    LLVMValueRef now = each(l, LLVMBuildOr(v->b, l->now, number(v, WEIR_CELL_MANY | WEIR_CELL_BYTES), ""));
    if (l->some) {
        LLVMValueRef far =
            LLVMBuildAnd(v->b, unordered(l, read), LLVMBuildNot(v->b, are_of_subgroup(l, read), ""), "");
        LLVMValueRef some =
            LLVMBuildOr(v->b, LLVMBuildOr(v->b, l->now, l->some, ""), number(v, WEIR_CELL_BYTES), "");
        now = LLVMBuildSelect(v->b, far, now, each(l, some), "");
    }
    enter(l, now, NULL, NULL, NULL);
}

static void look_at_one(struct look *l, LLVMBasicBlockRef ask, LLVMBasicBlockRef after) {
    struct vec *v = l->v;
    l->type = LLVMVectorType(LLVMInt64TypeInContext(v->llvm), (unsigned)(l->c->bytes / 4));
    LLVMValueRef written = load(l, l->type, entry_at(l, offsetof(struct weir_object, writers), 8), 8);
    LLVMValueRef read = load(l, l->type, entry_at(l, offsetof(struct weir_object, readers), 8), 8);
    LLVMValueRef many = LLVMBuildOr(v->b, l->now, number(v, WEIR_CELL_MANY | WEIR_CELL_BYTES), "");
    LLVMValueRef fresh = differs(l, read, each(l, many), UINT64_MAX), odd = unordered(l, written);
    if (l->some) { /* or several of the sub-group */
        LLVMValueRef some = LLVMBuildOr(v->b, l->now, l->some, "");
        some = LLVMBuildOr(v->b, some, number(v, WEIR_CELL_BYTES), "");
        fresh = LLVMBuildAnd(v->b, fresh, differs(l, read, each(l, some), UINT64_MAX), "");
    }
    bool enters = l->is_local && !l->c->updates; /* else other readers' sites would stay */
    odd = enters ? odd : LLVMBuildOr(v->b, odd, fresh, "");
    go_on_if(l, LLVMBuildNot(v->b, any(l, odd), ""), "seen", ask);
    if (enters) {
        enter_one(l, read, LLVMBuildNot(v->b, any(l, fresh), ""), ask, after);
    }
}

/* Whether the lanes that are on access a row; l->at: where lane 0 would. */
static LLVMValueRef find_row(struct look *l) {
    struct vec *v = l->v;
    LLVMValueRef lanes = vec_defined(v, l->c->lanes);
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    LLVMValueRef first = vec_first(v, v->mask);
    LLVMValueRef ahead = LLVMBuildMul(v->b, LLVMBuildZExt(v->b, first, i64, ""), number(v, l->c->bytes), "");
    l->at = LLVMBuildSub(v->b, LLVMBuildExtractElement(v->b, lanes, first, ""), ahead, "");
    LLVMValueRef row = LLVMBuildAdd(v->b, wide_splat(v, l->at), wide_ramp(v, i64, (int64_t)l->c->bytes), "");
    LLVMValueRef apart = LLVMBuildICmp(v->b, LLVMIntNE, lanes, row, "");
    return LLVMBuildNot(v->b, vec_any(v, vec_and(v, v->mask, apart)), "row");
}

bool check_row_is_usual(struct vec *v, const struct checked *c) {
    uint64_t bytes = c->is_one ? c->bytes : c->bytes * v->width;
    bool stores_some = !c->is_one && (v->mask || c->updates) && !c->is_local;
    return c->is_beside && (c->is_row || c->lanes || (c->is_one && !c->writes)) && c->bytes >= 4 &&
           bytes <= 4 * MOST_CELLS && (!c->subgroups || !(v->width & (v->width - 1))) &&
           (!stores_some || v->k->target->has_mask_registers);
}

void check_row(struct vec *v, const struct checked *c, LLVMBasicBlockRef ask, LLVMBasicBlockRef after) {
    struct look l = {.v = v, .c = c, .is_local = c->is_local, .at = c->at};
    if (c->lanes) {
        go_on_if(&l, find_row(&l), "row", ask);
    }
    LLVMValueRef start = checks_object_field(v->wg, c, offsetof(struct weir_object, start)),
                 size = checks_object_field(v->wg, c, offsetof(struct weir_object, size));
    uint64_t bytes = c->is_one ? c->bytes : c->bytes * v->width;
    l.offset = LLVMBuildSub(v->b, l.at, start, "offset");
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    LLVMValueRef args[] = {LLVMBuildAdd(v->b, size, number(v, 1), ""), number(v, bytes)};
    LLVMValueRef places = ir_intrinsic(v->b, "llvm.usub.sat", &i64, 1, args, 2);
    LLVMValueRef inside = LLVMBuildICmp(v->b, LLVMIntULT, l.offset, places, "");
    if (c->is_local && !c->is_known) { /* such a pointer may lead anywhere */
        LLVMValueRef space = checks_object_field(v->wg, c, offsetof(struct weir_object, space));
        inside = LLVMBuildAnd(v->b, inside, LLVMBuildIsNull(v->b, space, ""), "");
    }
    LLVMValueRef low = LLVMBuildAnd(v->b, l.at, number(v, c->align == 8 ? 7 : 3), "");
    LLVMValueRef aligned = LLVMBuildICmp(v->b, LLVMIntEQ, low, number(v, 0), "");
    go_on_if(&l, LLVMBuildAnd(v->b, inside, aligned, ""), "look", ask);
    load_order(&l);
    if (c->subgroups) {
        load_subgroup(&l, ask);
    }
    if (c->is_one) {
        look_at_one(&l, ask, after);
    } else {
        look_at_row(&l, ask);
    }
    LLVMBuildBr(v->b, after);
    LLVMPositionBuilderAtEnd(v->b, ask);
}
