/* contiguity.c: whether a pack's elements lie in a row: where only the run tells.
 *
 * In: an access whose address has one index that differs between lanes, and isn't affine. Out: code that looks, and where
 * the row is. As in a[(l + 1) % n], lanes may also access two rows, those of the first lanes and those of the last:
 * at a wrap, or where a tile's rows end. */
#include "vector.h"

enum {
    DEPTH = 10,
    MEMORY_DEPTH = 12,
    QUOTIENT_DEPTH = 8
}; /* operations that indices are followed back through */

/* Whether the value is computed of what lanes have read from memory, each its own. What chooses among values doesn't count. */
static bool is_of_memory(const struct wg *wg, LLVMValueRef x, unsigned depth) {
    if (!LLVMIsAInstruction(x) || uniform_is(wg->pack, x) || LLVMIsACmpInst(x) || intrinsic_id(x, NULL)) {
        return false;
    }
    if (LLVMIsALoadInst(x)) {
        const struct slot *slot = slots_of_access(&wg->slots, x);
        return !slot || slot->of_memory;
    }
    bool is_call = LLVMIsACallInst(x) != NULL, found = is_call && !ir_is_limit(x);
    for (int n = LLVMIsASelectInst(x) ? 1 : 0; !found && depth && n < LLVMGetNumOperands(x) - is_call; n++) {
        found = is_of_memory(wg, LLVMGetOperand(x, (unsigned)n), depth - 1);
    }
    return found;
}

bool contiguity_is_of_memory(const struct wg *wg, LLVMValueRef address) {
    return is_of_memory(wg, address, MEMORY_DEPTH);
}

void contiguity_slots(struct wg *wg) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (unsigned n = 0; n < wg->cfg->n; n++) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
                struct slot *slot = LLVMIsAStoreInst(i) ? slots_of_access(&wg->slots, i) : NULL;
                if (slot && !slot->of_memory && is_of_memory(wg, LLVMGetOperand(i, 0), MEMORY_DEPTH)) {
                    slot->of_memory = changed = true;
                }
            }
        }
    }
}

/* What looks takes four blocks: long kernels do it for the MOST that run most often. */
void contiguity_limit(struct wg *wg) {
    enum { MOST = 400, SORTS = 33 };
    unsigned n[SORTS] = {0}, all = 0;
    int64_t stride;
    for (unsigned r = 0; r < wg->nregions; r++) {
        const struct region *region = &wg->regions[r];
        for (size_t b = 0; b < region->blocks.n; b++) {
            unsigned node = (unsigned)(uintptr_t)region->blocks.at[b], runs = width_log_runs(wg, node);
            for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[node]); i;
                 i = LLVMGetNextInstruction(i)) {
                bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
                n[runs] += is_access && !uniform_is(wg->pack, ir_address(i)) &&
                           !uniform_stride(wg->pack, ir_address(i), &stride);
            }
        }
    }
    wg->looks_from = SORTS;
    while (wg->looks_from && all + n[wg->looks_from - 1] <= MOST) {
        all += n[--wg->looks_from];
    }
}

/* Whether code may look for the current access. Where there are no scatters, each lane's store takes as long as that. */
static bool may_look(const struct vec *v, bool writes) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(v->source);
    unsigned node = (unsigned)ptrmap_at(&v->wg->index, block, 0);
    return (writes && !v->k->target->has_scatter) || width_log_runs(v->wg, node) >= v->wg->looks_from;
}

/* Outside loops a look is little, and of local memory post/unroll_tiles.c may leave nothing of it: where it makes copies of a
 * small group's packs, numbers decide. */
static bool is_look_long(const struct vec *v, const struct access *a) {
    LLVMBasicBlockRef block = LLVMGetInstructionParent(v->source);
    bool may_fold = a->kind == MEMORY_LOCAL && (v->k->context_is_small || !v->k->context_per_item);
    return !may_fold && width_log_runs(v->wg, (unsigned)ptrmap_at(&v->wg->index, block, 0)) > 0;
}

