/* value_range.c: between which numbers an integer of a work-item lies.
 *
 * Needs k->run in SSA form, before regions are formed. Gives the least and the greatest value, signed, that an integer has
 * wherever a block is executed: of local ids in a group whose size is known, of counters of loops that compare with a number
 * at the end of a round, and of what is computed of these; what conditions on the way to the block say limits them. The way is
 * that of blocks with one predecessor each, on which a value doesn't change.
 *     for (i = l; i < 324; i += 256)         l: [0, 255], i: [0, 323]
 *         if (l < 4) s[i % 18] = ...         l: [0, 3] there, i % 18: [0, 17]
 * What it can't do: bounds that arguments or memory give; counters of loops that are left elsewhere. */
#include "analysis.h"

enum { DEPTH = 24, WAY = 16, MOST_VALUES = 400 };

struct asking {
    const struct kernel *k;
    LLVMBasicBlockRef block;
    unsigned left; /* values that it may look at, each as often as it is used: `x = x * x` doubles that */
    struct ptrmap counting; /* PHIs that are being looked at */
};

static bool find(struct asking *, LLVMValueRef v, unsigned depth, struct value_range *);

static int64_t lesser(int64_t x, int64_t y) {
    return x < y ? x : y;
}

static int64_t greater(int64_t x, int64_t y) {
    return x > y ? x : y;
}

/* Numbers beyond this are none, so that sums and products of two never overflow. */
#define FAR (INT64_C(1) << 31)

static bool is_near(const struct value_range *r) {
    return r->least >= -FAR && r->most <= FAR;
}

/* Whether a signed number of that type has the value itself. */
static bool fits(LLVMValueRef v, const struct value_range *r) {
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(v));
    int64_t limit = bits >= 64 ? INT64_MAX : (INT64_C(1) << (bits - 1)) - 1;
    return is_near(r) && r->most <= limit && r->least >= -limit - 1;
}

static bool is_integer(LLVMValueRef v) {
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64;
}

static bool find_number(LLVMValueRef v, struct value_range *r) {
    if (!LLVMIsAConstantInt(v)) {
        return false;
    }
    r->least = r->most = LLVMConstIntGetSExtValue(v);
    return is_near(r);
}

/* ---- conditions ---------------------------------------------------------------------------------------------- */

/* The range where `v p number` holds, within what it was. */
static void limit_by(LLVMIntPredicate p, int64_t number, struct value_range *r) {
    switch (p) {
    case LLVMIntULT: /* as a signed number it isn't negative then, if the bound isn't */
        r->least = number >= 0 ? greater(r->least, 0) : r->least;
        r->most = number >= 0 ? lesser(r->most, number - 1) : r->most;
        break;
    case LLVMIntULE:
        r->least = number >= 0 ? greater(r->least, 0) : r->least;
        r->most = number >= 0 ? lesser(r->most, number) : r->most;
        break;
    case LLVMIntUGT:
        r->least = r->least >= 0 ? greater(r->least, number + 1) : r->least;
        break;
    case LLVMIntUGE:
        r->least = r->least >= 0 ? greater(r->least, number) : r->least;
        break;
    case LLVMIntSLT:
        r->most = lesser(r->most, number - 1);
        break;
    case LLVMIntSLE:
        r->most = lesser(r->most, number);
        break;
    case LLVMIntSGT:
        r->least = greater(r->least, number + 1);
        break;
    case LLVMIntSGE:
        r->least = greater(r->least, number);
        break;
    case LLVMIntEQ:
        r->least = greater(r->least, number);
        r->most = lesser(r->most, number);
        break;
    default:
        break;
    }
}

