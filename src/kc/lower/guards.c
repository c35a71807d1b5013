/* guards.c: what conditions on the way to a block say of local ids.
 *
 * In: a block of a kernel that is to be checked, whose group's size is known. Out: for local ids, and their quotients and rests by a
 * number, the least and the greatest value wherever the block is executed: forms->guard. The way is that of blocks with one
 * predecessor, so that each condition was true when its branch was passed last; is_wide: or one but for the loop's rounds, in which what
 * was computed before it stays, and on from where several ways meet with the block that is on all of them.
 *
 *     if (l < 8 && y == 0)
 *         s[l + 8] = ...                l: [0, 7], y: [0, 0]
 *
 * Conditions are comparisons of an id, a part of one, or such a one and a number, with a number; joined by &&, and by || where
 * that is false. */
#include "index_form.h"
#include "lower.h"
#include <string.h>

enum { DEPTH = 8 };

/* False: there is no room. */
static bool add_guard(struct forms *f, const struct term *term, int64_t least, int64_t most) {
    unsigned dim = term->dims == 1 ? 0 : term->dims == 2 ? 1 : 2;
    struct guard *g = NULL;
    for (unsigned n = 0; n < f->nguards; n++) {
        struct guard *old = &f->guard[n];
        g = old->dim == dim && old->part == term->part && old->divisor == term->divisor ? old : g;
    }
    if (!g) {
        if (f->nguards == GUARDS_MOST) {
            return false;
        }
        g = &f->guard[f->nguards++];
        *g = (struct guard){dim, term->part, term->divisor, 0, (int64_t)term->n - 1};
    }
    g->least = g->least > least ? g->least : least;
    g->most = g->most < most ? g->most : most;
    if (g->least > g->most) { /* nobody comes here */
        g->least = g->most = 0;
        f->is_never = true;
    }
    return true;
}

/* An id or a part of it, which with a number makes the value. */
static bool find_id(struct forms *f, LLVMValueRef v, LLVMBasicBlockRef block, struct form *form) {
    return form_of_value(f, v, block, form) && form->n == 1 && form->term[0].times == 1 &&
           !form->term[0].loop && form->term[0].dims;
}

static bool find_number(struct forms *f, LLVMValueRef v, LLVMBasicBlockRef block, int64_t *number) {
    struct form form;
    bool is = form_of_value(f, v, block, &form) && !form.n;
    *number = is ? form.constant : 0;
    return is;
}

/* An id that is more than a loop's count, or as much: of those in one dimension one is kept. */
static void add_above(struct forms *f, LLVMIntPredicate p, LLVMValueRef id, LLVMValueRef count,
                      LLVMBasicBlockRef block) {
    bool more = p == LLVMIntUGT || p == LLVMIntSGT;
    struct form x, y;
    if ((!more && p != LLVMIntUGE && p != LLVMIntSGE) || !find_id(f, id, block, &x) ||
        x.term[0].part != WHOLE || !form_of_value(f, count, block, &y) || y.n != 1 || !y.term[0].loop ||
        y.term[0].dims || y.term[0].times <= 0 || y.term[0].least) {
        return;
    }
    f->above[__builtin_ctz(x.term[0].dims)] = (struct above){
        .loop = y.term[0].loop, .times = y.term[0].times, .least = y.constant - x.constant + more};
}

/* The id is known not to be negative, nor to wrap: signed and unsigned comparisons with a number that isn't negative either are
 * the same. True, here and below: guards say all of it. */
static bool add_comparison(struct forms *f, LLVMValueRef compare, bool holds, LLVMBasicBlockRef block) {
    LLVMIntPredicate p = LLVMGetICmpPredicate(compare);
    LLVMValueRef left = LLVMGetOperand(compare, 0), right = LLVMGetOperand(compare, 1);
    struct form id;
    int64_t number;
    add_above(f, holds ? p : ir_opposite(p), left, right, block);
    add_above(f, ir_swapped(holds ? p : ir_opposite(p)), right, left, block);
    if (!find_number(f, right, block, &number)) {
        LLVMValueRef swap = left;
        left = right;
        right = swap;
        p = ir_swapped(p);
    }
    bool is_unsigned = p == LLVMIntUGT || p == LLVMIntUGE || p == LLVMIntULT || p == LLVMIntULE;
    if (!find_number(f, right, block, &number) || (number < 0 && is_unsigned) ||
        !find_id(f, left, block, &id)) {
        return false;
    }
    number -= id.constant;
    int64_t least = id.term[0].least, most = id.term[0].most;
    bool is_all = true;
    switch (holds ? p : ir_opposite(p)) {
    case LLVMIntEQ:
        least = most = number;
        break;
    case LLVMIntNE:
        is_all = least >= number || most <= number;
        least += least == number;
        most -= most == number;
        break;
    case LLVMIntUGT:
    case LLVMIntSGT:
        least = number + 1;
        break;
    case LLVMIntUGE:
    case LLVMIntSGE:
        least = number;
        break;
    case LLVMIntULT:
    case LLVMIntSLT:
        most = number - 1;
        break;
    case LLVMIntULE:
    case LLVMIntSLE:
        most = number;
        break;
    default:
        return false;
    }
    return add_guard(f, &id.term[0], least, most) && is_all;
}

static bool add_way(struct forms *f, LLVMBasicBlockRef block, unsigned depth);

/* `condition` is `holds`, as the block sees it. */
static bool add_condition(struct forms *f, LLVMValueRef condition, bool holds, LLVMBasicBlockRef block,
                          unsigned depth);

