/* index_form.c: addresses in local memory as sums over local ids and counts of loops.
 *
 * In: an address, and the block that accesses it. Out: its variable, and the offset as
 *     constant + times[0] * counter[0] + times[1] * counter[1] + ...
 * where each counter takes all values of [0, n), whatever the others are: a local id of a work-group whose size is known,
 * its quotient and remainder by a divisor of that size, the round of a loop with a known number of rounds, or what
 * work-items go through together, each from its own number on in steps of their number. For quiet.c a counter may be a local
 * id's quotient or rest by a number that nobody knows, if all work-items have the same one (alike.c), and be times that. The
 * address is the sum: sums may wrap around on the way, but not where more bits are made of them (exact_form). Conditions on the
 * way to the access limit the counters (guards.c); form_relations.c has what follows from forms. */
#include "index_form.h"
#include <string.h>

/* ---- counters ---- */

static unsigned node_of(struct instrumenting *in, LLVMBasicBlockRef block) {
    return (unsigned)ptrmap_at(&in->index, block, 0);
}

/* The blocks from which the latch is reached without the header; the header. */
static void find_blocks(struct instrumenting *in, struct counted_loop *l) {
    struct list work = {0};
    l->blocks = job_alloc((in->cfg->n / 64 + 1) * sizeof *l->blocks);
    bit_add(l->blocks, l->header);
    list_add(&work, (void *)(uintptr_t)l->latch);
    while (work.n) {
        unsigned n = (unsigned)(uintptr_t)work.at[--work.n];
        for (unsigned p = 0; !bit_at(l->blocks, n) && p < in->cfg->npred[n]; p++) {
            list_add(&work, (void *)(uintptr_t)in->cfg->pred[n][p]);
        }
        bit_add(l->blocks, n);
    }
}

/* Whether the loop is entered and left at its header alone. */
static bool has_one_door(struct instrumenting *in, const struct counted_loop *l) {
    for (unsigned n = 0; n < in->cfg->n; n++) {
        if (!bit_at(l->blocks, n) || n == l->header) {
            continue;
        }
        for (unsigned s = 0; s < in->cfg->nsucc[n]; s++) {
            if (!bit_at(l->blocks, in->cfg->succ[n][s])) {
                return false;
            }
        }
        for (unsigned p = 0; p < in->cfg->npred[n]; p++) {
            if (!bit_at(l->blocks, in->cfg->pred[n][p])) {
                return false;
            }
        }
    }
    return !bit_at(l->blocks, 0) || l->header == 0;
}

static bool value_form(struct forms *, LLVMValueRef v, unsigned node, struct form *);

/* The same where the value has to be the sum. */
static bool exact_form(struct forms *f, LLVMValueRef v, unsigned node, bool is_signed, struct form *to);

static bool is_number(struct forms *f, LLVMValueRef v, unsigned node, int64_t *number) {
    struct form form;
    if (LLVMGetTypeKind(LLVMTypeOf(v)) != LLVMIntegerTypeKind || !exact_form(f, v, node, true, &form) ||
        form.n) {
        return false;
    }
    *number = form.constant;
    return true;
}

/* The number that the value stays below in the loop's rounds; 0: none is known. */
static uint64_t bound_of(struct forms *f, LLVMValueRef phi, const struct counted_loop *l) {
    struct instrumenting *in = f->in;
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(in->blocks[l->header]);
    int64_t bound;
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) ||
        !bit_at(l->blocks, node_of(in, LLVMGetSuccessor(branch, 0))) ||
        bit_at(l->blocks, node_of(in, LLVMGetSuccessor(branch, 1)))) {
        return 0;
    }
    LLVMValueRef compare = LLVMGetCondition(branch);
    if (!LLVMIsAICmpInst(compare) || LLVMGetOperand(compare, 0) != phi ||
        !is_number(f, LLVMGetOperand(compare, 1), l->header, &bound) || bound < 0) {
        return 0;
    }
    switch (LLVMGetICmpPredicate(compare)) {
    case LLVMIntULT:
    case LLVMIntSLT:
        return (uint64_t)bound;
    case LLVMIntULE:
    case LLVMIntSLE:
        return (uint64_t)bound + 1;
    default:
        return 0;
    }
}