/* Limits the range by a condition that holds or doesn't, where it says something of v. */
static void limit_where(LLVMValueRef condition, bool holds, LLVMValueRef v, unsigned depth,
                        struct value_range *r) {
    struct value_range number;
    bool is_select = LLVMIsASelectInst(condition) != NULL;
    if (LLVMIsAICmpInst(condition) && LLVMGetOperand(condition, 0) == v &&
        find_number(LLVMGetOperand(condition, 1), &number)) {
        LLVMIntPredicate p = LLVMGetICmpPredicate(condition);
        limit_by(holds ? p : ir_opposite(p), number.least, r);
    } else if (depth && (is_select || LLVMIsABinaryOperator(condition))) {
        LLVMOpcode op = LLVMGetInstructionOpcode(condition);
        LLVMValueRef end = is_select ? LLVMGetOperand(condition, holds ? 2 : 1) : NULL;
        bool both = is_select ? LLVMIsAConstantInt(end) && LLVMConstIntGetZExtValue(end) == !holds
                              : op == (holds ? LLVMAnd : LLVMOr);
        if (both) {
            limit_where(LLVMGetOperand(condition, 0), holds, v, depth - 1, r);
            limit_where(LLVMGetOperand(condition, is_select && !holds ? 2 : 1), holds, v, depth - 1, r);
        }
    }
}

/* What the conditions on the way to the block say. */
static void limit_on_way(LLVMBasicBlockRef block, LLVMValueRef v, struct value_range *r) {
    LLVMBasicBlockRef from;
    for (unsigned n = 0; n < WAY && (from = ir_only_predecessor(block)); n++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
        if (LLVMIsABranchInst(end) && LLVMIsConditional(end)) {
            limit_where(LLVMGetCondition(end), LLVMGetSuccessor(end, 0) == block, v, 4, r);
        }
        block = from;
    }
}

/* ---- counters ------------------------------------------------------------------------------------------------ */

/* How far a counter goes: the greatest value (step above 0), or the least one, that it has behind the way back. False: not
 * known. */
static bool find_end(struct asking *a, LLVMValueRef phi, LLVMValueRef next, LLVMBasicBlockRef latch,
                     int64_t step, const struct value_range *start, unsigned depth, int64_t *end) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(latch), compare;
    struct value_range bound;
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) ||
        !LLVMIsAICmpInst(compare = LLVMGetCondition(branch))) {
        return false;
    }
    bool goes_on = LLVMGetSuccessor(branch, 0) == LLVMGetInstructionParent(phi);
    LLVMValueRef x = LLVMGetOperand(compare, 0);
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    p = goes_on ? p : ir_opposite(p);
    if ((x != phi && x != next) || !find(a, LLVMGetOperand(compare, 1), depth, &bound)) {
        return false;
    }
    int64_t by = x == phi ? step : 0, first = x == phi ? start->least : start->least + step;
    switch (p) {
    case LLVMIntULT:
        *end = bound.most - 1 + by;
        return step > 0 && bound.least >= 0;
    case LLVMIntULE:
        *end = bound.most + by;
        return step > 0 && bound.least >= 0;
    case LLVMIntSLT:
        *end = bound.most - 1 + by;
        return step > 0;
    case LLVMIntSLE:
        *end = bound.most + by;
        return step > 0;
    case LLVMIntUGT:
    case LLVMIntSGT:
        *end = bound.least + 1 + by;
        return step < 0 && (p == LLVMIntSGT || (bound.least + 1 + step >= 0 && first >= 0));
    case LLVMIntUGE:
    case LLVMIntSGE:
        *end = bound.least + by;
        return step < 0 && (p == LLVMIntSGE || (bound.least + step >= 0 && first >= 0));
    case LLVMIntNE: /* it comes there exactly, and leaves */
        *end = bound.least - step + by;
        return bound.least == bound.most && start->least == start->most &&
               (bound.least - first) % step == 0 && (bound.least - first) / step >= 0;
    default:
        return false;
    }
}

