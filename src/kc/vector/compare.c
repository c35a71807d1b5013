/* compare.c: compares of what ascends from lane to lane with what all lanes share.
 *
 * In: an integer compare of a pack. Out: scalars that say whether it holds for all lanes, or for some (struct wide: `all`,
 * `any`), by the first and the last lane alone; and for 64 bits forms that take half as many vectors. So packs that a
 * range of ids lets in or leaves out as a whole cost a scalar branch or two.
 *     l < n, lanes 8 to 15            any: 8 < n       all: 15 < n
 *     n - l > m, lanes 8 to 15        the same of ~(n - l) < ~m
 *     x + l >= 0, which may wrap      all: x + 8 >= 0 and x + 8 <= x + 15
 * Of several compares together (condition.c), each is also a range of places in the row, by bounds that are the same for all
 * packs: a pack lies within all ranges, or not, by two compares with the greatest beginning and the least end.
 *     0 <= x + l && l < n             places from max(0, -x) to min(n, size); the loop over packs computes both once
 * What it can't do: operands that both differ between lanes, and ranges of steps other than one. */
#include "vector.h"

/* A compare of what ascends evenly from lane to lane with what all lanes share. */
struct ascent {
    LLVMValueRef value; /* the operand that ascends, or descends */
    LLVMIntPredicate p;
    LLVMValueRef first, bound; /* lane 0's, and what it is compared with */
    uint64_t stride, reach;    /* to the next lane, and to the last */
    bool is_signed, is_order, descends;
};

/* What descends is compared as its complement, which ascends: x < y is ~x > ~y. False: the compare isn't of that kind. */
static bool find_ascent(struct vec *v, LLVMValueRef i, struct ascent *a) {
    *a = (struct ascent){.value = LLVMGetOperand(i, 0), .p = LLVMGetICmpPredicate(i)};
    LLVMValueRef fixed = LLVMGetOperand(i, 1);
    if (wide_of(v, a->value)->form == FORM_UNIFORM) {
        fixed = a->value;
        a->value = LLVMGetOperand(i, 1);
        a->p = ir_swapped(a->p);
    }
    const struct wide *x = wide_of(v, a->value), *bound = wide_of(v, fixed);
    if (x->form != FORM_AFFINE || !x->stride || bound->form != FORM_UNIFORM || x->stride > UINT16_MAX ||
        x->stride < -UINT16_MAX || LLVMGetTypeKind(LLVMTypeOf(a->value)) != LLVMIntegerTypeKind) {
        return false;
    }
    bool descends = a->descends = x->stride < 0;
    a->first = descends ? LLVMBuildNot(v->b, x->value, "") : x->value;
    a->bound = descends ? LLVMBuildNot(v->b, bound->value, "") : bound->value;
    a->p = descends ? ir_swapped(a->p) : a->p;
    a->stride = (uint64_t)(descends ? -x->stride : x->stride);
    a->reach = a->stride * (v->width - 1);
    a->is_signed = a->p == LLVMIntSLT || a->p == LLVMIntSLE || a->p == LLVMIntSGT || a->p == LLVMIntSGE;
    a->is_order = a->p != LLVMIntEQ && a->p != LLVMIntNE;
    return true;
}

/* `x < bound` and its like for lanes that ascend from `x` to `last`, the active ones from lane 0 on: scalars that say
 * whether it holds for some lane and for all. Compares of one work-item's id skip packs at the price of a scalar. */
static void bound_compare(struct vec *v, LLVMIntPredicate p, LLVMValueRef x, LLVMValueRef last,
                          LLVMValueRef bound, struct wide *result) {
    bool full = !v->mask;
    switch (p) {
    case LLVMIntULT:
    case LLVMIntULE:
    case LLVMIntSLT:
    case LLVMIntSLE:
        result->any = LLVMBuildICmp(v->b, p, x, bound, "any");
        result->all = full ? LLVMBuildICmp(v->b, p, last, bound, "all") : NULL;
        break;
    case LLVMIntUGT:
    case LLVMIntUGE:
    case LLVMIntSGT:
    case LLVMIntSGE:
        result->any = full ? LLVMBuildICmp(v->b, p, last, bound, "any") : NULL;
        result->all = LLVMBuildICmp(v->b, p, x, bound, "all");
        break;
    default:
        break;
    }
}

