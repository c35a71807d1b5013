/* enqueue.c: kernels that enqueue kernels (DeviceEnqueue, SubgroupDispatch), as clang makes them of OpenCL C's blocks.
 *
 * What is invoked is a function of the module with the address of its parameter, and pointers to local memory. For each such
 * function there is a kernel as clang makes one of a block (frontend/blocks.c): it gets a literal, which the runtime copies,
 * and calls the function with the place in it where the parameter lies. Literals begin as abi.h says; in the 8 bytes that
 * are clang's stands where the parameter is. */
#include "reader.h"

#include "opcodes.h"

enum { HEADER = 16, MAX_PARAMETER = 1 << 16, MAX_LOCALS = 64 };

static LLVMTypeRef int32(struct reader *r) {
    return LLVMInt32TypeInContext(r->llvm);
}

static LLVMTypeRef int64(struct reader *r) {
    return LLVMInt64TypeInContext(r->llvm);
}

static LLVMTypeRef generic(struct reader *r) {
    return LLVMPointerTypeInContext(r->llvm, AS_PRIVATE);
}

static LLVMValueRef scalar(struct reader *r, const struct instruction *in, uint32_t k, LLVMTypeRef type) {
    LLVMValueRef value = reader_operand(r, in, k);
    if (!reader_is_int(LLVMTypeOf(value)) || reader_lanes(LLVMTypeOf(value)) != 1)
        reader_fail(r, "operand %u is not an integer", k + 1);
    return LLVMBuildIntCast2(r->builder, value, type, 0, "");
}

static LLVMValueRef to_space(struct reader *r, LLVMBuilderRef b, LLVMValueRef pointer, LLVMTypeRef type) {
    return LLVMTypeOf(pointer) == type ? pointer : LLVMBuildAddrSpaceCast(b, pointer, type, "");
}

static LLVMValueRef pointer(struct reader *r, const struct instruction *in, uint32_t k) {
    LLVMValueRef value = reader_operand(r, in, k);
    if (!reader_is_pointer(LLVMTypeOf(value)))
        reader_fail(r, "operand %u is not a pointer", k + 1);
    return to_space(r, r->builder, value, generic(r));
}

static LLVMValueRef variable(struct reader *r, LLVMTypeRef type, unsigned align) {
    LLVMBuilderRef b = reader_at_entry(r);
    LLVMValueRef var = LLVMBuildAlloca(b, type, "");
    LLVMSetAlignment(var, align);
    LLVMDisposeBuilder(b);
    return var;
}

/* ---- what is invoked --------------------------------------------------------------------------------------------- */

/* The kernel for a function; made once. */
static LLVMValueRef block_kernel(struct reader *r, uint32_t function) {
    const struct id *id = reader_id(r, function);
    LLVMTypeRef params[MAX_LOCALS + 1];
    unsigned n = id->kind == ID_FUNCTION ? LLVMCountParamTypes(id->type) : 0;
    if (!n || n > MAX_LOCALS + 1 || !LLVMCountBasicBlocks(id->value) ||
        LLVMGetTypeKind(LLVMGetReturnType(id->type)) != LLVMVoidTypeKind)
        reader_fail(
            r, "id %u is not a function with a body that takes its parameter's address and returns nothing",
            function);
    LLVMGetParamTypes(id->type, params);
    for (unsigned i = 0; i < n; i++)
        if (!reader_is_pointer(params[i]) || (i && LLVMGetPointerAddressSpace(params[i]) != AS_LOCAL))
            reader_fail(r, "parameter %u of function %u is not a pointer%s", i + 1, function,
                        i ? " to local memory" : "");
    const char *name = job_printf("__%u_block_invoke_kernel", function);
    LLVMValueRef kernel = LLVMGetNamedFunction(r->module, name), args[MAX_LOCALS + 1];
    if (kernel && LLVMGetLinkage(kernel) != LLVMInternalLinkage)
        reader_fail(r, "the module has a function '%s'", name);
    if (kernel)
        return kernel;
    LLVMTypeRef to = params[0];
    params[0] = generic(r);
    kernel = LLVMAddFunction(r->module, name, LLVMFunctionType(LLVMVoidTypeInContext(r->llvm), params, n, 0));
    LLVMSetLinkage(kernel, LLVMInternalLinkage);
    LLVMSetFunctionCallConv(kernel, LLVMPTXKernelCallConv);
    ir_attribute(r->llvm, kernel, "convergent", 0);
    ir_attribute(r->llvm, kernel, "nounwind", 0);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(r->llvm);
    LLVMPositionBuilderAtEnd(b, ir_block(kernel, "entry"));
    LLVMGetParams(kernel, args);
    LLVMValueRef place = ir_offset(b, args[0], ir_const64(r->llvm, HEADER - 8), "");
    place = LLVMBuildLoad2(b, int64(r), place, "place");
    args[0] = to_space(r, b, ir_offset(b, args[0], place, ""), to);
    LLVMBuildCall2(b, id->type, id->value, args, n, "");
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return kernel;
}

