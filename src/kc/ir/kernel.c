/* kernel.c: what the work-group function is given: fields of its launch and its worker, and the group's sizes.
 *
 * In: k->run with its parameters (enum run_param), a builder's position. Out: loads that may stand anywhere in k->run, for
 * nothing changes what they read while a work-group runs. */
#include "kernel.h"

static unsigned invariant(LLVMContextRef llvm) {
    return LLVMGetMDKindIDInContext(llvm, "invariant.load", 14);
}

static void mark(LLVMValueRef load, unsigned kind) {
    LLVMContextRef llvm = LLVMGetTypeContext(LLVMTypeOf(load));
    LLVMSetMetadata(load, kind, LLVMMetadataAsValue(llvm, LLVMMDNodeInContext2(llvm, NULL, 0)));
}

void kernel_set_invariant(LLVMValueRef load) {
    mark(load, invariant(LLVMGetTypeContext(LLVMTypeOf(load))));
}

LLVMValueRef kernel_invariant_load(struct kernel *k, LLVMBuilderRef b, LLVMTypeRef type, LLVMValueRef at,
                                   const char *name) {
    LLVMValueRef load = LLVMBuildLoad2(b, type, at, name);
    mark(load, LLVMGetMDKindIDInContext(k->llvm, "noundef", 7));
    kernel_set_invariant(load);
    return load;
}

bool kernel_is_invariant(LLVMValueRef load) {
    return LLVMGetMetadata(load, invariant(LLVMGetTypeContext(LLVMTypeOf(load)))) != NULL;
}

bool kernel_is_volatile(LLVMValueRef access) {
    LLVMValueRef at = ir_address(access);
    return LLVMGetVolatile(access) && LLVMGetPointerAddressSpace(LLVMTypeOf(at)) != AS_LOCAL;
}

bool kernel_is_plain(LLVMValueRef access) {
    return !kernel_is_volatile(access) && LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}

bool kernel_may_idle(LLVMValueRef i) {
    if (!LLVMIsAAtomicRMWInst(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingMonotonic ||
        LLVMIsAtomicSingleThread(i)) {
        return false;
    }
    switch (LLVMGetAtomicRMWBinOp(i)) {
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin:
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
        return true;
    default:
        return false;
    }
}

LLVMValueRef kernel_barrier(struct kernel *k) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(k->llvm), types[] = {i32, i32};
    LLVMValueRef f = LLVMGetNamedFunction(k->module, "__weir_barrier");
    if (!f) {
        LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(k->llvm), types, 2, 0);
        f = LLVMAddFunction(k->module, "__weir_barrier", type);
        intrinsic_declare_barrier(k, f);
    }
    return f;
}

LLVMValueRef kernel_local_id(struct kernel *k, LLVMBuilderRef b, LLVMTypeRef type) {
    const char *name = LLVMGetIntTypeWidth(type) == 32 ? "__weir_local_id_32_0" : "__weir_local_id_0";
    LLVMTypeRef function = LLVMFunctionType(type, NULL, 0, 0);
    LLVMValueRef id = LLVMGetNamedFunction(k->module, name);
    if (!id) {
        id = LLVMAddFunction(k->module, name, function);
        intrinsic_declare_query(k, id, k->local_size[0]);
    }
    return LLVMBuildCall2(b, function, id, NULL, 0, "");
}

void kernel_cut(struct kernel *k, LLVMBuilderRef b, LLVMValueRef like) {
    LLVMValueRef f = kernel_barrier(k);
    LLVMValueRef none = ir_const32(k->llvm, 0), args[] = {none /* flags */, none /* the work-item's scope */};
    LLVMValueRef cut = LLVMBuildCall2(b, LLVMGlobalGetValueType(f), f, args, 2, "");
    LLVMInstructionSetDebugLoc(cut, LLVMInstructionGetDebugLoc(like));
}

bool kernel_is_cut(LLVMValueRef i) {
    LLVMValueRef scope = ir_is_call_to(i, "__weir_barrier") ? LLVMGetOperand(i, 1) : NULL;
    return scope && LLVMIsAConstantInt(scope) && LLVMConstIntGetZExtValue(scope) == 0;
}

LLVMValueRef kernel_field(struct kernel *k, LLVMBuilderRef b, enum run_param base, unsigned offset,
                          LLVMTypeRef type, const char *name) {
    LLVMValueRef at = ir_offset(b, LLVMGetParam(k->run, base), ir_const64(k->llvm, offset), "");
    return kernel_invariant_load(k, b, type, at, name);
}

static LLVMValueRef minimum(LLVMBuilderRef b, LLVMValueRef x, LLVMValueRef y, const char *name) {
    return LLVMBuildSelect(b, LLVMBuildICmp(b, LLVMIntULT, x, y, ""), x, y, name);
}

unsigned kernel_axis(const struct kernel *k, unsigned d) {
    return d == k->turned ? 0 : d == 0 ? k->turned : d;
}

LLVMValueRef kernel_first_id(struct kernel *k, LLVMBuilderRef b, unsigned d) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(k->llvm);
    unsigned step = d * (unsigned)sizeof(uint64_t);
    LLVMValueRef size = kernel_field(k, b, RUN_LAUNCH, LAUNCH_FIELD(local_size) + step, i64, "");
    LLVMValueRef offset = kernel_field(k, b, RUN_LAUNCH, LAUNCH_FIELD(global_offset) + step, i64, "");
    LLVMValueRef before = LLVMBuildNUWMul(b, LLVMGetParam(k->run, RUN_GROUP + d), size, "");
    return LLVMBuildNUWAdd(b, before, offset, "base");
}

/* Work-items of this group in a dimension: the last group of a non-uniform NDRange has what is left. */
LLVMValueRef kernel_group_size(struct kernel *k, LLVMBuilderRef b, unsigned d) {
    if (k->local_size[0]) {
        return ir_const64(k->llvm, k->job->request->local_size[d]);
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(k->llvm);
    unsigned step = d * (unsigned)sizeof(uint64_t);
    LLVMValueRef whole = kernel_field(k, b, RUN_LAUNCH, LAUNCH_FIELD(local_size) + step, i64, "");
    LLVMValueRef global = kernel_field(k, b, RUN_LAUNCH, LAUNCH_FIELD(global_size) + step, i64, "");
    LLVMValueRef before = LLVMBuildMul(b, LLVMGetParam(k->run, RUN_GROUP + d), whole, "");
    return minimum(b, whole, LLVMBuildSub(b, global, before, ""), "group.size");
}

bool kernel_is_pack_call(LLVMValueRef call) {
    return ir_is_intrinsic(call, DOT_PREFIX) || ir_is_intrinsic(call, PART_PREFIX);
}
