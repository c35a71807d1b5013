/* cost.c: about how many cycles a kernel takes for each of its work-items, in packs and one by one.
 *
 * In: k->run with its regions, the uniformity of its packs and where lanes part, before values become slots. Out: cycles of
 * one work-item, which width.c compares, and where lanes part. What counts is
 * - how often a block runs. Nothing is known of the data: loops go around 8 times, unless by constants, and half of the
 *   work-items go either way, but for edges of data, guards of loops, and calls that weren't inlined. A pack runs a block if one
 *   of its lanes does, and a loop until its last lane leaves (lateness_at). Comparisons of ids part lanes in one pack of a row.
 * - what an instruction takes: its share of the processor's units (struct target has what differs between processors); of a
 *   gather or scatter as much for each lane, of a branch what guessing wrong costs a work-item, and masks a pack.
 * - in a loop at least the latency from one round to the next (its recurrence, as Rau calls it in "Iterative Modulo
 *   Scheduling", 1994): work-items one by one wait for it each, lanes of a pack together; in a pack's round that of its longest chain.
 * - a work-item alone computes several rounds at once where LLVM makes vectors of them (analysis/counted_loop.c).
 *     for (e = first[n]; e < first[n + 1]; e++) if (cost[to[e]] < 0) next[to[e]] = 1;    gathers in 16 lanes: one by one
 *     while (v != 1) v = v & 1 ? 3 * v + 1 : v / 2;                                     nothing but arithmetic: packs
 * What it can't do: know the data and caches, and what waits for a store to memory. */
#include "vector.h"

enum { ROUNDS = 8, MOST_ROUNDS = 1024 };

/* An island of a region. */
struct island {
    double came;  /* how often work-items come to it in a round of the loop around it; 0: that is its own */
    bool of_data; /* lanes part in it by more than ids */
};

/* An edge that leaves a loop. */
struct exit {
    unsigned to;
    double share;
    struct exit *next;
};

struct cost {
    const struct wg *wg;
    const struct linear *whole;
    LLVMTargetDataRef layout;
    uint32_t width; /* 1: work-items one by one */
    unsigned *ipdom;
    unsigned *region, *place; /* by node: a region that it is in plus 1, and its number there */
    struct island **islands;  /* by region and island */
    double *share;            /* by node: how often a work-item runs it in a round of the innermost loop */
    double *entered;          /* by span: how often it begins in a round of the loop around it */
    unsigned *pressure;       /* by node: vector registers that its values take where most of them live */
    struct exit **exits;      /* by span */
    struct ptrmap parts;      /* accesses that tuples.c joins, or drops (0) -> of how many elements */
};

/* ---- how often blocks run ---- */

static LLVMValueRef end_of(const struct cost *c, unsigned node) {
    return LLVMGetBasicBlockTerminator(c->wg->blocks[node]);
}

static LLVMValueRef condition_of(LLVMValueRef end) {
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
}

static bool parts(const struct cost *c, unsigned node) {
    return !uniform_is(c->wg->pack, end_of(c, node));
}

static bool is_by_range(const struct cost *c, unsigned node) {
    LLVMValueRef condition = condition_of(end_of(c, node));
    return condition && parting_is_range(c->wg, condition);
}

static bool is_in(const struct cost *c, unsigned span, unsigned node) {
    return span == NONE || linearize_is_within(c->whole, span, node);
}

/* Whether the block calls a function that has stayed one: what is common is inlined. */
static bool calls(const struct cost *c, unsigned node) {
    bool found = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
        LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
        found |= callee && !LLVMIsDeclaration(callee);
    }
    return found;
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

/* Whether it asks for one of a few values in memory, as whether a node is new: nobody knows of how many that is true. */
static bool is_flag(LLVMValueRef condition) {
    bool compares = condition && (LLVMIsAICmpInst(condition) || LLVMIsAFCmpInst(condition));
    LLVMValueRef v =
        compares && LLVMIsConstant(LLVMGetOperand(condition, 1)) ? LLVMGetOperand(condition, 0) : condition;
    while (v && LLVMIsACastInst(v)) {
        v = LLVMGetOperand(v, 0);
    }
    return v && LLVMIsALoadInst(v);
}

