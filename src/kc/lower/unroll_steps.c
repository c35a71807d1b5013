/* unroll_steps.c: loops with a barrier in each round that halve or double a step, or quarter it and so on, or count the bits to
 * shift it by: trees of sums, scans, butterflies.
 *
 * Needs k->run with values promoted and loops rotated, barriers as calls. Gives the same with such loops unrolled, if they go
 * around a number of times that is known, which is little more than the logarithm of the work-group's size, and the code
 * stays short. Then the step is a number in each round: packs know where each lane's element lies, also where the step is
 * longer than a vector, and which work-items a condition leaves; regions have their own loops over packs, with bounds that
 * are known; and what a small group exchanges may stay in registers.
 *     for (s = 1; s < 16; s *= 2) {            if (l % 2 == 0) a[l] += a[l + 1]; barrier(...);
 *         if (l % (2 * s) == 0)          ->    if (l % 4 == 0) a[l] += a[l + 2]; barrier(...);
 *             a[l] += a[l + s];                if (l % 8 == 0) a[l] += a[l + 4]; barrier(...);
 *         barrier(...);                        if (l % 16 == 0) a[l] += a[l + 8]; barrier(...);
 *     }
 * All work-items go around such a loop equally often, so that copies of its barriers are as good as its rounds.
 *
 * Of a checked kernel (unroll_steps_checked: before it is instrumented) loops aren't rotated, no access may be lost, and all
 * loops with a barrier in each of a few rounds are unrolled: what quiet.c and covered.c know of an access with numbers in it
 * is more than they know of all rounds. Those in which buffers take turns (turns.c) are unrolled by as many rounds.
 * What it can't do: steps of a group whose size is only known at run time (step_versions.c), and nests with
 * loops of another kind in them. */
#include "lower.h"

/* bits that a step is shifted by in a round; instructions of all rounds, of a checked kernel CHECKED times as many, for nothing has
 * made them fewer */
enum { MOST_ROUNDS = 12, MOST_BITS = 4, MOST_OF_LOOP = 960, MOST_OF_KERNEL = 1280, CHECKED = 3 };

struct steps {
    struct kernel *k;
    unsigned most; /* MOST_OF_LOOP */
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    struct list loops; /* of struct graph_loop, outer ones first */
    unsigned length;   /* of what all rounds become */
    struct ptrmap in;  /* blocks of loops to unroll */
    bool nested;       /* some of them lie in others */
    bool has_turns;    /* some are unrolled in part */
};

static bool is_barrier(LLVMValueRef i) {
    return ir_is_call_to(i, "__weir_barrier");
}

/* Whether a pass may copy all of it but barriers: what goes on in calls is not known to be equal in copies. */
static bool is_simple(LLVMBasicBlockRef b) {
    bool is = true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
        is &= !LLVMIsACallInst(i) || is_barrier(i) || ir_is_marker(i) || ir_has_no_effect(i) ||
              intrinsic_id(i, NULL);
    }
    return is;
}

static unsigned bits_of(uint64_t n) {
    unsigned bits = 0;
    for (; n; n >>= 1) {
        bits++;
    }
    return bits;
}

/* ---- how often a loop goes around --------------------------------------------------------------------------- */

/* By how many bits the PHI is shifted in each round, or 0. */
static unsigned shifted_by(const struct steps *s, LLVMValueRef phi, LLVMBasicBlockRef latch) {
    LLVMValueRef next = ir_incoming(phi, latch);
    LLVMValueRef by =
        next && LLVMIsABinaryOperator(next) ? LLVMIsAConstantInt(LLVMGetOperand(next, 1)) : NULL;
    LLVMOpcode op = by ? LLVMGetInstructionOpcode(next) : LLVMPHI;
    uint64_t n = by && LLVMGetIntTypeWidth(LLVMTypeOf(by)) <= 64 ? LLVMConstIntGetZExtValue(by) : 0;
    if (!n || LLVMGetOperand(next, 0) != phi) {
        return 0;
    }
    bool is_raw = s->k->checked && (op == LLVMMul || op == LLVMUDiv || op == LLVMSDiv);
    if (is_raw && !(n & (n - 1))) { /* as clang has it */
        n = bits_of(n) - 1;
        op = LLVMShl;
    }
    return (op == LLVMShl || op == LLVMLShr || op == LLVMAShr) && n <= MOST_BITS ? (unsigned)n : 0;
}

/* About how many rounds: those of a loop that ends when the counter, from a constant on shifted by some bits or going up or down,
 * is compared with another constant; MOST_ROUNDS, where one of the two is no constant; 0: it isn't such a loop's counter. */
