/* quiet.c: reads of local memory that nothing can race with, found before a checked kernel runs.
 *
 * Needs a kernel with everything inlined, and its barriers (instrument.c calls this before it adds checks). Gives:
 * in->quiet, loads of variables in local memory that no code writes which may be executed between the same two barriers. All
 * work-items of a group pass the same barriers, or are reported, so what may be executed in one interval is what can be
 * reached from the barrier that begins it without another barrier. If all barriers order local memory, such a read is
 * ordered with all writes there are: that it is inside its variable is all there is to check.
 *
 *     tile[l] = in[g];                      the interval from the kernel's begin: writes tile
 *     barrier(CLK_LOCAL_MEM_FENCE);
 *     sum = tile[l] + tile[15 - l];         the interval from the barrier: only reads it
 *
 * Asynchronous copies write at any time: with them nothing is quiet. */
#include "instrument.h"
#include <string.h>

struct intervals {
    struct instrumenting *in;
    unsigned n, words; /* intervals: one from the kernel's begin, one from each barrier; of a set of them */
    uint64_t *at;      /* by block: those that lead into it */
    struct ptrmap starts; /* barrier -> its interval */
    struct ptrmap writes; /* object -> set: where it is written */
    uint64_t *anything;   /* where a pointer to no known variable is written through */
};

static bool is_barrier(LLVMValueRef i) {
    return ir_is_call_to(i, "__weir_barrier");
}

/* Whether it orders the group's local memory, whatever runs. */
static bool orders_local(LLVMValueRef barrier) {
    LLVMValueRef flags = LLVMGetOperand(barrier, 0), scope = LLVMGetOperand(barrier, 1);
    if (!LLVMIsAConstantInt(flags) || !LLVMIsAConstantInt(scope)) {
        return false;
    }
    uint64_t reach = LLVMConstIntGetZExtValue(scope);
    return LLVMConstIntGetZExtValue(flags) & WEIR_FENCE_LOCAL && reach >= 1 && reach <= 3; /* work_group on */
}

static uint64_t *set_at(struct intervals *x, unsigned block) {
    return x->at + (size_t)block * x->words;
}

/* The intervals after the instruction, of those before it. */
static void pass_instruction(struct intervals *x, LLVMValueRef i, uint64_t *set) {
    if (is_barrier(i)) {
        memset(set, 0, x->words * sizeof *set);
        bit_add(set, (unsigned)ptrmap_at(&x->starts, i, 0));
    }
}

static void add_set(struct intervals *x, uint64_t *to, const uint64_t *set) {
    for (unsigned w = 0; w < x->words; w++) {
        to[w] |= set[w];
    }
}

static void find_intervals(struct intervals *x) {
    struct graph *cfg = x->in->cfg;
    uint64_t *set = job_alloc(x->words * sizeof *set);
    bit_add(set_at(x, 0), 0);
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned b = 0; b < cfg->n; b++) {
            memcpy(set, set_at(x, b), x->words * sizeof *set);
            for (LLVMValueRef i = LLVMGetFirstInstruction(x->in->blocks[b]); i;
                 i = LLVMGetNextInstruction(i)) {
                pass_instruction(x, i, set);
            }
            for (unsigned s = 0; s < cfg->nsucc[b]; s++) {
                uint64_t *to = set_at(x, cfg->succ[b][s]);
                for (unsigned w = 0; w < x->words; w++) {
                    changed |= (set[w] & ~to[w]) != 0;
                }
                add_set(x, to, set);
            }
        }
    }
}

/* ---- accesses ---- */

/* The variable in local memory behind the address; 0: none that is known. */
static uint32_t variable_of(struct intervals *x, LLVMValueRef p) {
    return LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_LOCAL ? instrument_object(x->in, p) : 0;
}

static void note_write(struct intervals *x, LLVMValueRef p, const uint64_t *set) {
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(p));
    uint32_t object = variable_of(x, p);
    if (space == AS_GLOBAL || space == AS_CONSTANT || !instrument_is_shared(x->in, p)) {
        return;
    }
    if (!object) {
        add_set(x, x->anything, set);
        return;
    }
    const void *key = (const void *)(uintptr_t)object;
    uint64_t *writes = (uint64_t *)ptrmap_at(&x->writes, key, 0);
    if (!writes) {
        writes = job_alloc(x->words * sizeof *writes);
        ptrmap_set(&x->writes, key, (uintptr_t)writes);
    }
    add_set(x, writes, set);
}

static void note(struct intervals *x, LLVMValueRef i, const uint64_t *set) {
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
        note_write(x, LLVMGetOperand(i, 1), set);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        note_write(x, LLVMGetOperand(i, 0), set);
        break;
    case LLVMCall:
        for (unsigned n = 0; n < LLVMGetNumArgOperands(i) && !ir_has_no_effect(i) && !ir_is_marker(i); n++) {
            LLVMValueRef p = LLVMGetOperand(i, n);
            if (LLVMGetTypeKind(LLVMTypeOf(p)) == LLVMPointerTypeKind) {
                note_write(x, p, set);
            }
        }
        break;
    default:
        break;
    }
}

static void find_quiet(struct intervals *x, LLVMValueRef i, const uint64_t *set) {
    uint32_t object = LLVMIsALoadInst(i) ? variable_of(x, LLVMGetOperand(i, 0)) : 0;
    if (!object) {
        return;
    }
    const uint64_t *writes = (const uint64_t *)ptrmap_at(&x->writes, (const void *)(uintptr_t)object, 0);
    for (unsigned w = 0; w < x->words; w++) {
        if (set[w] & (x->anything[w] | (writes ? writes[w] : 0))) {
            return;
        }
    }
    ptrmap_set(&x->in->quiet, i, 1);
}

static void for_each(struct intervals *x, void (*f)(struct intervals *, LLVMValueRef, const uint64_t *set)) {
    uint64_t *set = job_alloc(x->words * sizeof *set);
    for (unsigned b = 0; b < x->in->cfg->n; b++) {
        memcpy(set, set_at(x, b), x->words * sizeof *set);
        for (LLVMValueRef i = LLVMGetFirstInstruction(x->in->blocks[b]); i; i = LLVMGetNextInstruction(i)) {
            f(x, i, set);
            pass_instruction(x, i, set);
        }
    }
}

void quiet_find(struct instrumenting *in, const struct list *instructions) {
    struct intervals x = {.in = in, .n = 1};
    if (LLVMGetNamedFunction(in->k->module, "__weir_barrier_arrive")) {
        return; /* work-items between its halves and behind it meet */
    }
    for (size_t i = 0; i < instructions->n; i++) {
        LLVMValueRef at = instructions->at[i];
        if (library_calls_copies(at) || (is_barrier(at) && !orders_local(at))) {
            return;
        }
        if (is_barrier(at)) {
            ptrmap_set(&x.starts, at, x.n++);
        }
    }
    x.words = (x.n + 63) / 64;
    x.at = job_alloc((size_t)in->cfg->n * x.words * sizeof *x.at);
    x.anything = job_alloc(x.words * sizeof *x.anything);
    find_intervals(&x);
    for_each(&x, note);
    for_each(&x, find_quiet);
}