/* How many of the work-items at the node's end go to its successor number i. */
static double part_of_edge(const struct cost *c, unsigned span, unsigned node, unsigned i) {
    unsigned n = c->wg->cfg->nsucc[node], *succ = c->wg->cfg->succ[node];
    const double RARELY = 0.001, LOOP = 0.9;
    LLVMValueRef condition = condition_of(end_of(c, node));
    if (n == 2 && is_in(c, span, succ[0]) != is_in(c, span, succ[1])) {
        return is_in(c, span, succ[i]) ? 1 : 1.0 / ROUNDS; /* where else they leave doesn't matter */
    }
    bool is_triangle = n == 2 && (succ[0] == c->ipdom[node] || succ[1] == c->ipdom[node]);
    bool is_edge = n == 2 && condition && parts(c, node) && width_is_edge(c->wg, condition);
    if (is_edge && is_triangle) {
        return succ[i] != c->ipdom[node] ? 1 - RARELY : RARELY;
    }
    for (unsigned e = 0; n == 2 && e < 2; e++) {
        if (calls(c, succ[e]) && !calls(c, succ[1 - e])) {
            return e == i ? RARELY : 1 - RARELY;
        }
    }
    if (n == 2 && !(parts(c, node) && is_by_range(c, node)) && !(is_triangle && is_flag(condition))) {
        int deeper = compare_depths(c, node, succ[i], succ[1 - i]);
        return deeper > 0 ? LOOP : deeper < 0 ? 1 - LOOP : 1.0 / n;
    }
    return 1.0 / n;
}

static void follow(struct cost *c, unsigned span, unsigned from, unsigned to, double share) {
    if (!is_in(c, span, to)) {
        struct exit *exit = job_alloc(sizeof *exit);
        *exit = (struct exit){to, share, c->exits[span]};
        c->exits[span] = exit;
    } else if (c->whole->place[to] > from) {
        c->share[to] += share;
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
            for (unsigned i = 0; i < c->wg->cfg->nsucc[node]; i++) {
                follow(c, span, at, c->wg->cfg->succ[node][i],
                       c->share[node] * part_of_edge(c, span, node, i));
            }
            continue;
        }
        double all = 0, came = c->share[node];
        c->entered[inner] = came;
        c->share[node] = 1;
        at = c->whole->spans[inner].last;
        spread(c, inner, c->whole->spans[inner].first, at);
        for (struct exit *e = c->exits[inner]; e; e = e->next) {
            all += e->share;
        }
        for (struct exit *e = c->exits[inner]; e; e = e->next) {
            follow(c, span, at, e->to, all > 0 ? came * e->share / all : 0);
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
                if (island && parts(c, node)) {
                    island->of_data |= !is_by_range(c, node);
                }
                if (island && l->island[i] != to && c->share[node] > island->came) {
                    island->came = c->share[node];
                }
            }
        }
    }
}

/* Packs in a row of the work-group. */
static double packs_in_row(const struct cost *c) {
    enum { USUAL = 256 };
    uint32_t row = c->wg->k->local_size[0] ? c->wg->k->local_size[0] : USUAL;
    return row > c->width ? (double)row / c->width : 1;
}

/* How much of the time some lane of the pack runs what `share` of its work-items run. */
static double any_of(const struct cost *c, double share, bool ranges) {
    double none = 1, some = share + 0.5 / packs_in_row(c);
    for (unsigned i = 0; i < c->width; i++) {
        none *= 1 - share;
    }
    return c->width == 1 || share >= 1 ? share : !ranges ? 1 - none : some < 1 ? some : 1;
}

static unsigned whole_first(const struct region *r, unsigned island) {
    return (unsigned)(uintptr_t)r->blocks.at[r->linear->first[island]];
}

/* How often a pack runs the node, or begins the loop whose first node it is, in a round of the loop `span`, where a
 * work-item does `share` times. */
static double runs_of(const struct cost *c, unsigned node, unsigned span, double share, bool begins) {
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
    double came = is_outermost && of->came > 0 && of->came < 1 ? of->came : 1;
    return came * any_of(c, share < came ? share / came : 1, !of->of_data);
}

/* How many more rounds a pack goes around the loop than a work-item, as it leaves at the node. */
static double lateness_at(const struct cost *c, unsigned span, unsigned node) {
    double lanes = 0;
    LLVMValueRef condition = condition_of(end_of(c, node));
    for (uint32_t w = c->width; w > 1; w /= 2) {
        lanes++;
    }
    if (c->width == 1 || !parts(c, node)) {
        return 1;
    }
    if (is_by_range(c, node)) {
        return 1 + 0.5 / packs_in_row(c);
    }
    return 1 + lanes / (condition && parting_is_search(c->wg, c->whole, span, condition) ? 16 : 4);
}

