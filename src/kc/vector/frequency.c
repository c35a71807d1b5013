/* frequency.c: how often blocks run, of a work-item and of a pack.
 *
 * In: k->run with its regions, the uniformity of its packs and where lanes part. Out: shares of rounds of loops. Nothing is known of
 * the data: loops go around 8 times, unless ids and constants tell, and half of the work-items go either way, but where local ids
 * or remainders are compared with constants, for edges of data, equal numbers, guards of loops, and calls that weren't inlined. A pack runs a block
 * if one of its lanes does, and a loop until its last lane leaves (lateness_at). Comparisons of ids part lanes in one pack of a row.
 *     for (...) { a; if (s[i] > x) b; }       a: 8 times; b: 4 times of a work-item, and nearly 8 of a pack */
#include "cost.h"
#include <limits.h>
#include <math.h>

enum { ROUNDS = 8, MOST_ROUNDS = 1024 };

/* An edge that leaves a loop. */
struct exit {
    unsigned to;
    double share, most;
    struct exit *next;
};

LLVMValueRef frequency_end(const struct cost *c, unsigned node) {
    return LLVMGetBasicBlockTerminator(c->wg->blocks[node]);
}

LLVMValueRef frequency_condition(LLVMValueRef end) {
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
}

bool frequency_parts(const struct cost *c, unsigned node) {
    return !uniform_is(c->wg->pack, frequency_end(c, node));
}

bool frequency_is_by_range(const struct cost *c, unsigned node) {
    LLVMValueRef condition = frequency_condition(frequency_end(c, node));
    return condition && parting_is_range(c->wg, condition);
}

bool frequency_is_in(const struct cost *c, unsigned span, unsigned node) {
    return span == NONE || linearize_is_within(c->whole, span, node);
}

/* How many loops deep it is where most loops are nested, from the node on until what comes after the branch anyway. */
static unsigned depth_behind(const struct cost *c, unsigned node, unsigned after, bool *seen) {
    unsigned depth = 0;
    if (node == after || seen[node]) {
        return 0;
    }
    seen[node] = true;
    for (unsigned s = c->whole->innermost[node]; s != NONE; s = c->whole->spans[s].parent) {
        depth++;
    }
    for (unsigned i = 0; i < c->wg->cfg->nsucc[node]; i++) {
        unsigned there = depth_behind(c, c->wg->cfg->succ[node][i], after, seen);
        depth = there > depth ? there : depth;
    }
    return depth;
}

/* Whether more loops are nested behind the branch to `a` (> 0) or to `b` (< 0): that way there is more to do, and who
 * guards a loop mostly lets go there (Ball and Larus, 1993). */
static int compare_depths(const struct cost *c, unsigned node, unsigned a, unsigned b) {
    bool *seen = job_alloc(c->wg->cfg->n * sizeof *seen), *again = job_alloc(c->wg->cfg->n * sizeof *again);
    return (int)depth_behind(c, a, c->ipdom[node], seen) - (int)depth_behind(c, b, c->ipdom[node], again);
}

/* Whether it asks for one of a few values in memory, as whether a node is new: nobody knows of how many that is true. Less or more
 * than a number is asked about how many rounds each work-item has. */
static bool is_flag(const struct cost *c, unsigned node) {
    LLVMValueRef condition = frequency_condition(frequency_end(c, node));
    bool counts = LLVMIsAICmpInst(condition) && frequency_parts(c, node) &&
                  LLVMGetICmpPredicate(condition) != LLVMIntEQ &&
                  LLVMGetICmpPredicate(condition) != LLVMIntNE;
    bool compares = LLVMIsAICmpInst(condition) || LLVMIsAFCmpInst(condition);
    LLVMValueRef v =
        compares && LLVMIsConstant(LLVMGetOperand(condition, 1)) ? LLVMGetOperand(condition, 0) : condition;
    while (LLVMIsACastInst(v)) {
        v = LLVMGetOperand(v, 0);
    }
    return LLVMIsALoadInst(v) && !counts;
}