/* A loop's count, as a sum of the value before it and its rounds. */
static bool find_loop(struct forms *f, LLVMValueRef phi, struct counted_loop *l) {
    struct instrumenting *in = f->in;
    l->header = node_of(in, LLVMGetInstructionParent(phi));
    if (LLVMCountIncoming(phi) != 2) {
        return false;
    }
    for (unsigned n = 0; n < 2; n++) {
        LLVMValueRef step = ir_counts_by(LLVMGetIncomingValue(phi, n), phi);
        if (!step || LLVMConstIntGetZExtValue(step) > INT32_MAX || !LLVMConstIntGetZExtValue(step)) {
            continue;
        }
        l->phi = phi;
        l->latch = node_of(in, LLVMGetIncomingBlock(phi, n));
        l->start = LLVMGetIncomingValue(phi, 1 - n);
        l->step = LLVMConstIntGetZExtValue(step);
        find_blocks(in, l);
        l->bound = bound_of(f, phi, l);
        return l->bound && has_one_door(in, l);
    }
    return false;
}

static const struct counted_loop *loop_of(struct forms *f, LLVMValueRef phi) {
    uintptr_t known;
    if (ptrmap_get(&f->loops, phi, &known)) {
        return (const struct counted_loop *)known;
    }
    struct counted_loop *l = job_alloc(sizeof *l);
    unsigned nguards = f->nguards;
    ptrmap_set(&f->loops, phi, 0); /* while it is looked at */
    f->nguards = 0;                /* what is known is of all accesses in it */
    if (!find_loop(f, phi, l)) {
        l = NULL;
    }
    f->nguards = nguards;
    ptrmap_set(&f->loops, phi, (uintptr_t)l);
    return l;
}

/* ---- sums ---- */

static bool same_counter(const struct term *a, const struct term *b) {
    return a->loop == b->loop && a->dims == b->dims && a->part == b->part && a->divisor == b->divisor &&
           a->split == b->split && a->id == b->id && a->by == b->by;
}

/* Whether what is computed in so many bits is this sum of a group, where strides are less than 2^31: a quotient by one, times that,
 * and a rest are no more than what was divided. */
static bool fits_strides(const struct form *f, unsigned bits) {
    int64_t most = f->constant;
    bool fits = bits >= 32 && most >= 0 && most <= INT32_MAX;
    for (unsigned t = 0; fits && t < f->n; t++) {
        const struct term *term = &f->term[t];
        bool is_stride = !term->dims && term->by;
        int64_t limit = is_stride ? (bits == 32 ? 1 : INT16_MAX) : INT16_MAX;
        fits =
            term->times >= 0 && term->times <= limit && (is_stride || term->split) && term->most <= INT16_MAX;
        most += is_stride ? 0 : term->times * term->most;
    }
    return fits && most <= INT32_MAX;
}

/* Of a launch, which looks at the whole sum, in which this is a part. */
static bool fits_launch(const struct form *f, unsigned bits) {
    bool grows = f->constant >= 0 && bits >= 32;
    for (unsigned t = 0; t < f->n; t++) {
        grows &= f->term[t].times >= 0 && f->term[t].times <= INT32_MAX;
    }
    return grows;
}

/* Whether a number of that many bits is the sum, which hasn't wrapped. */
static bool fits(const struct form *f, bool is_signed, unsigned bits) {
    int64_t least, most, limit = bits < 32 ? (INT64_C(1) << (bits - 1)) - 1 : INT32_MAX;
    if (form_has_strides(f)) {
        return fits_strides(f, bits);
    }
    form_range(f, &least, &most);
    return least >= (is_signed ? -limit : 0) && most <= limit;
}