static bool leaves(const struct cost *c, unsigned span, unsigned node) {
    bool found = false;
    for (unsigned i = 0; i < c->wg->cfg->nsucc[node]; i++) {
        found |= !is_in(c, span, c->wg->cfg->succ[node][i]);
    }
    return found;
}

/* The constant that the value is in the loop's first round, or starts from; NULL: it is none. */
static LLVMValueRef start_of(const struct cost *c, unsigned span, LLVMValueRef v, LLVMValueRef *step) {
    if (LLVMIsABinaryOperator(v) && LLVMGetInstructionOpcode(v) == LLVMAdd &&
        LLVMIsAConstantInt(LLVMGetOperand(v, 1))) {
        v = LLVMGetOperand(v, 0);
    }
    LLVMValueRef start = NULL;
    for (unsigned i = 0; LLVMIsAPHINode(v) && i < LLVMCountIncoming(v); i++) {
        LLVMValueRef x = LLVMGetIncomingValue(v, i);
        unsigned from = (unsigned)ptrmap_at(&c->wg->index, LLVMGetIncomingBlock(v, i), 0);
        if (!is_in(c, span, from)) {
            start = LLVMIsAConstantInt(x);
        } else if (ir_counts_by(x, v)) {
            *step = ir_counts_by(x, v);
        }
    }
    return start;
}

/* The rounds of a work-item: a constant number, or what is usual. */
static double rounds_of(const struct cost *c, unsigned span) {
    double rounds = ROUNDS;
    for (unsigned at = c->whole->spans[span].first; at <= c->whole->spans[span].last; at++) {
        LLVMValueRef condition = condition_of(end_of(c, c->whole->order[at])), step = NULL;
        if (!condition || !leaves(c, span, c->whole->order[at]) || !LLVMIsAICmpInst(condition) ||
            !LLVMIsAConstantInt(LLVMGetOperand(condition, 1))) {
            continue;
        }
        LLVMValueRef start = start_of(c, span, LLVMGetOperand(condition, 0), &step);
        if (start && step && LLVMConstIntGetSExtValue(step)) {
            double first = (double)LLVMConstIntGetSExtValue(start),
                   last = (double)LLVMConstIntGetSExtValue(LLVMGetOperand(condition, 1)),
                   n = (last - first) / (double)LLVMConstIntGetSExtValue(step);
            rounds = n >= 1 && n <= MOST_ROUNDS ? n : rounds;
        }
    }
    return rounds;
}

static double lateness(const struct cost *c, unsigned span) {
    double most = 1;
    for (unsigned at = c->whole->spans[span].first; at <= c->whole->spans[span].last; at++) {
        unsigned node = c->whole->order[at];
        double here = leaves(c, span, node) ? lateness_at(c, span, node) : 1;
        most = here > most ? here : most;
    }
    return most;
}

/* Of a binary search nobody guesses which half is next. */
static bool leaves_at_meeting(const struct cost *c, unsigned span) {
    bool found = false;
    for (unsigned at = c->whole->spans[span].first; at <= c->whole->spans[span].last; at++) {
        unsigned node = c->whole->order[at];
        LLVMValueRef condition = condition_of(end_of(c, node));
        found |= condition && leaves(c, span, node) && parting_is_search(c->wg, c->whole, span, condition);
    }
    return found;
}

/* ---- what instructions take ---- */

/* What a processor does in halves takes half a register less. */
static double registers(const struct cost *c, LLVMTypeRef type) {
    const struct target *t = c->wg->k->target;
    const double HALF = 0.6;
    bool is_half = t->has_halves && target_registers_of(t, c->layout, type, 2 * c->width) == 1;
    return is_half ? HALF : (double)target_registers_of(t, c->layout, type, c->width);
}

static unsigned rows_of(const struct cost *c) {
    return c->width > 1 ? c->wg->k->rows : 1;
}

static bool is_vector(const struct cost *c, LLVMValueRef i) {
    int64_t stride;
    return c->width > 1 && !uniform_is(c->wg->pack, i) && !uniform_is_even(c->wg->pack, i, &stride);
}

