/* latency.c: how long values wait for others.
 *
 * In: a loop, the uniformity of packs. Out: cycles from one round to the next (its recurrence, as Rau calls it in "Iterative
 * Modulo Scheduling", 1994), for which work-items one by one wait each and lanes of a pack together, and of a round's longest
 * chain of values; and how much of that the processor hides by looking ahead.
 *     x ^= x << 13, x ^= x >> 17, x ^= x << 5;     six operations in a row, twice two cycles for each: two packs in step */
#include "cost.h"

static double latency(const struct cost *c, LLVMValueRef i) {
    bool is_wide = cycles_is_vector(c, i);
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

double latency_of_round(const struct cost *c, unsigned span) {
    enum { LONG = 1000 }; /* instructions: there is enough to do */
    double most = 0;
    LLVMBasicBlockRef first = c->wg->blocks[c->whole->order[c->whole->spans[span].first]];
    LLVMValueRef phi = length_of(c, span) < LONG ? LLVMGetFirstInstruction(first) : NULL;
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        struct ptrmap paths = {0};
        find_paths(c, span, phi, &paths);
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            unsigned from = (unsigned)ptrmap_at(&c->wg->index, LLVMGetIncomingBlock(phi, i), 0);
            double here =
                frequency_is_in(c, span, from) ? known_path(&paths, LLVMGetIncomingValue(phi, i)) : 0;
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

/* Registers that a block's instructions fill in each round with what all lanes share: values that are computed in it, and
 * constants for which no register is left. Processors with mask registers take them from memory as operands. */
static double filled(const struct cost *c, unsigned node) {
    const struct target *t = c->wg->k->target;
    LLVMBasicBlockRef block = c->wg->blocks[node];
    struct ptrmap known = {0};
    unsigned values = 0, constants = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && !t->has_mask_registers;
         i = LLVMGetNextInstruction(i)) {
        bool is_wide = cycles_is_vector(c, i) && !LLVMIsAPHINode(i) && !ir_address(i);
        for (int o = 0; is_wide && o < LLVMGetNumOperands(i); o++) {
            LLVMValueRef v = LLVMGetOperand(i, (unsigned)o);
            bool is_constant = LLVMIsAConstantFP(v) || LLVMIsAConstantInt(v),
                 is_here = LLVMIsAInstruction(v) && LLVMGetInstructionParent(v) == block &&
                           uniform_is(c->wg->pack, v);
            if ((is_constant || is_here) && !ptrmap_at(&known, v, 0)) {
                ptrmap_set(&known, v, 1);
                constants += is_constant;
                values += is_here;
            }
        }
    }
    unsigned most = c->pressure[node] + constants, room = t->vector_registers;
    return values + (most <= room ? 0 : most - room < constants ? most - room : constants);
}

/* How long a pack waits for the longest chain of values in a round of the loop `span` (NONE: outside loops), inner loops
 * left out. The processor holds so many vector instructions that wait, and so several rounds or packs where these are
 * short. Two packs in step have twice as many that don't wait for each other, and share constants. */
double latency_of_chain(const struct cost *c, unsigned span) {
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
            vectors += LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind && cycles_is_vector(c, i)
                           ? c->share[node] * cycles_registers(c, LLVMTypeOf(i))
                           : 0;
            ptrmap_set(&paths, i, (uintptr_t)path);
        }
        vectors += is_here ? c->share[node] * filled(c, node) : 0;
    }
    return vectors < HELD ? most * vectors / HELD : most;
}

/* How much of a loop's latency is hidden: the processor looks this many instructions ahead, into the next work-items or
 * packs, but not past a branch that it guesses wrong. */
double latency_hidden(const struct cost *c, unsigned span) {
    enum { AHEAD = 256 };
    double ahead = AHEAD / (frequency_rounds(c, span) * length_of(c, span)),
           others = frequency_packs_in_row(c);
    for (unsigned at = c->whole->spans[span].first; at <= c->whole->spans[span].last; at++) {
        unsigned node = c->whole->order[at];
        if (frequency_parts(c, node) && !frequency_is_by_range(c, node)) {
            return 1;
        }
    }
    ahead = ahead < others ? ahead : others;
    return ahead > 1 ? ahead : 1;
}