static unsigned rounds_by(const struct steps *s, LLVMValueRef phi, LLVMBasicBlockRef latch,
                          LLVMValueRef condition) {
    LLVMValueRef next = LLVMCountIncoming(phi) == 2 ? ir_incoming(phi, latch) : NULL;
    if (!next) {
        return 0;
    }
    LLVMValueRef start = LLVMGetIncomingValue(phi, LLVMGetIncomingBlock(phi, 0) == latch);
    LLVMValueRef compared = LLVMGetOperand(condition, 0), bound = LLVMGetOperand(condition, 1),
                 by = ir_counts_by(next, phi);
    unsigned bits = shifted_by(s, phi, latch);
    int64_t step = by ? LLVMConstIntGetSExtValue(by) : 0;
    if ((!bits && !step) || (compared != phi && compared != next)) {
        return 0;
    }
    if (!LLVMIsAConstantInt(start) || !LLVMIsAConstantInt(bound)) {
        return MOST_ROUNDS;
    }
    int64_t first = LLVMConstIntGetSExtValue(start), last = LLVMConstIntGetSExtValue(bound);
    unsigned from = bits_of(LLVMConstIntGetZExtValue(start)), to = bits_of(LLVMConstIntGetZExtValue(bound));
    int64_t rounds = bits ? (from > to ? from - to : to - from) / bits + 1 : (last - first) / step;
    return rounds > 0 && rounds < MOST_ROUNDS ? (unsigned)rounds : MOST_ROUNDS;
}

/* Whether the value is the PHI, or computed of it. */
static bool is_of(LLVMValueRef v, LLVMValueRef phi, unsigned depth) {
    bool may = depth && (LLVMIsABinaryOperator(v) || LLVMIsACastInst(v)), found = v == phi;
    for (int n = 0; may && !found && n < LLVMGetNumOperands(v); n++) {
        found = is_of(LLVMGetOperand(v, (unsigned)n), phi, depth - 1);
    }
    return found;
}

static unsigned node_of(const struct graph_loop *loop, size_t i) {
    return (unsigned)(uintptr_t)loop->nodes.at[i];
}

struct ends { /* the only block that goes around, and the only one that leaves */
    LLVMBasicBlockRef latch, exit;
};

/* False: there are several, or those of a loop that isn't rotated where it should be. */
static bool find_ends(const struct steps *s, const struct graph_loop *loop, struct ends *e) {
    unsigned latches = 0, exits = 0;
    for (size_t i = 0; i < loop->nodes.n; i++) {
        unsigned node = node_of(loop, i);
        bool leaves = false;
        for (unsigned t = 0; t < s->cfg->nsucc[node]; t++) {
            unsigned to = s->cfg->succ[node][t];
            leaves |= !graph_loop_has(loop, to);
            latches += to == loop->header;
            e->latch = to == loop->header ? s->blocks[node] : e->latch;
        }
        exits += leaves;
        e->exit = leaves ? s->blocks[node] : e->exit;
    }
    bool in_order = e->latch == e->exit || (s->k->checked && e->exit == s->blocks[loop->header]);
    return latches == 1 && exits == 1 && in_order;
}

/* Whether a number is shifted by what the PHI has counted: 1 << k. Data that is shifted, as for its digits, is no step. */
static bool shifts_by(const struct steps *s, const struct graph_loop *loop, LLVMValueRef phi) {
    enum { DEPTH = 4 };
    bool found = false;
    for (size_t n = 0; n < loop->nodes.n && !found; n++) {
        LLVMValueRef i = LLVMGetFirstInstruction(s->blocks[node_of(loop, n)]);
        for (; i && !found; i = LLVMGetNextInstruction(i)) {
            LLVMOpcode op = LLVMGetInstructionOpcode(i);
            found = (op == LLVMShl || op == LLVMLShr || op == LLVMAShr) &&
                    LLVMIsAConstantInt(LLVMGetOperand(i, 0)) && is_of(LLVMGetOperand(i, 1), phi, DEPTH);
        }
    }
    return found;
}

static unsigned rounds_of(const struct steps *s, const struct graph_loop *loop) {
    struct ends ends = {0};
    LLVMValueRef end = find_ends(s, loop, &ends) ? LLVMGetBasicBlockTerminator(ends.exit) : NULL;
    bool is_conditional = end && LLVMIsABranchInst(end) && LLVMIsConditional(end);
    LLVMValueRef condition = is_conditional ? LLVMGetCondition(end) : NULL;
    unsigned rounds = 0;
    bool has_step = false;
    if (!condition || !LLVMIsAICmpInst(condition)) {
        return 0;
    }
    for (LLVMValueRef phi = LLVMGetFirstInstruction(s->blocks[loop->header]); LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi)) {
        unsigned here = rounds_by(s, phi, ends.latch, condition);
        rounds = here ? here : rounds;
        has_step |= s->k->checked || shifted_by(s, phi, ends.latch) || shifts_by(s, loop, phi);
    }
    return has_step ? rounds : 0;
}

