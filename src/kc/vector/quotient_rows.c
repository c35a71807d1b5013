/* quotient_rows.c: accesses of a pack that goes from one row of a tile on to the next, where a constant says how long rows are.
 *
 * In: an access whose index has quotients and remainders, by multiples of a constant d, of one number that goes up by one from
 * lane to lane. Out: a vector under a mask for each row that the pack may be in. Nobody looks at run time, and of the addresses only
 * the one is computed at which each row begins:
 *     s[i] = in[i / 18 * pitch + i % 18], W = 8, i = 12 in lane 0      lanes 0 to 5 read from in + 12 on, 6 and 7 from in + pitch on
 * The proof: until the number comes to the next multiple of d, quotients stay what they are and remainders go up by one; so the
 * address goes up by what find_slope adds up, which has to be one element. The number doesn't wrap around between lanes that are
 * on. Lanes that are off tell nothing: each row goes by its first lane that is on, so an index of 32 bits doesn't wrap around from
 * there on, within one object of less than 2^31 bytes.
 * What it can't do: numbers that go up by more than one, divisors that only the run tells, packs that may be in more than
 * MOST_ROWS, and what other blocks have computed of the number. */
#include "vector.h"

enum { MOST_ROWS = 3, DEPTH = 8 };

struct quotient_rows {
    LLVMValueRef number; /* that is divided, as the work-item has it */
    uint64_t d;
    /* of the row at hand: */
    LLVMValueRef lane, quotient; /* the lane that the row goes by, an i32; the number by d in this row */
    struct ptrmap values;        /* in that lane, of what the index is made of */
};

static bool ascends(struct vec *v, LLVMValueRef x) {
    const struct wide *w = wide_of(v, x);
    return w->form == FORM_AFFINE && w->stride == 1;
}

/* The constant by which this divides an ascending number; 0: it doesn't. */
static uint64_t divisor_of(struct vec *v, LLVMValueRef x) {
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    bool divides = (op == LLVMUDiv || op == LLVMURem) && LLVMIsAConstantInt(LLVMGetOperand(x, 1)) &&
                   ascends(v, LLVMGetOperand(x, 0));
    return divides ? LLVMConstIntGetZExtValue(LLVMGetOperand(x, 1)) : 0;
}

/* Whether both are the same number: cheap ones are computed again for each use. */
static bool is_same(LLVMValueRef x, LLVMValueRef y, unsigned depth) {
    unsigned of_x = 0, of_y = 0;
    if (x == y) {
        return true;
    }
    if (!depth || !LLVMIsAInstruction(x) || !LLVMIsAInstruction(y) || LLVMTypeOf(x) != LLVMTypeOf(y) ||
        LLVMGetInstructionOpcode(x) != LLVMGetInstructionOpcode(y)) {
        return false;
    }
    if (intrinsic_id(x, NULL)) {
        return intrinsic_id(x, &of_x) == intrinsic_id(y, &of_y) && of_x == of_y;
    }
    bool is = LLVMIsABinaryOperator(x) || LLVMIsACastInst(x);
    for (int n = 0; is && n < LLVMGetNumOperands(x); n++) {
        is = is_same(LLVMGetOperand(x, (unsigned)n), LLVMGetOperand(y, (unsigned)n), depth - 1);
    }
    return is;
}

/* Looks for the number, and the least of its divisors. */
static void find_number(struct vec *v, struct quotient_rows *q, LLVMValueRef x, unsigned depth) {
    if (!depth || !LLVMIsAInstruction(x) || wide_of(v, x)->form != FORM_VECTOR) {
        return;
    }
    uint64_t d = divisor_of(v, x);
    if (d && (!q->number || (d < q->d && is_same(q->number, LLVMGetOperand(x, 0), DEPTH)))) {
        q->number = LLVMGetOperand(x, 0);
        q->d = d;
    }
    for (int n = 0; n < LLVMGetNumOperands(x) - !!LLVMIsACallInst(x); n++) {
        find_number(v, q, LLVMGetOperand(x, (unsigned)n), depth - 1);
    }
}

/* Whether it is the number's quotient or remainder by a multiple of d. */
static bool divides_number(struct vec *v, const struct quotient_rows *q, LLVMValueRef x) {
    uint64_t divisor =
        LLVMIsABinaryOperator(x) && is_same(LLVMGetOperand(x, 0), q->number, DEPTH) ? divisor_of(v, x) : 0;
    return divisor && divisor % q->d == 0;
}