/* The literal with what operand `k` points to: its size and alignment follow. */
static LLVMValueRef literal(struct reader *r, const struct instruction *in, uint32_t k) {
    uint64_t bytes = reader_constant(r, in->at[k + 1]), align = reader_constant(r, in->at[k + 2]);
    LLVMValueRef from = pointer(r, in, k);
    if (bytes > MAX_PARAMETER)
        reader_fail(r, "a parameter of %llu bytes; at most %d are supported", (unsigned long long)bytes,
                    MAX_PARAMETER);
    align = align ? align : 1;
    if (align > 128 || (align & (align - 1)))
        reader_fail(r, "an alignment of %llu is not a power of two up to 128", (unsigned long long)align);
    uint64_t place = align > HEADER ? align : HEADER, size = place + bytes;
    LLVMValueRef var = variable(r, LLVMArrayType2(LLVMInt8TypeInContext(r->llvm), size), (unsigned)place);
    LLVMValueRef head[] = {ir_const64(r->llvm, size | place << 32), ir_const64(r->llvm, place)};
    for (unsigned i = 0; i < 2; i++)
        LLVMBuildStore(r->builder, head[i],
                       ir_offset(r->builder, var, ir_const64(r->llvm, (uint64_t)i * 8), ""));
    if (bytes)
        LLVMBuildMemCpy(r->builder, ir_offset(r->builder, var, ir_const64(r->llvm, place), ""),
                        (unsigned)align, from, (unsigned)align, ir_const64(r->llvm, bytes));
    return var;
}

/* ---- ranges ------------------------------------------------------------------------------------------------------ */

/* A work dimension, and the offsets, global and local sizes: a struct weir_range. */
static LLVMTypeRef range_type(struct reader *r) {
    LLVMTypeRef three = LLVMArrayType2(int64(r), 3), members[] = {int32(r), three, three, three};
    return LLVMStructTypeInContext(r->llvm, members, 4, 0);
}

/* Whether the type has just these members. */
static bool is_range(struct reader *r, LLVMTypeRef type) {
    LLVMTypeRef want[4], members[4];
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind || LLVMCountStructElementTypes(type) != 4 ||
        LLVMIsPackedStruct(type))
        return false;
    LLVMGetStructElementTypes(range_type(r), want);
    LLVMGetStructElementTypes(type, members);
    for (unsigned i = 0; i < 4; i++)
        if (members[i] != want[i])
            return false;
    return true;
}

static LLVMValueRef range(struct reader *r, const struct instruction *in, uint32_t k) {
    LLVMValueRef value = reader_operand(r, in, k);
    if (reader_is_pointer(LLVMTypeOf(value)))
        return pointer(r, in, k);
    if (!is_range(r, LLVMTypeOf(value)))
        reader_fail(r, "operand %u is not a range", k + 1);
    LLVMValueRef var = variable(r, LLVMTypeOf(value), 8);
    LLVMBuildStore(r->builder, value, var);
    return var;
}

/* How many numbers there are. */
static unsigned count(struct reader *r, const struct instruction *in, uint32_t k) {
    LLVMTypeRef type = LLVMTypeOf(reader_operand(r, in, k));
    bool is_array = LLVMGetTypeKind(type) == LLVMArrayTypeKind;
    uint64_t n = is_array ? LLVMGetArrayLength2(type) : 1;
    if (!reader_is_int(is_array ? LLVMGetElementType(type) : type) || reader_lanes(type) != 1 || n > 3)
        reader_fail(r, "operand %u is not a size", k + 1);
    return (unsigned)n;
}

static void build_range(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = reader_type(r, in->type);
    enum { GLOBAL, LOCAL, OFFSET };
    static const unsigned member[] = {2, 3, 1};
    unsigned dim = count(r, in, GLOBAL);
    if (!is_range(r, type))
        reader_fail(r, "type %u is not a range", in->type);
    LLVMBuilderRef b = r->builder;
    LLVMValueRef whole = LLVMBuildInsertValue(b, LLVMGetUndef(type), ir_const32(r->llvm, dim), 0, "");
    for (unsigned k = 0; k < 3; k++) {
        LLVMValueRef value = reader_value(r, in->at[k]), three = LLVMGetUndef(LLVMArrayType2(int64(r), 3));
        LLVMValueRef first = NULL;
        if (count(r, in, k) != dim)
            reader_fail(r, "its sizes have different numbers of dimensions");
        bool is_array = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMArrayTypeKind;
        for (unsigned d = 0; d < 3; d++) {
            LLVMValueRef one = ir_const64(r->llvm, k == GLOBAL);
            if (d < dim)
                one = LLVMBuildIntCast2(b, is_array ? LLVMBuildExtractValue(b, value, d, "") : value,
                                        int64(r), 0, "");
            else if (k == LOCAL) /* none, or 1 */
                one = LLVMBuildZExt(b, LLVMBuildIsNotNull(b, first, ""), int64(r), "");
            first = d ? first : one;
            three = LLVMBuildInsertValue(b, three, one, d, "");
        }
        whole = LLVMBuildInsertValue(b, whole, three, member[k], "");
    }
    reader_result(r, in, whole);
}