/* ---- which loops -------------------------------------------------------------------------------------------- */

static bool has_barrier(const struct steps *s, const struct graph_loop *loop) {
    for (size_t i = 0; i < loop->nodes.n; i++) {
        if (ir_has_barrier(s->blocks[node_of(loop, i)])) {
            return true;
        }
    }
    return false;
}

/* Instructions of the loop's rounds, unrolled with all loops in it that have barriers; one of those whose rounds the outer
 * one's step tells goes around half as often in the mean. `most` + 1: it can't be unrolled. */
static unsigned length_of(const struct steps *s, const struct graph_loop *loop, unsigned rounds) {
    unsigned all = 0;
    for (size_t i = 0; i < loop->nodes.n; i++) {
        unsigned node = node_of(loop, i), times = rounds;
        for (size_t n = 0; n < s->loops.n; n++) {
            const struct graph_loop *inner = s->loops.at[n];
            if (inner != loop && graph_loop_has(loop, inner->header) && graph_loop_has(inner, node) &&
                has_barrier(s, inner)) {
                unsigned around = rounds_of(s, inner);
                times *= around == MOST_ROUNDS ? (rounds + 1) / 2 : around ? around : s->most;
            }
        }
        all += times * ir_length(s->blocks[node]);
        if (all > s->most || !is_simple(s->blocks[node])) {
            return s->most + 1;
        }
    }
    return all;
}

static void ask(struct steps *s, const struct graph_loop *loop) {
    for (size_t i = 0; i < loop->nodes.n; i++) {
        ptrmap_set(&s->in, s->blocks[node_of(loop, i)], 1);
    }
    struct ends ends = {0};
    if (find_ends(s, loop, &ends)) {
        unroll_ask(s->k, LLVMGetBasicBlockTerminator(ends.latch), "llvm.loop.unroll.full", 0);
    }
}

static unsigned length_of_round(const struct steps *s, const struct graph_loop *loop) {
    unsigned all = 0;
    for (size_t i = 0; i < loop->nodes.n; i++) {
        LLVMBasicBlockRef block = s->blocks[node_of(loop, i)];
        all += is_simple(block) ? ir_length(block) : s->most + 1;
    }
    return all;
}

/* Of a checked kernel: asks for copies of the loop, one for each turn of buffers that take turns in it. */
static void look_at_turns(struct steps *s, const struct graph_loop *loop) {
    LLVMBasicBlockRef header = s->blocks[loop->header], latch = NULL;
    for (unsigned p = 0; p < s->cfg->npred[loop->header]; p++) {
        unsigned from = s->cfg->pred[loop->header][p];
        if (graph_loop_has(loop, from) && latch) {
            return;
        }
        latch = graph_loop_has(loop, from) ? s->blocks[from] : latch;
    }
    unsigned turns = latch && has_barrier(s, loop) ? turns_of(header, latch) : 1,
             length = turns > 1 ? turns * length_of_round(s, loop) : 0;
    if (!length || length > s->most || s->length + length > s->most / MOST_OF_LOOP * MOST_OF_KERNEL ||
        ptrmap_at(&s->in, header, 0)) {
        return;
    }
    s->length += length;
    for (size_t i = 0; i < loop->nodes.n; i++) {
        ptrmap_set(&s->in, s->blocks[node_of(loop, i)], 1);
    }
    s->has_turns = true;
    unroll_ask(s->k, LLVMGetBasicBlockTerminator(latch), "llvm.loop.unroll.count", turns);
}

/* Asks for the loop, and those in it that have barriers, to be unrolled if it is one of these. */
static void look_at(struct steps *s, const struct graph_loop *loop) {
    bool is_done = ptrmap_at(&s->in, s->blocks[loop->header], 0);
    unsigned rounds = !is_done && has_barrier(s, loop) ? rounds_of(s, loop) : 0,
             length = rounds && rounds < MOST_ROUNDS ? length_of(s, loop, rounds) : s->most + 1;
    if (length > s->most || s->length + length > s->most / MOST_OF_LOOP * MOST_OF_KERNEL) {
        return;
    }
    s->length += length;
    for (size_t n = 0; n < s->loops.n; n++) {
        const struct graph_loop *inner = s->loops.at[n];
        if (graph_loop_has(loop, inner->header) && has_barrier(s, inner)) {
            ask(s, inner);
            s->nested |= inner != loop;
        }
    }
}

/* That no pass may copy them is said of all barriers where they are declared; now of those outside the loops alone. Those in
 * loops may be copied anywhere there, for all work-items leave such a loop in the same round, or the checker says so. */