/* Whether the index may be computed from ids, not read from memory: then looking is worth it. */
static bool may_be_in_row(struct vec *v, LLVMValueRef index, unsigned depth) {
    if (!LLVMIsAInstruction(index) || wide_of(v, index)->form != FORM_VECTOR) {
        return true;
    }
    if (LLVMIsALoadInst(index)) {
        const struct slot *slot = slots_of_access(&v->wg->slots, index);
        return slot && !slot->of_memory;
    }
    bool may = depth && (!LLVMIsACallInst(index) || ir_is_limit(index));
    for (int n = 0; may && n < LLVMGetNumOperands(index) - (LLVMIsACallInst(index) != NULL); n++) {
        may = may_be_in_row(v, LLVMGetOperand(index, (unsigned)n), depth - 1);
    }
    return may;
}

/* Whether lanes may be on either side of a point where the index goes on elsewhere: a wrap, the end of a tile's row; with
 * `limits`, also where it stays at a limit. */
static bool may_bend(struct vec *v, LLVMValueRef index, bool limits, unsigned depth) {
    if (!LLVMIsAInstruction(index) || wide_of(v, index)->form != FORM_VECTOR) {
        return false;
    }
    bool bends = ir_is_division(index) || LLVMIsASelectInst(index) ||
                 (LLVMIsACallInst(index) && (limits || !ir_is_limit(index))) ||
                 LLVMGetInstructionOpcode(index) == LLVMAnd || LLVMGetInstructionOpcode(index) == LLVMLShr ||
                 slots_of_access(&v->wg->slots, index);
    for (int n = 0; !bends && depth && n < LLVMGetNumOperands(index); n++) {
        bends = may_bend(v, LLVMGetOperand(index, (unsigned)n), limits, depth - 1);
    }
    return bends;
}

