/* constants.c: OpConstant*, OpSpecConstant*, OpUndef, and variables at module scope.
 *
 * Specialization constants have their final values in the module: the runtime writes what the application sets in place
 * of the defaults (rt/program/il.c). */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

static LLVMValueRef number(struct reader *r, LLVMTypeRef type, const struct instruction *in) {
    LLVMTypeRef i64 = LLVMInt64TypeInContext(r->llvm);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind || !(reader_is_int(type) || reader_is_float(type)))
        reader_fail(r, "type %u is not a number", in->type);
    unsigned bits = LLVMGetTypeKind(type) == LLVMIntegerTypeKind
                        ? LLVMGetIntTypeWidth(type)
                        : (unsigned)LLVMSizeOfTypeInBits(r->layout, type);
    if (in->n != (bits > 32 ? 2 : 1))
        reader_fail(r, "a constant of %u bits has %u words", bits, in->n);
    uint64_t value = in->at[0] | (in->n > 1 ? (uint64_t)in->at[1] << 32 : 0);
    LLVMValueRef whole = LLVMConstTrunc(LLVMConstInt(i64, value, 0), LLVMIntTypeInContext(r->llvm, bits));
    if (bits == 64)
        whole = LLVMConstInt(i64, value, 0);
    return LLVMConstBitCast(whole, type);
}

static LLVMValueRef composite(struct reader *r, LLVMTypeRef type, const struct instruction *in) {
    LLVMValueRef *parts = job_alloc((in->n + 1) * sizeof *parts);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    uint64_t expected = kind == LLVMVectorTypeKind   ? LLVMGetVectorSize(type)
                        : kind == LLVMArrayTypeKind  ? LLVMGetArrayLength2(type)
                        : kind == LLVMStructTypeKind ? LLVMCountStructElementTypes(type)
                                                     : UINT64_MAX;
    if (expected != in->n)
        reader_fail(r, "type %u has another number of parts than %u", in->type, in->n);
    for (uint32_t i = 0; i < in->n; i++) {
        parts[i] = reader_value(r, in->at[i]);
        LLVMTypeRef part =
            kind == LLVMStructTypeKind ? LLVMStructGetTypeAtIndex(type, i) : LLVMGetElementType(type);
        if (!LLVMIsConstant(parts[i]) || LLVMTypeOf(parts[i]) != part)
            reader_fail(r, "part %u is not a constant of the right type", i);
    }
    if (kind == LLVMVectorTypeKind)
        return LLVMConstVector(parts, in->n);
    if (kind == LLVMArrayTypeKind)
        return LLVMConstArray2(LLVMGetElementType(type), parts, in->n);
    return LLVMConstNamedStruct(type, parts, in->n);
}

void read_constant(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = reader_type(r, in->type);
    LLVMValueRef value;
    switch (in->op->code) {
    case OpConstantTrue:
    case OpConstantFalse:
    case OpSpecConstantTrue:
    case OpSpecConstantFalse:
        value = LLVMConstInt(LLVMInt1TypeInContext(r->llvm), in->op->number, 0);
        break;
    case OpConstant:
    case OpSpecConstant:
        value = number(r, type, in);
        break;
    case OpConstantComposite:
    case OpSpecConstantComposite:
        value = composite(r, type, in);
        break;
    case OpConstantNull:
        value = LLVMConstNull(type);
        break;
    case OpPoisonKHR:
    case OpUndef:
        value = LLVMGetUndef(type);
        break;
    default: { /* a sampler: made in each function that uses it */
        struct id *id = reader_define(r, in, ID_VALUE);
        if (reader_type_id(r, in->type)->op != OpTypeSampler)
            reader_fail(r, "type %u is not a sampler", in->type);
        if (in->at[0] > 4 || in->at[1] > 1 || in->at[2] > 1)
            reader_fail(r, "there is no such sampler");
        id->type = type;
        return;
    }
    }
    reader_result(r, in, value);
}

/* Reads the operation in a function that is thrown away: what it builds from constants folds. */
void read_folded(struct reader *r, const struct instruction *in) {
    const struct opcode *op = opcode_find(in->at[0]);
    if (!op || strncmp(op->operands, "tr", 2) || op->code == OpSpecConstantOp || op->code == OpVariable ||
        op->code == OpFunction || op->code == OpFunctionCall || op->code == OpPhi || op->code == OpExtInst)
        reader_fail(r, "%s can't be a constant", opcode_name(in->at[0]));
    if (r->function)
        reader_fail(r, "it belongs before all functions");
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(r->llvm), NULL, 0, 0);
    LLVMValueRef scratch = r->function = LLVMAddFunction(r->module, "weir.constants", type);
    LLVMPositionBuilderAtEnd(r->builder, ir_block(r->function, "entry"));
    struct instruction inner = *in;
    inner.op = op;
    inner.at = in->at + 1;
    inner.n = in->n - 1;
    struct instruction *outer = r->current;
    unsigned least = 0;
    for (const char *s = op->operands + 2; *s && *s != '?' && *s != '*'; s++)
        least++;
    if (inner.n < least)
        reader_fail(r, "%s lacks operands", op->name);
    for (uint32_t i = 0; i < inner.n && i < least; i++)
        if (op->operands[2 + i] == 'i')
            reader_id(r, inner.at[i]);
    r->block = UINT32_MAX;
    reader_step(r, &inner);
    r->block = 0;
    r->current = outer;
    struct id *id = reader_id(r, in->result);
    LLVMValueRef value = id->value;
    id->local_of = r->function = NULL;
    if (!value || !LLVMIsConstant(value) || LLVMIsAInstruction(value))
        reader_fail(r, "%s of these operands has no constant value", op->name);
    LLVMDeleteFunction(scratch);
}

