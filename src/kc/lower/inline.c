/* inline.c: brings into k->run every function that depends on where it runs.
 *
 * Needs `enter` and the linked library. Gives: no function but k->run calls a barrier, a work-item query,
 * printf or another intrinsic of abi.h, or names a variable in local or program-scope memory. What is left
 * as a function is pure arithmetic or touches only memory that it is passed: LLVM's own inliner decides about
 * those, by their cost; their frames, with all they call, take at most STACK_OF_DEEP_CALLS bytes of a thread's stack,
 * which may be small: private arrays of k->run have room elsewhere (context.c). Recursion among the functions inlined here
 * fails the build.
 * LLVM's always-inline pass neither duplicates nor merges calls, so barriers stay what they are. */
#include "analysis.h"
#include "lower.h"
#include <string.h>

static bool is_context_name(const char *name) {
    return !strncmp(name, "__weir_", 7) || !strcmp(name, "printf");
}

/* Called once per work-item in their order, so a call until regions are formed (lib/cl/weir.h). */
static bool is_lane_function(LLVMValueRef f) {
    size_t n;
    return strstr(LLVMGetValueName2(f, &n), "__weir_lane_");
}

static void add_users(struct list *work, struct ptrmap *marked, LLVMValueRef v) {
    for (LLVMUseRef u = LLVMGetFirstUse(v); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsAInstruction(user)) {
            LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
            uintptr_t ignored;
            if (!ptrmap_get(marked, f, &ignored)) {
                ptrmap_set(marked, f, 1);
                list_add(work, f);
            }
        } else if (LLVMIsAConstant(user) && !LLVMIsAGlobalValue(user)) {
            add_users(work, marked, user);
        }
    }
}

/* Functions that are to be inlined. */
struct inlining {
    struct kernel *k;
    struct list work; /* them */
    struct ptrmap marked;
};

static void mark_function(struct inlining *in, LLVMValueRef f) {
    if (!ptrmap_at(&in->marked, f, 0)) {
        ptrmap_set(&in->marked, f, 1);
        list_add(&in->work, f);
    }
}

/* All functions that use those marked from the `first`-th one on. */
static void mark_callers(struct inlining *in, size_t first) {
    for (size_t i = first; i < in->work.n; i++) {
        add_users(&in->work, &in->marked, in->work.at[i]);
    }
}

/* ---- loops that may wait (spin_loops.c), which are found only in k->run ---- */

static bool observes(LLVMValueRef f) {
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (spin_loops_observes(i)) {
                return true;
            }
        }
    }
    return false;
}

static bool has_loop(LLVMValueRef f) {
    struct ptrmap index = {0};
    LLVMBasicBlockRef *blocks;
    struct graph *cfg = cfg_of(f, &index, &blocks);
    struct components found = {0};
    struct list nodes = {0};
    for (unsigned n = 0; n < cfg->n; n++) {
        list_add(&nodes, (void *)(uintptr_t)n);
        if (graph_has_edge(cfg, n, n)) {
            return true;
        }
    }
    unsigned *all = job_alloc((cfg->n + 1) * sizeof *all);
    graph_components(cfg, all, 0, nodes.at, nodes.n, &found);
    return found.starts.n < found.nodes.n;
}

/* Marks what observes memory, directly or by calls, if any of that has a loop. */
static void mark_observers(struct inlining *in) {
    struct list work = {0};
    struct ptrmap seen = {0};
    bool any = false;
    for (LLVMValueRef f = LLVMGetFirstFunction(in->k->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && observes(f)) {
            ptrmap_set(&seen, f, 1);
            list_add(&work, f);
        }
    }
    for (size_t i = 0; i < work.n; i++) {
        add_users(&work, &seen, work.at[i]);
        any = any || has_loop(work.at[i]);
    }
    for (size_t i = 0; i < work.n && any; i++) {
        if (!is_lane_function(work.at[i])) {
            mark_function(in, work.at[i]);
        }
    }
}

static void mark_large_results(struct inlining *in) {
    size_t first = in->work.n;
    for (LLVMValueRef f = LLVMGetFirstFunction(in->k->module); f; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && aggregates_is_large(LLVMGetReturnType(LLVMGlobalGetValueType(f)))) {
            mark_function(in, f);
        }
    }
    mark_callers(in, first);
}

/* Functions that must be inlined: they reach an intrinsic or a placed variable, directly or by calls; for packs all,
 * since only code in k->run is widened, and for sub-groups; else those with loops that may wait, and those that return
 * large structs, which would be values of as many registers (aggregates.c). */