/* The quotient or the rest of a counter by a divisor of how many values it has. */
static struct term part_of(const struct term *whole, uint64_t divisor, enum part part) {
    struct term t = *whole;
    int64_t by = (int64_t)divisor;
    bool is_all = !whole->least && whole->most == (int64_t)whole->n - 1;
    t.part = part;
    t.divisor = divisor;
    t.n = part == REST ? divisor : whole->n / divisor;
    t.least = whole->least / by;
    t.most = whole->most / by;
    if (part == REST) {
        bool one = t.least == t.most;
        t.least = one ? whole->least % by : 0;
        t.most = one ? whole->most % by : by - 1;
    }
    t.loose = whole->loose || !is_all;
    return t;
}

static bool is_of_one(const struct term *a, const struct term *b) {
    return a->loop == b->loop && a->dims == b->dims && a->id == b->id && a->by == b->by;
}

static bool add_term(struct form *f, const struct term *more);

/* A whole counter's quotient by the form's stride, times that, or its rest. */
static struct term split_by(const struct term *whole, unsigned split, enum part part) {
    struct term t = *whole;
    t.part = part;
    t.split = split;
    t.by = part == QUOTIENT ? split : 0;
    t.least = 0;
    t.loose = true;
    return t;
}

static bool add_split(struct form *f, const struct term *whole, unsigned split) {
    struct term multiple = split_by(whole, split, QUOTIENT), rest = split_by(whole, split, REST);
    return add_term(f, &multiple) && add_term(f, &rest);
}

/* Adds times * a whole counter as its two parts. */
static bool add_parts(struct form *f, const struct term *whole, uint64_t divisor) {
    struct term quotient = part_of(whole, divisor, QUOTIENT), rest = part_of(whole, divisor, REST);
    if (whole->n % divisor || quotient.times > INT32_MAX || quotient.times < -INT32_MAX ||
        divisor > INT32_MAX) {
        return false;
    }
    quotient.times *= (int64_t)divisor;
    return add_term(f, &quotient) && add_term(f, &rest);
}

static bool add_term(struct form *f, const struct term *more) {
    for (unsigned t = 0; t < f->n; t++) {
        struct term has = f->term[t];
        if (same_counter(&has, more)) {
            f->term[t].times += more->times;
            return true;
        }
        if (is_of_one(&has, more) && more->part == WHOLE && has.divisor) {
            return add_parts(f, more, has.divisor);
        }
        if (more->part == WHOLE && has.split && has.dims == more->dims) {
            return add_split(f, more, has.split);
        }
        if (has.part == WHOLE && more->split && has.dims == more->dims) {
            f->term[t] = f->term[--f->n];
            return add_split(f, &has, more->split) && add_term(f, more);
        }
        if (is_of_one(&has, more) && has.part == WHOLE && more->divisor) {
            f->term[t] = f->term[--f->n];
            return add_parts(f, &has, more->divisor) && add_term(f, more);
        }
    }
    if (f->n == FORM_TERMS) {
        return false;
    }
    f->term[f->n++] = *more;
    return true;
}

/* The number of the stride in the form, from 1 on; 0: there is no room. */
static unsigned add_stride(struct form *f, LLVMValueRef stride) {
    for (unsigned n = 0; n < WEIR_FORM_STRIDES; n++) {
        f->stride[n] = f->stride[n] ? f->stride[n] : stride;
        if (f->stride[n] == stride) {
            return n + 1;
        }
    }
    return 0;
}

/* *to += from * times */
static bool add_form(struct form *to, const struct form *from, int64_t times) {
    to->constant += from->constant * times;
    for (unsigned t = 0; t < from->n; t++) {
        struct term more = from->term[t];
        if (more.by && !(more.by = add_stride(to, from->stride[more.by - 1]))) {
            return false;
        }
        if (more.split && !(more.split = add_stride(to, from->stride[more.split - 1]))) {
            return false;
        }
        if (more.times > INT32_MAX || more.times < -INT32_MAX) {
            return false;
        }
        more.times *= times;
        if (!add_term(to, &more)) {
            return false;
        }
    }
    return true;
}

static bool is_small(LLVMValueRef v, int64_t *value) {
    if (!LLVMIsAConstantInt(v) || LLVMGetIntTypeWidth(LLVMTypeOf(v)) > 64) {
        return false;
    }
    *value = LLVMConstIntGetSExtValue(v);
    return *value >= -INT32_MAX && *value <= INT32_MAX;
}