/* ---- calls --------------------------------------------------------------------------------------------------------- */

static LLVMValueRef of_type(struct reader *r, const struct instruction *in, uint32_t k, uint32_t op) {
    LLVMValueRef value = reader_operand(r, in, k);
    if (reader_type_id(r, reader_id(r, in->at[k])->type_id)->op != op)
        reader_fail(r, "operand %u is not a valid %s", k + 1, op == OpTypeQueue ? "queue" : "event");
    return value;
}

static void enqueue_kernel(struct reader *r, const struct instruction *in) {
    enum { QUEUE, FLAGS, RANGE, EVENTS, WAIT, EVENT, INVOKE, PARAMETER, SIZE, ALIGN, LOCALS };
    unsigned n = in->n - LOCALS;
    LLVMValueRef kernel = block_kernel(r, in->at[INVOKE]), sizes = LLVMConstNull(generic(r));
    if (LLVMCountParams(kernel) != n + 1)
        reader_fail(r, "it gives %u sizes of local memory for the %u that the function has", n,
                    LLVMCountParams(kernel) - 1);
    if (n)
        sizes = variable(r, LLVMArrayType2(int64(r), n), 8);
    for (unsigned i = 0; i < n; i++)
        LLVMBuildStore(r->builder, scalar(r, in, LOCALS + i, int64(r)),
                       ir_offset(r->builder, sizes, ir_const64(r->llvm, (uint64_t)i * 8), ""));
    LLVMValueRef args[] = {of_type(r, in, QUEUE, OpTypeQueue),
                           scalar(r, in, FLAGS, int32(r)),
                           range(r, in, RANGE),
                           scalar(r, in, EVENTS, int32(r)),
                           pointer(r, in, WAIT),
                           pointer(r, in, EVENT),
                           kernel,
                           literal(r, in, PARAMETER),
                           ir_const32(r->llvm, n),
                           sizes};
    reader_result(r, in, builtin_call_plain(r, "__enqueue_kernel_events_varargs", int32(r), args, 10, 0));
}

/* Questions: a range or a number first, or neither, then what is invoked. */
static void ask(struct reader *r, const struct instruction *in) {
    LLVMValueRef args[3];
    unsigned n = 0, invoke = in->op->number ? 1 : 0;
    if (in->op->number == 'r')
        args[n++] = range(r, in, 0);
    else if (in->op->number == 'n')
        args[n++] = scalar(r, in, 0, int32(r));
    args[n++] = block_kernel(r, in->at[invoke]);
    args[n++] = pointer(r, in, invoke + 1);
    reader_result(r, in, builtin_call_plain(r, in->op->text, int32(r), args, n, 0));
}

void read_enqueue(struct reader *r, const struct instruction *in) {
    LLVMTypeRef none = LLVMVoidTypeInContext(r->llvm);
    LLVMValueRef args[4];
    switch (in->op->code) {
    case OpEnqueueKernel:
        enqueue_kernel(r, in);
        return;
    case OpBuildNDRange:
        build_range(r, in);
        return;
    case OpEnqueueMarker:
        args[0] = of_type(r, in, 0, OpTypeQueue);
        args[1] = scalar(r, in, 1, int32(r));
        args[2] = pointer(r, in, 2);
        args[3] = pointer(r, in, 3);
        reader_result(r, in, builtin_call_plain(r, in->op->text, int32(r), args, 4, 0));
        return;
    case OpGetDefaultQueue:
    case OpCreateUserEvent:
        reader_result(r, in, builtin_call_plain(r, in->op->text, generic(r), NULL, 0, 0));
        return;
    case OpIsValidEvent: {
        LLVMTypeRef i1 = LLVMInt1TypeInContext(r->llvm);
        args[0] = of_type(r, in, 0, OpTypeDeviceEvent);
        reader_result(r, in, builtin_call_plain(r, in->op->text, i1, args, 1, 0));
        return;
    }
    case OpRetainEvent:
    case OpReleaseEvent:
        args[0] = of_type(r, in, 0, OpTypeDeviceEvent);
        builtin_call_plain(r, in->op->text, none, args, 1, 0);
        return;
    case OpSetUserEventStatus:
        args[0] = of_type(r, in, 0, OpTypeDeviceEvent);
        args[1] = scalar(r, in, 1, int32(r));
        builtin_call_plain(r, in->op->text, none, args, 2, 0);
        return;
    case OpCaptureEventProfilingInfo:
        args[0] = of_type(r, in, 0, OpTypeDeviceEvent);
        args[1] = scalar(r, in, 1, int32(r));
        args[2] = reader_typed(r, in, 2, LLVMPointerTypeInContext(r->llvm, AS_GLOBAL));
        builtin_call_plain(r, in->op->text, none, args, 3, 0);
        return;
    default:
        ask(r, in);
    }
}