/* Whether the block is the node's, or one on the way to it. */
static bool is_on_way(const struct forms *f, LLVMBasicBlockRef block, LLVMBasicBlockRef to) {
    const struct graph *cfg = f->in->cfg;
    unsigned node = (unsigned)ptrmap_at(&f->in->index, to, 0);
    for (unsigned n = 0; f->in->blocks[node] != block; n++) {
        if (n == GUARDS_WAY || cfg->npred[node] != 1) {
            return false;
        }
        node = cfg->pred[node][0];
    }
    return true;
}

/* A PHI that is a constant from all ways but one, of which that is the opposite. */
static bool add_phi(struct forms *f, LLVMValueRef phi, bool holds, unsigned depth) {
    unsigned ways = 0, way = 0;
    for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
        LLVMValueRef v = LLVMGetIncomingValue(phi, n);
        bool is_other = LLVMIsAConstantInt(v) && LLVMConstIntGetZExtValue(v) != holds;
        ways += !is_other;
        way = is_other ? way : n;
    }
    if (ways == 1) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, way);
        bool is_all = add_condition(f, LLVMGetIncomingValue(phi, way), holds, from, depth - 1);
        for (unsigned n = 0; n < LLVMCountIncoming(phi); n++) {
            is_all &= is_on_way(f, LLVMGetIncomingBlock(phi, n), from);
        }
        return add_way(f, from, depth - 1) && is_all;
    }
    return false;
}

static bool is_bit(LLVMValueRef v) {
    LLVMTypeRef type = LLVMTypeOf(v);
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) == 1;
}

/* What a bool in memory, or an int that is compared with 0, was made of; NULL: it is neither. */
static LLVMValueRef bit_of(LLVMValueRef c, bool *holds) {
    LLVMOpcode op = LLVMGetInstructionOpcode(c);
    bool compares = op == LLVMICmp && LLVMIsAConstantInt(LLVMGetOperand(c, 1)) &&
                    !LLVMConstIntGetZExtValue(LLVMGetOperand(c, 1)),
         equal = compares && LLVMGetICmpPredicate(c) == LLVMIntEQ;
    if (op != LLVMTrunc && !equal && !(compares && LLVMGetICmpPredicate(c) == LLVMIntNE)) {
        return NULL;
    }
    LLVMValueRef wide = LLVMGetOperand(c, 0);
    if (!LLVMIsAZExtInst(wide) || !is_bit(LLVMGetOperand(wide, 0))) {
        return NULL;
    }
    *holds ^= equal;
    return LLVMGetOperand(wide, 0);
}

static bool add_condition(struct forms *f, LLVMValueRef c, bool holds, LLVMBasicBlockRef block,
                          unsigned depth) {
    if (!depth || !LLVMIsAInstruction(c)) {
        return false;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(c);
    LLVMValueRef bit = bit_of(c, &holds);
    if (bit) {
        return add_condition(f, bit, holds, block, depth - 1);
    }
    if ((op == LLVMAnd || op == LLVMOr) && (op == LLVMAnd) == holds) {
        bool is_all = add_condition(f, LLVMGetOperand(c, 0), holds, block, depth - 1);
        return add_condition(f, LLVMGetOperand(c, 1), holds, block, depth - 1) && is_all;
    }
    if (op == LLVMPHI && is_bit(c)) {
        return add_phi(f, c, holds, depth);
    }
    return op == LLVMICmp && add_comparison(f, c, holds, block);
}

static bool add_branch(struct forms *f, unsigned from, unsigned to, unsigned depth) {
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(f->in->blocks[from]);
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch)) {
        return LLVMIsABranchInst(branch) != NULL;
    }
    bool first = LLVMGetSuccessor(branch, 0) == f->in->blocks[to],
         second = LLVMGetSuccessor(branch, 1) == f->in->blocks[to];
    LLVMValueRef condition = LLVMGetCondition(branch);
    if (LLVMIsAConstantInt(condition)) {
        return LLVMConstIntGetZExtValue(condition) == first;
    }
    return first != second && add_condition(f, condition, first, f->in->blocks[from], depth);
}

/* Conditions on the way to the block. True: guards say all of them. */
static bool add_way(struct forms *f, LLVMBasicBlockRef block, unsigned depth) {
    const struct graph *cfg = f->in->cfg;
    unsigned node = (unsigned)ptrmap_at(&f->in->index, block, 0);
    bool is_all = depth;
    for (unsigned n = 0; depth && node && n < GUARDS_WAY; n++) {
        int from = cfg->npred[node] == 1 ? (int)cfg->pred[node][0]
                   : f->is_wide          ? alike_way_to(f->in, node)
                                         : -1;
        if (from >= 0) {
            is_all &= add_branch(f, (unsigned)from, node, depth);
            node = (unsigned)from;
        } else if (f->is_wide && f->in->idom[node] < cfg->n) {
            is_all = false;
            node = f->in->idom[node];
        } else {
            break;
        }
    }
    return is_all;
}

/* Whether forms of ids have just the values that guards let in: of each id there is one, which id_form follows. Others only
 * narrow what may be. */
static bool are_exact(const struct forms *f) {
    unsigned dims = 0;
    for (unsigned n = 0; n < f->nguards; n++) {
        const struct guard *g = &f->guard[n];
        if (dims >> g->dim & 1 || (g->part != WHOLE && (g->part != REST || g->least != g->most))) {
            return false;
        }
        dims |= 1u << g->dim;
    }
    return true;
}

void guards_find(struct forms *f, LLVMBasicBlockRef block) {
    struct alike *alike = f->alike;
    f->alike = NULL; /* guards are about numbers */
    f->nguards = 0;
    memset(f->above, 0, sizeof f->above);
    f->is_never = f->are_all = false;
    if (f->in->k->local_size[0] && !f->is_free) {
        f->are_all = add_way(f, block, DEPTH) && are_exact(f);
    }
    f->alike = alike;
}