/* *to = from * a stride */
static bool stride_form(const struct form *from, LLVMValueRef stride, struct form *to) {
    *to = (struct form){.stride = {stride}};
    for (unsigned t = 0; t < from->n; t++) {
        unsigned split = from->term[t].split;
        if (from->term[t].by || (split && from->stride[split - 1] != stride)) {
            return false;
        }
        to->term[to->n] = from->term[t];
        to->term[to->n].split = split ? 1 : 0;
        to->term[to->n++].by = 1;
    }
    struct term one = {.times = from->constant, .by = 1}; /* of no counter */
    return !from->constant || add_term(to, &one);
}

/* A stride alone, or times a number. */
static LLVMValueRef as_stride(const struct form *f, int64_t *times) {
    bool is =
        f->n == 1 && !f->constant && f->term[0].by && !f->term[0].id && !f->term[0].dims && !f->term[0].loop;
    *times = is ? f->term[0].times : 0;
    return is ? f->stride[f->term[0].by - 1] : NULL;
}

static bool times_stride(const struct form *x, const struct form *y, struct form *to) {
    int64_t times;
    struct form product;
    LLVMValueRef stride = as_stride(y, &times);
    *to = (struct form){0};
    return stride && stride_form(x, stride, &product) && add_form(to, &product, times);
}

/* An id in a launch, or one of its integer arguments. */
static bool launch_value(struct forms *f, LLVMValueRef v, struct form *to) {
    static const struct {
        const char *name;
        unsigned counter;
    } ids[] = {{"__weir_local_id_", WEIR_COUNTER_LOCAL},
               {"__weir_group_id_", WEIR_COUNTER_GROUP},
               {"__weir_global_id_", WEIR_COUNTER_GLOBAL}};
    size_t length;
    *to = (struct form){.n = 1};
    for (unsigned i = 0; i < 3; i++) {
        if (ir_is_intrinsic(v, ids[i].name)) {
            unsigned dim = (unsigned)(LLVMGetValueName2(ir_callee(v), &length)[strlen(ids[i].name)] - '0');
            to->term[0] = (struct term){.dims = 1u << dim, .id = ids[i].counter + dim, .times = 1};
            return true;
        }
    }
    struct form one = {.constant = 1};
    uintptr_t argument;
    return ptrmap_get(&f->in->k->numbers, v, &argument) && stride_form(&one, v, to);
}

/* A counter alone, and its parts by a divisor of how many values it has. */
static bool part_form(const struct form *x, int64_t by, enum part part, struct form *f) {
    if (!x->n && by > 0) { /* a number */
        *f = (struct form){.constant = part == REST ? x->constant % by : x->constant / by};
        return x->constant >= 0;
    }
    if (x->n != 1 || x->constant || x->term[0].id || x->term[0].by || x->term[0].part != WHOLE ||
        x->term[0].times != 1 || by <= 0 || x->term[0].n % (uint64_t)by) {
        return false;
    }
    *f = *x;
    f->term[0] = part_of(&x->term[0], (uint64_t)by, part);
    return true;
}

static bool id_form(const struct forms *forms, unsigned dim, struct form *f) {
    uint64_t n = forms->in->k->local_size[0] ? forms->in->k->local_size[dim] : 0;
    struct term id = {
        .dims = 1u << dim, .part = WHOLE, .times = 1, .n = n, .least = 0, .most = (int64_t)n - 1};
    const struct guard *rest = NULL;
    for (unsigned g = 0; g < forms->nguards; g++) {
        const struct guard *guard = &forms->guard[g];
        if (guard->dim == dim && guard->part == WHOLE) {
            id.least = guard->least;
            id.most = guard->most;
        } else if (guard->dim == dim && guard->part == REST && guard->least == guard->most) {
            rest = guard;
        }
    }
    *f = (struct form){.constant = id.least == id.most ? id.least : 0, .n = id.least != id.most};
    f->term[0] = id;
    if (rest && f->n) { /* a multiple of the divisor, but for a number */
        f->term[0] = part_of(&id, rest->divisor, QUOTIENT);
        f->term[0].times = (int64_t)rest->divisor;
        f->term[1] = part_of(&id, rest->divisor, REST);
        f->term[1].least = f->term[1].most = rest->least;
        f->n = 2;
    }
    return n != 0;
}