/* The constant by which a value is multiplied; 0: it isn't. */
static int64_t factor_of(LLVMValueRef x) {
    LLVMOpcode op = LLVMGetInstructionOpcode(x);
    LLVMValueRef y = op == LLVMMul || op == LLVMShl ? LLVMGetOperand(x, 1) : NULL;
    int64_t by = y && LLVMIsAConstantInt(y) ? LLVMConstIntGetSExtValue(y) : 0;
    bool is_small = op == LLVMMul ? by < INT16_MAX && by > -INT16_MAX : by < 15;
    return !y || !LLVMIsAConstantInt(y) || !is_small ? 0 : op == LLVMMul ? by : INT64_C(1) << by;
}

static bool is_number(LLVMValueRef x) {
    return LLVMGetTypeKind(LLVMTypeOf(x)) == LLVMIntegerTypeKind;
}

/* How many operands it has if it may be computed in one lane by itself, which may be off: no division by what is 0 there. */
static unsigned operands_of(struct vec *v, LLVMValueRef x) {
    bool is_call = LLVMIsACallInst(x) != NULL;
    bool may = LLVMIsABinaryOperator(x) || LLVMIsACastInst(x) || LLVMIsAICmpInst(x) || LLVMIsASelectInst(x) ||
               ir_is_limit(x);
    bool is_safe = !ir_is_division(x) || wide_of(v, LLVMGetOperand(x, 1))->form == FORM_UNIFORM;
    return may && is_safe && is_number(x) ? (unsigned)LLVMGetNumOperands(x) - is_call : 0;
}

/* By how much the value goes up from lane to lane as long as the number is between multiples of d. False: who knows. */
static bool find_slope(struct vec *v, const struct quotient_rows *q, LLVMValueRef x, unsigned depth,
                       int64_t *slope) {
    const struct wide *w = wide_of(v, x);
    *slope = w->form == FORM_AFFINE ? w->stride : 0;
    if (w->form == FORM_UNIFORM || w->form == FORM_AFFINE) {
        return is_number(x);
    }
    unsigned n = depth && LLVMIsAInstruction(x) && w->form == FORM_VECTOR ? operands_of(v, x) : 0;
    int64_t of[3] = {0}, by = n ? factor_of(x) : 0, most = INT16_MAX;
    if (n && divides_number(v, q, x)) {
        *slope = LLVMGetInstructionOpcode(x) == LLVMURem;
        return true;
    }
    bool found = n, stays = true;
    for (unsigned o = 0; o < n && found; o++) {
        found = find_slope(v, q, LLVMGetOperand(x, o), depth - 1, &of[o]) && of[o] <= most && of[o] >= -most;
        stays &= !of[o];
    }
    if (!found || stays) {
        return found;
    }
    switch (LLVMGetInstructionOpcode(x)) {
    case LLVMOr:
        *slope = of[0] + of[1];
        return LLVMGetIsDisjoint(x);
    case LLVMAdd:
        *slope = of[0] + of[1];
        return true;
    case LLVMSub:
        *slope = of[0] - of[1];
        return true;
    case LLVMMul:
    case LLVMShl:
        *slope = of[0] * by;
        return by;
    case LLVMTrunc:
        *slope = of[0];
        return true;
    case LLVMZExt: /* what is less than a divisor doesn't wrap around */
        *slope = of[0];
        return divides_number(v, q, LLVMGetOperand(x, 0));
    default:
        return false;
    }
}

/* Whether a row's first index takes more than the quotient by d. */
static bool is_dear(struct vec *v, const struct quotient_rows *q, LLVMValueRef x, unsigned depth) {
    bool is = depth && LLVMIsAInstruction(x) && wide_of(v, x)->form == FORM_VECTOR, found = false;
    for (int n = 0; is && n < LLVMGetNumOperands(x); n++) {
        found |= is_dear(v, q, LLVMGetOperand(x, (unsigned)n), depth - 1);
    }
    return found || (is && ir_is_division(x) && divisor_of(v, x) != q->d);
}

/* The value, or the address, in the lane that the row goes by. */
static LLVMValueRef in_lane(struct vec *v, struct quotient_rows *q, LLVMValueRef x) {
    const struct wide *w = wide_of(v, x);
    uintptr_t known;
    if (w->form == FORM_UNIFORM) {
        return w->value;
    }
    if (ptrmap_get(&q->values, x, &known)) {
        return (LLVMValueRef)known;
    }
    LLVMTypeRef type = LLVMTypeOf(x);
    LLVMValueRef result;
    if (w->form == FORM_AFFINE) {
        LLVMValueRef lane = LLVMBuildIntCast2(v->b, q->lane, type, 0, "");
        LLVMValueRef ahead = LLVMBuildMul(v->b, lane, LLVMConstInt(type, (uint64_t)w->stride, 1), "");
        result = LLVMBuildAdd(v->b, w->value, ahead, "");
    } else if (divides_number(v, q, x)) {
        uint64_t divisor = divisor_of(v, x);
        result = LLVMBuildUDiv(v->b, q->quotient, LLVMConstInt(type, divisor / q->d, 0), "");
        if (LLVMGetInstructionOpcode(x) == LLVMURem) {
            LLVMValueRef whole = LLVMBuildMul(v->b, result, LLVMConstInt(type, divisor, 0), "");
            result = LLVMBuildSub(v->b, in_lane(v, q, q->number), whole, "");
        }
    } else {
        unsigned n = LLVMIsAGetElementPtrInst(x) ? (unsigned)LLVMGetNumOperands(x) : operands_of(v, x);
        LLVMValueRef *operands = job_alloc(n * sizeof *operands);
        for (unsigned o = 0; o < n; o++) {
            operands[o] = in_lane(v, q, LLVMGetOperand(x, o));
        }
        result = LLVMInstructionClone(x);
        for (unsigned o = 0; o < n; o++) {
            LLVMSetOperand(result, o, operands[o]);
        }
        ir_drop_flags(result);
        LLVMInsertIntoBuilderWithName(v->b, result, "");
    }
    ptrmap_set(&q->values, x, (uintptr_t)result);
    return result;
}