/* Whether the value counts the rounds of a loop around `span`, or of that; *of is that loop. */
static bool counts_rounds(const struct cost *c, unsigned span, LLVMValueRef v, unsigned *of) {
    bool counts = false;
    for (*of = span; *of != NONE && LLVMIsAPHINode(v); *of = c->whole->spans[*of].parent) {
        unsigned first = c->whole->order[c->whole->spans[*of].first];
        for (unsigned i = 0; LLVMGetInstructionParent(v) == c->wg->blocks[first] && i < LLVMCountIncoming(v);
             i++) {
            counts |= ir_counts_by(LLVMGetIncomingValue(v, i), v) != NULL;
        }
        if (counts) {
            return true;
        }
    }
    return false;
}

static unsigned number_of_exits(const struct cost *c, unsigned span) {
    unsigned n = 0;
    for (unsigned at = c->whole->spans[span].first; at <= c->whole->spans[span].last; at++) {
        n += frequency_leaves(c, span, c->whole->order[at]);
    }
    return n;
}

/* How many of the work-items find at the node's end that a number is the one that a loop around has counted to: each in one round,
 * as those do whose turn it is, or who leave rounds that have been unrolled; or that it isn't (i is 1). 0: they ask for something
 * else. */
static double part_at_turn(const struct cost *c, unsigned span, unsigned node, unsigned i) {
    LLVMValueRef condition = frequency_condition(frequency_end(c, node));
    unsigned loop;
    if (!condition || !LLVMIsAICmpInst(condition)) {
        return 0;
    }
    LLVMIntPredicate is = LLVMGetICmpPredicate(condition);
    bool found = counts_rounds(c, span, LLVMGetOperand(condition, 0), &loop) ||
                 counts_rounds(c, span, LLVMGetOperand(condition, 1), &loop);
    if (!found || (is != LLVMIntEQ && is != LLVMIntNE)) {
        return 0;
    }
    double rounds = frequency_rounds(c, loop);
    double turn = 1 / (rounds > ROUNDS && number_of_exits(c, loop) > 1 ? ROUNDS : rounds);
    return (is == LLVMIntEQ) == (i == 0) ? turn : 1 - turn;
}

/* How many values there are of what is compared, as far as local ids tell, each for as many work-items: the group's size, or a constant that
 * an id's remainder is of; 0: not known. */
static double values_of_id(const struct cost *c, LLVMValueRef v) {
    unsigned dim;
    v = LLVMIsACastInst(v) ? LLVMGetOperand(v, 0) : v;
    if (LLVMIsACallInst(v)) {
        return intrinsic_id(v, &dim) == ID_LOCAL ? c->wg->k->local_size[dim] : 0;
    }
    bool is_rest = ir_is_op(v, LLVMAnd) || ir_is_op(v, LLVMURem);
    LLVMValueRef by = is_rest ? LLVMGetOperand(v, 1) : NULL, of = is_rest ? LLVMGetOperand(v, 0) : NULL;
    of = of && LLVMIsACastInst(of) ? LLVMGetOperand(of, 0) : of;
    if (!of || !LLVMIsAConstantInt(by) || !LLVMIsACallInst(of) || intrinsic_id(of, &dim) == ID_NONE) {
        return 0;
    }
    uint64_t n = LLVMConstIntGetZExtValue(by) + (LLVMGetInstructionOpcode(v) == LLVMAnd);
    bool is_power = n && !(n & (n - 1));
    return LLVMGetInstructionOpcode(v) == LLVMURem || is_power ? (double)n : 0;
}

/* How many of a group's work-items have a local id, or a remainder of an id, for which a comparison with a constant holds; -1: it is
 * another condition. */
static double part_by_id(const struct cost *c, LLVMValueRef condition) {
    if (!condition || !LLVMIsAICmpInst(condition) || !LLVMIsAConstantInt(LLVMGetOperand(condition, 1))) {
        return -1;
    }
    double size = values_of_id(c, LLVMGetOperand(condition, 0)),
           bound = (double)LLVMConstIntGetSExtValue(LLVMGetOperand(condition, 1));
    if (size == 0 || bound < 0 || bound > size) {
        return -1;
    }
    double above = size > bound ? size - bound - 1 : 0, one = bound < size ? 1 : 0;
    switch (LLVMGetICmpPredicate(condition)) {
    case LLVMIntEQ:
        return one / size;
    case LLVMIntNE:
        return 1 - one / size;
    case LLVMIntULT:
    case LLVMIntSLT:
        return bound / size;
    case LLVMIntULE:
    case LLVMIntSLE:
        return (bound + one) / size;
    case LLVMIntUGT:
    case LLVMIntSGT:
        return above / size;
    default:
        return (above + one) / size;
    }
}