/* Work-items in these dimensions (a bit for each) of a group. */
static uint64_t items_in(const struct forms *f, unsigned dims) {
    uint64_t n = 1;
    for (unsigned d = 0; d < 3; d++) {
        n *= dims >> d & 1 ? f->in->k->local_size[d] : 1;
    }
    return n;
}

/* From the work-item's own number on in steps of the number of work-items: together all numbers below the bound. */
static bool together_form(struct forms *f, const struct counted_loop *l, const struct form *start,
                          struct form *to) {
    unsigned dims = 0;
    struct row row;
    for (unsigned t = 0; t < start->n; t++) {
        dims |= start->term[t].loop ? ~0u : start->term[t].dims;
    }
    if (dims == ~0u || !form_row(start, 1, &row) || row.start || row.bytes != l->step ||
        l->step != items_in(f, dims)) {
        return false;
    }
    *to = (struct form){.n = 1};
    to->term[0] = (struct term){
        .loop = l, .dims = dims, .part = WHOLE, .times = 1, .n = l->bound, .most = (int64_t)l->bound - 1};
    return true;
}

/* From another loop's count on; nobody knows how many rounds that leaves. */
static bool add_rounds(const struct counted_loop *l, const struct form *start, struct form *to) {
    int64_t least, most;
    form_range(start, &least, &most);
    struct term rounds = {.loop = l, .part = WHOLE, .times = (int64_t)l->step, .n = l->bound, .loose = true};
    rounds.most = ((int64_t)l->bound - 1 - least) / (int64_t)l->step;
    *to = *start;
    return rounds.most >= 0 && add_term(to, &rounds);
}

static bool phi_form(struct forms *f, LLVMValueRef phi, unsigned node, struct form *to) {
    const struct counted_loop *l = loop_of(f, phi);
    struct form start;
    if (!l || !bit_at(l->blocks, node) || node == l->header ||
        !exact_form(f, l->start, l->header, false, &start)) {
        return false;
    }
    if (f->alike && start.n == 1 && start.term[0].loop && !start.term[0].dims) {
        return add_rounds(l, &start, to);
    }
    if (start.n) {
        return !f->of_launch && !form_has_strides(&start) && together_form(f, l, &start, to);
    }
    if ((uint64_t)start.constant >= l->bound) {
        return false;
    }
    *to = (struct form){.constant = start.constant, .n = 1};
    to->term[0] = (struct term){.loop = l,
                                .part = WHOLE,
                                .times = (int64_t)l->step,
                                .n = (l->bound - (uint64_t)start.constant + l->step - 1) / l->step};
    to->term[0].most = (int64_t)to->term[0].n - 1;
    return true;
}

/* An id's quotient or rest by what the group has alike; is_multiple: the quotient times that. */
static bool split_form(struct forms *f, const struct form *x, LLVMValueRef divisor, unsigned node,
                       enum part part, bool is_multiple, bool may_be_0, struct form *to) {
    struct form y;
    int64_t times;
    const struct term *t = &x->term[0];
    if (!f->alike || x->n != 1 || x->constant || !t->dims || t->loop || t->part != WHOLE || t->times != 1 ||
        !value_form(f, divisor, node, &y)) {
        return false;
    }
    LLVMValueRef stride = as_stride(&y, &times);
    if (!stride || times != 1 || !alike_is_divisor(f->alike, stride, node, may_be_0)) {
        return false;
    }
    *to = (struct form){.n = 1, .stride = {stride}};
    to->term[0] = split_by(t, 1, part);
    to->term[0].by = is_multiple ? 1 : 0;
    return true;
}