/* Of a pack of several rows: each is accessed by itself, and its part is put into a vector or taken from one. */
static double cycles_of_rows(const struct cost *c, LLVMTypeRef type, int64_t stride, int64_t bytes) {
    enum { TO_LINE = 2 };
    return rows_of(c) * (stride && stride != bytes ? (double)c->width / rows_of(c) : 1) +
           TO_LINE * (rows_of(c) - 1) * (registers(c, type) < 1 ? 1 : registers(c, type));
}

/* Whether lanes' places are rows of a length that only the run tells: each access is to W lines of the cache, or pages. */
static bool is_by_rows(const struct cost *c, LLVMValueRef v, unsigned depth) {
    bool is_sum = LLVMIsABinaryOperator(v) || LLVMIsACastInst(v) || LLVMIsAGetElementPtrInst(v),
         found = false;
    int64_t stride;
    if (!depth || !is_sum || uniform_stride(c->wg->pack, v, &stride)) {
        return false;
    }
    bool is_product = LLVMGetInstructionOpcode(v) == LLVMMul && !LLVMIsConstant(LLVMGetOperand(v, 1));
    for (int n = 0; !found && n < LLVMGetNumOperands(v); n++) {
        LLVMValueRef x = LLVMGetOperand(v, (unsigned)n);
        found = is_product ? uniform_is(c->wg->pack, x) : is_by_rows(c, x, depth - 1);
    }
    return found;
}

static double cycles_of_access(const struct cost *c, LLVMValueRef i, bool masked, bool is_inner) {
    const struct target *t = c->wg->k->target;
    /* A lane's part of a transposition, a line of its own, a look for rows, a lane's counter. */
    const double PIECE = 0.35, LINE = 3, LOOK = 3, COUNTER = 2;
    enum { DEPTH = 6 };
    uintptr_t parts;
    bool is_load = LLVMIsALoadInst(i);
    LLVMTypeRef type = LLVMTypeOf(is_load ? i : LLVMGetOperand(i, 0));
    int64_t bytes = (int64_t)LLVMABISizeOfType(c->layout, type);
    LLVMValueRef at = LLVMGetOperand(i, is_load ? 0 : 1);
    int64_t stride;
    enum shape shape = shape_of(c->wg, i, bytes);
    double line = shape == SHAPE_REMOTE && wg_kind(i) == MEMORY_GLOBAL && !is_inner ? LINE : 0;
    if (c->width == 1) {
        return (is_load ? 0.4 : 0.6) + line;
    }
    if (counters_are(c->wg, i)) {
        return is_load ? 0 : COUNTER * c->width;
    }
    if (rows_of(c) > 1 && !uniform_stride(c->wg->pack, at, &stride) &&
        uniform_stride(c->wg->pack->row, at, &stride)) {
        return cycles_of_rows(c, type, stride, bytes);
    }
    if (ptrmap_get(&c->parts, i, &parts)) {
        return parts ? PIECE * c->width * (bytes > 4 ? 2 : 1) : 0;
    }
    if (is_inner && wg_kind(i) != MEMORY_LOCAL && is_by_rows(c, LLVMGetOperand(i, is_load ? 0 : 1), DEPTH)) {
        return c->width * (LINE + (is_load ? t->gather : t->scatter));
    }
    bool by_lane = bytes < 4 || !private_is_element(type) || kernel_is_volatile(i) ||
                   LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    double look = uniform_stride(c->wg->pack, at, &stride) ? 0 : LOOK;
    switch (shape) {
    case SHAPE_ONE:
        return 1;
    case SHAPE_ROW:
        if (LLVMGetTypeKind(type) == LLVMVectorTypeKind && bytes > (int64_t)sizeof(uint64_t)) {
            return look + 2 * registers(c, type) * (double)target_registers(t, 32 * (uint64_t)c->width);
        }
        return look + registers(c, type) * (masked && !t->has_mask_registers ? 2 : 1);
    case SHAPE_LOOKED:
        return 2 * LOOK + registers(c, type);
    case SHAPE_NEAR: /* shuffles of all that may hold some: as many for each register of the lanes */
        return 5 * registers(c, type) * (double)target_registers(t, 32 * (uint64_t)c->width);
    case SHAPE_APART:
    case SHAPE_REMOTE:
        return line * c->width + c->width * (is_load                                ? 1
                                             : masked && wg_kind(i) != MEMORY_LOCAL ? t->scatter
                                                                                    : 1.3);
    default:
        return c->width * (is_load ? (by_lane ? 1.5 : t->gather) : by_lane ? 2.5 : t->scatter);
    }
}