static bool find_counter(struct asking *a, LLVMValueRef phi, unsigned depth, struct value_range *r) {
    for (unsigned n = 0; n < 2 && LLVMCountIncoming(phi) == 2; n++) {
        LLVMValueRef next = LLVMGetIncomingValue(phi, n), step = ir_counts_by(next, phi);
        int64_t end, by = step ? LLVMConstIntGetSExtValue(step) : 0;
        struct value_range start, whole;
        if (!by || by > INT16_MAX || by < -INT16_MAX) {
            continue;
        }
        if (!find(a, LLVMGetIncomingValue(phi, 1 - n), depth, &start) ||
            !find_end(a, phi, next, LLVMGetIncomingBlock(phi, n), by, &start, depth, &end)) {
            return false;
        }
        *r = (struct value_range){by < 0 ? lesser(start.least, end) : start.least,
                                  by > 0 ? greater(start.most, end) : start.most};
        whole = (struct value_range){r->least + (by < 0 ? by : 0), r->most + (by > 0 ? by : 0)};
        return fits(phi, &whole); /* so that no step wraps around */
    }
    return false;
}

static bool find_phi(struct asking *a, LLVMValueRef phi, unsigned depth, struct value_range *r) {
    if (ptrmap_at(&a->counting, phi, 0)) {
        return false;
    }
    ptrmap_set(&a->counting, phi, 1);
    LLVMBasicBlockRef block = a->block;
    a->block = LLVMGetInstructionParent(phi);
    bool known = find_counter(a, phi, depth, r);
    a->block = block;
    ptrmap_set(&a->counting, phi, 0);
    return known;
}

/* ---- operations ---------------------------------------------------------------------------------------------- */

static bool find_product(const struct value_range *x, const struct value_range *y, struct value_range *r) {
    int64_t p[] = {x->least * y->least, x->least * y->most, x->most * y->least, x->most * y->most};
    *r = (struct value_range){p[0], p[0]};
    for (unsigned n = 1; n < 4; n++) {
        r->least = lesser(r->least, p[n]);
        r->most = greater(r->most, p[n]);
    }
    return true;
}

/* The least number of ones only that is at least n. */
static int64_t all_ones(int64_t n) {
    int64_t ones = 0;
    while (ones < n) {
        ones = 2 * ones + 1;
    }
    return ones;
}

static bool find_operation(struct asking *a, LLVMValueRef v, unsigned depth, struct value_range *r) {
    struct value_range x, y;
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    bool knows_x = find(a, LLVMGetOperand(v, 0), depth, &x),
         knows_y = find(a, LLVMGetOperand(v, 1), depth, &y);
    bool is_number = knows_y && y.least == y.most && y.most >= 0;
    if (op == LLVMAnd && is_number) {
        *r = (struct value_range){0, knows_x && x.least >= 0 ? lesser(x.most, y.most) : y.most};
        return true;
    }
    if (op == LLVMURem && is_number && y.most) {
        *r = (struct value_range){0, knows_x && x.least >= 0 ? lesser(x.most, y.most - 1) : y.most - 1};
        return true;
    }
    if (!knows_x || !knows_y) {
        return false;
    }
    bool positive = x.least >= 0 && y.least >= 0;
    switch (op) {
    case LLVMAdd:
        *r = (struct value_range){x.least + y.least, x.most + y.most};
        return true;
    case LLVMSub:
        *r = (struct value_range){x.least - y.most, x.most - y.least};
        return true;
    case LLVMMul:
        return find_product(&x, &y, r);
    case LLVMShl:
        is_number &= y.most < 31;
        y.least = y.most = is_number ? INT64_C(1) << y.most : 0;
        return is_number && find_product(&x, &y, r);
    case LLVMOr:
    case LLVMXor:
        *r = (struct value_range){0, all_ones(x.most | y.most)};
        return positive;
    case LLVMLShr:
    case LLVMAShr:
        *r = (struct value_range){x.least >> (y.most & 63), x.most >> (y.most & 63)};
        return positive && is_number;
    case LLVMUDiv:
    case LLVMSDiv:
        *r = (struct value_range){x.least / greater(y.most, 1), x.most / greater(y.most, 1)};
        return positive && is_number && y.most;
    case LLVMSRem:
        *r = (struct value_range){0, lesser(x.most, y.most - 1)};
        return positive && is_number && y.most;
    default:
        return false;
    }
}