/* Whether no lane of the affine value wraps around, on whatever paths work-items may be: an id. */
static bool never_wraps(LLVMValueRef v) {
    v = ir_unextended(v);
    return intrinsic_id(v, NULL) || subgroup_is_lane_id(v);
}

/* The flags that say so hold for the lanes that need the value: LLVM computes it for others, too, where it may wrap around
 * and the compare's result is ignored. Then the two ends tell nothing of the lanes between them. */
static void doubt_bounds(struct vec *v, LLVMValueRef first, LLVMValueRef last, bool is_signed,
                         struct wide *result) {
    LLVMValueRef ascends = LLVMBuildICmp(v->b, is_signed ? LLVMIntSLE : LLVMIntULE, first, last, "ascends");
    if (result->any) {
        result->any = LLVMBuildOr(v->b, result->any, LLVMBuildNot(v->b, ascends, ""), "any");
    }
    if (result->all) {
        result->all = LLVMBuildAnd(v->b, result->all, ascends, "all");
    }
}

static LLVMValueRef limit(struct vec *v, const char *intrinsic, LLVMValueRef x, LLVMValueRef y) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    LLVMValueRef args[] = {x, y};
    return vec_intrinsic(v, intrinsic, &i64, 1, args, 2);
}

/* How many steps of lanes, of those that `reach` from the first to the last, lie before the bound; `to`: or on it. */
static LLVMValueRef steps_before(struct vec *v, LLVMValueRef x, LLVMValueRef bound, uint64_t reach,
                                 bool is_signed, bool to) {
    static const LLVMIntPredicate above[2][2] = {{LLVMIntUGT, LLVMIntSGT}, {LLVMIntUGE, LLVMIntSGE}};
    LLVMTypeRef type = LLVMTypeOf(x), i32 = LLVMInt32TypeInContext(v->llvm);
    LLVMValueRef ahead = LLVMBuildSub(v->b, bound, x, ""), most = LLVMConstInt(type, reach + !to, 0);
    LLVMValueRef args[] = {ahead, most};
    ahead = vec_intrinsic(v, "llvm.umin", &type, 1, args, 2);
    ahead = to ? LLVMBuildAdd(v->b, ahead, LLVMConstInt(type, 1, 0), "") : ahead;
    LLVMValueRef is_above = LLVMBuildICmp(v->b, above[to][is_signed], bound, x, "");
    return LLVMBuildTrunc(v->b, LLVMBuildSelect(v->b, is_above, ahead, LLVMConstNull(type), ""), i32, "");
}

/* Whether the number of 32 bits can't be the least there is: what is left of a constant behind an id. */
static bool is_above_least(LLVMValueRef v) {
    bool is_rest = LLVMIsAInstruction(v) && LLVMGetInstructionOpcode(v) == LLVMSub &&
                   LLVMIsAConstantInt(LLVMGetOperand(v, 0)) &&
                   LLVMConstIntGetSExtValue(LLVMGetOperand(v, 0)) >= 0;
    return is_rest && never_wraps(LLVMGetOperand(v, 1));
}

/* What was extended from 32 bits, an id or what is left behind one, is compared as it was, with a bound that is the same for all
 * packs: x < bound is x <= bound - 1, the latter within [-1, 2^31), or from -2^31 on, which no x is. So a loop over packs has a
 * vector of the bound before it. NULL: it is none of that. */
