/* split_barrier.c: at which half of a split barrier work-items wait (cl_intel_split_work_group_barrier).
 *
 * Needs `queries` and SSA values: calls of __weir_barrier_arrive and __weir_barrier_wait. Gives: one of the two is
 * __weir_barrier, the other at most a fence. Both are right: nothing between the halves may rely on what others do there, so
 * that code may run before all wait, in one loop over packs with what comes before, or after it, with what comes next.
 * Chosen is where fewer bytes of a work-item live, which the context would have to keep:
 *     %a = load ...                  a value for the code between, %a: wait where that code has ended
 *     call @__weir_barrier_arrive
 *     %b = load ...                  a value of the code between, %b: wait before it begins
 *     use %a
 *     call @__weir_barrier_wait
 *     use %b
 * Halves that may belong together, in loops and branches, wait at the same end: arrivals and waits that reach each other
 * by paths without other halves. What has no counterpart is undefined, and nobody waits there.
 * What it can't do: wait in the middle of the code between, where still less may live. */
#include "lower.h"
#include "report.h"
#include "wg.h"
#include <string.h>

struct half {
    LLVMValueRef call;
    bool arrives;
    unsigned leader; /* of those that wait at the same end: an index */
};

struct split {
    struct kernel *k;
    struct half *halves;
    unsigned n;
    struct ptrmap number; /* call -> index + 1 */
    struct graph *cfg;
    struct ptrmap index;
    LLVMBasicBlockRef *blocks;
    struct live live;
    uint64_t *bytes; /* by number of `live`: of a work-item */
};

static void find_halves(struct split *s) {
    struct list calls = {0};
    for (unsigned n = 0; n < s->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            if (ir_is_call_to(i, "__weir_barrier_arrive") || ir_is_call_to(i, "__weir_barrier_wait")) {
                list_add(&calls, i);
                ptrmap_set(&s->number, i, calls.n);
            }
        }
    }
    s->n = (unsigned)calls.n;
    s->halves = job_alloc((s->n + 1) * sizeof *s->halves);
    for (unsigned i = 0; i < s->n; i++) {
        bool arrives = ir_is_call_to(calls.at[i], "__weir_barrier_arrive");
        s->halves[i] = (struct half){.call = calls.at[i], .arrives = arrives, .leader = i};
    }
}

/* ---- which belong together ---- */

static unsigned leader_of(const struct split *s, unsigned i) {
    while (s->halves[i].leader != i) {
        i = s->halves[i].leader;
    }
    return i;
}

/* The next half from `i` on in its block, or NULL. */
static LLVMValueRef next_half(const struct split *s, LLVMValueRef i) {
    while (i && !ptrmap_at(&s->number, i, 0)) {
        i = LLVMGetNextInstruction(i);
    }
    return i;
}

/* Joins an arrival with all waits that come next after it. */
static void join_waits(struct split *s, unsigned arrival) {
    struct list todo = {0};
    unsigned char *seen = job_alloc(s->cfg->n);
    LLVMValueRef call = s->halves[arrival].call, found = next_half(s, LLVMGetNextInstruction(call));
    unsigned node = (unsigned)ptrmap_at(&s->index, LLVMGetInstructionParent(call), 0);
    for (size_t next = 0;; next++) {
        for (unsigned n = 0; !found && n < s->cfg->nsucc[node]; n++) {
            unsigned to = s->cfg->succ[node][n];
            if (!seen[to]) {
                seen[to] = 1;
                list_add(&todo, (void *)(uintptr_t)to);
            }
        }
        if (found && !s->halves[ptrmap_at(&s->number, found, 0) - 1].arrives) {
            unsigned wait = leader_of(s, (unsigned)ptrmap_at(&s->number, found, 0) - 1);
            s->halves[wait].leader = leader_of(s, arrival);
        }
        if (next == todo.n) {
            return;
        }
        node = (unsigned)(uintptr_t)todo.at[next];
        found = next_half(s, LLVMGetFirstInstruction(s->blocks[node]));
    }
}

/* ---- what lives ---- */

static void find_values(struct split *s) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(s->k->module);
    struct uniform uniform = {0};
    uniform_run(s->k, &uniform);
    for (unsigned n = 0; n < s->cfg->n; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(s->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMTypeIsSized(LLVMTypeOf(i)) && slots_would_keep(s->k, &uniform, i)) {
                live_number(&s->live, i);
            }
        }
    }
    live_find(&s->live, s->cfg, &s->index);
    s->bytes = job_alloc((s->live.values.n + 1) * sizeof *s->bytes);
    for (size_t v = 0; v < s->live.values.n; v++) {
        s->bytes[v] = LLVMABISizeOfType(layout, LLVMTypeOf(s->live.values.at[v]));
    }
}

static uint64_t bytes_at(const struct split *s, LLVMValueRef call) {
    uint64_t bytes = 0;
    for (unsigned v = 0; v < s->live.values.n; v++) {
        bytes += live_across(&s->live, v, call) ? s->bytes[v] : 0;
    }
    return bytes;
}

/* Whether those of this leader wait where they arrive: less lives there, at the worst place. */
static bool waits_early(const struct split *s, unsigned leader) {
    uint64_t most[2] = {0, 0};
    for (unsigned i = 0; i < s->n; i++) {
        if (leader_of(s, i) == leader) {
            uint64_t bytes = bytes_at(s, s->halves[i].call), *worst = &most[s->halves[i].arrives];
            *worst = bytes > *worst ? bytes : *worst;
        }
    }
    return most[true] < most[false];
}

/* ---- the halves, replaced ---- */

/* A release before what others wait for, an acquire after the wait: what other work-groups may see of it. */
static void replace(struct split *s, const struct half *h, bool waits, bool synchronizes) {
    LLVMValueRef flags = LLVMGetOperand(h->call, 0), scope = LLVMGetOperand(h->call, 1);
    LLVMBuilderRef b = ir_before(h->call);
    if (waits) {
        LLVMValueRef f = kernel_barrier(s->k), args[] = {flags, scope};
        LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 2, "");
    } else {
        fence_emit_barrier(b, flags, scope,
                           h->arrives ? LLVMAtomicOrderingRelease : LLVMAtomicOrderingAcquire, synchronizes);
    }
    report_note(s->k, h->call, "barrier",
                waits ? "split: work-items wait at this half" : "split: work-items pass this half");
    LLVMDisposeBuilder(b);
}

void split_barrier_pass(struct kernel *k) {
    struct split s = {.k = k};
    s.cfg = cfg_of(k->run, &s.index, &s.blocks);
    find_halves(&s);
    if (!s.n) {
        return;
    }
    for (unsigned i = 0; i < s.n; i++) {
        if (s.halves[i].arrives) {
            join_waits(&s, i);
        }
    }
    find_values(&s);
    bool *early = job_alloc(s.n * sizeof *early);
    for (unsigned i = 0; i < s.n; i++) {
        early[i] = waits_early(&s, leader_of(&s, i));
    }
    bool synchronizes = spin_loops_observe(k);
    for (unsigned i = 0; i < s.n; i++) {
        replace(&s, &s.halves[i], s.halves[i].arrives == early[i], synchronizes);
    }
    for (unsigned i = 0; i < s.n; i++) {
        LLVMInstructionEraseFromParent(s.halves[i].call);
    }
}
