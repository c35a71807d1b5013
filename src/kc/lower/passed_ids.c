/* passed_ids.c: functions of long kernels are told by their callers where they run.
 *
 * Needs `link`. In: functions that ask for ids and sizes of the work-item, by abi.h's intrinsics, or call such ones. Out, in a
 * kernel that runs one work-item at a time and is long: they have these as parameters, after their own, and k->run asks. What
 * calls an intrinsic is inlined everywhere (inline.c), which programs of hundreds of functions don't survive: those of ray
 * tracers call each other in chains that end in one with get_global_id, and make ten times their own code in each kernel.
 * Short functions that ask are inlined before: get_global_id itself, of whose intrinsics one is left then. */
#include "frontend.h"
#include "lower.h"
#include <string.h>

enum { MOST_QUERIES = 16, SHORT = 64 };

struct function {
    LLVMValueRef old, new; /* new: with more parameters; NULL: it asks itself */
    unsigned asks;         /* bits: for queries, itself or by what it calls */
};

struct passing {
    struct kernel *k;
    LLVMValueRef queries[MOST_QUERIES]; /* the intrinsics */
    unsigned n;
    struct ptrmap of; /* function, old or new -> struct function */
    struct list all;  /* these */
};

static bool is_query(LLVMValueRef f) {
    static const char *const names[] = {"__weir_local_id_",   "__weir_global_id_", "__weir_group_id_",
                                        "__weir_local_size_", "__weir_launch",     "__weir_worker"};
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    bool found = false;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        found |= !strncmp(name, names[i], strlen(names[i]));
    }
    return found && LLVMIsDeclaration(f) && !LLVMCountParams(f);
}

/* It is neither the kernel, nor its body, which stay k->run's, nor one that passes know by its name. */
static bool may_change(const struct kernel *k, LLVMValueRef f) {
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    return f != k->run && f != k->entry && !strstr(name, "__weir_") &&
           strncmp(name, KERNEL_BODY, sizeof KERNEL_BODY - 1) != 0;
}

static LLVMValueRef function_around(LLVMValueRef i) {
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
}

/* The function that an instruction which uses `f` stands in, if it calls it; else NULL. */
static LLVMValueRef caller_of(LLVMValueRef user, LLVMValueRef f) {
    return LLVMIsACallInst(user) && ir_callee(user) == f ? function_around(user) : NULL;
}

static void find_queries(struct passing *p) {
    for (LLVMValueRef f = LLVMGetFirstFunction(p->k->module); f; f = LLVMGetNextFunction(f)) {
        if (is_query(f) && p->n < MOST_QUERIES) {
            p->queries[p->n++] = f;
        }
    }
}

/* Inlines get_global_id and its like, so that callers ask for what they need alone. */
static void inline_short_ones(struct passing *p) {
    for (unsigned q = 0; q < p->n; q++) {
        for (LLVMUseRef u = LLVMGetFirstUse(p->queries[q]); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef f = caller_of(LLVMGetUser(u), p->queries[q]);
            if (f && may_change(p->k, f) && ir_function_length(f) <= SHORT) {
                ir_remove_attribute(f, (unsigned)LLVMAttributeFunctionIndex, "noinline");
                ir_attribute(p->k->llvm, f, "alwaysinline", 0);
            }
        }
    }
    job_run_passes(p->k->job, p->k->module, "always-inline,function(early-cse,simplifycfg),globaldce", NULL,
                   "passed-ids");
}

/* Whether all that is done with the function is to call it. */
static bool is_only_called(LLVMValueRef f) {
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!caller_of(user, f) || LLVMGetNumOperandBundles(user)) {
            return false;
        }
    }
    return true;
}

static struct function *function_of(struct passing *p, LLVMValueRef f) {
    struct function *found = (struct function *)ptrmap_at(&p->of, f, 0);
    if (!found) {
        found = job_alloc(sizeof *found);
        *found = (struct function){.old = f};
        ptrmap_set(&p->of, f, (uintptr_t)found);
        list_add(&p->all, found);
    }
    return found;
}

/* Who asks for a query, directly or by calls. */
static void mark_askers(struct passing *p, unsigned q) {
    struct list work = {0};
    list_add(&work, p->queries[q]);
    for (size_t i = 0; i < work.n; i++) {
        for (LLVMUseRef u = LLVMGetFirstUse(work.at[i]); u; u = LLVMGetNextUse(u)) {
            LLVMValueRef f = caller_of(LLVMGetUser(u), work.at[i]);
            struct function *asker = f ? function_of(p, f) : NULL;
            if (asker && !(asker->asks & 1u << q)) {
                asker->asks |= 1u << q;
                list_add(&work, f);
            }
        }
    }
}