static void mark(struct inlining *in) {
    struct kernel *k = in->k;
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        if (LLVMIsDeclaration(f) && is_context_name(LLVMGetValueName2(f, &n))) {
            add_users(&in->work, &in->marked, f);
        }
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(k->module); g; g = LLVMGetNextGlobal(g)) {
        uintptr_t ignored;
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == AS_LOCAL || ptrmap_get(&k->globals, g, &ignored)) {
            add_users(&in->work, &in->marked, g);
        }
    }
    mark_callers(in, 0);
    bool all = k->width > 1 || k->meta->uses_subgroups || k->checked;
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f && all; f = LLVMGetNextFunction(f)) {
        if (!LLVMIsDeclaration(f) && !is_lane_function(f)) {
            mark_function(in, f);
        }
    }
    if (!all) {
        mark_observers(in);
        mark_large_results(in);
    }
}

/* ---- frames of functions that stay ---- */

enum {
    STACK_OF_CALLS = 64 * 1024,
    STACK_OF_DEEP_CALLS = 512 * 1024,
    LARGE_FRAME = 4 * 1024,
    SMALLEST_FRAME = 128
};
#define MOST_BYTES (UINT64_C(1) << 48)

static uint64_t bounded_sum(uint64_t x, uint64_t y) {
    return x < MOST_BYTES && y < MOST_BYTES ? x + y : MOST_BYTES;
}

/* Bytes of variables, and of structs that are passed by value; registers take some, too. */
static uint64_t frame_of(const struct kernel *k, LLVMValueRef f) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->module);
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    uint64_t bytes = SMALLEST_FRAME;
    for (unsigned p = 1; p <= LLVMCountParams(f); p++) {
        LLVMAttributeRef struct_type = LLVMGetEnumAttributeAtIndex(f, p, byval);
        if (struct_type) {
            bytes = bounded_sum(bytes, LLVMABISizeOfType(layout, LLVMGetTypeAttributeValue(struct_type)));
        }
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bytes = LLVMIsAAllocaInst(i) ? bounded_sum(bytes, private_size(layout, i)) : bytes;
        }
    }
    return bytes;
}

/* Bytes of stack that a call of the function takes, with all that it calls; `known` remembers. */
static uint64_t stack_of(const struct inlining *in, struct ptrmap *known, LLVMValueRef f) {
    uint64_t deepest = ptrmap_at(known, f, 0), callees = 0;
    if (deepest || LLVMIsDeclaration(f)) {
        return deepest;
    }
    ptrmap_set(known, f, MOST_BYTES); /* of recursion */
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
            uint64_t below = callee ? stack_of(in, known, callee) : 0;
            callees = below > callees ? below : callees;
        }
    }
    deepest = ptrmap_at(&in->marked, f, 0) ? callees : bounded_sum(callees, frame_of(in->k, f));
    ptrmap_set(known, f, deepest);
    return deepest;
}

/* Marks functions with large frames, then, if they call each other very deep, all, until calls take little of the stack. */
static void bound_stack(struct inlining *in) {
    static const uint64_t least[] = {LARGE_FRAME, 0}, most[] = {STACK_OF_CALLS, STACK_OF_DEEP_CALLS};
    for (unsigned round = 0; round < 2; round++) {
        struct ptrmap known = {0};
        size_t first = in->work.n;
        if (stack_of(in, &known, in->k->entry) <= most[round]) {
            return;
        }
        for (LLVMValueRef f = LLVMGetFirstFunction(in->k->module); f; f = LLVMGetNextFunction(f)) {
            if (!LLVMIsDeclaration(f) && !is_lane_function(f) && frame_of(in->k, f) >= least[round]) {
                mark_function(in, f);
            }
        }
        mark_callers(in, first);
    }
}

static void check_inlined(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
        if (f != k->run && !LLVMIsDeclaration(f) &&
            LLVMGetEnumAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, kind)) {
            size_t n;
            job_fail(
                k->job, ANSWER_BUILD_FAILED,
                "kernel '%s': function '%s' can't be inlined: recursion isn't allowed in OpenCL C (6.11)\n",
                k->meta->name, LLVMGetValueName2(f, &n));
        }
    }
}

static void run_passes(struct kernel *k, const char *passes) {
    job_run_passes(k->job, k->module, passes, NULL, "inline");
}

/* clang's IR has a variable in memory for each name, in every copy that inlining makes. Long programs lose them first, so that
 * copies, and the frames that decide what must be inlined, are smaller. Not where accesses and variables are to be seen. */
static void shorten(struct kernel *k) {
    if (ir_is_long(k->module) && !k->checked && !k->shown) {
        aggregates_hold(k->module);
        run_passes(k, "function(sroa<modify-cfg>,early-cse,simplifycfg)");
    }
}

void inline_pass(struct kernel *k) {
    struct inlining in = {.k = k};
    shorten(k);
    mark_function(&in, k->entry);
    mark(&in);
    bound_stack(&in);
    for (size_t i = 0; i < in.work.n; i++) {
        if (in.work.at[i] != k->run) {
            ir_remove_attribute(in.work.at[i], (unsigned)LLVMAttributeFunctionIndex, "noinline");
            ir_attribute(k->llvm, in.work.at[i], "alwaysinline", 0);
        }
    }
    k->entry = NULL;
    run_passes(k, "globaldce,always-inline,globaldce");
    check_inlined(k);
}
