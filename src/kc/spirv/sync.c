/* sync.c: barriers, fences and atomics.
 *
 * Scopes and semantics are constants. A barrier is OpenCL C's, with the flags that the semantics name; an atomic is LLVM's
 * instruction of the widest scope, as lib/cl/atomic.cl has it. */
#include "reader.h"

#include "opcodes.h"

static uint32_t fence_flags(uint32_t semantics) {
    return (semantics & SEMANTICS_WORKGROUP ? WEIR_FENCE_LOCAL : 0) |
           (semantics & (SEMANTICS_CROSS_WORKGROUP | SEMANTICS_UNIFORM | SEMANTICS_SUBGROUP)
                ? WEIR_FENCE_GLOBAL
                : 0) |
           (semantics & SEMANTICS_IMAGE ? WEIR_FENCE_IMAGE : 0);
}

/* memory_scope of OpenCL C. */
static uint32_t memory_scope(struct reader *r, uint32_t id) {
    static const uint32_t scopes[] = {3, 2, 1, 4, 0};
    uint64_t scope = reader_constant(r, id);
    if (scope > SCOPE_INVOCATION)
        reader_fail(r, "there is no memory scope %llu; scopes are 0 to 4", (unsigned long long)scope);
    return scopes[scope];
}

/* memory_order of OpenCL C. */
static uint32_t memory_order(uint32_t semantics) {
    return semantics & SEMANTICS_SEQUENTIAL                                     ? 5
           : semantics & SEMANTICS_ACQUIRE_RELEASE                              ? 4
           : (semantics & SEMANTICS_ACQUIRE) && (semantics & SEMANTICS_RELEASE) ? 4
           : semantics & SEMANTICS_RELEASE                                      ? 3
           : semantics & SEMANTICS_ACQUIRE                                      ? 2
                                                                                : 0;
}

static LLVMValueRef void_call(struct reader *r, const char *name, const struct argument *args, unsigned n) {
    return builtin_call(r, name, LLVMVoidTypeInContext(r->llvm), args, n, 0);
}

static void call_fence(struct reader *r, uint32_t semantics, uint32_t scope) {
    struct argument args[] = {{.value = ir_const32(r->llvm, fence_flags(semantics)), .letter = 'u'},
                              {.value = ir_const32(r->llvm, memory_order(semantics)), .letter = 'o'},
                              {.value = ir_const32(r->llvm, scope), .letter = 'e'}};
    if (memory_order(semantics))
        void_call(r, "atomic_work_item_fence", args, 3);
}

/* LLVM's back end writes the memory scope of a barrier without local memory in the place of the execution scope, too. */
void read_barrier(struct reader *r, const struct instruction *in) {
    uint64_t execution = reader_constant(r, in->at[0]);
    uint32_t scope = memory_scope(r, in->at[1]), semantics = (uint32_t)reader_constant(r, in->at[2]);
    struct argument args[] = {{.value = ir_const32(r->llvm, fence_flags(semantics)), .letter = 'u'},
                              {.value = ir_const32(r->llvm, scope), .letter = 'e'}};
    if (execution <= SCOPE_WORKGROUP)
        void_call(r, "work_group_barrier", args, 2);
    else if (execution == SCOPE_SUBGROUP)
        void_call(r, "sub_group_barrier", args, 2);
    else if (execution == SCOPE_INVOCATION)
        call_fence(r, semantics, scope);
    else
        reader_fail(r, "there is no execution scope %llu of barriers; scopes are 0 to 4",
                    (unsigned long long)execution);
}

void read_split_barrier(struct reader *r, const struct instruction *in) {
    uint32_t scope = memory_scope(r, in->at[1]), semantics = (uint32_t)reader_constant(r, in->at[2]);
    struct argument args[] = {{.value = ir_const32(r->llvm, fence_flags(semantics)), .letter = 'u'},
                              {.value = ir_const32(r->llvm, scope), .letter = 'e'}};
    if (reader_constant(r, in->at[0]) != SCOPE_WORKGROUP)
        reader_fail(r, "the scope of a split barrier has to be Workgroup (2)");
    void_call(r, in->op->text, args, 2);
}

/* An object is memory of the work-group, which each instruction has for itself: types.c sees to it that a program can't keep one
 * until the instruction runs again. */
static LLVMValueRef new_named_barrier(struct reader *r) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(r->llvm), pair[] = {i64, i64};
    LLVMTypeRef type = LLVMStructTypeInContext(r->llvm, pair, 2, 0);
    LLVMValueRef object = LLVMAddGlobalInAddressSpace(r->module, type, "named_barrier", AS_LOCAL);
    LLVMSetInitializer(object, LLVMGetUndef(type));
    LLVMSetLinkage(object, LLVMInternalLinkage);
    LLVMSetAlignment(object, 8);
    return object;
}

void read_named_barrier(struct reader *r, const struct instruction *in) {
    bool is_new = in->op->code == OpNamedBarrierInitialize;
    const struct id *type = is_new ? reader_type_id(r, in->type) : NULL;
    if (is_new && type->op != OpTypeNamedBarrier)
        reader_fail(r, "type %u is not a named barrier", in->type);
    if (is_new) {
        LLVMTypeRef i32 = LLVMInt32TypeInContext(r->llvm);
        LLVMValueRef args[] = {new_named_barrier(r), reader_typed(r, in, 0, i32)};
        builtin_call_plain(r, "__work_group_named_sub_group_barrier", LLVMVoidTypeInContext(r->llvm), args, 2,
                           0);
        reader_result(r, in, args[0]);
        return;
    }
    const struct id *object = reader_id(r, in->at[0]);
    LLVMValueRef value = reader_operand(r, in, 0);
    if (reader_type_id(r, object->type_id)->op != OpTypeNamedBarrier)
        reader_fail(r, "id %u is not a named barrier", in->at[0]);
    uint32_t semantics = (uint32_t)reader_constant(r, in->at[2]);
    LLVMValueRef args[] = {value, ir_const32(r->llvm, fence_flags(semantics)),
                           ir_const32(r->llvm, semantics ? memory_scope(r, in->at[1]) : 0)};
    builtin_call_plain(r, "__sub_group_named_barrier", LLVMVoidTypeInContext(r->llvm), args, 3, 0);
}

