/* extract_loops.c: of functions with very many loops over work-items each outermost loop becomes a function.
 *
 * In: the module before `optimize`. Out: functions that are called once and stay so, named after the loop; they have the
 * attribute `weir-extracted`. Passes on the work-group function after this one look at each of them (pipeline.c).
 * What LLVM asks about a loop it answers by the branches on the way to it, back to the function's entry. Of loops one behind
 * the other, as a kernel with many barriers has them, that takes a time that grows with the square of their number. Code for any
 * local size has what lives across barriers in memory anyway, so little is lost between functions; where the size is known, LLVM may
 * keep it in registers, and loops are fewer and shorter. */
#include "post.h"
#include <string.h>

static const char mark[] = "weir-extracted";
enum { MANY = 192 }; /* loops over work-items: of 64 regions over three dimensions */

bool extract_loops_made(LLVMValueRef f) {
    return LLVMGetStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, mark, sizeof mark - 1);
}

/* Whether the function has many loops over work-items (item_loops.c). */
static bool has_many(struct kernel *k, LLVMValueRef f) {
    unsigned n = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        n += ir_has_loop_property(k->llvm, LLVMGetBasicBlockTerminator(b), "llvm.loop.parallel_accesses");
    }
    return n > MANY;
}

/* LLVM's pass takes all functions but those that aren't to be optimized. */
static void extract_from(struct kernel *k, LLVMValueRef f) {
    struct list others = {0};
    struct ptrmap known = {0};
    for (LLVMValueRef g = LLVMGetFirstFunction(k->module); g; g = LLVMGetNextFunction(g)) {
        ptrmap_set(&known, g, 1);
        if (g != f && LLVMGetFirstBasicBlock(g)) {
            list_add(&others, g);
            ir_attribute(k->llvm, g, "optnone", 0);
        }
    }
    job_run_passes(k->job, k->module, "function(loop-simplify),loop-extract", target_optimizer(k->job),
                   "extract-loops");
    for (size_t i = 0; i < others.n; i++) {
        ir_remove_attribute(others.at[i], (unsigned)LLVMAttributeFunctionIndex, "optnone");
    }
    for (LLVMValueRef g = LLVMGetFirstFunction(k->module); g; g = LLVMGetNextFunction(g)) {
        if (!ptrmap_at(&known, g, 0) && LLVMGetFirstBasicBlock(g)) {
            ir_attribute(k->llvm, g, "noinline", 0);
            LLVMAddTargetDependentFunctionAttr(g, mark, "");
        }
    }
}

/* An outermost loop may itself hold many, as one around barriers does: it is looked at in turn. Rounds are few, for a loop with
 * several ways out may become a function over and over again. */
void extract_loops_pass(struct kernel *k) {
    enum { ROUNDS = 8 };
    bool loses = k->shown || k->local_size[0];
    LLVMValueRef f = LLVMGetFirstFunction(k->module);
    for (unsigned round = 0; f && !loses && round < ROUNDS; f = LLVMGetNextFunction(f)) {
        if (has_many(k, f)) {
            extract_from(k, f);
            round++;
        }
    }
}