static bool find_limit(struct asking *a, LLVMValueRef v, unsigned depth, struct value_range *r) {
    struct value_range x, y;
    bool is_signed = ir_is_intrinsic(v, "llvm.smin.") || ir_is_intrinsic(v, "llvm.smax.");
    bool is_least = ir_is_intrinsic(v, "llvm.smin.") || ir_is_intrinsic(v, "llvm.umin.");
    bool knows_x = find(a, LLVMGetOperand(v, 0), depth, &x),
         knows_y = find(a, LLVMGetOperand(v, 1), depth, &y);
    if (is_least && !is_signed && (knows_x || knows_y)) { /* of any number and one that isn't negative */
        x = knows_x ? x : y;
        y = knows_y ? y : x;
        *r = (struct value_range){0, lesser(x.most, y.most)};
        return x.least >= 0 && y.least >= 0;
    }
    if (!knows_x || !knows_y || (!is_signed && (x.least < 0 || y.least < 0))) {
        return false;
    }
    *r = is_least ? (struct value_range){lesser(x.least, y.least), lesser(x.most, y.most)}
                  : (struct value_range){greater(x.least, y.least), greater(x.most, y.most)};
    return true;
}

static bool find_extension(struct asking *a, LLVMValueRef v, unsigned depth, struct value_range *r) {
    LLVMValueRef x = LLVMGetOperand(v, 0);
    unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(x));
    bool known = find(a, x, depth, r);
    if (LLVMIsASExtInst(v) || (known && r->least >= 0)) {
        return known;
    }
    *r = (struct value_range){0, (INT64_C(1) << (bits & 31)) - 1};
    return bits < 32;
}

static bool find_id(const struct kernel *k, LLVMValueRef v, struct value_range *r) {
    unsigned dim;
    if (intrinsic_id(v, &dim) != ID_LOCAL || !k->local_size[0]) {
        return false;
    }
    *r = (struct value_range){0, (int64_t)k->local_size[dim] - 1};
    return true;
}

static bool find_value(struct asking *a, LLVMValueRef v, unsigned depth, struct value_range *r) {
    struct value_range other;
    if (LLVMIsAPHINode(v)) {
        return find_phi(a, v, depth, r);
    }
    if (LLVMIsABinaryOperator(v)) {
        return find_operation(a, v, depth, r);
    }
    if (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v)) {
        return find_extension(a, v, depth, r);
    }
    if (LLVMIsATruncInst(v) || LLVMIsAFreezeInst(v)) {
        return find(a, LLVMGetOperand(v, 0), depth, r);
    }
    if (LLVMIsASelectInst(v)) {
        bool known = find(a, LLVMGetOperand(v, 1), depth, r) && find(a, LLVMGetOperand(v, 2), depth, &other);
        r->least = known ? lesser(r->least, other.least) : 0;
        r->most = known ? greater(r->most, other.most) : 0;
        return known;
    }
    return LLVMIsACallInst(v) && (ir_is_limit(v) ? find_limit(a, v, depth, r) : find_id(a->k, v, r));
}

static bool find(struct asking *a, LLVMValueRef v, unsigned depth, struct value_range *r) {
    if (!is_integer(v)) {
        return false;
    }
    if (LLVMIsAConstant(v)) {
        return find_number(v, r);
    }
    if (!depth || !a->left) {
        return false;
    }
    a->left--;
    bool known = find_value(a, v, depth - 1, r) && fits(v, r);
    struct value_range far = {-FAR - 1, FAR + 1}, *limited = known ? r : &far;
    limit_on_way(a->block, v, limited);
    *r = *limited;
    if (r->least > r->most) { /* nobody comes here */
        r->least = r->most;
    }
    return is_near(r);
}

bool value_range_find(const struct kernel *k, LLVMValueRef v, LLVMBasicBlockRef block,
                      struct value_range *r) {
    struct asking a = {.k = k, .block = block, .left = MOST_VALUES};
    return find(&a, v, DEPTH, r);
}
