/* instrument_sync.c: atomics and fences in a checked kernel: order, scope, and what fences there are.
 *
 * In: the kernel with the markers of mark_calls.c. Out: calls of lib/cl/check.cl before and after each atomic and volatile
 * access, and at fences. The orders and scope of the atomic that comes next are kept in a variable (order, scope << 8,
 * order of a comparison that fails << 16), which becomes a constant as soon as values are propagated. Volatile accesses,
 * and atomics before OpenCL C 2.0, are relaxed and reach the device. A barrier is a fence beside what it is for the
 * work-group: at the scope that it names, and in programs that have no atomics but those of OpenCL C 1.x, where it is as
 * much of one as mem_fence. */
#include "instrument.h"

enum { SCOPE_WORK_GROUP = 1, SCOPE_DEVICE = 2, SCOPE_ALL_DEVICES = 3, ACQUIRE = 2, RELEASE = 3 };
#define UNKNOWN (WEIR_ORDER_UNKNOWN | SCOPE_DEVICE << 8 | WEIR_ORDER_UNKNOWN << 16)

static LLVMTypeRef int32(const struct instrumenting *in) {
    return LLVMInt32TypeInContext(in->k->llvm);
}

/* In local memory all is ordered by the barriers themselves. A volatile variable of a work-item is nobody else's. */
static bool is_global_atomic(struct instrumenting *in, LLVMValueRef i) {
    bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
    bool is_atomic = LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || (is_access && !ir_is_plain(i));
    LLVMValueRef p = is_atomic ? ir_address(i) : NULL;
    return p && LLVMGetPointerAddressSpace(LLVMTypeOf(p)) != AS_LOCAL && instrument_is_shared(in, p);
}

static bool names_device(LLVMValueRef scope) {
    uint64_t n = LLVMIsAConstantInt(scope) ? LLVMConstIntGetZExtValue(scope) : SCOPE_DEVICE;
    return n == SCOPE_DEVICE || n == SCOPE_ALL_DEVICES;
}

static bool reaches_group(LLVMValueRef scope) {
    uint64_t n = LLVMIsAConstantInt(scope) ? LLVMConstIntGetZExtValue(scope) : 0;
    return n >= SCOPE_WORK_GROUP && n <= SCOPE_ALL_DEVICES;
}

static bool orders_local_alone(LLVMValueRef barrier) {
    LLVMValueRef flags = LLVMGetOperand(barrier, 0);
    return LLVMIsAConstantInt(flags) && LLVMConstIntGetZExtValue(flags) == WEIR_FENCE_LOCAL;
}

void instrument_sync_look(struct instrumenting *in, LLVMValueRef i) {
    in->has_fence |= ir_is_call_to(i, "__weir_fence");
    in->has_new_atomics |= ir_is_call_to(i, "__weir_mark_atomic");
    in->has_global_atomics |= is_global_atomic(in, i);
    in->has_marks |= ir_is_intrinsic(i, "__weir_mark_");
    if (ir_is_call_to(i, "__weir_barrier")) {
        in->has_wide_barrier |= names_device(LLVMGetOperand(i, 1));
        in->has_flagged_barrier |= !orders_local_alone(i);
        in->has_narrow_barrier |= !reaches_group(LLVMGetOperand(i, 1));
    }
}

void instrument_sync_begin(struct instrumenting *in) {
    in->has_old_barriers = in->has_global_atomics && !in->has_new_atomics;
    in->has_barrier_fence = (in->has_old_barriers && in->has_flagged_barrier) || in->has_wide_barrier;
    if (in->has_marks) {
        LLVMBuilderRef entry = ir_at_entry(in->k->run);
        in->sync = LLVMBuildAlloca(entry, int32(in), "sync");
        LLVMBuildStore(entry, ir_const32(in->k->llvm, UNKNOWN), in->sync);
        LLVMDisposeBuilder(entry);
    }
}

static LLVMValueRef sync_now(struct instrumenting *in) {
    return in->sync ? LLVMBuildLoad2(in->b, int32(in), in->sync, "") : ir_const32(in->k->llvm, UNKNOWN);
}

bool instrument_mark(struct instrumenting *in, LLVMValueRef i) {
    bool is_atomic = ir_is_call_to(i, "__weir_mark_atomic");
    if (!is_atomic && !ir_is_call_to(i, "__weir_mark_legacy") && !ir_is_call_to(i, "__weir_mark_end")) {
        return false;
    }
    LLVMValueRef value = ir_const32(in->k->llvm, UNKNOWN);
    in->item = in->ids = NULL;
    instrument_before(in, i);
    if (is_atomic) {
        LLVMValueRef scope = LLVMBuildShl(in->b, LLVMGetOperand(i, 1), ir_const32(in->k->llvm, 8), "");
        LLVMValueRef failing = LLVMBuildShl(in->b, LLVMGetOperand(i, 2), ir_const32(in->k->llvm, 16), "");
        value = LLVMBuildOr(in->b, LLVMBuildOr(in->b, LLVMGetOperand(i, 0), scope, ""), failing, "");
    } else if (ir_is_call_to(i, "__weir_mark_legacy")) {
        value =
            ir_const32(in->k->llvm, WEIR_ORDER_UNKNOWN | WEIR_SCOPE_LEGACY << 8 | WEIR_ORDER_UNKNOWN << 16);
    }
    LLVMBuildStore(in->b, value, in->sync);
    LLVMInstructionEraseFromParent(i);
    return true;
}

