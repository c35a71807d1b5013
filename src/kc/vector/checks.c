/* checks.c: a checked kernel's accesses, a pack at a time.
 *
 * In: calls of __weir_check_access (lower/instrument.c), one for each access of a work-item. Out: calls of the checker's
 * function for packs (struct weir_check.pack), with the lanes that are on, and where a work-item's address and value are
 * numbers, arrays of them. So a check costs a few instructions here, and the decision is compiled once, in the runtime. */
#include "vector.h"
#include <stddef.h>

enum { OPERAND_ADDRESS, OPERAND_SITE, OPERAND_WHAT, OPERAND_BYTES, OPERAND_VALUE, OPERAND_MORE };

bool checks_is(LLVMValueRef i) {
    return ir_is_call_to(i, CHECK_ACCESS);
}

/* Of the work-item, or of lane 0: i32. */
LLVMValueRef checks_item(struct wg *wg) {
    LLVMValueRef *id = wg->loops.local_id, *size = wg->loops.size;
    LLVMValueRef rows = LLVMBuildAdd(wg->b, LLVMBuildMul(wg->b, id[2], size[1], ""), id[1], "");
    LLVMValueRef linear = LLVMBuildAdd(wg->b, LLVMBuildMul(wg->b, rows, size[0], ""), id[0], "");
    return LLVMBuildTrunc(wg->b, linear, LLVMInt32TypeInContext(wg->k->llvm), "item");
}

static LLVMValueRef lanes_variable(struct wg *wg, unsigned width) {
    LLVMBuilderRef b = ir_at_entry(wg->k->run);
    LLVMTypeRef type = LLVMArrayType2(LLVMInt64TypeInContext(wg->k->llvm), 3 * (uint64_t)width);
    LLVMValueRef variable = LLVMBuildAlloca(b, type, "lanes");
    LLVMSetAlignment(variable, 64);
    LLVMDisposeBuilder(b);
    return variable;
}

/* Of an access of so many bytes; its pieces aren't looked at. */
static uint64_t align_of(const struct kernel_site *site, uint64_t bytes) {
    return site->bytes == bytes && site->align ? site->align : 1;
}

static void emit_call(struct wg *wg, LLVMValueRef check, LLVMValueRef lanes, LLVMValueRef mask, uint32_t what,
                      unsigned width) {
    LLVMContextRef c = wg->k->llvm;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, AS_PRIVATE), i64 = LLVMInt64TypeInContext(c),
                i32 = LLVMInt32TypeInContext(c);
    LLVMTypeRef params[] = {pointer, pointer, i64, i32, i32, i32};
    LLVMValueRef state = kernel_field(wg->k, wg->b, RUN_WORKER, WORKER_FIELD(check), pointer, "check");
    LLVMValueRef at = ir_offset(wg->b, state, ir_const64(c, offsetof(struct weir_check, pack)), "");
    LLVMValueRef f = kernel_invariant_load(wg->k, wg->b, pointer, at, "check.pack");
    what |= (uint32_t)LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_WHAT));
    uint64_t site = LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_SITE)),
             bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_BYTES));
    what |= align_of(wg->k->sites.at[site], bytes) == 8 ? WEIR_CHECK_EIGHT : 0;
    uint32_t code = (uint32_t)site | what << WEIR_CODE_WHAT_SHIFT | (uint32_t)width << WEIR_CODE_WIDTH_SHIFT;
    LLVMValueRef args[] = {LLVMGetParam(wg->k->run, RUN_WORKER), lanes,          mask, ir_const32(c, code),
                           LLVMGetOperand(check, OPERAND_BYTES), checks_item(wg)};
    LLVMBuildCall2(wg->b, LLVMFunctionType(LLVMVoidTypeInContext(c), params, 6, 0), f, args, 6, "");
}

/* Loops around the block, but no more than DEEPEST. */
enum { DEEPEST = 8 };
static unsigned depth_of(const struct wg *wg, LLVMBasicBlockRef block) {
    unsigned node = (unsigned)ptrmap_at(&wg->index, block, 0), depth = 0;
    for (unsigned s = wg->whole->innermost[node]; s != NONE && depth < DEEPEST;
         s = wg->whole->spans[s].parent) {
        depth++;
    }
    return depth;
}