/* In a pack each lane that is on takes its operands from vectors, and puts its result back. Those of local memory are plain
 * accesses. */
static double cycles_of_atomic(const struct cost *c, LLVMValueRef i) {
    double lane = c->width > 1 && LLVMGetFirstUse(i) ? 6 : 2;
    return (wg_kind(i) == MEMORY_LOCAL ? lane : 20) * (double)c->width;
}

static double cycles_of_call(const struct cost *c, LLVMValueRef call) {
    enum { CALL = 20, COLLECTIVE = 10 };
    if (ir_is_marker(call) || intrinsic_id(call, NULL)) {
        return 0;
    }
    bool is_short =
        (ir_is_intrinsic(call, "llvm.") && ir_has_no_effect(call)) || ir_is_intrinsic(call, DOT_PREFIX);
    if (subgroup_is_op(call)) {
        return COLLECTIVE * registers(c, LLVMTypeOf(call));
    }
    if (ir_is_intrinsic(call, "llvm.sqrt.")) {
        return is_vector(c, call) ? 12 * registers(c, LLVMTypeOf(call)) : 5;
    }
    if (is_short) {
        return is_vector(c, call) ? c->wg->k->target->vector_op * registers(c, LLVMTypeOf(call)) : 0.3;
    }
    return ir_is_call_to(call, "__weir_barrier") ? 0 : CALL * c->width;
}

static double cycles_of_division(const struct cost *c, LLVMValueRef i) {
    bool by_constant = LLVMIsConstant(LLVMGetOperand(i, 1));
    bool is_long = LLVMSizeOfTypeInBits(c->layout, LLVMTypeOf(i)) > 32;
    if (!is_vector(c, i)) {
        return by_constant ? 1.5 : is_long ? 10 : 6;
    }
    double each = by_constant ? 4 * c->wg->k->target->vector_op : is_long ? 30 : 24;
    return each * registers(c, LLVMTypeOf(i));
}

static double cycles_of(const struct cost *c, LLVMValueRef i, bool masked, bool is_inner) {
    int64_t stride;
    bool is_wide = is_vector(c, i), is_shared = uniform_is(c->wg->pack, i);
    bool is_by_row = rows_of(c) > 1 && !is_shared && uniform_is_even(c->wg->pack, i, &stride);
    double each = is_wide                      ? c->wg->k->target->vector_op
                  : c->width == 1 && is_shared ? 0.1
                  : is_by_row                  ? 0.2 * rows_of(c)
                                               : 0.2;
    if (ir_is_division(i)) {
        return cycles_of_division(c, i);
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAlloca:
    case LLVMGetElementPtr:
    case LLVMBr:
    case LLVMRet:
    case LLVMTrunc:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
        return 0;
    case LLVMZExt:
    case LLVMSExt:
        return is_wide ? each : 0.1;
    case LLVMPHI:
        return is_wide && masked ? each * registers(c, LLVMTypeOf(i)) : 0;
    case LLVMLoad:
    case LLVMStore:
        return cycles_of_access(c, i, masked, is_inner);
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return cycles_of_atomic(c, i);
    case LLVMCall:
        return cycles_of_call(c, i);
    case LLVMFDiv:
        return is_wide ? 10 * registers(c, LLVMTypeOf(i)) : 4;
    default:
        return LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind ? each
               : is_wide                                          ? each * registers(c, LLVMTypeOf(i))
                                                                  : each;
    }
}

/* What doesn't fit in registers is written once and read again, at most at each use. */
static double cycles_of_spills(const struct cost *c, unsigned node, double sum) {
    const double EACH = 1.5;
    unsigned room = c->wg->k->target->vector_registers;
    double spills = c->width > 1 && c->pressure[node] > room ? EACH * (c->pressure[node] - room) : 0;
    return spills < sum ? spills : sum;
}

/* Whether lanes choose in the block: in a search a work-item alone does so by a branch, as LLVM takes selects for branches where
 * what they choose is what the next round waits for. */
static bool chooses(const struct cost *c, unsigned node) {
    bool found = false;
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
        found |= LLVMIsASelectInst(i) && !uniform_is(c->wg->pack, LLVMGetOperand(i, 0));
    }
    return found;
}

