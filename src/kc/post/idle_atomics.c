/* idle_atomics.c: an atomic that mostly changes nothing looks first whether it would.
 *
 * In: k->run and what it calls, with their local atomics plain. Out: a relaxed minimum, maximum, conjunction or disjunction
 * reads what is there, and is carried out where that would change. An update of a distance, a bound or a set of bits mostly
 * finds a better one there, and an atomic costs 20 cycles and takes the line from other threads' caches, where a read
 * costs none of this.
 *
 *     %old = load atomic i32, ptr %p monotonic
 *     %changes = icmp slt i32 %x, %old
 *     br i1 %changes, ...                      ; there: atomicrmw min ptr %p, i32 %x monotonic
 *
 * Nobody can tell: the write that is left out comes right after the one that was read, with the same value, and orders
 * nothing. After a fence it would, for the work-item that is next there and has a fence behind it; so functions that have
 * fences for other threads keep theirs. A pack's lane takes its turn alone (vector/lane_loop.c). */
#include "post.h"

/* Fences for other threads, in any function. */
static bool has_fence(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (LLVMIsAFenceInst(i) && !LLVMIsAtomicSingleThread(i)) {
                    return true;
                }
            }
        }
    }
    return false;
}

/* i1: whether the operation, one of those above, changes what is there. */
static LLVMValueRef changes(LLVMBuilderRef b, LLVMAtomicRMWBinOp op, LLVMValueRef old, LLVMValueRef x) {
    switch (op) {
    case LLVMAtomicRMWBinOpMax:
        return LLVMBuildICmp(b, LLVMIntSGT, x, old, "changes");
    case LLVMAtomicRMWBinOpMin:
        return LLVMBuildICmp(b, LLVMIntSLT, x, old, "changes");
    case LLVMAtomicRMWBinOpUMax:
        return LLVMBuildICmp(b, LLVMIntUGT, x, old, "changes");
    case LLVMAtomicRMWBinOpUMin:
        return LLVMBuildICmp(b, LLVMIntULT, x, old, "changes");
    case LLVMAtomicRMWBinOpAnd:
        return LLVMBuildICmp(b, LLVMIntNE, LLVMBuildAnd(b, x, old, ""), old, "changes");
    default:
        return LLVMBuildICmp(b, LLVMIntNE, LLVMBuildOr(b, x, old, ""), old, "changes");
    }
}

/* What is there. Volatile, as each look counts; not monotonic, for LLVM would read all memory again behind it. */
static LLVMValueRef look(LLVMBuilderRef b, LLVMValueRef rmw) {
    LLVMValueRef old = LLVMBuildLoad2(b, LLVMTypeOf(rmw), LLVMGetOperand(rmw, 0), "there");
    LLVMSetOrdering(old, LLVMAtomicOrderingUnordered);
    LLVMSetVolatile(old, true);
    LLVMSetAlignment(old, LLVMGetAlignment(rmw));
    ir_add_lists_of(old, rmw);
    return old;
}

static void look_first(LLVMValueRef rmw) {
    LLVMBasicBlockRef before = LLVMGetInstructionParent(rmw);
    LLVMBasicBlockRef act = ir_split_before(rmw, "act"),
                      rest = ir_split_before(LLVMGetNextInstruction(rmw), "acted");
    LLVMBuilderRef b = ir_at_end(before);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(rmw));
    LLVMValueRef old = look(b, rmw);
    LLVMBuildCondBr(b, changes(b, LLVMGetAtomicRMWBinOp(rmw), old, LLVMGetOperand(rmw, 1)), act, rest);
    LLVMPositionBuilderAtEnd(b, act);
    LLVMBuildBr(b, rest);
    if (LLVMGetFirstUse(rmw)) {
        LLVMPositionBuilder(b, rest, LLVMGetFirstInstruction(rest));
        LLVMValueRef found = LLVMBuildPhi(b, LLVMTypeOf(rmw), "found");
        LLVMReplaceAllUsesWith(rmw, found);
        LLVMAddIncoming(found, (LLVMValueRef[]){old, rmw}, (LLVMBasicBlockRef[]){before, act}, 2);
    }
    LLVMDisposeBuilder(b);
}

void idle_atomics_pass(struct kernel *k) {
    struct list found = {0};
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (kernel_may_idle(i)) {
                    list_add(&found, i);
                }
            }
        }
    }
    if (found.n && !has_fence(k->module)) {
        for (size_t n = 0; n < found.n; n++) {
            look_first(found.at[n]);
        }
    }
}