/* Whether a check has cells to look at, as far as is known before the launch. */
static bool has_cells(struct wg *wg, LLVMValueRef check) {
    const struct kernel_site *s =
        wg->k->sites.at[LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_SITE))];
    return !s->quiet || !(s->object & WEIR_SITE_PLACE);
}

/* What decides an access beside it takes its time to compile, about 10 ms each: it is for MOST, those in the most loops first. */
void checks_choose(struct wg *wg) {
    enum { MOST = 24 };
    unsigned left = MOST;
    for (unsigned depth = DEEPEST + 1; depth-- > 0 && left;) {
        for (unsigned node = 0; node < wg->cfg->n && wg->k->checked; node++) {
            LLVMBasicBlockRef block = wg->blocks[node];
            bool is_here = depth_of(wg, block) == depth;
            for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && is_here && left;
                 i = LLVMGetNextInstruction(i)) {
                if (checks_is(i) && has_cells(wg, i)) {
                    ptrmap_set(&wg->checks_beside, i, 1);
                    left--;
                }
            }
        }
    }
}

/* ---- memory in which the access can race with nothing: that it is inside is all there is to check ---- */

struct quiet {
    LLVMValueRef start, bytes; /* i64; 0 bytes: the checker has to look at cells */
    uint64_t align;            /* of the access */
};

static LLVMValueRef field_of_object(struct wg *wg, uint64_t site, size_t field, bool is_known) {
    LLVMContextRef c = wg->k->llvm;
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, AS_PRIVATE), i64 = LLVMInt64TypeInContext(c);
    LLVMValueRef objects = kernel_field(wg->k, wg->b, RUN_WORKER, WORKER_FIELD(objects), pointer, "objects");
    uint64_t offset = site * sizeof(struct weir_object) + field;
    LLVMValueRef at = ir_offset(wg->b, objects, ir_const64(c, offset), "");
    return is_known ? kernel_invariant_load(wg->k, wg->b, i64, at, "") : LLVMBuildLoad2(wg->b, i64, at, "");
}

LLVMValueRef checks_object_field(struct wg *wg, const struct checked *c, size_t field) {
    return field_of_object(wg, c->site, field, c->is_known);
}

/* False: there is none. */
static bool find_quiet(struct wg *wg, LLVMValueRef check, struct quiet *q) {
    LLVMContextRef c = wg->k->llvm;
    uint64_t number = LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_SITE)),
             bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_BYTES));
    const struct kernel_site *site = wg->k->sites.at[number];
    if (!site->quiet) {
        return false;
    }
    q->align = align_of(site, bytes);
    if (site->object & WEIR_SITE_PLACE) {
        const struct kernel_place *place = wg->k->places.at[(site->object & ~WEIR_SITE_PLACE) - 1];
        LLVMTypeRef pointer = LLVMPointerTypeInContext(c, AS_PRIVATE);
        LLVMValueRef local = kernel_field(wg->k, wg->b, RUN_WORKER, WORKER_FIELD(local), pointer, "");
        local = ir_offset(wg->b, local, ir_const64(c, place->offset), "");
        q->start = LLVMBuildPtrToInt(wg->b, local, LLVMInt64TypeInContext(c), "");
        q->bytes = ir_const64(c, place->bytes);
    } else {
        q->start = field_of_object(wg, number, offsetof(struct weir_object, start), true);
        q->bytes = field_of_object(wg, number, offsetof(struct weir_object, quiet), true);
    }
    return true;
}

/* The places, of a number or a vector, at which `bytes` bytes lie in it. */
static LLVMValueRef places_of(struct wg *wg, const struct quiet *q, LLVMValueRef bytes) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(wg->k->llvm);
    LLVMValueRef args[] = {LLVMBuildAdd(wg->b, q->bytes, ir_const64(wg->k->llvm, 1), ""), bytes};
    return ir_intrinsic(wg->b, "llvm.usub.sat", &i64, 1, args, 2);
}

static LLVMValueRef is_aligned(struct wg *wg, const struct quiet *q, LLVMValueRef at) {
    LLVMTypeRef type = LLVMTypeOf(at);
    LLVMValueRef odd = LLVMBuildAnd(wg->b, at, ir_number(type, q->align - 1), "");
    return LLVMBuildICmp(wg->b, LLVMIntEQ, odd, LLVMConstNull(type), "");
}