static LLVMValueRef compare_extended(struct vec *v, LLVMValueRef i) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(i);
    LLVMValueRef x = LLVMGetOperand(i, 0), bound = LLVMGetOperand(i, 1);
    if (wide_of(v, x)->form == FORM_UNIFORM) {
        LLVMValueRef y = x;
        x = bound;
        bound = y;
        p = ir_swapped(p);
    }
    bool is_signed = p == LLVMIntSLT || p == LLVMIntSLE || p == LLVMIntSGT || p == LLVMIntSGE,
         is_below = p == LLVMIntULT || p == LLVMIntSLT || p == LLVMIntULE || p == LLVMIntSLE,
         before = p == LLVMIntULT || p == LLVMIntSLT || p == LLVMIntUGE || p == LLVMIntSGE;
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm), i32 = LLVMInt32TypeInContext(v->llvm);
    bool is_zext = LLVMIsAZExtInst(x) != NULL, is_sext = LLVMIsASExtInst(x) && is_signed,
         is_extended =
             (is_zext || is_sext) && LLVMTypeOf(x) == i64 && LLVMTypeOf(LLVMGetOperand(x, 0)) == i32;
    bool fits =
        is_extended && (is_zext ? LLVMGetNNeg(x) || never_wraps(x) : is_above_least(LLVMGetOperand(x, 0)));
    if (!fits || wide_of(v, bound)->form != FORM_UNIFORM) {
        return NULL;
    }
    int64_t least = is_sext ? INT32_MIN : -1;
    LLVMValueRef last = wide_of(v, bound)->value;
    last = is_signed ? limit(v, "llvm.smax", last, LLVMConstInt(i64, (uint64_t)(least + before), 1)) : last;
    last = limit(v, is_signed ? "llvm.smin" : "llvm.umin", last,
                 LLVMConstInt(i64, (uint64_t)INT32_MAX + before, 0));
    last = before ? LLVMBuildSub(v->b, last, LLVMConstInt(i64, 1, 0), "") : last;
    LLVMValueRef lanes = wide_vector(v, wide_of(v, LLVMGetOperand(x, 0)), i32);
    return LLVMBuildICmp(v->b, is_below ? LLVMIntSLE : LLVMIntSGT, lanes,
                         wide_splat(v, LLVMBuildTrunc(v->b, last, i32, "")), "");
}

/* A compare of 64 bits, as of a loop's counter with an id, of a value that ascends evenly with one that all lanes share: by
 * the 32 bits that say how far lanes are from the first, in half as many vectors. NULL: it is none. */
LLVMValueRef compare_steps(struct vec *v, LLVMValueRef i) {
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(i, 0)), i32 = LLVMInt32TypeInContext(v->llvm);
    struct ascent a;
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) != 64 ||
        !find_ascent(v, i, &a)) {
        return NULL;
    }
    LLVMValueRef extended = a.is_order ? compare_extended(v, i) : NULL;
    if (extended) {
        return extended;
    }
    bool goes_on = v->mask == v->row && uniform_is_exact(v->wg->pack, a.value, a.is_signed); /* from lane 0 */
    if (a.is_order && !goes_on && !never_wraps(a.value)) {
        return NULL;
    }
    bool to = a.p == LLVMIntULE || a.p == LLVMIntSLE || a.p == LLVMIntUGT || a.p == LLVMIntSGT,
         is_below = a.p == LLVMIntULT || a.p == LLVMIntSLT || a.p == LLVMIntULE || a.p == LLVMIntSLE;
    LLVMIntPredicate p = a.p;
    LLVMValueRef steps;
    if (!a.is_order) {
        LLVMValueRef args[] = {LLVMBuildSub(v->b, a.bound, a.first, ""), LLVMConstInt(type, a.reach + 1, 0)};
        steps = LLVMBuildTrunc(v->b, vec_intrinsic(v, "llvm.umin", &type, 1, args, 2), i32, "");
    } else {
        steps = steps_before(v, a.first, a.bound, a.reach, a.is_signed, to);
        p = is_below ? LLVMIntULT : LLVMIntUGE;
    }
    return LLVMBuildICmp(v->b, p, wide_ramp(v, i32, (int64_t)a.stride), wide_splat(v, steps), "");
}