/* Whether it asks if two numbers that aren't constants are the same: mostly they aren't (Ball and Larus). */
static bool is_match(LLVMValueRef condition) {
    LLVMIntPredicate is =
        condition && LLVMIsAICmpInst(condition) ? LLVMGetICmpPredicate(condition) : LLVMIntSLT;
    return (is == LLVMIntEQ || is == LLVMIntNE) && !LLVMIsConstant(LLVMGetOperand(condition, 1));
}

/* How many of the work-items at the node's end go to its successor number i. */
static double part_of_edge(const struct cost *c, unsigned span, unsigned node, unsigned i) {
    unsigned n = c->wg->cfg->nsucc[node], *succ = c->wg->cfg->succ[node];
    const double RARELY = 0.001, LOOP = 0.9, MATCH = 1.0 / 16;
    LLVMValueRef condition = frequency_condition(frequency_end(c, node));
    if (n == 2 && frequency_is_in(c, span, succ[0]) != frequency_is_in(c, span, succ[1])) {
        return frequency_is_in(c, span, succ[i]) ? 1
                                                 : 1.0 / ROUNDS; /* where else they leave doesn't matter */
    }
    unsigned expected = n == 2 ? ir_expected(frequency_end(c, node)) : UINT_MAX;
    if (expected != UINT_MAX) {
        return i == expected ? 1 - RARELY : RARELY;
    }
    bool is_triangle = n == 2 && (succ[0] == c->ipdom[node] || succ[1] == c->ipdom[node]);
    bool is_edge = n == 2 && condition && frequency_parts(c, node) && width_is_edge(c->wg, condition);
    double at_turn = part_at_turn(c, span, node, i);
    if (at_turn > 0) {
        return at_turn;
    }
    double by_id = n == 2 ? part_by_id(c, condition) : -1;
    if (by_id >= 0) {
        return i == 0 ? by_id : 1 - by_id;
    }
    if (n == 2 && frequency_parts(c, node) && is_match(condition)) {
        return (LLVMGetICmpPredicate(condition) == LLVMIntEQ) == (i == 0) ? MATCH : 1 - MATCH;
    }
    if (is_edge && is_triangle) {
        return succ[i] != c->ipdom[node] ? 1 - RARELY : RARELY;
    }
    for (unsigned e = 0; n == 2 && e < 2; e++) {
        if (ir_calls_function(c->wg->blocks[succ[e]]) && !ir_calls_function(c->wg->blocks[succ[1 - e]])) {
            return e == i ? RARELY : 1 - RARELY;
        }
    }
    if (n == 2 && !(frequency_parts(c, node) && frequency_is_by_range(c, node)) &&
        !(is_triangle && condition && is_flag(c, node))) {
        int deeper = compare_depths(c, node, succ[i], succ[1 - i]);
        return deeper > 0 ? LOOP : deeper < 0 ? 1 - LOOP : 1.0 / n;
    }
    return 1.0 / n;
}

static void follow(struct cost *c, unsigned span, unsigned from, unsigned to, double share, double most) {
    if (!frequency_is_in(c, span, to)) {
        struct exit *exit = job_alloc(sizeof *exit);
        *exit = (struct exit){to, share, most, c->exits[span]};
        c->exits[span] = exit;
    } else if (c->whole->place[to] > from) {
        c->share[to] += share;
        most += c->most[to];
        c->most[to] = most < 1 ? most : 1;
    }
}

/* How many of the packs have a work-item that goes where a part of them goes by the remainder of an id: a range in each of many pieces of
 * a row. A condition of another kind: the part. */
static double packs_of_part(const struct cost *c, unsigned node, double part) {
    LLVMValueRef condition = frequency_condition(frequency_end(c, node));
    LLVMValueRef v = condition && LLVMIsAICmpInst(condition) ? LLVMGetOperand(condition, 0) : NULL;
    v = v && LLVMIsACastInst(v) ? LLVMGetOperand(v, 0) : v;
    double packs = v && !LLVMIsACallInst(v) ? values_of_id(c, v) / c->width : 0;
    return packs == 0 ? part : packs <= 1 ? 1 : ceil(part * packs) / packs;
}