/* i1: [at, at + bytes) is inside, and `at` is aligned. */
static LLVMValueRef row_is_quiet(struct wg *wg, const struct quiet *q, LLVMValueRef at, LLVMValueRef bytes) {
    LLVMValueRef inside =
        LLVMBuildICmp(wg->b, LLVMIntULT, LLVMBuildSub(wg->b, at, q->start, ""), places_of(wg, q, bytes), "");
    return LLVMBuildAnd(wg->b, inside, is_aligned(wg, q, at), "quiet");
}

/* The same of a pack's lanes that are on, all of which lie between the first and the last. */
static LLVMValueRef affine_is_quiet(struct vec *v, const struct quiet *q, const struct wide *at,
                                    int64_t bytes) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    int64_t step = at->form == FORM_UNIFORM ? 0 : at->stride;
    LLVMValueRef stride = ir_const64(v->llvm, (uint64_t)step), mask = step ? v->mask : NULL;
    LLVMValueRef first = LLVMBuildZExt(v->b, vec_first(v, mask), i64, ""),
                 last = LLVMBuildZExt(v->b, vec_last(v, mask), i64, "");
    LLVMValueRef reach = LLVMBuildMul(v->b, LLVMBuildSub(v->b, last, first, ""), stride, "");
    LLVMValueRef lowest = LLVMBuildMul(v->b, step < 0 ? last : first, stride, "");
    reach = step < 0 ? LLVMBuildNeg(v->b, reach, "") : reach;
    LLVMValueRef quiet = row_is_quiet(v->wg, q, LLVMBuildAdd(v->b, at->value, lowest, ""),
                                      LLVMBuildAdd(v->b, reach, ir_const64(v->llvm, (uint64_t)bytes), ""));
    return v->mask ? LLVMBuildOr(v->b, quiet, LLVMBuildNot(v->b, vec_any(v, v->mask), ""), "") : quiet;
}

static LLVMValueRef pack_is_quiet(struct vec *v, const struct quiet *q, const struct wide *at,
                                  int64_t bytes) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    bool steps_align = !(at->stride & (int64_t)(q->align - 1));
    if (at->form == FORM_UNIFORM || (at->form == FORM_AFFINE && steps_align)) {
        return affine_is_quiet(v, q, at, bytes);
    }
    LLVMValueRef lanes = vec_defined(v, wide_vector(v, at, i64));
    LLVMValueRef offset = LLVMBuildSub(v->b, lanes, wide_splat(v, q->start), "");
    LLVMValueRef places = wide_splat(v, places_of(v->wg, q, ir_const64(v->llvm, (uint64_t)bytes)));
    LLVMValueRef inside = LLVMBuildICmp(v->b, LLVMIntULT, offset, places, "");
    inside = LLVMBuildAnd(v->b, inside, is_aligned(v->wg, q, lanes), "");
    LLVMValueRef odd = vec_and(v, v->mask, LLVMBuildNot(v->b, inside, ""));
    return LLVMBuildNot(v->b, vec_any(v, odd), "");
}

/* What is emitted from here on runs if it isn't quiet; gives where both meet. */
static LLVMBasicBlockRef branch_unless(struct wg *wg, LLVMValueRef quiet) {
    LLVMBasicBlockRef ask = ir_block(wg->k->run, "check"), after = ir_block(wg->k->run, "checked");
    ir_expect(LLVMBuildCondBr(wg->b, quiet, after, ask));
    LLVMPositionBuilderAtEnd(wg->b, ask);
    return after;
}

static void join(struct wg *wg, LLVMBasicBlockRef after) {
    if (after) {
        LLVMBuildBr(wg->b, after);
        LLVMPositionBuilderAtEnd(wg->b, after);
    }
}

/* ---- calls ---- */

/* How many numbers of the lanes' value the checker looks at. */
static unsigned value_parts(LLVMValueRef check) {
    if ((LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_WHAT)) & 15) != WEIR_SITE_WRITE) {
        return 0;
    }
    return LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_BYTES)) > 8 ? 2 : 1;
}

