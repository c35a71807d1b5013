/* fence.c: the memory model's fences, where one thread runs a work-group.
 *
 * In: flags, order and scope as OpenCL C has them. Out: LLVM's fences, or none. */
#include "lower.h"

static uint64_t constant_or(LLVMValueRef v, uint64_t otherwise) {
    return LLVMIsAConstantInt(v) ? LLVMConstIntGetZExtValue(v) : otherwise;
}

/* OpenCL C 6.15.12: memory_order relaxed 0, acquire 2, release 3, acq_rel 4, seq_cst 5; memory_scope work_item
 * 0, work_group 1, device 2, all devices 3, sub_group 4. One thread runs the whole work-group: up to that
 * scope nothing but the compiler could reorder. For global memory the wider fence is used at work-group scope
 * too: legacy mem_fence is relied on between groups, and acquire and release cost no instruction on x86. */
void fence_emit(LLVMBuilderRef b, LLVMValueRef flags_value, LLVMValueRef order_value,
                LLVMValueRef scope_value) {
    uint64_t flags = constant_or(flags_value, WEIR_FENCE_GLOBAL);
    uint64_t order = constant_or(order_value, 5), scope = constant_or(scope_value, 3);
    static const LLVMAtomicOrdering orders[] = {
        LLVMAtomicOrderingNotAtomic,      LLVMAtomicOrderingAcquire,
        LLVMAtomicOrderingAcquire,        LLVMAtomicOrderingRelease,
        LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingSequentiallyConsistent};
    LLVMAtomicOrdering lowered = orders[order < 6 ? order : 5];
    bool one_thread = scope == 0 || scope == 4 || !(flags & ~(uint64_t)WEIR_FENCE_LOCAL) ||
                      (scope == 1 && lowered == LLVMAtomicOrderingSequentiallyConsistent);
    if (lowered != LLVMAtomicOrderingNotAtomic) {
        LLVMBuildFence(b, lowered, one_thread, "");
    }
}

/* Barrier semantics: accesses before it happen before those after it (3.3.6). One thread runs the group, and the
 * regions' code is in order, so inside the group that takes nothing. In what other groups may see of global memory a
 * compiler fence keeps to the order; wider scopes take the memory model's fences. */
void fence_emit_barrier(LLVMBuilderRef b, LLVMValueRef flags, LLVMValueRef scope, LLVMAtomicOrdering order,
                        bool synchronizes) {
    uint64_t known_scope = constant_or(scope, 3), known_flags = constant_or(flags, WEIR_FENCE_GLOBAL);
    bool wide = known_scope >= 2 && known_scope != 4;
    bool only_local = !(known_flags & (WEIR_FENCE_GLOBAL | WEIR_FENCE_IMAGE));
    if (!only_local && (wide || synchronizes)) {
        LLVMBuildFence(b, order, !wide, "");
    }
}