void compare_bounds(struct vec *v, LLVMValueRef i, struct wide *result) {
    struct ascent a;
    if (v->mask != v->base || v->apart || !find_ascent(v, i, &a)) {
        return;
    }
    LLVMTypeRef type = LLVMTypeOf(a.value);
    bool is_exact = uniform_is_exact(v->wg->pack, a.value, a.is_signed);
    if (a.reach > UINT64_MAX >> (65 - LLVMGetIntTypeWidth(type))) {
        return;
    }
    LLVMValueRef last = LLVMBuildAdd(v->b, a.first, LLVMConstInt(type, a.reach, 0), "");
    bound_compare(v, a.p, a.first, last, a.bound, result);
    if (!never_wraps(a.value)) {
        doubt_bounds(v, a.first, last, a.is_signed, result);
    }
    result->any = is_exact ? result->any : NULL; /* else lanes that wrap around may all be off */
    if (!v->mask && a.stride == 1 && !a.is_order) {
        LLVMValueRef ahead = LLVMBuildSub(v->b, a.bound, a.first, "");
        LLVMValueRef width = LLVMConstInt(type, v->width, 0);
        bool is_equal = a.p == LLVMIntEQ;
        LLVMValueRef hit = LLVMBuildICmp(v->b, is_equal ? LLVMIntULT : LLVMIntUGE, ahead, width, "hit");
        result->any = is_equal ? hit : NULL;
        result->all = is_equal ? NULL : hit;
    }
}

/* ---- ranges ---- */

static LLVMValueRef at_least(struct vec *v, LLVMValueRef x, int64_t least) {
    LLVMValueRef bound = LLVMConstInt(LLVMInt64TypeInContext(v->llvm), (uint64_t)least, 1);
    return LLVMBuildICmp(v->b, LLVMIntSGE, x, bound, "");
}

/* i1: taken as signed numbers, values go on from place 0 to the row's end without a wrap, and differences to the bound are
 * right. Unsigned ones may go up through 0, if they are compared with what is below the sign. */
static LLVMValueRef is_plain(struct vec *v, const struct ascent *a, LLVMValueRef start, LLVMValueRef bound) {
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(a->first));
    int64_t most = (INT64_C(1) << (bits < 62 ? bits - 1 : 61)) - 1;
    LLVMValueRef end = LLVMBuildAdd(v->b, start, v->wg->loops.size[0], "");
    LLVMValueRef plain = LLVMBuildNot(v->b, at_least(v, end, most + 2), "");
    if (a->is_order && !a->is_signed) {
        bool is_below = a->p == LLVMIntULT || a->p == LLVMIntULE;
        LLVMValueRef signs = is_below ? bound : LLVMBuildOr(v->b, start, bound, "");
        if (a->descends) { /* complements of what is no less than 0 */
            LLVMValueRef last = LLVMBuildSub(v->b, end, ir_const64(v->llvm, 1), "");
            signs = LLVMBuildNot(v->b, LLVMBuildAnd(v->b, last, bound, ""), "");
        }
        plain = LLVMBuildAnd(v->b, plain, at_least(v, signs, 0), "");
    }
    if (bits > 62) {
        LLVMValueRef far = at_least(v, limit(v, "llvm.smax", start, bound), most);
        plain = LLVMBuildAnd(v->b, plain, LLVMBuildNot(v->b, far, ""), "");
        plain = LLVMBuildAnd(v->b, plain, at_least(v, limit(v, "llvm.smin", start, bound), -most), "");
    }
    return plain;
}

/* What the affine value is at place 0 of the row, of the type `type`, which may be wider: the loop over packs computes it once.
 * NULL: it may depend on the place in another way. Where lanes need it they don't wrap around before it is extended. */