/* Cycles of a block, with the branch at its end. */
static double cycles_of_block(const struct cost *c, unsigned node, unsigned span) {
    bool searches = span != NONE && leaves_at_meeting(c, span);
    const double MASKS = 3, GUESSED_WRONG = searches ? 9 : 4;
    bool masked = c->width > 1 && c->wg->masked[node];
    double sum = masked ? 1 : 0;
    bool is_inner = span != NONE;
    for (unsigned s = 0; s < c->whole->nspans; s++) {
        is_inner &= c->whole->spans[s].parent != span;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(c->wg->blocks[node]); i; i = LLVMGetNextInstruction(i)) {
        sum += cycles_of(c, i, masked, is_inner);
    }
    sum += cycles_of_spills(c, node, sum);
    sum += c->width == 1 && searches && chooses(c, node) ? GUESSED_WRONG : 0;
    if (!condition_of(end_of(c, node))) {
        return sum;
    }
    if (!parts(c, node) || is_by_range(c, node)) {
        return sum + (parts(c, node) ? 0.3 : 0.1);
    }
    return sum + (c->width > 1 ? MASKS : leaves(c, span, node) ? 16 / rounds_of(c, span) : GUESSED_WRONG);
}

/* ---- recurrences ---- */

static double latency(const struct cost *c, LLVMValueRef i) {
    bool is_wide = is_vector(c, i);
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(i));
    bool is_real = kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || kind == LLVMHalfTypeKind;
    double one = is_real ? 4 : is_wide ? c->wg->k->target->vector_latency : 1;
    if (ir_is_division(i)) {
        return LLVMIsConstant(LLVMGetOperand(i, 1)) ? 6 : is_wide ? 40 : 12;
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad: {
        int64_t bytes = (int64_t)LLVMABISizeOfType(c->layout, LLVMTypeOf(i));
        enum shape shape = c->width > 1 ? shape_of(c->wg, i, bytes) : SHAPE_ONE;
        return c->width == 1 ? 5 : shape < SHAPE_NEAR ? 7 : c->wg->k->target->gather_latency;
    }
    case LLVMPHI:
    case LLVMGetElementPtr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMBitCast:
        return 0;
    case LLVMMul:
        return is_wide ? 10 : 3;
    case LLVMFDiv:
        return is_wide ? 16 : 12;
    case LLVMCall:
        return ir_is_intrinsic(i, "llvm.sqrt.") ? 20 : one;
    default:
        return one;
    }
}

static double known_path(const struct ptrmap *paths, LLVMValueRef v) {
    double *found = (double *)ptrmap_at(paths, v, 0);
    return found ? *found : -1;
}

/* By value of the loop: the longest latency to it from the PHI in a round; none: it doesn't depend on it. */
static void find_paths(const struct cost *c, unsigned span, LLVMValueRef phi, struct ptrmap *paths) {
    const struct span *s = &c->whole->spans[span];
    static double none = 0;
    ptrmap_set(paths, phi, (uintptr_t)&none);
    for (unsigned at = s->first; at <= s->last; at++) {
        LLVMBasicBlockRef block = c->wg->blocks[c->whole->order[at]];
        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
            bool is_phi = LLVMIsAPHINode(i) != NULL;
            unsigned n = is_phi ? LLVMCountIncoming(i) : (unsigned)LLVMGetNumOperands(i);
            double most = -1;
            for (unsigned o = 0; o < n && i != phi; o++) {
                double here = known_path(paths, is_phi ? LLVMGetIncomingValue(i, o) : LLVMGetOperand(i, o));
                most = here > most ? here : most;
            }
            if (most >= 0) {
                double *path = job_alloc(sizeof *path);
                *path = most + latency(c, i);
                ptrmap_set(paths, i, (uintptr_t)path);
            }
        }
    }
}

static unsigned length_of(const struct cost *c, unsigned span) {
    unsigned n = 0;
    for (unsigned at = c->whole->spans[span].first; at <= c->whole->spans[span].last; at++) {
        n += ir_length(c->wg->blocks[c->whole->order[at]]);
    }
    return n;
}