/* The one index that differs between lanes, or NULL; *bytes: from one to the next. */
static LLVMValueRef index_of(struct vec *v, LLVMValueRef p, uint64_t *bytes) {
    struct gep_step steps[GEP_STEPS];
    LLVMValueRef index = NULL;
    while (!index && LLVMIsAGetElementPtrInst(p)) {
        unsigned n = ir_gep_steps(LLVMGetModuleDataLayout(v->k->module), p, steps);
        if (!n) {
            return NULL;
        }
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

/* Whether all of the pack's values, which ascend from `first`, are left as they are by the limit. */
static LLVMValueRef within(struct vec *v, LLVMValueRef limiter, LLVMValueRef first, LLVMValueRef limit) {
    LLVMTypeRef type = LLVMTypeOf(first);
    bool is_signed = ir_is_intrinsic(limiter, "llvm.s"),
         is_most = ir_is_intrinsic(limiter, "llvm.smin.") || ir_is_intrinsic(limiter, "llvm.umin.");
    uint64_t greatest = UINT64_MAX >> (64 - LLVMGetIntTypeWidth(type) + is_signed), reach = v->width - 1;
    static const LLVMIntPredicate predicates[2][2] = {{LLVMIntUGE, LLVMIntSGE}, {LLVMIntULE, LLVMIntSLE}};
    LLVMValueRef fits = LLVMBuildICmp(v->b, predicates[is_most][is_signed], first, limit, ""), room = limit;
    if (!is_most) {
        room = LLVMConstInt(type, greatest, 0);
    }
    LLVMValueRef ahead = LLVMBuildSub(v->b, room, first, "");
    LLVMValueRef reaches = LLVMBuildICmp(v->b, LLVMIntUGE, ahead, LLVMConstInt(type, reach, 0), "");
    return LLVMBuildAnd(v->b, fits, reaches, "");
}

/* Whether the limit, which all lanes share, is what all get: of values that ascend or descend evenly. */
static LLVMValueRef beyond(struct vec *v, LLVMValueRef limiter, const struct wide *x, LLVMValueRef limit) {
    bool is_signed = ir_is_intrinsic(limiter, "llvm.s"),
         is_most = ir_is_intrinsic(limiter, "llvm.smin.") || ir_is_intrinsic(limiter, "llvm.umin.");
    static const LLVMIntPredicate at_least[] = {LLVMIntUGE, LLVMIntSGE}, at_most[] = {LLVMIntULE, LLVMIntSLE};
    LLVMIntPredicate past = (is_most ? at_least : at_most)[is_signed],
                     goes_on = (x->stride > 0 ? at_least : at_most)[is_signed];
    uint64_t reach = (uint64_t)x->stride * (v->width - 1);
    LLVMTypeRef type = LLVMTypeOf(x->value);
    LLVMValueRef last = LLVMBuildAdd(v->b, x->value, LLVMConstInt(type, reach, 0), "");
    LLVMValueRef both = LLVMBuildAnd(v->b, LLVMBuildICmp(v->b, past, x->value, limit, ""),
                                     LLVMBuildICmp(v->b, past, last, limit, ""), "");
    return LLVMBuildAnd(v->b, both, LLVMBuildICmp(v->b, goes_on, last, x->value, ""), "beyond");
}

static LLVMValueRef piece(struct vec *v, LLVMValueRef index, int64_t stride, LLVMValueRef *all,
                          unsigned depth);

static LLVMValueRef piece_of_sum(struct vec *v, LLVMValueRef index, int64_t stride, LLVMValueRef *all,
                                 unsigned depth) {
    for (unsigned n = 0; n < 2; n++) {
        LLVMValueRef holds[2], first = piece(v, LLVMGetOperand(index, n), stride, &holds[0], depth - 1);
        LLVMValueRef other = first ? piece(v, LLVMGetOperand(index, 1 - n), 0, &holds[1], depth - 1) : NULL;
        if (other) {
            *all = LLVMBuildAnd(v->b, holds[0], holds[1], "row");
            return LLVMBuildAdd(v->b, first, other, "");
        }
    }
    return NULL;
}

static LLVMValueRef piece_of_limit(struct vec *v, LLVMValueRef index, int64_t stride, LLVMValueRef *all,
                                   unsigned depth) {
    for (unsigned n = 0; n < 2; n++) {
        const struct wide *x = wide_of(v, LLVMGetOperand(index, n)),
                          *limit = wide_of(v, LLVMGetOperand(index, 1 - n));
        if (limit->form != FORM_UNIFORM) {
            continue;
        }
        if (!stride && x->form == FORM_AFFINE && x->stride < INT16_MAX && x->stride > INT16_MIN) {
            *all = beyond(v, index, x, limit->value);
            return limit->value;
        }
        LLVMValueRef before,
            first = stride ? piece(v, LLVMGetOperand(index, n), stride, &before, depth - 1) : NULL;
        if (first) {
            *all = LLVMBuildAnd(v->b, before, within(v, index, first, limit->value), "row");
            return first;
        }
    }
    return NULL;
}

/* Of x % n, n the same for all and x ascending, or x & (n - 1) of a power of two n: whether x comes to a multiple of n in between
 * tells its first remainder. Signed numbers have to be none below 0. */
static LLVMValueRef piece_of_remainder(struct vec *v, LLVMValueRef index, LLVMValueRef *all, unsigned depth) {
    LLVMOpcode op = LLVMGetInstructionOpcode(index);
    LLVMTypeRef type = LLVMTypeOf(index);
    const struct wide *by = wide_of(v, LLVMGetOperand(index, 1));
    LLVMValueRef constant = LLVMIsAConstantInt(LLVMGetOperand(index, 1)), before, last = by->value;
    uint64_t reach = v->width - 1, mask = constant ? LLVMConstIntGetZExtValue(constant) : 0;
    bool is_mask = op == LLVMAnd && mask >= reach && !(mask & (mask + 1));
    bool is_rest = op != LLVMAnd && by->form == FORM_UNIFORM && LLVMGetIntTypeWidth(type) == 32;
    LLVMValueRef x = is_mask || is_rest ? piece(v, LLVMGetOperand(index, 0), 1, &before, depth - 1) : NULL;
    if (!x) {
        return NULL;
    }
    LLVMValueRef first = LLVMBuildBinOp(v->b, op, x, by->value, "");
    if (!is_mask) {
        uint64_t most = UINT64_MAX >> (64 - LLVMGetIntTypeWidth(type) + (op == LLVMSRem));
        LLVMValueRef fits = LLVMBuildICmp(v->b, LLVMIntULE, x, LLVMConstInt(type, most - reach, 0), "");
        LLVMValueRef counts =
            LLVMBuildICmp(v->b, op == LLVMSRem ? LLVMIntSGT : LLVMIntUGT, by->value, LLVMConstNull(type), "");
        before = LLVMBuildAnd(v->b, before, LLVMBuildAnd(v->b, fits, counts, ""), "");
        last = LLVMBuildSub(v->b, last, ir_number(type, 1), "");
    }
    LLVMValueRef ahead = LLVMBuildSub(v->b, last, first, "");
    LLVMValueRef reaches = LLVMBuildICmp(v->b, LLVMIntUGE, ahead, LLVMConstInt(type, reach, 0), "");
    *all = LLVMBuildAnd(v->b, before, reaches, "row");
    return first;
}

/* The first lane's value of an index that has this stride, 0 or 1, if *all holds: for `l + 1 < n ? l + 1 : 0`, whose choice is
 * a compare with scalars, that of its ascending arm; for the least or the greatest of an affine value and one that all
 * lanes share; for what is left of it by such a divisor; for the sum of such. NULL: none of these. */
static LLVMValueRef piece(struct vec *v, LLVMValueRef index, int64_t stride, LLVMValueRef *all,
                          unsigned depth) {
    const struct wide *w = wide_of(v, index);
    if (stride ? ascends(v, index) : w->form == FORM_UNIFORM) {
        *all = LLVMConstInt(LLVMInt1TypeInContext(v->llvm), 1, 0);
        return w->value;
    }
    const struct wide *choice = LLVMIsASelectInst(index) ? wide_of(v, LLVMGetOperand(index, 0)) : NULL;
    if (stride && choice && choice->all && ascends(v, LLVMGetOperand(index, 1))) {
        *all = choice->all;
        return wide_of(v, LLVMGetOperand(index, 1))->value;
    }
    if (stride && choice && choice->any && ascends(v, LLVMGetOperand(index, 2))) {
        *all = LLVMBuildNot(v->b, choice->any, "row");
        return wide_of(v, LLVMGetOperand(index, 2))->value;
    }
    if (!depth || !LLVMIsAInstruction(index)) {
        return NULL;
    }
    switch (LLVMGetInstructionOpcode(index)) {
    case LLVMAdd:
        return piece_of_sum(v, index, stride, all, depth);
    case LLVMAnd:
    case LLVMURem:
    case LLVMSRem:
        return stride ? piece_of_remainder(v, index, all, depth) : NULL;
    default:
        return ir_is_limit(index) ? piece_of_limit(v, index, stride, all, depth) : NULL;
    }
}

/* Each lane's index less the lane's number. */
static LLVMValueRef back_to_first(struct vec *v, LLVMValueRef at) {
    return LLVMBuildSub(v->b, at, wide_ramp(v, LLVMGetElementType(LLVMTypeOf(at)), 1), "");
}

/* The first lane's index, before it is extended; *is_row: i1, those of the active lanes go on in even steps, or wrap
 * around. */
static LLVMValueRef row_of(struct vec *v, LLVMValueRef index, LLVMValueRef *is_row) {
    LLVMTypeRef type = LLVMTypeOf(index);
    if (wide_of(v, index)->form == FORM_AFFINE) {
        *is_row = LLVMConstInt(LLVMInt1TypeInContext(v->llvm), 1, 0);
        return wide_of(v, index)->value;
    }
    LLVMValueRef start = piece(v, index, 1, is_row, DEPTH);
    if (start) {
        return start;
    }
    LLVMValueRef at = vec_defined(v, wide_vector(v, wide_of(v, index), type));
    LLVMValueRef astray = LLVMBuildICmp(v->b, LLVMIntNE, back_to_first(v, at), vec_every(v, at, 0, 0), "");
    *is_row = LLVMBuildNot(v->b, vec_any(v, vec_and(v, v->mask, astray)), "row");
    return LLVMBuildExtractElement(v->b, at, ir_const64(v->llvm, 0), "");
}

/* The address with `first` in place of the index, and its base moved on by `ahead` bytes, unless NULL, which may lead out of
 * the object. */
static LLVMValueRef address_with(struct vec *v, LLVMValueRef p, LLVMValueRef index, LLVMValueRef first,
                                 LLVMValueRef ahead) {
    const struct wide *w = p == index ? NULL : wide_of(v, p);
    bool is_base = w && w->form == FORM_UNIFORM && LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind;
    if (is_base && ahead) {
        return LLVMBuildGEP2(v->b, LLVMInt8TypeInContext(v->llvm), w->value, &ahead, 1, "");
    }
    if (!w || w->form == FORM_UNIFORM) {
        return w ? w->value : first;
    }
    unsigned n = (unsigned)LLVMGetNumOperands(p);
    LLVMValueRef *operands = job_alloc(n * sizeof *operands);
    for (unsigned o = 0; o < n; o++) {
        operands[o] = address_with(v, LLVMGetOperand(p, o), index, first, ahead);
    }
    return LLVMBuildGEP2(v->b, LLVMGetGEPSourceElementType(p), operands[0], operands + 1, n - 1, "");
}

/* i1: indices that begin at `first`, a step apart, don't wrap around. */
static LLVMValueRef fits(struct vec *v, LLVMValueRef first, int64_t step, bool is_signed) {
    LLVMTypeRef type = LLVMTypeOf(first);
    uint64_t most = UINT64_MAX >> (64 - LLVMGetIntTypeWidth(type) + is_signed);
    uint64_t least = is_signed ? ~most : 0, reach = (uint64_t)step * (v->width - 1);
    static const LLVMIntPredicate predicates[2][2] = {{LLVMIntUGE, LLVMIntSGE}, {LLVMIntULE, LLVMIntSLE}};
    return LLVMBuildICmp(v->b, predicates[step > 0][is_signed], first,
                         LLVMConstInt(type, (step > 0 ? most : least) - reach, 0), "");
}

unsigned *contiguity_order(struct vec *v, const struct access *a, LLVMValueRef *start) {
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
    *start = address_with(v, a->at, index, first, NULL);
    return seen == UINT64_MAX >> (64 - v->width) ? order : NULL;
}

bool contiguity_single_index(struct vec *v, const struct access *a, struct index *x) {
    x->bytes = 0;
    x->ahead = NULL;
    x->value = x->extended = index_of(v, a->at, &x->bytes);
    if (!x->value) {
        return false;
    }
    x->is_signed = LLVMIsASExtInst(x->extended);
    if (x->is_signed || LLVMIsAZExtInst(x->extended)) {
        x->value = LLVMGetOperand(x->extended, 0);
    }
    return LLVMGetTypeKind(LLVMTypeOf(x->value)) == LLVMIntegerTypeKind;
}

/* How far elements are apart where the index doesn't bend, in bytes. */
static int64_t stride_of(struct vec *v, const struct index *x) {
    const struct wide *w = wide_of(v, x->value);
    return (w->form == FORM_AFFINE ? w->stride : 1) * (int64_t)x->bytes;
}

/* Whether the index counts elements. */
static bool counts_elements(const struct access *a, const struct index *x) {
    return x->bytes == (uint64_t)a->size * a->n;
}

bool contiguity_index(struct vec *v, const struct access *a, struct index *x) {
    bool is_one = contiguity_single_index(v, a, x);
    if (!is_one || (!counts_elements(a, x) && stride_of(v, x) != a->size * a->n)) {
        return false;
    }
    LLVMTypeRef type = LLVMTypeOf(x->value);
    x->bends = may_bend(v, x->value, false, DEPTH);
    x->is_limited = may_bend(v, x->value, true, DEPTH);
    /* An affine index is known anyway, whatever its stride: nothing is looked for. */
    x->is_no_row = wide_of(v, x->value)->form != FORM_AFFINE && is_look_long(v, a) &&
                   congruence_is_no_row(v->wg, x->value);
    return LLVMGetIntTypeWidth(type) >= 32 && may_be_in_row(v, x->value, DEPTH);
}

LLVMValueRef contiguity_address(struct vec *v, const struct access *a, const struct index *x,
                                LLVMValueRef number) {
    LLVMTypeRef type = LLVMTypeOf(x->extended);
    bool is_vector = LLVMGetTypeKind(LLVMTypeOf(number)) == LLVMVectorTypeKind;
    LLVMValueRef extended =
        LLVMBuildIntCast2(v->b, number, is_vector ? vec_type(v, type) : type, x->is_signed, "");
    return address_with(v, a->at, x->extended, extended, x->ahead);
}

/* The row's address, from where the first lane that is on has its element: what an index of 32 bits is before that, by a wrap, is
 * another place. */
static LLVMValueRef address_by_lane_on(struct vec *v, const struct access *a, const struct index *x,
                                       const struct wide *w) {
    if (v->mask == v->row || x->value == x->extended) {
        return contiguity_address(v, a, x, w->value);
    }
    LLVMTypeRef type = LLVMTypeOf(w->value), i64 = LLVMInt64TypeInContext(v->llvm);
    LLVMValueRef lane = vec_first(v, v->mask),
                 ahead = LLVMBuildMul(v->b, LLVMBuildIntCast2(v->b, lane, type, 0, ""),
                                      LLVMConstInt(type, (uint64_t)w->stride, 1), "");
    LLVMValueRef at = contiguity_address(v, a, x, LLVMBuildAdd(v->b, w->value, ahead, ""));
    LLVMValueRef back = LLVMBuildMul(v->b, LLVMBuildIntCast2(v->b, lane, i64, 0, ""),
                                     ir_const64(v->llvm, -((uint64_t)w->stride * x->bytes)), "");
    return ir_offset(v->b, at, back, "");
}

LLVMValueRef contiguity_one_row(struct vec *v, const struct access *a, const struct index *x,
                                struct wide *row, bool writes) {
    LLVMValueRef is_row = NULL;
    const int64_t stride = stride_of(v, x);
    if (!access_has_short_form(v, a, stride, writes)) {
        return NULL;
    }
    const struct wide *w = wide_of(v, x->value);
    /* Of less than 2^31 bytes: two elements that lanes access aren't on both sides of a wrap. */
    bool in_object = object_of(a->at) != NULL;
    if (w->form == FORM_AFFINE && in_object) {
        *row = (struct wide){.form = FORM_AFFINE, .stride = stride};
        row->value = address_by_lane_on(v, a, x, w);
        return LLVMConstInt(LLVMInt1TypeInContext(v->llvm), 1, 0);
    }
    if (!may_look(v, writes)) {
        return NULL;
    }
    LLVMValueRef first = row_of(v, x->value, &is_row);
    /* Nothing is known of a first lane that is off: it accesses nothing. */
    bool may_wrap = x->value != x->extended && !(in_object && !v->mask);
    if (may_wrap) { /* before it is extended: two rows */
        first = LLVMBuildFreeze(v->b, first, "");
        is_row = LLVMBuildAnd(v->b, is_row, fits(v, first, stride / (int64_t)x->bytes, x->is_signed), "row");
    }
    *row = (struct wide){.form = FORM_AFFINE, .stride = stride};
    row->value = contiguity_address(v, a, x, first);
    return is_row;
}

/* Whether the index is computed from quotients of ids alone: it often is the same in all lanes. */
static bool may_be_one(struct vec *v, LLVMValueRef index, unsigned depth) {
    if (wide_of(v, index)->form == FORM_UNIFORM) {
        return true;
    }
    if (!LLVMIsAInstruction(index) || !depth || wide_of(v, index)->form != FORM_VECTOR) {
        return false;
    }
    switch (LLVMGetInstructionOpcode(index)) {
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr:
        return may_be_in_row(v, index, depth) && wide_of(v, LLVMGetOperand(index, 1))->form == FORM_UNIFORM;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMAnd:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMTrunc:
    case LLVMURem:
    case LLVMSRem:
    case LLVMFreeze:
        for (int n = 0; n < LLVMGetNumOperands(index); n++) {
            if (!may_be_one(v, LLVMGetOperand(index, (unsigned)n), depth - 1)) {
                return false;
            }
        }
        return true;
    default:
        return false;
    }
}

/* What the index is made of, with numbers that lanes share: lanes that agree about that agree about the index. It has fewer bits
 * than the index, mostly, and who only asks whether lanes agree needs no index of each. */
static LLVMValueRef varying_part(struct vec *v, LLVMValueRef index) {
    while (LLVMIsAInstruction(index)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(index);
        bool is_cast = op == LLVMZExt || op == LLVMSExt;
        if (!is_cast && op != LLVMAdd && op != LLVMSub && op != LLVMMul && op != LLVMShl) {
            break;
        }
        LLVMValueRef x = LLVMGetOperand(index, 0), y = is_cast ? x : LLVMGetOperand(index, 1);
        bool x_varies = wide_of(v, x)->form != FORM_UNIFORM;
        if ((!is_cast && x_varies == (wide_of(v, y)->form != FORM_UNIFORM)) ||
            wide_of(v, x_varies ? x : y)->form != FORM_VECTOR) {
            break;
        }
        index = x_varies ? x : y;
    }
    return index;
}

LLVMValueRef contiguity_one_place(struct vec *v, const struct access *a, LLVMValueRef *place) {
    uint64_t bytes = 0;
    LLVMValueRef index = index_of(v, a->at, &bytes);
    if (!index || !may_look(v, false) || wide_of(v, index)->at || wide_is_interleaved(v, a->at) ||
        !may_be_one(v, index, QUOTIENT_DEPTH)) {
        return NULL;
    }
    LLVMValueRef part = varying_part(v, index), lane = vec_first(v, v->mask);
    LLVMValueRef at = vec_defined(v, wide_vector(v, wide_of(v, index), LLVMTypeOf(index)));
    LLVMValueRef parts =
        part == index ? at : vec_defined(v, wide_vector(v, wide_of(v, part), LLVMTypeOf(part)));
    LLVMValueRef first = LLVMBuildExtractElement(v->b, parts, lane, "");
    LLVMValueRef differ = LLVMBuildICmp(v->b, LLVMIntNE, parts, wide_splat(v, first), "");
    *place = address_with(v, a->at, index, LLVMBuildExtractElement(v->b, at, lane, ""), NULL);
    return LLVMBuildNot(v->b, vec_any(v, vec_and(v, v->mask, differ)), "one.place");
}

/* The lanes whose index is as far from lane `end`'s as they are from it; none on its other side by a wrap. */
static LLVMValueRef lanes_in_row(struct vec *v, const struct index *x, LLVMValueRef at, LLVMValueRef back,
                                 unsigned end) {
    LLVMValueRef ours = LLVMBuildICmp(v->b, LLVMIntEQ, back, vec_every(v, back, end, 0), "");
    LLVMIntPredicate p = end            ? x->is_signed ? LLVMIntSLE : LLVMIntULE
                         : x->is_signed ? LLVMIntSGE
                                        : LLVMIntUGE;
    return LLVMBuildAnd(v->b, ours, LLVMBuildICmp(v->b, p, at, vec_every(v, at, end, 0), ""), "");
}

LLVMValueRef contiguity_two_rows(struct vec *v, const struct access *a, const struct index *x,
                                 struct rows *rows) {
    bool is_masked_well = access_is_own(a->kind) || v->k->target->has_mask_registers || a->size >= 4;
    if (a->n > 1 || !is_masked_well || !x->bends || x->is_no_row || !counts_elements(a, x)) {
        return NULL;
    }
    LLVMValueRef at = vec_defined(v, wide_vector(v, wide_of(v, x->value), LLVMTypeOf(x->value)));
    LLVMValueRef back = back_to_first(v, at);
    LLVMValueRef ours = lanes_in_row(v, x, at, back, 0), theirs = lanes_in_row(v, x, at, back, v->width - 1);
    LLVMValueRef astray = LLVMBuildNot(v->b, LLVMBuildOr(v->b, ours, theirs, ""), "");
    theirs = LLVMBuildAnd(v->b, theirs, LLVMBuildNot(v->b, ours, ""), "");
    rows->mask[0] = vec_and(v, v->mask, ours);
    rows->mask[1] = vec_and(v, v->mask, theirs);
    LLVMValueRef first = LLVMBuildExtractElement(v->b, at, ir_const64(v->llvm, 0), "");
    LLVMValueRef last = LLVMBuildExtractElement(v->b, at, ir_const64(v->llvm, v->width - 1), "");
    LLVMValueRef ahead = ir_const64(v->llvm, (uint64_t)-a->size * (v->width - 1));
    LLVMValueRef second = ir_offset(v->b, contiguity_address(v, a, x, last), ahead, "");
    rows->row[0] =
        (struct wide){.form = FORM_AFFINE, .stride = a->size, .value = contiguity_address(v, a, x, first)};
    rows->row[1] = (struct wide){.form = FORM_AFFINE, .stride = a->size, .value = second};
    return LLVMBuildNot(v->b, vec_any(v, vec_and(v, v->mask, astray)), "rows");
}

LLVMValueRef contiguity_window(struct vec *v, const struct access *a, const struct index *x, struct window *w,
                               bool writes) {
    if (!window_may_be(v, a, writes) || !x->is_limited || !counts_elements(a, x) || !may_look(v, writes) ||
        !congruence_may_be_within(v->wg, x->value, 2 * v->width)) {
        return NULL;
    }
    LLVMTypeRef type = LLVMTypeOf(x->value);
    LLVMValueRef at = vec_defined(v, wide_vector(v, wide_of(v, x->value), type)), first;
    LLVMValueRef is_window = window_find(v, at, writes, &first, w);
    if (x->value != x->extended) { /* what wraps around before it is extended is no window */
        uint64_t most = UINT64_MAX >> (64 - LLVMGetIntTypeWidth(type) + x->is_signed);
        LLVMValueRef last = LLVMConstInt(type, most - 2 * v->width, 0);
        LLVMValueRef fits = LLVMBuildICmp(v->b, x->is_signed ? LLVMIntSLE : LLVMIntULE, first, last, "");
        is_window = LLVMBuildAnd(v->b, is_window, fits, "");
    }
    w->address = contiguity_address(v, a, x, first);
    return is_window;
}

LLVMValueRef contiguity_addresses(struct vec *v, const struct access *a, const struct index *x) {
    return contiguity_address(v, a, x, wide_vector(v, wide_of(v, x->value), LLVMTypeOf(x->value)));
}