/* Spreads what comes to the block over those after it in the loop `span`. */
static void spread_block(struct cost *c, unsigned span, unsigned at) {
    unsigned node = c->whole->order[at];
    bool by_data = frequency_parts(c, node) && !frequency_is_by_range(c, node);
    for (unsigned i = 0; i < c->wg->cfg->nsucc[node]; i++) {
        double part = part_of_edge(c, span, node, i);
        follow(c, span, at, c->wg->cfg->succ[node][i], c->share[node] * part,
               c->most[node] * (by_data ? 1 : packs_of_part(c, node, part)));
    }
}

/* Spreads what comes to the blocks from place `first` to `last`, in the loop `span` or NONE, over them and what is behind. */
static void spread(struct cost *c, unsigned span, unsigned first, unsigned last) {
    for (unsigned at = first; at <= last; at++) {
        unsigned node = c->whole->order[at], inner = c->whole->innermost[node];
        while (inner != span && c->whole->spans[inner].parent != span) {
            inner = c->whole->spans[inner].parent;
        }
        if (inner == span) {
            spread_block(c, span, at);
            continue;
        }
        double all = 0, came = c->share[node], most = c->most[node];
        c->entered[inner] = came;
        c->most_entered[inner] = most;
        c->share[node] = c->most[node] = 1;
        at = c->whole->spans[inner].last;
        spread(c, inner, c->whole->spans[inner].first, at);
        for (struct exit *e = c->exits[inner]; e; e = e->next) {
            all += e->share;
        }
        for (struct exit *e = c->exits[inner]; e; e = e->next) {
            double part = all > 0 ? e->share / all : 0;
            follow(c, span, at, e->to, came * part, most * part);
        }
    }
}

static void find_regions(struct cost *c) {
    const struct wg *wg = c->wg;
    c->region = job_alloc(wg->cfg->n * sizeof *c->region);
    c->place = job_alloc(wg->cfg->n * sizeof *c->place);
    for (unsigned r = 0; r < wg->nregions; r++) {
        for (size_t i = 0; i < wg->regions[r].blocks.n; i++) {
            unsigned node = (unsigned)(uintptr_t)wg->regions[r].blocks.at[i];
            c->region[node] = r + 1;
            c->place[node] = (unsigned)i;
        }
    }
}

/* After spread. */
static void find_islands(struct cost *c) {
    const struct wg *wg = c->wg;
    c->islands = job_alloc(wg->nregions * sizeof *c->islands);
    for (unsigned r = 0; r < wg->nregions; r++) {
        const struct linear *l = wg->regions[r].linear;
        c->islands[r] = job_alloc((l->nislands + 1) * sizeof **c->islands);
        for (unsigned i = 0; i < l->nblocks; i++) {
            unsigned node = (unsigned)(uintptr_t)wg->regions[r].blocks.at[i];
            for (unsigned s = 0; s < l->g->nsucc[i]; s++) {
                unsigned to = l->island[l->g->succ[i][s]];
                struct island *island = to == NONE ? NULL : &c->islands[r][to];
                if (island && l->island[i] != to && c->share[node] > island->came) {
                    island->came = c->share[node];
                    island->most = c->most[node];
                }
            }
        }
    }
}

/* Packs in a row of the work-group. */
double frequency_packs_in_row(const struct cost *c) {
    enum { USUAL = 256 };
    uint32_t row = c->wg->k->local_size[0] ? c->wg->k->local_size[0] : USUAL;
    return row > c->width ? (double)row / c->width : 1;
}

/* How much of the time some lane of the pack runs what `share` of its work-items run, of which ranges of ids let `most` of them
 * go there: others are in other packs. */
static double any_of(const struct cost *c, double share, double most) {
    double none = 1, some = most + 0.5 / frequency_packs_in_row(c);
    some = most < 1 && some < 1 ? some : 1;
    for (unsigned i = 0; i < c->width && most > 0; i++) {
        none *= 1 - (share < most ? share / most : 1);
    }
    return c->width == 1 || share >= 1 ? share : some * (1 - none);
}

static unsigned whole_first(const struct region *r, unsigned island) {
    return (unsigned)(uintptr_t)r->blocks.at[r->linear->first[island]];
}