/* The same function with a parameter for each query; its body moves there. */
static void add_parameters(struct passing *p, struct function *f) {
    LLVMTypeRef type = LLVMGlobalGetValueType(f->old);
    unsigned n = LLVMCountParamTypes(type), all = n;
    LLVMTypeRef *params = job_alloc((n + MOST_QUERIES) * sizeof *params);
    LLVMGetParamTypes(type, params);
    for (unsigned q = 0; q < p->n; q++) {
        if (f->asks & 1u << q) {
            params[all++] = LLVMGetReturnType(LLVMGlobalGetValueType(p->queries[q]));
        }
    }
    size_t length;
    const char *name = job_strdup(LLVMGetValueName2(f->old, &length));
    LLVMSetValueName2(f->old, "", 0);
    f->new = LLVMAddFunction(p->k->module, name, LLVMFunctionType(LLVMGetReturnType(type), params, all, 0));
    ptrmap_set(&p->of, f->new, (uintptr_t)f);
    LLVMSetLinkage(f->new, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(f->new, LLVMGetFunctionCallConv(f->old));
    ir_copy_attributes(f->old, f->new, (unsigned)LLVMAttributeFunctionIndex);
    for (unsigned i = 0; i <= n; i++) {
        ir_copy_attributes(f->old, f->new, i);
    }
    LLVMMetadataRef subprogram = LLVMGetSubprogram(f->old);
    if (subprogram) {
        LLVMSetSubprogram(f->old, NULL);
        LLVMSetSubprogram(f->new, subprogram);
    }
    for (LLVMBasicBlockRef b; (b = LLVMGetFirstBasicBlock(f->old));) {
        LLVMRemoveBasicBlockFromParent(b);
        LLVMAppendExistingBasicBlock(f->new, b);
    }
    for (unsigned i = 0; i < n; i++) {
        LLVMReplaceAllUsesWith(LLVMGetParam(f->old, i), LLVMGetParam(f->new, i));
    }
}

/* The answer to a query in the function that the call stands in. */
static LLVMValueRef answer(struct passing *p, LLVMBuilderRef b, LLVMValueRef call, unsigned q) {
    LLVMValueRef f = function_around(call), query = p->queries[q];
    const struct function *at = (const struct function *)ptrmap_at(&p->of, f, 0);
    if (at && at->new == f) {
        unsigned before = at->asks & ((1u << q) - 1), own = LLVMCountParams(at->old);
        return LLVMGetParam(f, own + (unsigned)__builtin_popcount(before));
    }
    return LLVMBuildCall2(b, LLVMGlobalGetValueType(query), query, NULL, 0, "");
}

static void pass_answers(struct passing *p, const struct function *f, LLVMValueRef call) {
    LLVMBuilderRef b = ir_before(call);
    unsigned n = LLVMGetNumArgOperands(call), all = n;
    LLVMValueRef *args = job_alloc((n + MOST_QUERIES) * sizeof *args);
    for (unsigned i = 0; i < n; i++) {
        args[i] = LLVMGetOperand(call, i);
    }
    for (unsigned q = 0; q < p->n; q++) {
        if (f->asks & 1u << q) {
            args[all++] = answer(p, b, call, q);
        }
    }
    LLVMValueRef fresh = LLVMBuildCall2(b, LLVMGlobalGetValueType(f->new), f->new, args, all, "");
    LLVMSetInstructionCallConv(fresh, LLVMGetInstructionCallConv(call));
    ir_copy_attributes(call, fresh, (unsigned)LLVMAttributeFunctionIndex);
    for (unsigned i = 0; i <= n; i++) {
        ir_copy_attributes(call, fresh, i);
    }
    if (LLVMCanValueUseFastMathFlags(call)) {
        LLVMSetFastMathFlags(fresh, LLVMGetFastMathFlags(call));
    }
    LLVMReplaceAllUsesWith(call, fresh);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
}

/* In functions with parameters the intrinsics become these. */
static void answer_queries(struct passing *p, unsigned q) {
    for (LLVMUseRef next, u = LLVMGetFirstUse(p->queries[q]); u; u = next) {
        next = LLVMGetNextUse(u);
        LLVMValueRef call = LLVMGetUser(u);
        LLVMBuilderRef b = ir_before(call);
        LLVMValueRef value = answer(p, b, call, q);
        LLVMDisposeBuilder(b);
        LLVMReplaceAllUsesWith(call, value);
        LLVMInstructionEraseFromParent(call);
    }
}

void passed_ids_pass(struct kernel *k) {
    struct passing p = {.k = k};
    if (k->width > 1 || k->meta->uses_subgroups || k->checked || k->shown || !ir_is_long(k->module)) {
        return;
    }
    find_queries(&p);
    inline_short_ones(&p);
    p.n = 0;
    find_queries(&p); /* those that are left */
    for (unsigned q = 0; q < p.n; q++) {
        mark_askers(&p, q);
    }
    for (size_t i = 0; i < p.all.n; i++) {
        struct function *f = p.all.at[i];
        if (may_change(k, f->old) && is_only_called(f->old)) {
            add_parameters(&p, f);
        }
    }
    for (size_t i = 0; i < p.all.n; i++) {
        const struct function *f = p.all.at[i];
        for (LLVMUseRef u; f->new && (u = LLVMGetFirstUse(f->old));) {
            pass_answers(&p, f, LLVMGetUser(u));
        }
    }
    for (unsigned q = 0; q < p.n; q++) {
        answer_queries(&p, q);
    }
    for (size_t i = 0; i < p.all.n; i++) {
        const struct function *f = p.all.at[i];
        if (f->new) {
            LLVMDeleteFunction(f->old);
        }
    }
}