/* The next index of an address that differs between lanes, from p and its step number *at on, which are set to what comes next; before
 * it is extended, too. NULL: there is no more, and p is uniform, or none of this kind. */
static LLVMValueRef next_index(struct vec *v, LLVMValueRef *p, unsigned *at, uint64_t *bytes) {
    for (; LLVMIsAGetElementPtrInst(*p) && wide_of(v, *p)->form == FORM_VECTOR;
         *p = LLVMGetOperand(*p, 0), *at = 0) {
        struct gep_step steps[GEP_STEPS];
        unsigned n = ir_gep_steps(LLVMGetModuleDataLayout(v->k->module), *p, steps);
        while (*at < n) {
            const struct gep_step *step = &steps[(*at)++];
            if (step->index && wide_of(v, step->index)->form != FORM_UNIFORM) {
                *bytes = step->bytes;
                return step->index;
            }
        }
        if (!n) {
            return NULL;
        }
    }
    return NULL;
}

/* Of an index that is extended what it was before: within one object it wraps around between no two elements. */
static LLVMValueRef unextended(LLVMValueRef index, bool in_object) {
    bool is = in_object && (LLVMIsAZExtInst(index) || LLVMIsASExtInst(index));
    return is ? LLVMGetOperand(index, 0) : index;
}

/* Whether an element's address goes up by its size from lane to lane, by one index. */
static bool is_row(struct vec *v, const struct quotient_rows *q, const struct access *a) {
    bool in_object = object_of(a->at) != NULL;
    LLVMValueRef p = a->at;
    uint64_t bytes;
    int64_t slope, total = 0;
    unsigned at = 0;
    for (LLVMValueRef i; (i = next_index(v, &p, &at, &bytes));) {
        bool is_narrow = LLVMGetIntTypeWidth(LLVMTypeOf(i)) < 64;
        if (!find_slope(v, q, unextended(i, in_object), DEPTH, &slope) || (slope && (total || is_narrow))) {
            return false;
        }
        total += slope * (int64_t)bytes;
    }
    return total == a->size && wide_of(v, p)->form == FORM_UNIFORM;
}

/* Whether the access goes by such rows, at most *n of them. */
static bool find(struct vec *v, const struct access *a, struct quotient_rows *q, unsigned *n, bool writes) {
    bool has_masks = access_has_masks(v, a), is_masked_well = !writes || has_masks || a->size >= 4,
         is_shared = a->kind == MEMORY_LOCAL || !access_is_own(a->kind);
    *q = (struct quotient_rows){0};
    LLVMValueRef p = a->at;
    uint64_t bytes;
    unsigned at = 0;
    for (LLVMValueRef i; a->n == 1 && is_shared && is_masked_well && v->k->rows == 1 &&
                         (i = next_index(v, &p, &at, &bytes));) {
        find_number(v, q, i, DEPTH);
    }
    if (!q->number || !q->d || q->d > INT16_MAX || !uniform_is_exact(v->wg->pack, q->number, false) ||
        !is_row(v, q, a)) {
        return false;
    }
    if (!has_masks && q->d % v->width == 0) { /* packs begin where rows may: a look finds one */
        return false;
    }
    *n = 1 + (v->width - 1 + (unsigned)q->d - 1) / (unsigned)q->d;
    return *n <= MOST_ROWS;
}

/* Where lane 0's element would be if it were in the row at hand, too. */
static LLVMValueRef row_at(struct vec *v, const struct access *a, struct quotient_rows *q) {
    q->values = (struct ptrmap){0};
    LLVMValueRef lane = LLVMBuildZExt(v->b, q->lane, LLVMInt64TypeInContext(v->llvm), "");
    LLVMValueRef back = LLVMBuildMul(v->b, lane, ir_const64(v->llvm, (uint64_t)-a->size), "");
    return ir_offset(v->b, in_lane(v, q, a->at), back, "");
}