/* How often a pack runs the node, or begins the loop whose first node it is, in a round of the loop `span`, where a
 * work-item does `share` times. */
double frequency_of(const struct cost *c, unsigned node, unsigned span, double share, bool begins) {
    if (c->width == 1 || !c->region[node]) {
        return share;
    }
    const struct region *r = &c->wg->regions[c->region[node] - 1];
    const struct linear *l = r->linear;
    unsigned island = begins ? linearize_island_of(l, c->place[node]) : l->island[c->place[node]];
    if (island == NONE) {
        return share;
    }
    /* In a loop of the island what counts is how often its round runs the node. */
    bool is_outermost = span == NONE || c->whole->innermost[whole_first(r, island)] == span;
    const struct island *of = &c->islands[c->region[node] - 1][island];
    double came = is_outermost && of->came > 0 && of->came < 1 ? of->came : 1,
           before = is_outermost && of->most > 0 && of->most < 1 ? of->most : 1,
           most = begins ? c->most_entered[c->whole->innermost[node]] : c->most[node];
    return came * any_of(c, share < came ? share / came : 1, most < before ? most / before : 1);
}

/* How many more rounds a pack goes around the loop than a work-item, as it leaves at the node. */
static double lateness_at(const struct cost *c, unsigned span, unsigned node) {
    double lanes = 0;
    LLVMValueRef condition = frequency_condition(frequency_end(c, node));
    for (uint32_t w = c->width; w > 1; w /= 2) {
        lanes++;
    }
    if (c->width == 1 || !frequency_parts(c, node)) {
        return 1;
    }
    if (frequency_is_by_range(c, node)) {
        return 1 + 0.5 / frequency_packs_in_row(c);
    }
    return 1 + lanes / (condition && parting_is_search(c->wg, c->whole, span, condition) ? 16 : 4);
}

double frequency_unsure(const struct cost *c, unsigned span, unsigned node) {
    enum { DEPTH = 8 };
    double one = part_of_edge(c, span, node, 0);
    LLVMValueRef condition = frequency_condition(frequency_end(c, node));
    return !shape_is_of_data(c->wg, condition, DEPTH) ? 0 : 2 * (one < 0.5 ? one : 1 - one);
}

bool frequency_leaves(const struct cost *c, unsigned span, unsigned node) {
    bool found = false;
    for (unsigned i = 0; i < c->wg->cfg->nsucc[node]; i++) {
        found |= !frequency_is_in(c, span, c->wg->cfg->succ[node][i]);
    }
    return found;
}

/* What the value is in the loop's first round, or starts from; NULL: it counts nothing there. */
static LLVMValueRef start_of(const struct cost *c, unsigned span, LLVMValueRef v, LLVMValueRef *step) {
    if (LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAdd &&
        LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
        v = LLVMGetOperand(v, 0);
    }
    LLVMValueRef start = NULL;
    for (unsigned i = 0; LLVMIsAPHINode(v) && i < LLVMCountIncoming(v); i++) {
        LLVMValueRef x = LLVMGetIncomingValue(v, i);
        unsigned from = (unsigned)ptrmap_at(&c->wg->index, LLVMGetIncomingBlock(v, i), 0);
        if (!frequency_is_in(c, span, from)) {
            start = x;
        } else if (ir_counts_by(x, v)) {
            *step = ir_counts_by(x, v);
        }
    }
    return start;
}

/* What the value is in the mean of a group's work-items: a constant, a local id, a sum or product of such; else NAN. */
static double mean_of(const struct cost *c, LLVMValueRef v, unsigned depth) {
    unsigned dim;
    if (LLVMIsAConstantInt(v)) {
        return (double)LLVMConstIntGetSExtValue(v);
    }
    if (!LLVMIsAInstruction(v) || !depth) {
        return NAN;
    }
    if (intrinsic_id(v, &dim) == ID_LOCAL && c->wg->k->local_size[dim]) {
        return (c->wg->k->local_size[dim] - 1) / 2.0;
    }
    LLVMOpcode op = LLVMGetInstructionOpcode(v);
    if (LLVMIsACastInst(v)) {
        return mean_of(c, LLVMGetOperand(v, 0), depth - 1);
    }
    if (op != LLVMAdd && op != LLVMOr && op != LLVMMul && op != LLVMShl) {
        return NAN;
    }
    double x = mean_of(c, LLVMGetOperand(v, 0), depth - 1), y = mean_of(c, LLVMGetOperand(v, 1), depth - 1);
    if (op == LLVMShl) {
        return y >= 0 && y < 32 ? ldexp(x, (int)y) : NAN;
    }
    return op == LLVMMul ? x * y : x + y;
}