static double recurrence(const struct cost *c, unsigned span) {
    enum { LONG = 1000 }; /* instructions: there is enough to do */
    double most = 0;
    LLVMBasicBlockRef first = c->wg->blocks[c->whole->order[c->whole->spans[span].first]];
    LLVMValueRef phi = length_of(c, span) < LONG ? LLVMGetFirstInstruction(first) : NULL;
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        struct ptrmap paths = {0};
        find_paths(c, span, phi, &paths);
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            unsigned from = (unsigned)ptrmap_at(&c->wg->index, LLVMGetIncomingBlock(phi, i), 0);
            double here = is_in(c, span, from) ? known_path(&paths, LLVMGetIncomingValue(phi, i)) : 0;
            most = here > most ? here : most;
        }
    }
    return most;
}

/* The longest latency of a chain of values that ends with the instruction; of a PHI in a loop's first block from one round.
 * Of what not all work-items run its share counts. */
static double chain_to(const struct cost *c, const struct ptrmap *paths, LLVMValueRef i, double share,
                       bool begins) {
    bool is_phi = LLVMIsAPHINode(i) != NULL;
    unsigned n = is_phi ? LLVMCountIncoming(i) : (unsigned)LLVMGetNumOperands(i);
    double most = 0;
    for (unsigned o = 0; o < n && !(is_phi && begins); o++) {
        double here = known_path(paths, is_phi ? LLVMGetIncomingValue(i, o) : LLVMGetOperand(i, o));
        most = here > most ? here : most;
    }
    return most + share * latency(c, i);
}

/* How long a pack waits for the longest chain of values in a round of the loop `span` (NONE: outside loops), inner loops
 * left out. The processor holds so many vector instructions that wait, and so several rounds or packs where these are
 * short. Two packs in step have twice as many that don't wait for each other. */
static double chain(const struct cost *c, unsigned span) {
    enum { HELD = 128 };
    struct ptrmap paths = {0};
    double most = 0, vectors = 0;
    for (unsigned at = 0; at < c->whole->length; at++) {
        unsigned node = c->whole->order[at];
        bool is_here = node < c->wg->cfg->n && c->whole->innermost[node] == span;
        LLVMValueRef i = is_here ? LLVMGetFirstInstruction(c->wg->blocks[node]) : NULL;
        for (; i; i = LLVMGetNextInstruction(i)) {
            double *path = job_alloc(sizeof *path);
            *path = chain_to(c, &paths, i, c->share[node], span != NONE && at == c->whole->spans[span].first);
            most = *path > most ? *path : most;
            vectors += LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && is_vector(c, i)
                           ? c->share[node] * registers(c, LLVMTypeOf(i))
                           : 0;
            ptrmap_set(&paths, i, (uintptr_t)path);
        }
    }
    return vectors < HELD ? most * vectors / HELD : most;
}

/* ---- both together ---- */

/* How much of a loop's latency is hidden: the processor looks this many instructions ahead, into the next work-items or
 * packs, but not past a branch that it guesses wrong. */
static double hidden(const struct cost *c, unsigned span) {
    enum { AHEAD = 256 };
    double ahead = AHEAD / (rounds_of(c, span) * length_of(c, span)), others = packs_in_row(c);
    for (unsigned at = c->whole->spans[span].first; at <= c->whole->spans[span].last; at++) {
        unsigned node = c->whole->order[at];
        if (parts(c, node) && !is_by_range(c, node)) {
            return 1;
        }
    }
    ahead = ahead < others ? ahead : others;
    return ahead > 1 ? ahead : 1;
}

/* Of work-items one by one: the rounds that LLVM makes vectors of. */
static double rounds_at_once(const struct cost *c, unsigned span) {
    const struct span *s = &c->whole->spans[span];
    return c->width == 1 && s->first == s->last
               ? counted_loop_rounds(c->wg->k, c->wg->blocks[c->whole->order[s->first]])
               : 1;
}