/* What the rows have, one after the other: from the first one's first lane on, before `end`. */
static LLVMValueRef access_rows(struct vec *v, const struct access *a, struct quotient_rows *q, unsigned n,
                                LLVMValueRef end, LLVMValueRef written) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm), type = LLVMTypeOf(q->number);
    LLVMValueRef mask = v->mask, lanes = wide_ramp(v, i32, 1), begin = q->lane, quotient = q->quotient,
                 result = NULL;
    for (unsigned r = 0; r < n; r++) {
        LLVMValueRef before = LLVMBuildICmp(v->b, LLVMIntULT, lanes, wide_splat(v, end), ""),
                     from = LLVMBuildICmp(v->b, LLVMIntUGE, lanes, wide_splat(v, begin), "");
        LLVMValueRef in_row = r && r + 1 < n ? LLVMBuildAnd(v->b, from, before, "") : r ? from : before;
        v->mask = vec_and(v, mask, in_row);
        q->lane = mask ? vec_first(v, v->mask) : begin;
        q->quotient = LLVMBuildAdd(v->b, quotient, LLVMConstInt(type, r, 0), "");
        LLVMValueRef at = row_at(v, a, q);
        if (written) {
            access_write(v, written, at, a->align, v->mask, a->kind);
        } else {
            LLVMValueRef read = access_read_row(v, a, at, v->mask);
            result = result ? LLVMBuildSelect(v->b, in_row, read, result, "") : read;
        }
        begin = end;
        end = LLVMBuildAdd(v->b, end, LLVMConstInt(i32, q->d, 0), "");
    }
    v->mask = mask;
    return result;
}

bool quotient_rows_access(struct vec *v, const struct access *given, LLVMValueRef *part, bool writes) {
    struct quotient_rows q;
    struct access masked = *given, *a = &masked;
    unsigned n;
    if (!find(v, a, &q, &n, writes)) {
        return false;
    }
    a->kind = access_is_own(a->kind) ? MEMORY_OTHER : a->kind; /* where no lane is on there may be nothing */
    LLVMTypeRef i32 = LLVMInt32TypeInContext(v->llvm), type = LLVMTypeOf(q.number);
    q.lane = v->mask == v->row ? LLVMConstInt(i32, 0, 0) : vec_first(v, v->mask);
    LLVMValueRef d = LLVMConstInt(type, q.d, 0), number = in_lane(v, &q, q.number);
    LLVMValueRef quotient = q.quotient = LLVMBuildUDiv(v->b, number, d, "");
    LLVMValueRef rest = LLVMBuildSub(v->b, number, LLVMBuildMul(v->b, quotient, d, ""), "");
    LLVMValueRef left = LLVMBuildIntCast2(v->b, LLVMBuildSub(v->b, d, rest, ""), i32, 0, ""),
                 end = LLVMBuildAdd(v->b, q.lane, left, "end");
    bool is_split = access_has_masks(v, a) ? q.d < 2 * (v->width - 1) || !is_dear(v, &q, a->at, DEPTH + 4)
                                           : q.d < v->width;
    if (v->mask || is_split) {
        LLVMValueRef all = access_rows(v, a, &q, n, end, writes ? *part : NULL);
        *part = writes ? *part : all;
        return true;
    }
    LLVMBasicBlockRef from[] = {ir_block(v->k->run, "one.row"), ir_block(v->k->run, "rows")},
                      next = ir_block(v->k->run, "rows.next");
    LLVMValueRef is_one = LLVMBuildICmp(v->b, LLVMIntUGE, end, LLVMConstInt(i32, v->width, 0), ""), ways[2];
    ir_expect(LLVMBuildCondBr(v->b, is_one, from[0], from[1]));
    for (unsigned w = 0; w < 2; w++) {
        LLVMPositionBuilderAtEnd(v->b, from[w]);
        q.lane = LLVMConstInt(i32, 0, 0);
        q.quotient = quotient;
        if (w) {
            ways[w] = access_rows(v, a, &q, n, end, writes ? *part : NULL);
        } else if (writes) {
            access_write(v, *part, row_at(v, a, &q), a->align, NULL, a->kind);
        } else {
            ways[w] = access_read(v, a->type, row_at(v, a, &q), a->align, NULL, a->kind);
        }
        from[w] = LLVMGetInsertBlock(v->b);
        LLVMBuildBr(v->b, next);
    }
    LLVMPositionBuilderAtEnd(v->b, next);
    if (!writes) {
        *part = LLVMBuildPhi(v->b, vec_type(v, a->type), "");
        LLVMAddIncoming(*part, ways, from, 2);
    }
    return true;
}
