/* constructors.c: constructors of program-scope objects (C++ for OpenCL) as one function.
 *
 * In: linked program IR, where clang lists functions to be called first in llvm.global_ctors. Out: the list is gone, and
 * for the object that initializes program-scope variables there is a work-group function that calls them all as a kernel of one
 * work-item, so that they may do what kernels may. */
#include "driver.h"
#include "lower.h"
#include "target.h"
#include <llvm-c/Linker.h>
#include <string.h>

#define LIST "llvm.global_ctors"
#define NAME "weir.constructors"

void constructors_drop(LLVMModuleRef module) {
    LLVMValueRef list = LLVMGetNamedGlobal(module, LIST);
    if (list) {
        LLVMDeleteGlobal(list);
    }
}

/* A function that calls those of the list, by priority and then in their order. */
static LLVMValueRef make_entry(LLVMModuleRef module, LLVMValueRef list) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), NULL, 0, 0);
    LLVMValueRef entry = LLVMAddFunction(module, NAME, type), all = LLVMGetInitializer(list);
    LLVMBuilderRef b = ir_at_end(ir_block(entry, "entry"));
    unsigned n = (unsigned)LLVMGetArrayLength2(LLVMTypeOf(all));
    for (int64_t last = -1, next; n; last = next) {
        next = INT64_MAX;
        for (unsigned i = 0; i < n; i++) {
            LLVMValueRef row = LLVMGetAggregateElement(all, i);
            int64_t priority = (int64_t)LLVMConstIntGetZExtValue(LLVMGetAggregateElement(row, 0));
            if (priority == last) {
                LLVMValueRef f = LLVMGetAggregateElement(row, 1);
                LLVMSetInstructionCallConv(LLVMBuildCall2(b, type, f, NULL, 0, ""),
                                           LLVMGetFunctionCallConv(f));
            }
            next = priority > last && priority < next ? priority : next;
        }
        if (next == INT64_MAX) {
            break;
        }
    }
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return entry;
}

void constructors_make(struct job *job, LLVMModuleRef module, struct constructors *made) {
    LLVMValueRef list = LLVMGetNamedGlobal(module, LIST);
    *made = (struct constructors){0};
    if (!list) {
        return;
    }
    LLVMModuleRef own = LLVMCloneModule(module); /* the passes keep nothing but what the kernel uses */
    struct kernel_meta *meta = job_alloc(sizeof *meta);
    struct kernel *k = job_alloc(sizeof *k);
    meta->name = NAME;
    *k = (struct kernel){.job = job,
                         .module = own,
                         .llvm = LLVMGetModuleContext(own),
                         .meta = meta,
                         .width = 1,
                         .local_size = {1, 1, 1},
                         .optimize = true,
                         .target = target_find(job)};
    constructors_drop(module);
    k->entry = make_entry(own, LLVMGetNamedGlobal(own, LIST));
    constructors_drop(own);
    pipeline_rows(k);
    LLVMDeleteGlobal(LLVMGetNamedGlobal(own, WEIR_KERNEL_SYMBOL));
    LLVMSetLinkage(k->run, LLVMExternalLinkage);
    *made = (struct constructors){.run = "weir." NAME,
                                  .local_bytes = k->local_bytes,
                                  .context_bytes =
                                      k->context_is_small ? 0 : k->context_fixed + k->context_per_item};
    if (LLVMLinkModules2(module, own)) {
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot link constructors");
    }
}
