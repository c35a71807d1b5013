/* printf.c: printf calls to records in the worker's buffer (struct weir_printf_record in abi.h).
 *
 * Needs `inline`: only k->run calls printf. Gives: each call site calls an internal function of its own
 * signature that asks the runtime for room through weir_worker.printf_reserve and fills it; its result is 0,
 * or -1 when there was no room (OpenCL C 6.15.14). Stays in place, so records keep the work-items' order. */
#include "lower.h"

/* The record of one signature: where each argument goes. */
struct record {
    unsigned nargs;
    uint32_t *tags;
    uint64_t *offsets;
    uint64_t bytes;
};

static uint32_t tag_of(LLVMTypeRef type, LLVMTargetDataRef layout) {
    unsigned count = 1;
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        count = LLVMGetVectorSize(type);
        type = LLVMGetElementType(type);
    }
    unsigned bytes = (unsigned)LLVMStoreSizeOfType(layout, type);
    switch (LLVMGetTypeKind(type)) {
    case LLVMPointerTypeKind:
        return WEIR_PRINTF_TAG(LLVMGetPointerAddressSpace(type) == AS_CONSTANT
                                   ? (unsigned)WEIR_PRINTF_STRING
                                   : (unsigned)WEIR_PRINTF_POINTER,
                               bytes, count);
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
        return WEIR_PRINTF_TAG((unsigned)WEIR_PRINTF_FLOAT, bytes, count);
    default:
        return WEIR_PRINTF_TAG((unsigned)WEIR_PRINTF_INT, bytes, count);
    }
}

static struct record plan(LLVMTargetDataRef layout, LLVMTypeRef *types, unsigned nargs) {
    struct record r = {nargs, job_alloc((nargs + 1) * sizeof(uint32_t)),
                       job_alloc((nargs + 1) * sizeof(uint64_t)), sizeof(struct weir_printf_record)};
    r.bytes = (r.bytes + nargs * sizeof(uint32_t) + 7) & ~(uint64_t)7;
    for (unsigned i = 0; i < nargs; i++) {
        r.tags[i] = tag_of(types[i], layout);
        r.offsets[i] = r.bytes;
        r.bytes += (LLVMStoreSizeOfType(layout, types[i]) + 7) & ~(uint64_t)7;
    }
    return r;
}

static void store_at(LLVMContextRef c, LLVMBuilderRef b, LLVMValueRef base, uint64_t offset,
                     LLVMValueRef value) {
    LLVMSetAlignment(LLVMBuildStore(b, value, ir_offset(b, base, ir_const64(c, offset), "")), 4);
}

/* i32 helper(worker, format, values...) */
static LLVMValueRef make_helper(struct kernel *k, LLVMTypeRef *params, unsigned nparams) {
    LLVMContextRef c = k->llvm;
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c), pointer = LLVMPointerTypeInContext(c, AS_PRIVATE);
    LLVMTypeRef type = LLVMFunctionType(i32, params, nparams, 0);
    LLVMValueRef f = LLVMAddFunction(k->module, "weir.printf", type), worker = LLVMGetParam(f, 0);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    ir_attribute(c, f, "noinline", 0);
    ir_attribute(c, f, "cold", 0);
    ir_attribute(c, f, "nounwind", 0);
    struct record r = plan(LLVMGetModuleDataLayout(k->module), params + 2, nparams - 2);
    LLVMBasicBlockRef entry = ir_block(f, "entry");
    LLVMBasicBlockRef fill = ir_block(f, "fill");
    LLVMBasicBlockRef full = ir_block(f, "full");
    LLVMBuilderRef b = ir_at_end(entry);
    LLVMTypeRef reserve_params[] = {pointer, i32};
    LLVMTypeRef reserve_type = LLVMFunctionType(pointer, reserve_params, 2, 0);
    LLVMValueRef slot = ir_offset(b, worker, ir_const64(c, WORKER_FIELD(printf_reserve)), "");
    LLVMValueRef reserve = LLVMBuildLoad2(b, pointer, slot, "reserve");
    LLVMValueRef args[] = {worker, LLVMConstInt(i32, r.bytes, 0)};
    LLVMValueRef room = LLVMBuildCall2(b, reserve_type, reserve, args, 2, "record");
    LLVMBuildCondBr(b, LLVMBuildIsNull(b, room, ""), full, fill);
    LLVMPositionBuilderAtEnd(b, fill);
    store_at(c, b, room, offsetof(struct weir_printf_record, bytes), args[1]);
    store_at(c, b, room, offsetof(struct weir_printf_record, nargs), LLVMConstInt(i32, r.nargs, 0));
    LLVMValueRef format = LLVMBuildAddrSpaceCast(b, LLVMGetParam(f, 1), pointer, "");
    store_at(c, b, room, offsetof(struct weir_printf_record, format), format);
    for (unsigned i = 0; i < r.nargs; i++) {
        store_at(c, b, room, offsetof(struct weir_printf_record, tags) + i * sizeof(uint32_t),
                 LLVMConstInt(i32, r.tags[i], 0));
        store_at(c, b, room, r.offsets[i], LLVMGetParam(f, i + 2));
    }
    LLVMBuildRet(b, LLVMConstInt(i32, 0, 0));
    LLVMPositionBuilderAtEnd(b, full);
    LLVMBuildRet(b, LLVMConstAllOnes(i32));
    LLVMDisposeBuilder(b);
    return f;
}

static void lower(struct kernel *k, LLVMValueRef call) {
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMValueRef *args = job_alloc((n + 1) * sizeof *args);
    LLVMTypeRef *types = job_alloc((n + 1) * sizeof *types);
    args[0] = LLVMGetParam(k->run, RUN_WORKER);
    types[0] = LLVMTypeOf(args[0]);
    for (unsigned i = 0; i < n; i++) {
        args[i + 1] = LLVMGetOperand(call, i);
        types[i + 1] = LLVMTypeOf(args[i + 1]);
    }
    LLVMValueRef helper = make_helper(k, types, n + 1);
    LLVMBuilderRef b = ir_before(call);
    LLVMValueRef result = LLVMBuildCall2(b, LLVMGlobalGetValueType(helper), helper, args, n + 1, "");
    LLVMReplaceAllUsesWith(call, result);
    LLVMInstructionEraseFromParent(call);
    LLVMDisposeBuilder(b);
}

void printf_pass(struct kernel *k) {
    LLVMValueRef f = LLVMGetNamedFunction(k->module, "printf");
    for (LLVMUseRef u; f && (u = LLVMGetFirstUse(f));) {
        lower(k, LLVMGetUser(u));
    }
}