void read_fence(struct reader *r, const struct instruction *in) {
    call_fence(r, (uint32_t)reader_constant(r, in->at[1]), memory_scope(r, in->at[0]));
}

/* ---- atomics -------------------------------------------------------------------------------------------------------------- */

/* Semantics that are no constant ask for the most. */
LLVMAtomicOrdering reader_order(struct reader *r, uint32_t id) {
    static const LLVMAtomicOrdering orders[] = {
        LLVMAtomicOrderingMonotonic,      LLVMAtomicOrderingMonotonic,
        LLVMAtomicOrderingAcquire,        LLVMAtomicOrderingRelease,
        LLVMAtomicOrderingAcquireRelease, LLVMAtomicOrderingSequentiallyConsistent};
    LLVMValueRef value = reader_value(r, id);
    if (!LLVMIsAConstantInt(value))
        return LLVMAtomicOrderingSequentiallyConsistent;
    return orders[memory_order((uint32_t)LLVMConstIntGetZExtValue(value))];
}

/* The type of what operand 1 points to: a number of 32 or 64 bits, or a half. */
static LLVMTypeRef atomic_type(struct reader *r, const struct instruction *in) {
    const struct id *id = reader_id(r, in->at[0]);
    reader_operand(r, in, 0);
    reader_pointee(r, id->type_id);
    LLVMTypeRef type = reader_type(r, reader_type_id(r, id->type_id)->at[1]);
    if ((!reader_is_int(type) && !reader_is_float(type)) || reader_lanes(type) != 1)
        reader_fail(r, "operand 1 points to no number");
    reader_value(r, in->at[1]);
    return type;
}

void read_atomic_load(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = atomic_type(r, in);
    LLVMValueRef value = LLVMBuildLoad2(r->builder, type, reader_value(r, in->at[0]), "");
    LLVMAtomicOrdering order = reader_order(r, in->at[2]);
    if (order == LLVMAtomicOrderingRelease || order == LLVMAtomicOrderingAcquireRelease)
        order = LLVMAtomicOrderingAcquire;
    LLVMSetOrdering(value, order);
    LLVMSetAlignment(value, reader_align(r, type));
    LLVMSetVolatile(value, 1);
    reader_result(r, in, value);
}

void read_atomic_store(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = atomic_type(r, in);
    LLVMValueRef store = LLVMBuildStore(r->builder, reader_typed(r, in, 3, type), reader_value(r, in->at[0]));
    LLVMAtomicOrdering order = reader_order(r, in->at[2]);
    if (order == LLVMAtomicOrderingAcquire || order == LLVMAtomicOrderingAcquireRelease)
        order = LLVMAtomicOrderingRelease;
    LLVMSetOrdering(store, order);
    LLVMSetAlignment(store, reader_align(r, type));
    LLVMSetVolatile(store, 1);
}

void read_atomic(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = atomic_type(r, in);
    LLVMAtomicRMWBinOp op = (LLVMAtomicRMWBinOp)in->op->number;
    bool is_step = in->op->text, is_float_op = op == LLVMAtomicRMWBinOpFAdd || op == LLVMAtomicRMWBinOpFMin ||
                                               op == LLVMAtomicRMWBinOpFMax;
    if (op != LLVMAtomicRMWBinOpXchg && is_float_op != reader_is_float(type))
        reader_fail(r, "the operands are %s", is_float_op ? "no floats" : "no integers");
    LLVMValueRef operand = is_step ? ir_number(type, 1) : reader_typed(r, in, 3, type);
    LLVMValueRef value = LLVMBuildAtomicRMW(r->builder, op, reader_value(r, in->at[0]), operand,
                                            reader_order(r, in->at[2]), 0);
    LLVMSetVolatile(value, 1);
    reader_result(r, in, value);
}

void read_compare_exchange(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = atomic_type(r, in);
    LLVMValueRef value = reader_typed(r, in, 4, type), expected = reader_typed(r, in, 5, type);
    LLVMAtomicOrdering order = LLVMAtomicOrderingSequentiallyConsistent;
    if (!reader_is_int(type))
        reader_fail(r, "operand 1 points to no integer");
    LLVMValueRef both =
        LLVMBuildAtomicCmpXchg(r->builder, reader_value(r, in->at[0]), expected, value, order, order, 0);
    LLVMSetVolatile(both, 1);
    reader_result(r, in, LLVMBuildExtractValue(r->builder, both, 0, ""));
}

/* A flag is a 32-bit integer, 0 or 1. */
void read_atomic_flag(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = atomic_type(r, in);
    bool clears = in->op->code == OpAtomicFlagClear;
    if (type != LLVMInt32TypeInContext(r->llvm))
        reader_fail(r, "operand 1 points to no integer of 32 bits");
    LLVMValueRef old = LLVMBuildAtomicRMW(r->builder, LLVMAtomicRMWBinOpXchg, reader_value(r, in->at[0]),
                                          ir_const32(r->llvm, clears ? 0 : 1), reader_order(r, in->at[2]), 0);
    LLVMSetVolatile(old, 1);
    if (!clears)
        reader_result(r, in, builtin_to_bool(r, old));
}
