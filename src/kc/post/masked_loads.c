/* masked_loads.c: what is read under a mask is read before what is stored next.
 *
 * Needs k->run without barriers, before `optimize`. LLVM 22 makes one masked load of a masked load and the select that
 * takes its lanes, at the select: behind stores that stand between, to the same place perhaps (InstCombine's
 * visitSelectInst; its loop vectorizer makes such loads of branches). Gives the same with a copy between the two, through
 * which that isn't seen:
 *     %l = call @llvm.masked.load(ptr %p, <8 x i1> %m, poison)            %l = ...
 *          call @llvm.masked.store(%n, ptr %p, <8 x i1> %m)               %f = freeze <8 x i32> %l
 *     %s = select <8 x i1> %m, %l, %old                       becomes     ...
 *                                                                         %s = select <8 x i1> %m, %f, %old
 * and of what one work-item reads and stores behind a branch, where a PHI will be the select. */
#include "post.h"

/* Whether the instruction may store to what the load reads: local and global memory and variables of the function are apart. */
static bool may_write(LLVMValueRef i, LLVMValueRef load) {
    bool is_masked = ir_is_intrinsic(i, "llvm.masked.store.");
    LLVMValueRef to = LLVMIsAStoreInst(i) || is_masked ? LLVMGetOperand(i, 1) : NULL;
    if (to) {
        unsigned from = LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(load, 0))),
                 space = LLVMGetPointerAddressSpace(LLVMTypeOf(to));
        bool is_shared = from == AS_GLOBAL || from == AS_LOCAL;
        bool is_apart = space == AS_GLOBAL || space == AS_LOCAL
                            ? space != from
                            : LLVMIsAAllocaInst(ir_strip_offsets(to)) != NULL;
        return !(is_shared && is_apart);
    }
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i) ||
           (LLVMIsACallInst(i) && !ir_has_no_effect(i) && !ir_is_intrinsic(i, "llvm.masked.load.") &&
            !ir_is_intrinsic(i, "llvm.masked.gather."));
}

static bool leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    unsigned n = 0;
    while (n < LLVMGetNumSuccessors(end) && LLVMGetSuccessor(end, n) != to) {
        n++;
    }
    return n < LLVMGetNumSuccessors(end);
}

/* Whether something may be stored after the load, before it is taken; in other blocks nobody looks. */
static bool stores_between(LLVMValueRef load, LLVMValueRef taker) {
    LLVMValueRef i = LLVMGetNextInstruction(load);
    while (i && i != taker && !may_write(i, load)) {
        i = LLVMGetNextInstruction(i);
    }
    bool is_next =
        LLVMIsAPHINode(taker) && leads_to(LLVMGetInstructionParent(load), LLVMGetInstructionParent(taker));
    return i != taker && (i || !is_next);
}

static bool is_behind_a_branch(LLVMBasicBlockRef block) {
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef end = LLVMGetUser(u);
        if (LLVMIsATerminatorInst(end) && LLVMGetNumSuccessors(end) > 1) {
            return true;
        }
    }
    return false;
}

/* Whether the user takes the value in some lanes, or ways, and something else in others. */
static bool takes(LLVMValueRef user, LLVMValueRef load) {
    if (LLVMIsALoadInst(load)) {
        return LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) != LLVMGetInstructionParent(load);
    }
    return LLVMIsASelectInst(user) &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(user, 0))) == LLVMVectorTypeKind;
}

static void keep_in_order(LLVMValueRef load) {
    LLVMValueRef copy = NULL;
    struct list takers = {0};
    for (LLVMUseRef u = LLVMGetFirstUse(load); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (takes(user, load) && stores_between(load, user)) {
            list_add(&takers, user);
        }
    }
    for (size_t n = 0; n < takers.n; n++) {
        LLVMValueRef taker = takers.at[n];
        if (!copy) {
            LLVMBuilderRef b = ir_before(LLVMGetNextInstruction(load));
            copy = LLVMBuildFreeze(b, load, "");
            LLVMDisposeBuilder(b);
        }
        for (int o = 0; o < LLVMGetNumOperands(taker); o++) {
            if (LLVMGetOperand(taker, (unsigned)o) == load) {
                LLVMSetOperand(taker, (unsigned)o, copy);
            }
        }
    }
}

void masked_loads_pass(struct kernel *k) {
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            bool behind = is_behind_a_branch(b);
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if ((LLVMIsALoadInst(i) && behind && !kernel_is_invariant(i)) ||
                    ir_is_intrinsic(i, "llvm.masked.load.")) {
                    keep_in_order(i);
                }
            }
        }
    }
}
