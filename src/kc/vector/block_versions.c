/* block_versions.c: in which versions vector_region.c gives a block where lanes part: branched over while no lane waits, and once
 * more without masks. */
#include "vector.h"

enum {
    SHORT_BLOCK = 8, /* instructions without effects that are cheaper to run than to branch over */
};

/* Whether running the divergent block for no lane at all is wrong or a waste. */
bool block_needs_branch(struct vec *v, LLVMBasicBlockRef block, unsigned node) {
    unsigned span = v->l->innermost[node], count = 0;
    if (span != NONE && v->l->spans[span].first == v->l->place[node]) {
        return true;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        struct slot *slot = slots_of_access(&v->wg->slots, i);
        if (yield_is(i) || checks_is(i)) { /* whose branches ask about addresses that nobody has */
            return true;
        }
        if (slot && !slot->is_array) {
            if (LLVMIsAStoreInst(i) && vslot_is_scalar(slot)) {
                return true;
            }
            continue;
        }
        switch (LLVMGetInstructionOpcode(i)) {
        case LLVMLoad:
        case LLVMStore:
        case LLVMAtomicRMW:
        case LLVMAtomicCmpXchg:
        case LLVMFence:
        case LLVMUDiv:
        case LLVMSDiv:
        case LLVMURem:
        case LLVMSRem:
        case LLVMFDiv:
            return true;
        case LLVMCall:
            if ((subgroup_is_op(i) && !subgroup_is_place(i)) ||
                (!ir_is_intrinsic(i, "__weir_") && !ir_is_intrinsic(i, "llvm."))) {
                return true;
            }
            break;
        default:
            break;
        }
        count++;
    }
    return count > SHORT_BLOCK;
}

/* Whether the access takes as long under a mask: one for all lanes, a gather or a scatter. */
static bool is_free_of_masks(struct vec *v, LLVMValueRef i) {
    bool is_store = LLVMIsAStoreInst(i) != NULL;
    LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(i, 0) : i);
    LLVMValueRef address = LLVMGetOperand(i, is_store ? 1 : 0);
    bool is_ordinary = !kernel_is_volatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic;
    if (uniform_is(v->wg->pack, address) && private_is_element(type)) {
        return is_ordinary;
    }
    return v->k->target->has_scatter && !access_is_own(wg_kind(i)) && private_is_element(type) &&
           LLVMABISizeOfType(LLVMGetModuleDataLayout(v->k->module), type) >= 4 &&
           contiguity_is_of_memory(v->wg, address);
}

/* Whether the block is worth a second version for when all lanes are on: masks make its accesses dear. Checked kernels
 * consist of such blocks, and large ones would take twice as long to compile. */
bool block_gains_from_full(struct vec *v, LLVMBasicBlockRef block) {
    unsigned accesses = 0, count = 0;
    if (v->k->checked && v->wg->cfg->n > VECTOR_MANY_BLOCKS) {
        return false;
    }
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        struct slot *slot = slots_of_access(&v->wg->slots, i);
        bool is_access = (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && (!slot || slot->is_array);
        accesses += is_access && !is_free_of_masks(v, i);
        count++;
    }
    return accesses && count <= VECTOR_LONG_BLOCK;
}