/* The number of which v is one less, or NULL. */
static LLVMValueRef one_more(LLVMValueRef v) {
    int64_t n;
    LLVMOpcode op = LLVMIsABinaryOperator(v) ? LLVMGetInstructionOpcode(v) : LLVMPHI;
    bool is = (op == LLVMAdd || op == LLVMSub) && is_small(LLVMGetOperand(v, 1), &n) &&
              n == (op == LLVMAdd ? -1 : 1);
    return is ? LLVMGetOperand(v, 0) : NULL;
}

/* x & (step - 1), x & ~(step - 1), x & -step, where the step is a power of two. */
static bool masked_form(struct forms *f, LLVMValueRef x, LLVMValueRef mask, unsigned node, struct form *to) {
    struct form id;
    int64_t n;
    LLVMOpcode op = LLVMIsABinaryOperator(mask) ? LLVMGetInstructionOpcode(mask) : LLVMPHI;
    LLVMValueRef step = one_more(mask);
    bool is_high = !step;
    if (op == LLVMXor && is_small(LLVMGetOperand(mask, 1), &n) && n == -1) {
        step = one_more(LLVMGetOperand(mask, 0));
    } else if (op == LLVMSub && is_small(LLVMGetOperand(mask, 0), &n) && !n) {
        step = LLVMGetOperand(mask, 1);
    }
    return step && f->alike && alike_is_power(f->alike, step) && value_form(f, x, node, &id) &&
           split_form(f, &id, step, node, is_high ? QUOTIENT : REST, is_high, true, to);
}

static bool sum_form(struct forms *f, LLVMValueRef i, unsigned node, struct form *to) {
    struct form x, y;
    int64_t by = 0;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (f->alike && op == LLVMAnd &&
        (masked_form(f, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1), node, to) ||
         masked_form(f, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0), node, to))) {
        return true;
    }
    if (!value_form(f, LLVMGetOperand(i, 0), node, &x)) {
        return false;
    }
    bool exact = f->of_launch || fits(&x, false, LLVMGetIntTypeWidth(LLVMTypeOf(i)));
    bool is_by = is_number(f, LLVMGetOperand(i, 1), node, &by) || is_small(LLVMGetOperand(i, 1), &by);
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
        *to = x;
        return value_form(f, LLVMGetOperand(i, 1), node, &y) && add_form(to, &y, op == LLVMAdd ? 1 : -1);
    case LLVMMul:
        if (!is_by && !x.n && value_form(f, LLVMGetOperand(i, 1), node, &y)) {
            by = x.constant;
            x = y;
            is_by = true;
        }
        if (!is_by && value_form(f, LLVMGetOperand(i, 1), node, &y)) {
            return times_stride(&x, &y, to) || times_stride(&y, &x, to);
        }
        *to = (struct form){0};
        return is_by && add_form(to, &x, by);
    case LLVMShl:
        *to = (struct form){0};
        return is_by && by >= 0 && by < 31 && add_form(to, &x, (int64_t)1 << by);
    case LLVMLShr:
    case LLVMAShr:
        return exact && is_by && by >= 0 && by < 31 && part_form(&x, (int64_t)1 << by, QUOTIENT, to);
    case LLVMUDiv:
    case LLVMSDiv:
        return is_by ? exact && part_form(&x, by, QUOTIENT, to)
                     : split_form(f, &x, LLVMGetOperand(i, 1), node, QUOTIENT, false, false, to);
    case LLVMURem:
    case LLVMSRem:
        return is_by ? exact && part_form(&x, by, REST, to)
                     : split_form(f, &x, LLVMGetOperand(i, 1), node, REST, false, false, to);
    case LLVMAnd:
        return exact && is_by && !(by & (by + 1)) && part_form(&x, by + 1, REST, to);
    default:
        return false;
    }
}

static bool exact_form(struct forms *f, LLVMValueRef v, unsigned node, bool is_signed, struct form *to) {
    return value_form(f, v, node, to) &&
           (f->of_launch || fits(to, is_signed, LLVMGetIntTypeWidth(LLVMTypeOf(v))));
}