void checks_alone(struct wg *wg, LLVMValueRef check, LLVMValueRef *args) {
    LLVMValueRef lanes = lanes_variable(wg, 1);
    LLVMBasicBlockRef after = NULL;
    uint64_t bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_BYTES));
    struct quiet q;
    if (find_quiet(wg, check, &q)) {
        after =
            branch_unless(wg, row_is_quiet(wg, &q, args[OPERAND_ADDRESS], ir_const64(wg->k->llvm, bytes)));
    }
    for (unsigned part = 0; part <= value_parts(check); part++) {
        LLVMBuildStore(wg->b, args[part ? OPERAND_VALUE + part - 1 : OPERAND_ADDRESS],
                       ir_offset(wg->b, lanes, ir_const64(wg->k->llvm, part * sizeof(uint64_t)), ""));
    }
    emit_call(wg, check, lanes, ir_const64(wg->k->llvm, 1), 0, 1);
    join(wg, after);
}

static LLVMValueRef lanes_that_are_on(struct vec *v) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    if (!v->mask) {
        return ir_const64(v->llvm, UINT64_MAX >> (64 - v->width));
    }
    LLVMTypeRef bits = LLVMIntTypeInContext(v->llvm, v->width);
    return LLVMBuildZExtOrBitCast(v->b, LLVMBuildBitCast(v->b, v->mask, bits, ""), i64, "on");
}

static struct checked checked_of(struct vec *v, LLVMValueRef check, const struct wide *at) {
    uint64_t site = LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_SITE)),
             what = LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_WHAT)),
             bytes = LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_BYTES));
    const struct kernel_site *s = v->k->sites.at[site];
    bool is_vector = at->form == FORM_VECTOR && !at->at;
    bool may_be_row = is_vector && !contiguity_is_of_memory(v->wg, LLVMGetOperand(check, OPERAND_ADDRESS));
    return (struct checked){.at = is_vector ? NULL : at->value,
                            .lanes = may_be_row ? at->value : NULL,
                            .site = site,
                            .bytes = bytes,
                            .align = align_of(s, bytes),
                            .is_beside = ptrmap_at(&v->wg->checks_beside, check, 0),
                            .is_one = at->form == FORM_UNIFORM,
                            .is_row = at->form == FORM_AFFINE && at->stride == (int64_t)bytes,
                            .is_local = s->is_local,
                            .is_known = s->object != 0,
                            .marks = s->marks,
                            .writes = (what & 15) == WEIR_SITE_WRITE,
                            .updates = what & WEIR_CHECK_UPDATES,
                            .subgroups = what & WEIR_CHECK_SUBGROUPS};
}

void checks_widen(struct vec *v, LLVMValueRef check) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    const struct wide *at = wide_of(v, LLVMGetOperand(check, OPERAND_ADDRESS));
    int64_t bytes = (int64_t)LLVMConstIntGetZExtValue(LLVMGetOperand(check, OPERAND_BYTES));
    struct checked c = checked_of(v, check, at);
    LLVMValueRef lanes = lanes_variable(v->wg, v->width);
    LLVMBasicBlockRef after = NULL;
    struct quiet q;
    if (find_quiet(v->wg, check, &q)) {
        after = branch_unless(v->wg, pack_is_quiet(v, &q, at, bytes));
    }
    if (check_row_is_usual(v, &c)) {
        LLVMBasicBlockRef ask = ir_block(v->k->run, "ask");
        after = after ? after : ir_block(v->k->run, "checked");
        check_row(v, &c, ask, after);
    }
    LLVMBuildStore(v->b, c.is_one || c.is_row ? at->value : wide_vector(v, at, i64), lanes);
    for (unsigned part = 1; part <= value_parts(check); part++) {
        LLVMValueRef value = LLVMGetOperand(check, OPERAND_VALUE + part - 1);
        LLVMBuildStore(v->b, wide_vector(v, wide_of(v, value), i64),
                       ir_offset(v->b, lanes, ir_const64(v->llvm, part * v->width * sizeof(uint64_t)), ""));
    }
    emit_call(v->wg, check, lanes, lanes_that_are_on(v),
              c.is_one   ? WEIR_CHECK_UNIFORM
              : c.is_row ? WEIR_CHECK_ROW
                         : 0,
              v->width);
    join(v->wg, after);
}