static uint32_t how_by(LLVMAtomicOrdering ordering) {
    switch (ordering) {
    case LLVMAtomicOrderingSequentiallyConsistent:
    case LLVMAtomicOrderingAcquireRelease:
        return WEIR_ATOMIC_ACQUIRES | WEIR_ATOMIC_RELEASES;
    case LLVMAtomicOrderingAcquire:
        return WEIR_ATOMIC_ACQUIRES;
    case LLVMAtomicOrderingRelease:
        return WEIR_ATOMIC_RELEASES;
    default:
        return 0;
    }
}

/* Of what an atomic has read: a comparison that didn't hold has an order of its own. */
static LLVMValueRef sync_after(struct instrumenting *in, LLVMValueRef i, LLVMValueRef sync) {
    if (!LLVMIsAAtomicCmpXchgInst(i)) {
        return sync;
    }
    LLVMContextRef llvm = in->k->llvm;
    LLVMValueRef failing = LLVMBuildLShr(in->b, sync, ir_const32(llvm, 16), "");
    LLVMValueRef scope = LLVMBuildAnd(in->b, sync, ir_const32(llvm, 0xff00), "");
    return LLVMBuildSelect(in->b, LLVMBuildExtractValue(in->b, i, 1, ""), sync,
                           LLVMBuildOr(in->b, failing, scope, ""), "");
}

/* Whether there are fences that, with the atomic, may order more than what barriers do by themselves. One in local memory is of work-items
 * of one group: what a barrier orders as a fence for them, it orders as a barrier, too. */
static bool is_fenced(const struct instrumenting *in, LLVMValueRef atomic) {
    LLVMValueRef p = ir_address(atomic);
    bool is_local = p && LLVMGetPointerAddressSpace(LLVMTypeOf(p)) == AS_LOCAL;
    return in->has_fence ||
           (in->has_barrier_fence && !(is_local && !in->has_narrow_barrier && !in->halves.used));
}

void instrument_atomic(struct instrumenting *in, LLVMValueRef i, LLVMValueRef address, LLVMValueRef site,
                       uint32_t bytes, uint32_t effect, LLVMAtomicOrdering ordering) {
    uint32_t how = effect | how_by(ordering) | (is_fenced(in, i) ? WEIR_ATOMIC_FENCED : 0) |
                   (in->has_subgroup_barrier ? WEIR_ATOMIC_SUBGROUPS : 0);
    LLVMValueRef args[] = {address, site, ir_const32(in->k->llvm, how), ir_const32(in->k->llvm, bytes),
                           sync_now(in)};
    instrument_call(in, "__weir_check_atomic", args, 5);
    if (effect & WEIR_ATOMIC_READS) {
        instrument_before(in, LLVMGetNextInstruction(i));
        LLVMSetCurrentDebugLocation2(in->b, LLVMInstructionGetDebugLoc(i));
        args[4] = sync_after(in, i, args[4]);
        instrument_call(in, "__weir_check_was_run", args, 5);
    }
}

void instrument_fence(struct instrumenting *in, LLVMValueRef fence) {
    LLVMValueRef scope_bits = ir_const32(in->k->llvm, 0xff00);
    instrument_before(in, fence);
    LLVMValueRef scope = LLVMGetOperand(fence, 2), marked = LLVMBuildAnd(in->b, sync_now(in), scope_bits, "");
    LLVMValueRef old = ir_const32(in->k->llvm, WEIR_SCOPE_LEGACY),
                 old_bits = ir_const32(in->k->llvm, WEIR_SCOPE_LEGACY << 8);
    LLVMValueRef is_old = LLVMBuildICmp(in->b, LLVMIntEQ, marked, old_bits, "");
    LLVMValueRef args[] = {instrument_site(in, fence, WEIR_SITE_FENCE, 0, 0), LLVMGetOperand(fence, 0),
                           LLVMGetOperand(fence, 1), LLVMBuildSelect(in->b, is_old, old, scope, "")};
    instrument_call(in, "__weir_check_fence", args, 4);
}

void instrument_barrier_fences(struct instrumenting *in, LLVMValueRef barrier, LLVMValueRef site) {
    LLVMValueRef flags = LLVMGetOperand(barrier, 0), scope = LLVMGetOperand(barrier, 1);
    bool is_wide = names_device(scope);
    if ((!in->has_old_barriers || orders_local_alone(barrier)) && !is_wide) {
        return;
    }
    bool arrives = ptrmap_at(&in->halves, barrier, WEIR_HALF_NONE) == WEIR_HALF_ARRIVES;
    LLVMValueRef args[] = {site, flags, ir_const32(in->k->llvm, arrives ? RELEASE : ACQUIRE),
                           is_wide ? scope : ir_const32(in->k->llvm, WEIR_SCOPE_LEGACY)};
    instrument_before(in, barrier);
    instrument_call(in, "__weir_check_fence", args, 4);
    if (arrives) {
        return;
    }
    instrument_before(in, LLVMGetNextInstruction(barrier));
    LLVMSetCurrentDebugLocation2(in->b, LLVMInstructionGetDebugLoc(barrier));
    args[2] = ir_const32(in->k->llvm, RELEASE);
    instrument_call(in, "__weir_check_fence", args, 4);
}