static bool is_from_exchange(LLVMValueRef v) {
    return LLVMIsAExtractValueInst(v) && LLVMIsAAtomicCmpXchgInst(LLVMGetOperand(v, 0));
}

/* Whether the condition is that a compare-and-exchange has succeeded: its flag, or what it has found compared. */
static bool is_of_exchange(LLVMValueRef condition) {
    return is_from_exchange(condition) ||
           (LLVMIsAICmpInst(condition) && (is_from_exchange(LLVMGetOperand(condition, 0)) ||
                                           is_from_exchange(LLVMGetOperand(condition, 1))));
}

double frequency_known_rounds(const struct cost *c, unsigned span) {
    enum { DEPTH = 6 };
    double rounds = 0;
    for (unsigned at = c->whole->spans[span].first; at <= c->whole->spans[span].last; at++) {
        LLVMValueRef condition = frequency_condition(frequency_end(c, c->whole->order[at])), step = NULL;
        if (!condition || !frequency_leaves(c, span, c->whole->order[at])) {
            continue;
        }
        if (is_of_exchange(condition)) {
            return 1;
        }
        if (!LLVMIsAICmpInst(condition) || !LLVMIsAConstantInt(LLVMGetOperand(condition, 1))) {
            continue;
        }
        LLVMValueRef start = start_of(c, span, LLVMGetOperand(condition, 0), &step);
        if (start && step && LLVMConstIntGetSExtValue(step)) {
            bool is_same = LLVMIsAConstantInt(start) != NULL;
            double last = (double)LLVMConstIntGetSExtValue(LLVMGetOperand(condition, 1)),
                   n = (last - mean_of(c, start, DEPTH)) / (double)LLVMConstIntGetSExtValue(step);
            n = is_same ? n : n > 0.5 ? n + 0.5 : n > 0 ? 1 : 0; /* begun rounds */
            rounds = n >= 1 && n <= MOST_ROUNDS ? n : rounds;
        }
    }
    return rounds;
}

double frequency_rounds(const struct cost *c, unsigned span) {
    double known = frequency_known_rounds(c, span);
    return known > 0 ? known : ROUNDS;
}

double frequency_lateness(const struct cost *c, unsigned span) {
    double most = 1;
    for (unsigned at = c->whole->spans[span].first; at <= c->whole->spans[span].last; at++) {
        unsigned node = c->whole->order[at];
        double here = frequency_leaves(c, span, node) ? lateness_at(c, span, node) : 1;
        most = here > most ? here : most;
    }
    return most;
}

/* Of a binary search nobody guesses which half is next. */
bool frequency_is_search(const struct cost *c, unsigned span) {
    bool found = false;
    for (unsigned at = c->whole->spans[span].first; at <= c->whole->spans[span].last; at++) {
        unsigned node = c->whole->order[at];
        LLVMValueRef condition = frequency_condition(frequency_end(c, node));
        found |= condition && frequency_leaves(c, span, node) &&
                 parting_is_search(c->wg, c->whole, span, condition);
    }
    return found;
}

void frequency_find(struct cost *c) {
    const struct wg *wg = c->wg;
    c->whole = wg->whole;
    c->layout = LLVMGetModuleDataLayout(wg->k->module);
    c->ipdom = graph_ipdom(wg->cfg);
    c->share = job_alloc(wg->cfg->n * sizeof *c->share);
    c->most = job_alloc(wg->cfg->n * sizeof *c->most);
    c->entered = job_alloc((wg->whole->nspans + 1) * sizeof *c->entered);
    c->most_entered = job_alloc((wg->whole->nspans + 1) * sizeof *c->most_entered);
    c->exits = job_alloc((wg->whole->nspans + 1) * sizeof *c->exits);
    find_regions(c);
    c->share[0] = c->most[0] = 1;
    spread(c, NONE, 0, wg->whole->length - 1);
    find_islands(c);
}
