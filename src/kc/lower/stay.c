/* stay.c: the ways back that keep in a loop what sub-groups compute in it (frontend/ways_back.c) are never taken.
 *
 * In: branches on calls of __weir_sub_stay. Out: after `link`, in kernels for whose sub-groups it makes no difference, branches
 * on a constant. Where regions are formed, branches on a value that only what emits code knows: until then the
 * graph has the edges, as the order of blocks and the loops in it rest on them. */
#include "lower.h"

/* Branches on what `make` gives instead; calls that only stand in a way back go. */
static void replace(struct kernel *k, bool opaque) {
    LLVMValueRef f = LLVMGetNamedFunction(k->module, "__weir_sub_stay"),
                 never = LLVMConstNull(LLVMInt1TypeInContext(k->llvm));
    for (LLVMUseRef u; f && (u = LLVMGetFirstUse(f));) {
        LLVMValueRef call = LLVMGetUser(u);
        if (opaque && LLVMGetFirstUse(call)) {
            LLVMBuilderRef b = ir_before(call);
            LLVMReplaceAllUsesWith(call, LLVMBuildFreeze(b, never, ""));
            LLVMDisposeBuilder(b);
        } else {
            LLVMReplaceAllUsesWith(call, never);
        }
        LLVMInstructionEraseFromParent(call);
    }
}

void stay_pass(struct kernel *k) {
    if (k->width == 1 || !k->meta->uses_subgroups) {
        replace(k, false);
    }
}

void stay_resolve(struct kernel *k) {
    replace(k, true);
}