static double total(struct cost *c) {
    const double VECTORS = 2, VECTORS_BEGIN = 6; /* a vector's round by a scalar one; what comes first */
    double all = 0, *of_span = job_alloc((c->whole->nspans + 1) * sizeof *of_span);
    for (unsigned node = 0; node < c->wg->cfg->n; node++) {
        unsigned span = c->whole->innermost[node];
        double here = runs_of(c, node, span, c->share[node], false) * cycles_of_block(c, node, span);
        *(span == NONE ? &all : &of_span[span]) += here;
    }
    for (unsigned s = c->whole->nspans; s-- > 0;) { /* inner ones come last */
        unsigned header = c->whole->order[c->whole->spans[s].first], outer = c->whole->spans[s].parent;
        double begins = runs_of(c, header, outer, c->entered[s], true), rounds = rounds_at_once(c, s);
        double waits = rounds > 1 ? 0 : recurrence(c, s) / hidden(c, s),
               chained = c->width > 1 ? chain(c, s) : 0, round = of_span[s] > waits ? of_span[s] : waits;
        round = round > chained ? round : chained;
        double whole = rounds > 1 ? VECTORS_BEGIN + VECTORS * rounds_of(c, s) / rounds * round
                                  : rounds_of(c, s) * lateness(c, s) * round;
        *(outer == NONE ? &all : &of_span[outer]) += begins * whole;
    }
    double chained = c->width > 1 ? chain(c, NONE) : 0;
    return (all > chained ? all : chained) / c->width;
}

static void find_frequencies(struct cost *c) {
    const struct wg *wg = c->wg;
    c->whole = wg->whole;
    c->layout = LLVMGetModuleDataLayout(wg->k->module);
    c->ipdom = graph_ipdom(wg->cfg);
    c->share = job_alloc(wg->cfg->n * sizeof *c->share);
    c->entered = job_alloc((wg->whole->nspans + 1) * sizeof *c->entered);
    c->exits = job_alloc((wg->whole->nspans + 1) * sizeof *c->exits);
    c->pressure = c->width > 1 ? register_pressure_find(wg, c->width, true) : NULL;
    find_regions(c);
    c->share[0] = 1;
    spread(c, NONE, 0, wg->whole->length - 1);
    find_islands(c);
}

bool cost_is_known(const struct wg *wg) {
    enum { MOST_BLOCKS = 1000 };
    return wg->pack && wg->cfg->n <= MOST_BLOCKS;
}

double cost_of_work_item(const struct wg *wg, uint32_t width) {
    struct cost c = {.wg = wg, .width = width};
    find_frequencies(&c);
    if (width > 1) {
        tuples_look((struct wg *)wg, &c.parts);
    }
    return total(&c);
}

void cost_of_regions(const struct wg *wg, uint32_t width, double *by_region) {
    struct cost c = {.wg = wg, .width = width};
    find_frequencies(&c);
    for (unsigned r = 0; r < wg->nregions; r++) {
        unsigned start = wg->regions[r].start, span = c.whole->innermost[start];
        bool has_loop = false;
        for (size_t i = 0; i < wg->regions[r].blocks.n; i++) {
            unsigned node = (unsigned)(uintptr_t)wg->regions[r].blocks.at[i],
                     inner = c.whole->innermost[node];
            while (inner != NONE && inner != span) {
                inner = c.whole->spans[inner].parent;
            }
            has_loop |= inner != c.whole->innermost[node] && inner == span;
            double runs = c.whole->innermost[node] == span && c.share[start] > 0
                              ? runs_of(&c, node, span, c.share[node], false) / c.share[start]
                              : 0;
            by_region[r] += (runs < 1 ? runs : 1) * cycles_of_block(&c, node, span);
        }
        by_region[r] = has_loop ? 0 : by_region[r] / width;
    }
}

bool cost_has_ranges(const struct wg *wg) {
    struct cost c = {.wg = wg, .whole = wg->whole, .width = wg->k->width};
    bool found = false;
    for (unsigned node = 0; node < wg->cfg->n; node++) {
        LLVMValueRef condition = condition_of(end_of(&c, node));
        bool goes_around = c.whole->innermost[node] != NONE && leaves(&c, c.whole->innermost[node], node);
        found |= condition && parts(&c, node) && is_by_range(&c, node) && !goes_around &&
                 !width_is_edge(wg, condition);
    }
    return found;
}

/* A branch that a loop is left by comes first, then the one after which most is to do. */
LLVMValueRef cost_of_parting(const struct wg *wg) {
    struct cost c = {.wg = wg, .width = wg->k->width};
    LLVMValueRef found = NULL;
    double most = 0;
    find_frequencies(&c);
    for (unsigned node = 0; node < wg->cfg->n; node++) {
        unsigned span = c.whole->innermost[node];
        bool is_parting = condition_of(end_of(&c, node)) && parts(&c, node) && !is_by_range(&c, node);
        double here = !is_parting ? 0 : span != NONE && leaves(&c, span, node) ? 2 : c.share[node];
        if (here > most) {
            most = here;
            found = end_of(&c, node);
        }
    }
    return found;
}
