/* counters.c: what a pack adds to elements of local memory that lanes find by what they have read is done lane by lane.
 *
 * In: the kernel's blocks and what packs share, before values become slots. Out: a load, an operation on it alone, and the store
 * back to the same place as one atomic operation of a single thread's scope, which lane_loop.c makes a loop of and
 * post/local_atomics.c plain again. As vectors the three are a gather, which waits for the stores before it, and a
 * scatter, or as many instructions that put lanes together and take them apart. The proof: between two barriers no two work-items
 * may access one element of which one is written, so lanes may come one after the other; and nothing between load and store
 * writes memory, so a lane's own order stays.
 *     h[digit * 64 + l]++       of load, add, store: atomicrmw add, syncscope("singlethread")
 * What it can't do: floats, which would lose what is contracted with the sum; what uses the old or the new value. */
#include "vector.h"

static LLVMValueRef only_user(LLVMValueRef v) {
    LLVMUseRef use = LLVMGetFirstUse(v);
    return use && !LLVMGetNextUse(use) ? LLVMGetUser(use) : NULL;
}

/* The atomic's operation; -1: there is none. */
static int operation_of(LLVMValueRef i, LLVMValueRef old) {
    if (!LLVMIsABinaryOperator(i) || LLVMGetOperand(i, 0) == LLVMGetOperand(i, 1)) {
        return -1;
    }
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMAdd:
        return LLVMAtomicRMWBinOpAdd;
    case LLVMSub:
        return LLVMGetOperand(i, 0) == old ? LLVMAtomicRMWBinOpSub : -1;
    case LLVMAnd:
        return LLVMAtomicRMWBinOpAnd;
    case LLVMOr:
        return LLVMAtomicRMWBinOpOr;
    case LLVMXor:
        return LLVMAtomicRMWBinOpXor;
    default:
        return -1;
    }
}

/* Whether instructions from `i` to `end`, in one block, leave memory alone. */
static bool is_quiet(LLVMValueRef i, LLVMValueRef end) {
    for (; i && i != end; i = LLVMGetNextInstruction(i)) {
        if (ir_is_action(i) || LLVMIsAStoreInst(i)) {
            return false;
        }
    }
    return i;
}

/* The store that ends what the load begins, or NULL. */
static LLVMValueRef store_of(const struct wg *wg, LLVMValueRef load) {
    LLVMValueRef sum = LLVMIsALoadInst(load) ? only_user(load) : NULL, store = sum ? only_user(sum) : NULL;
    bool is = store && LLVMIsAStoreInst(store) && LLVMGetOperand(store, 0) == sum &&
              LLVMGetOperand(store, 1) == LLVMGetOperand(load, 0) && operation_of(sum, load) >= 0;
    LLVMTypeRef type = LLVMTypeOf(load);
    is = is && LLVMGetTypeKind(type) == LLVMIntegerTypeKind && private_is_element(type) &&
         kernel_is_plain(load) && kernel_is_plain(store) && wg_kind(load) == MEMORY_LOCAL &&
         LLVMGetInstructionParent(store) == LLVMGetInstructionParent(load);
    int64_t bytes = is ? (int64_t)LLVMABISizeOfType(LLVMGetModuleDataLayout(wg->k->module), type) : 0;
    return is && shape_of(wg, load, bytes) == SHAPE_LANES && is_quiet(load, store) ? store : NULL;
}

bool counters_are(const struct wg *wg, LLVMValueRef access) {
    if (LLVMIsALoadInst(access)) {
        return store_of(wg, access);
    }
    LLVMValueRef sum = LLVMGetOperand(access, 0);
    for (unsigned n = 0; LLVMIsABinaryOperator(sum) && n < 2; n++) {
        LLVMValueRef load = LLVMGetOperand(sum, n);
        if (LLVMIsALoadInst(load) && store_of(wg, load) == access) {
            return true;
        }
    }
    return false;
}

static void make(LLVMValueRef load, LLVMValueRef store) {
    LLVMValueRef sum = LLVMGetOperand(store, 0);
    LLVMBuilderRef b = ir_before(store);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(store));
    LLVMValueRef by = LLVMGetOperand(sum, LLVMGetOperand(sum, 0) == load);
    LLVMBuildAtomicRMW(b, (LLVMAtomicRMWBinOp)operation_of(sum, load), LLVMGetOperand(store, 1), by,
                       LLVMAtomicOrderingMonotonic, true);
    LLVMInstructionEraseFromParent(store);
    LLVMInstructionEraseFromParent(sum);
    LLVMInstructionEraseFromParent(load);
    LLVMDisposeBuilder(b);
}

bool counters_make(struct wg *wg) {
    struct list found = {0};
    for (unsigned n = 0; n < wg->cfg->n && !wg->k->checked; n++) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(wg->blocks[n]); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMIsALoadInst(i) && store_of(wg, i)) {
                list_add(&found, i);
            }
        }
    }
    for (size_t i = 0; i < found.n; i++) {
        make(found.at[i], store_of(wg, found.at[i]));
    }
    return found.n;
}