static void set_linkage(struct reader *r, const struct id *id, LLVMValueRef global, const char **name) {
    const struct decoration *d = reader_decoration(id, DECORATION_LINKAGE);
    uint32_t words = 0;
    LLVMSetLinkage(global, LLVMInternalLinkage);
    if (!d)
        return;
    *name = reader_string(r, d->at, d->n, &words);
    if (words >= d->n)
        reader_fail(r, "a linkage lacks its type");
    LLVMSetLinkage(global, d->at[words] == LINKAGE_LINK_ONCE ? LLVMLinkOnceODRLinkage : LLVMExternalLinkage);
}

static bool is_imported(const struct id *id) {
    const struct decoration *d = reader_decoration(id, DECORATION_LINKAGE);
    return d && d->n && d->at[d->n - 1] == LINKAGE_IMPORT;
}

static unsigned alignment(struct reader *r, const struct id *id, LLVMTypeRef type) {
    enum { MOST = 4096 };
    unsigned asked = reader_alignment(r, id);
    if (asked > MOST)
        reader_fail(r, "an alignment of %u; variables have at most %d", asked, MOST);
    return asked ? asked : reader_align(r, type);
}

static void global_variable(struct reader *r, const struct instruction *in, uint32_t storage) {
    struct id *id = reader_define(r, in, ID_VALUE);
    id->type = reader_type(r, in->type);
    if (storage == STORAGE_INPUT || reader_decoration(id, DECORATION_BUILT_IN)) {
        if (!reader_decoration(id, DECORATION_BUILT_IN))
            reader_fail(r, "variables of storage class Input are built-in ones");
        return;
    }
    bool is_constant = storage == STORAGE_UNIFORM_CONSTANT || reader_decoration(id, DECORATION_CONSTANT);
    if (storage == STORAGE_FUNCTION &&
        !is_constant) /* LLVM's translators leave them; no use of it is valid */
        return;
    if (storage != STORAGE_UNIFORM_CONSTANT && storage != STORAGE_WORKGROUP &&
        storage != STORAGE_CROSS_WORKGROUP && storage != STORAGE_FUNCTION)
        reader_fail(r, "storage class %u can't have variables outside of functions", storage);
    const struct id *pointee = reader_pointee(r, in->type);
    LLVMTypeRef type = reader_type(r, reader_type_id(r, in->type)->at[1]);
    const char *name = id->name ? id->name : "variable";
    LLVMValueRef global =
        LLVMAddGlobalInAddressSpace(r->module, type, "", LLVMGetPointerAddressSpace(id->type));
    set_linkage(r, id, global, &name);
    if (LLVMGetLinkage(global) != LLVMInternalLinkage && LLVMGetNamedGlobal(r->module, name))
        reader_fail(r, "there are two variables '%s'", name);
    LLVMSetValueName2(global, name, strlen(name));
    if (pointee->op == OpTypeSampler || pointee->op == OpTypeImage)
        reader_fail(r, "variables outside of functions can't be images or samplers");
    LLVMValueRef initial = in->n > 1 ? reader_value(r, in->at[1]) : NULL;
    if (initial && LLVMIsUndef(initial))
        initial = LLVMGetUndef(type);
    else if (initial && LLVMIsConstant(initial) &&
             LLVMIsNull(initial)) /* clang 22 has zeros of other types */
        initial = LLVMConstNull(type);
    if (initial && (!LLVMIsConstant(initial) || LLVMTypeOf(initial) != type))
        reader_fail(r, "the initial value is not a constant of the variable's type");
    bool is_local = storage == STORAGE_WORKGROUP;
    if (initial && is_local && !LLVMIsNull(initial) && !LLVMIsUndef(initial))
        reader_fail(
            r, "variables of storage class Workgroup can only be initialized with zeros (OpConstantNull)");
    if (!is_imported(id))
        LLVMSetInitializer(global, initial ? initial : is_local ? LLVMGetUndef(type) : LLVMConstNull(type));
    if (is_constant)
        LLVMSetGlobalConstant(global, 1);
    LLVMSetAlignment(global, alignment(r, id, type));
    id->value = global;
}

/* A variable of a function lies at its entry, whatever block it is in. */
static void function_variable(struct reader *r, const struct instruction *in) {
    LLVMTypeRef type = reader_type(r, reader_type_id(r, in->type)->at[1]);
    reader_pointee(r, in->type);
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(r->function);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(r->llvm);
    LLVMValueRef first = LLVMGetFirstInstruction(entry);
    if (first)
        LLVMPositionBuilderBefore(b, first);
    else
        LLVMPositionBuilderAtEnd(b, entry);
    LLVMValueRef variable = LLVMBuildAlloca(b, type, "");
    LLVMDisposeBuilder(b);
    unsigned bytes = alignment(r, reader_id(r, in->result), type);
    LLVMSetAlignment(variable, bytes);
    reader_result(r, in, variable);
    if (in->n > 1) {
        LLVMValueRef initial = reader_value(r, in->at[1]);
        if (LLVMTypeOf(initial) != type)
            reader_fail(r, "the initial value is not of the variable's type");
        LLVMSetAlignment(LLVMBuildStore(r->builder, initial, variable), bytes);
    }
}

void read_variable(struct reader *r, const struct instruction *in) {
    uint32_t storage = reader_storage(r, in->type);
    if (storage != in->at[0])
        reader_fail(r, "storage class %u is not that of its type, %u", in->at[0], storage);
    if (!r->function)
        global_variable(r, in, storage);
    else if (storage != STORAGE_FUNCTION)
        reader_fail(r, "variables in functions have storage class Function, not %u", storage);
    else
        function_variable(r, in);
}