static void let_copy(struct steps *s) {
    static const unsigned function = (unsigned)LLVMAttributeFunctionIndex;
    unsigned kind = LLVMGetEnumAttributeKindForName("noduplicate", 11);
    unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
    LLVMAttributeRef never = LLVMCreateEnumAttribute(s->k->llvm, kind, 0);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(s->k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (is_barrier(i) && ptrmap_at(&s->in, b, 0)) {
                LLVMRemoveCallSiteEnumAttribute(i, function, kind);
                LLVMRemoveCallSiteEnumAttribute(i, function, convergent);
            } else if (is_barrier(i)) {
                LLVMAddCallSiteAttribute(i, function, never);
            }
        }
    }
}

/* Unrolls them. False: there are none. */
static bool unroll(struct kernel *k) {
    struct steps s = {.k = k, .most = k->checked ? CHECKED * MOST_OF_LOOP : MOST_OF_LOOP};
    LLVMValueRef barrier = LLVMGetNamedFunction(k->module, "__weir_barrier");
    if (!barrier || !k->optimize) {
        return false;
    }
    s.cfg = cfg_of(k->run, &s.index, &s.blocks);
    s.loops = graph_loops(s.cfg);
    for (size_t n = 0; n < s.loops.n; n++) {
        look_at(&s, s.loops.at[n]);
    }
    for (size_t n = 0; n < s.loops.n && k->checked; n++) {
        look_at_turns(&s, s.loops.at[n]);
    }
    if (!s.length) {
        return false;
    }
    let_copy(&s);
    ir_remove_attribute(barrier, (unsigned)LLVMAttributeFunctionIndex, "noduplicate");
    if (s.has_turns) { /* how often such a loop goes around may be known by the run alone */
        ir_remove_attribute(barrier, (unsigned)LLVMAttributeFunctionIndex, "convergent");
    }
    for (unsigned n = 0; n <= s.nested; n++) { /* copies of inner loops go around a known number of times */
        job_run_passes(
            k->job, k->module,
            "function(loop-unroll<O1;no-partial;no-peeling;no-runtime;no-upperbound;full-unroll-max=1>)",
            target_optimizer(k->job), "unroll-steps");
    }
    intrinsic_declare_barrier(k, barrier);
    return true;
}

void unroll_steps_pass(struct kernel *k) {
    if (!k->checked && unroll(k)) {
        job_run_passes(k->job, k->module, "function(instcombine<no-verify-fixpoint>,simplifycfg)",
                       target_optimizer(k->job), "unroll-steps");
    }
}

/* ---- checked kernels ---------------------------------------------------------------------------------------- */

/* As long as accesses are volatile, nobody drops one. */
static void hold_accesses(struct kernel *k, bool hold) {
    unsigned kind = LLVMGetMDKindIDInContext(k->llvm, "weir.held", 9);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i)) {
                continue;
            }
            if (hold && !LLVMGetVolatile(i)) {
                LLVMSetVolatile(i, 1);
                LLVMSetMetadata(i, kind,
                                LLVMMetadataAsValue(k->llvm, LLVMMDNodeInContext2(k->llvm, NULL, 0)));
            } else if (!hold && LLVMGetMetadata(i, kind)) {
                LLVMSetVolatile(i, 0);
                LLVMSetMetadata(i, kind, NULL);
            }
        }
    }
}

static void fold_sizes(struct kernel *k) {
    for (unsigned d = 0; d < 3 && k->local_size[0]; d++) {
        LLVMValueRef f = LLVMGetNamedFunction(k->module, job_printf("__weir_local_size_%u", d));
        for (LLVMUseRef u = f ? LLVMGetFirstUse(f) : NULL; u; u = LLVMGetNextUse(u)) {
            LLVMValueRef call = LLVMGetUser(u);
            LLVMReplaceAllUsesWith(call, kernel_group_size(k, NULL, d));
        }
    }
}

/* Numbers, and branches that never go one way. */
static void fold(struct kernel *k) {
    job_run_passes(k->job, k->module, "function(sccp)", target_optimizer(k->job), "unroll-steps");
}

/* What a loop left where it ended, and there is one end now. */
static void fold_phis(struct kernel *k) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(k->run); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef next;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); LLVMIsAPHINode(i); i = next) {
            next = LLVMGetNextInstruction(i);
            LLVMValueRef only = LLVMCountIncoming(i) == 1 ? LLVMGetIncomingValue(i, 0) : NULL;
            if (only && only != i) {
                LLVMReplaceAllUsesWith(i, only);
                LLVMInstructionEraseFromParent(i);
            }
        }
    }
}

void unroll_steps_checked(struct kernel *k) {
    if (!LLVMGetNamedFunction(k->module, "__weir_barrier")) {
        return;
    }
    fold_sizes(k);
    hold_accesses(k, true);
    fold(k);
    if (unroll(k)) {
        fold(k);
        fold_phis(k);
    }
    hold_accesses(k, false);
}