static LLVMValueRef at_place_0(struct vec *v, LLVMValueRef value, LLVMTypeRef type, bool is_signed,
                               unsigned depth) {
    const struct wide *w = wide_of(v, value);
    unsigned d;
    if (w->form == FORM_UNIFORM) {
        return LLVMBuildIntCast2(v->b, w->value, type, is_signed, "");
    }
    if (intrinsic_id(value, &d) == ID_LOCAL) {
        return LLVMConstNull(type);
    }
    if (w->form != FORM_AFFINE || !LLVMIsAInstruction(value) || !depth) {
        return NULL;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    LLVMValueRef x = LLVMGetOperand(value, 0);
    if (op == LLVMZExt || op == LLVMSExt) {
        bool extends = uniform_extends(v->wg->pack, value, &is_signed);
        return extends ? at_place_0(v, x, type, is_signed, depth - 1) : NULL;
    }
    bool is_sum = op == LLVMAdd || op == LLVMSub || (op == LLVMOr && LLVMGetIsDisjoint(value)),
         is_not = op == LLVMXor && LLVMTypeOf(value) == type;
    x = is_sum || is_not ? at_place_0(v, x, type, is_signed, depth - 1) : NULL;
    LLVMValueRef y = x ? at_place_0(v, LLVMGetOperand(value, 1), type, is_signed, depth - 1) : NULL;
    return y ? LLVMBuildBinOp(v->b, op == LLVMOr ? LLVMAdd : op, x, y, "") : NULL;
}

/* The places from `begin` to `end`, either of which may be NULL, are those where one more compare holds, if `plain`. */
static void narrow(struct vec *v, struct range *r, LLVMValueRef begin, LLVMValueRef end, LLVMValueRef plain) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    LLVMValueRef none = LLVMConstInt(i64, INT32_MAX, 0), zero = LLVMConstNull(i64);
    if (begin) {
        r->begin = limit(v, "llvm.smax", r->begin, LLVMBuildSelect(v->b, plain, begin, none, ""));
        r->first = limit(v, "llvm.smax", r->first, LLVMBuildSelect(v->b, plain, begin, zero, ""));
    }
    if (end) {
        r->end = limit(v, "llvm.smin", r->end, LLVMBuildSelect(v->b, plain, end, zero, ""));
        r->past = limit(v, "llvm.smin", r->past, LLVMBuildSelect(v->b, plain, end, none, ""));
    }
}

bool compare_narrows(struct vec *v, LLVMValueRef compare, bool holds, bool may_be_poison, struct range *r) {
    struct ascent a;
    bool is_of_loop = v->wg->loops.header[0] && v->k->rows == 1 && !v->apart;
    if (!LLVMIsAICmpInst(compare) || !is_of_loop || v->mask != v->base || !find_ascent(v, compare, &a) ||
        a.stride != 1) {
        return false;
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(v->llvm);
    LLVMValueRef start = at_place_0(v, a.value, LLVMTypeOf(a.first), false, 8), bound = a.bound;
    a.p = holds ? a.p : ir_opposite(a.p);
    if (!start || a.p == LLVMIntNE) {
        return false;
    }
    if (!r->begin) {
        r->begin = r->first = LLVMConstNull(i64);
        r->end = r->past = v->wg->loops.size[0];
    }
    start = a.descends ? LLVMBuildNot(v->b, start, "") : start;
    start = LLVMBuildIntCast2(v->b, may_be_poison ? LLVMBuildFreeze(v->b, start, "") : start, i64, 1, "");
    bound = LLVMBuildIntCast2(v->b, may_be_poison ? LLVMBuildFreeze(v->b, bound, "") : bound, i64, 1, "");
    LLVMValueRef plain = is_plain(v, &a, start, bound), on = LLVMBuildSub(v->b, bound, start, ""),
                 behind = LLVMBuildAdd(v->b, on, ir_const64(v->llvm, 1), ""), begin = NULL, end = NULL;
    switch (a.p) {
    case LLVMIntEQ:
        begin = on;
        end = behind;
        break;
    case LLVMIntUGT:
    case LLVMIntSGT:
        begin = behind;
        break;
    case LLVMIntUGE:
    case LLVMIntSGE:
        begin = on;
        break;
    default:
        begin = a.is_signed || a.descends ? NULL : LLVMBuildNeg(v->b, start, "");
        end = a.p == LLVMIntULT || a.p == LLVMIntSLT ? on : behind;
    }
    narrow(v, r, begin, end, plain);
    return true;
}

void compare_ranges(struct vec *v, const struct range *r, LLVMValueRef *all, LLVMValueRef *maybe) {
    LLVMValueRef place = v->wg->loops.local_id[0], width = ir_const64(v->llvm, v->width);
    LLVMValueRef last = LLVMBuildSub(v->b, r->end, width, ""),
                 before = LLVMBuildSub(v->b, r->first, width, "");
    *all = LLVMBuildAnd(v->b, LLVMBuildICmp(v->b, LLVMIntSGE, place, r->begin, ""),
                        LLVMBuildICmp(v->b, LLVMIntSLE, place, last, ""), "all");
    *maybe = LLVMBuildAnd(v->b, LLVMBuildICmp(v->b, LLVMIntSGT, place, before, ""),
                          LLVMBuildICmp(v->b, LLVMIntSLT, place, r->past, ""), "maybe");
}