/* The value of an integer, as the block that the node is sees it: a sum whose lower bits it has (exact_form). */
static bool value_form(struct forms *f, LLVMValueRef v, unsigned node, struct form *to) {
    unsigned bits = LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(LLVMTypeOf(v))
                                                                          : 0,
             dim;
    int64_t number;
    if (bits < 8 || bits > 64 || f->depth > 32) {
        return false;
    }
    if (is_small(v, &number)) {
        *to = (struct form){.constant = number};
        return true;
    }
    f->depth++;
    bool known = false;
    if (f->of_launch && launch_value(f, v, to)) {
        known = true;
    } else if (!f->of_launch && intrinsic_id(v, &dim) == ID_LOCAL) {
        known = id_form(f, dim, to);
    } else if (LLVMIsAPHINode(v)) {
        known = phi_form(f, v, node, to);
    } else if (LLVMIsATruncInst(v)) {
        known = value_form(f, LLVMGetOperand(v, 0), node, to);
    } else if (LLVMIsAZExtInst(v) || LLVMIsASExtInst(v)) {
        bool is_signed = LLVMIsASExtInst(v) || LLVMGetNNeg(v);
        known = exact_form(f, LLVMGetOperand(v, 0), node, is_signed, to);
    } else if (LLVMIsABinaryOperator(v)) {
        known = sum_form(f, v, node, to);
    }
    if (!known && f->alike && alike_value(f->alike, v, node)) {
        struct form one = {.constant = 1};
        known = stride_form(&one, v, to);
    }
    f->depth--;
    return known && (!f->of_launch || fits_launch(to, bits));
}

/* A variable, or what `enter` makes of an argument. */
static bool is_base(struct forms *f, LLVMValueRef p) {
    uintptr_t argument;
    return LLVMIsAGlobalVariable(p) || ptrmap_get(&f->in->k->arguments, p, &argument);
}

/* The offset of `p` from its base, which is `base`, or any variable or argument. */
static bool offset_form(struct forms *f, LLVMValueRef access, LLVMValueRef p, LLVMValueRef base,
                        struct form *to) {
    unsigned node = node_of(f->in, LLVMGetInstructionParent(access));
    *to = (struct form){0};
    while (base ? p != base : !is_base(f, p)) {
        struct gep_step steps[GEP_STEPS];
        bool is_cast = LLVMIsAAddrSpaceCastInst(p) || LLVMIsABitCastInst(p);
        unsigned n = ir_is_op(p, LLVMGetElementPtr) ? ir_gep_steps(f->in->layout, p, steps) : 0;
        if (!n && !is_cast) {
            return false;
        }
        for (unsigned s = 0; s < n; s++) {
            struct form index = {.constant = 1};
            if (steps[s].bytes > INT32_MAX ||
                (steps[s].index && !exact_form(f, steps[s].index, node, true, &index)) ||
                !add_form(to, &index, (int64_t)steps[s].bytes)) {
                return false;
            }
        }
        p = LLVMGetOperand(p, 0);
    }
    return f->of_launch ? fits_launch(to, 64) : fits(to, true, 64);
}

bool form_of_value(struct forms *f, LLVMValueRef v, LLVMBasicBlockRef block, struct form *to) {
    return exact_form(f, v, node_of(f->in, block), false, to) ||
           (exact_form(f, v, node_of(f->in, block), true, to) && !to->n);
}

bool form_of(struct forms *f, LLVMValueRef access, LLVMValueRef p, struct form *to) {
    guards_find(f, LLVMGetInstructionParent(access));
    if (!offset_form(f, access, p, NULL, to)) {
        return false;
    }
    memcpy(to->above, f->above, sizeof to->above);
    for (unsigned d = 0; d < 3; d++) {
        struct form id;
        if (id_form(f, d, &id) && !id.n) {
            to->fixed |= 1u << d;
            to->at[d] = id.constant;
        }
    }
    return true;
}

bool form_of_launch(struct forms *f, LLVMValueRef access, LLVMValueRef p, LLVMValueRef base,
                    struct form *to) {
    return offset_form(f, access, p, base, to);
}
