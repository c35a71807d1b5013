/* inline.c: brings into k->run every function that depends on where it runs.
 *
 * Needs `enter` and the linked library. Gives: no function but k->run calls a barrier, a work-item query,
 * printf or another intrinsic of abi.h, or names a variable in local or program-scope memory. What is left
 * as a function is pure arithmetic or touches only memory that it is passed: LLVM's own inliner decides about
 * those, by their cost. Recursion among the functions inlined here fails the build.
 * LLVM's always-inline pass neither duplicates nor merges calls, so barriers stay what they are. */
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

/* Functions that must be inlined: they reach an intrinsic or a placed variable, directly or by calls; for packs all,
 * since only code in k->run is widened, and for sub-groups, since only there loops that wait are found. */
static void mark(struct kernel *k, struct list *work) {
    struct ptrmap marked = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        size_t n;
        if (LLVMIsDeclaration(f) && is_context_name(LLVMGetValueName2(f, &n))) {
            add_users(work, &marked, f);
        }
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(k->module); g; g = LLVMGetNextGlobal(g)) {
        uintptr_t ignored;
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == AS_LOCAL || ptrmap_get(&k->globals, g, &ignored)) {
            add_users(work, &marked, g);
        }
    }
    for (size_t i = 0; i < work->n; i++) {
        add_users(work, &marked, work->at[i]);
    }
    bool all = k->width > 1 || k->meta->uses_subgroups;
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f && all; f = LLVMGetNextFunction(f)) {
        uintptr_t ignored;
        if (!LLVMIsDeclaration(f) && !is_lane_function(f) && !ptrmap_get(&marked, f, &ignored)) {
            list_add(work, f);
        }
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

void inline_pass(struct kernel *k) {
    struct list work = {0};
    mark(k, &work);
    list_add(&work, k->entry);
    for (size_t i = 0; i < work.n; i++) {
        if (work.at[i] != k->run) {
            ir_remove_attribute(work.at[i], (unsigned)LLVMAttributeFunctionIndex, "noinline");
            ir_attribute(k->llvm, work.at[i], "alwaysinline", 0);
        }
    }
    k->entry = NULL;
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    job_check(k->job, LLVMRunPasses(k->module, "globaldce,always-inline,globaldce", NULL, options), "inline");
    LLVMDisposePassBuilderOptions(options);
    check_inlined(k);
}
