/* function.c: functions, their blocks, calls, and control flow.
 *
 * No handler adds blocks of its own: each label is one block of LLVM's, so that OpPhi's parents are predecessors. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

struct phi {
    LLVMValueRef value;
    struct instruction in;
};
struct loop {
    struct id *header;
    const char *property;
};

/* ---- declarations --------------------------------------------------------------------------------------------- */

/* A name that programs see; what has it inside the module gives way. */
static void claim_name(struct reader *r, LLVMValueRef f, const char *name) {
    LLVMValueRef other = LLVMGetNamedFunction(r->module, name);
    if (!other)
        other = LLVMGetNamedGlobal(r->module, name);
    if (other && LLVMGetLinkage(other) != LLVMInternalLinkage)
        reader_fail(r, "there are two definitions of '%s'", name);
    if (other) {
        const char *free_name = job_printf("%s.internal", name);
        LLVMSetValueName2(other, free_name, strlen(free_name));
    }
    LLVMSetValueName2(f, name, strlen(name));
}

static const struct entry_point *entry_point_of(struct reader *r, uint32_t function, unsigned *count) {
    const struct entry_point *found = NULL;
    *count = 0;
    for (size_t i = 0; i < r->entry_points.n; i++) {
        const struct entry_point *e = r->entry_points.at[i];
        if (e->function != function)
            continue;
        found = e;
        ++*count;
    }
    return found;
}

static bool is_kernel_name(struct reader *r, const char *name) {
    for (size_t i = 0; i < r->entry_points.n; i++)
        if (!strcmp(((struct entry_point *)r->entry_points.at[i])->name, name))
            return true;
    return false;
}

static void set_attributes(struct reader *r, LLVMValueRef f, uint32_t control) {
    ir_attribute(r->llvm, f, "convergent", 0);
    ir_attribute(r->llvm, f, "nounwind", 0);
    if (control & FUNCTION_INLINE)
        ir_attribute(r->llvm, f, "inlinehint", 0);
    LLVMAddTargetDependentFunctionAttr(f, "no-trapping-math", "true");
}

/* A built-in function may be imported by the name that it has for SPIR's address spaces: there 4 is generic, 2 is constant. */
static const char *imported_name(const char *name) {
    char *copy = job_strdup(name), *to = copy;
    if (library_has(name) || strncmp(name, "_Z", 2))
        return name;
    for (const char *s = name; *s;) {
        if (strncmp(s, "U3AS4", 5)) {
            *to++ = *s++;
            continue;
        }
        s += 5;
    }
    *to = 0;
    for (char *s = copy; (s = strstr(s, "U3AS2"));)
        s[4] = '4';
    return library_has(copy) ? copy : name;
}

static void name_function(struct reader *r, const struct id *id, LLVMValueRef f, uint32_t function) {
    unsigned entries;
    const struct entry_point *entry = entry_point_of(r, function, &entries);
    const struct decoration *linkage = reader_decoration(id, DECORATION_LINKAGE);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    if (entries == 1) {
        claim_name(r, f, entry->name);
        LLVMSetLinkage(f, LLVMExternalLinkage);
        LLVMSetFunctionCallConv(f, LLVMPTXKernelCallConv);
    } else if (linkage) {
        uint32_t words = 0;
        const char *name = reader_string(r, linkage->at, linkage->n, &words);
        if (words >= linkage->n)
            reader_fail(r, "the linkage of '%s' lacks its type", name);
        bool is_import = linkage->at[words] == LINKAGE_IMPORT;
        if (!is_import && is_kernel_name(r, name)) /* translators give a kernel and what it calls one name */
            return;
        claim_name(r, f, is_import ? imported_name(name) : name);
        LLVMSetLinkage(f, linkage->at[words] == LINKAGE_LINK_ONCE ? LLVMLinkOnceODRLinkage
                                                                  : LLVMExternalLinkage);
    }
}

static void declare_function(struct reader *r, const struct instruction *in) {
    const struct id *type = reader_type_id(r, in->at[1]);
    if (type->op != OpTypeFunction)
        reader_fail(r, "type %u is not a function's", in->at[1]);
    if (LLVMGetReturnType(type->type) != reader_type_id(r, in->type)->type)
        reader_fail(r, "it returns another type than its type says");
    struct id *id = reader_define(r, in, ID_FUNCTION);
    id->type = type->type;
    id->value = LLVMAddFunction(r->module, "", type->type);
    set_attributes(r, id->value, in->at[0]);
    name_function(r, id, id->value, in->result);
    r->function = id->value;
    r->function_id = in->result;
}

void reader_declare(struct reader *r, const struct instruction *in) {
    switch (in->op->code) {
    case OpFunction:
        declare_function(r, in);
        break;
    case OpLabel: {
        if (!r->function)
            reader_fail(r, "it is outside of functions");
        struct id *id = reader_define(r, in, ID_LABEL);
        id->block = LLVMAppendBasicBlockInContext(r->llvm, r->function, id->name ? id->name : "");
        break;
    }
    case OpFunctionEnd:
        r->function = NULL;
        r->function_id = 0;
        break;
    case OpFunctionCall: {
        struct id *caller = reader_id(r, r->function_id), *callee = reader_id(r, in->at[0]);
        if (LLVMGetFunctionCallConv(caller->value) == LLVMPTXKernelCallConv && callee->kind == ID_FUNCTION &&
            callee->type == caller->type)
            caller->wraps = in->at[0];
        break;
    }
    case OpLine:
        r->has_lines = true;
        break;
    case OpExtInst: {
        const struct id *set = reader_id(r, in->at[0]);
        if (set->kind == ID_IMPORT && debug_is_set(set->name))
            debug_look(r, in);
        break;
    }
    default:
        break;
    }
}

/* ---- values ------------------------------------------------------------------------------------------------------ */

LLVMBuilderRef reader_at_entry(struct reader *r) {
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(r->function);
    LLVMValueRef at = LLVMGetFirstInstruction(entry);
    while (at && LLVMIsAAllocaInst(at))
        at = LLVMGetNextInstruction(at);
    LLVMBuilderRef b = LLVMCreateBuilderInContext(r->llvm);
    if (at)
        LLVMPositionBuilderBefore(b, at);
    else
        LLVMPositionBuilderAtEnd(b, entry);
    return b;
}

/* A variable of storage class Input: private memory that has the built-in's value from the function's entry on. */
static LLVMValueRef built_in_variable(struct reader *r, const struct id *id) {
    const struct decoration *d = reader_decoration(id, DECORATION_BUILT_IN);
    uint32_t type_id = reader_type_id(r, id->type_id)->at[1];
    LLVMTypeRef type = reader_type(r, type_id);
    LLVMBuilderRef outer = r->builder;
    r->builder = reader_at_entry(r);
    LLVMValueRef variable = LLVMBuildAlloca(r->builder, type, id->name ? id->name : "");
    LLVMSetAlignment(variable, reader_align(r, type));
    LLVMValueRef value = builtin_variable(r, d && d->n ? d->at[0] : 0, type);
    LLVMSetAlignment(LLVMBuildStore(r->builder, value, variable), reader_align(r, type));
    if (LLVMTypeOf(variable) != id->type) /* translators have them in CrossWorkgroup, too */
        variable = LLVMBuildAddrSpaceCast(r->builder, variable, id->type, "");
    LLVMDisposeBuilder(r->builder);
    r->builder = outer;
    return variable;
}

static LLVMValueRef sampler(struct reader *r, const struct id *id) {
    uint32_t bits = id->at[0] << 1 | id->at[1] | (id->at[2] ? WEIR_SAMPLER_LINEAR : WEIR_SAMPLER_NEAREST);
    LLVMValueRef value = ir_const32(r->llvm, bits);
    LLVMBuilderRef outer = r->builder;
    r->builder = reader_at_entry(r);
    value = builtin_call_plain(r, "__translate_sampler_initializer", id->type, &value, 1, CALL_MAYBE);
    LLVMDisposeBuilder(r->builder);
    r->builder = outer;
    return value;
}

LLVMValueRef reader_value(struct reader *r, uint32_t number) {
    struct id *id = reader_id(r, number);
    if (id->kind == ID_FUNCTION)
        reader_fail(r, "id %u is a function, not a value (OpConstantFunctionPointerINTEL gives its address)",
                    number);
    if (id->kind != ID_VALUE)
        reader_fail(r, id->kind == ID_NONE ? "id %u isn't defined before" : "id %u is not a value", number);
    if (id->value) {
        if (id->local_of && id->local_of != r->function)
            reader_fail(r, "id %u is a value of another function", number);
        return id->value;
    }
    if (!r->function)
        reader_fail(r, "id %u is not a constant", number);
    if (id->op == OpVariable && reader_storage(r, id->type_id) == STORAGE_FUNCTION)
        reader_fail(r, "variable %u of storage class Function is outside of functions, and no constant",
                    number);
    if (id->local_of != r->function) {
        id->local = id->op == OpConstantSampler ? sampler(r, id) : built_in_variable(r, id);
        id->local_of = r->function;
    }
    return id->local;
}

LLVMValueRef reader_operand(struct reader *r, const struct instruction *in, uint32_t k) {
    if (k >= in->n)
        reader_fail(r, "operand %u is missing", k + 1);
    return reader_value(r, in->at[k]);
}

LLVMValueRef reader_typed(struct reader *r, const struct instruction *in, uint32_t k, LLVMTypeRef type) {
    LLVMValueRef value = reader_operand(r, in, k);
    if (LLVMTypeOf(value) != type)
        reader_fail(r, "operand %u (id %u) is not of the right type", k + 1, in->at[k]);
    return value;
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static void parameter_attributes(struct reader *r, const struct id *id, LLVMValueRef f, unsigned i) {
    const struct decoration *d = NULL;
    unsigned align = reader_alignment(r, id);
    bool is_pointer = reader_is_pointer(id->type);
    LLVMAttributeRef a;
    while ((d = reader_decoration_of(id, d, DECORATION_FUNC_PARAM_ATTR))) {
        uint32_t what = d->n ? d->at[0] : UINT32_MAX;
        if (what == PARAMETER_BY_VALUE && is_pointer) {
            if (LLVMGetPointerAddressSpace(id->type) != AS_PRIVATE)
                reader_fail(r, "what is passed by value is in storage class Function");
            uint32_t pointee = (reader_pointee(r, id->type_id), reader_type_id(r, id->type_id)->at[1]);
            unsigned kind = LLVMGetEnumAttributeKindForName("byval", 5);
            a = LLVMCreateTypeAttribute(r->llvm, kind, reader_type(r, pointee));
            LLVMAddAttributeAtIndex(f, i + 1, a);
            if (!align) {
                unsigned bytes = reader_align(r, reader_type(r, pointee));
                a = LLVMCreateEnumAttribute(r->llvm, LLVMGetEnumAttributeKindForName("align", 5), bytes);
                LLVMAddAttributeAtIndex(f, i + 1, a);
            }
        }
    }
    if (is_pointer && reader_decoration(id, DECORATION_RESTRICT)) {
        a = LLVMCreateEnumAttribute(r->llvm, LLVMGetEnumAttributeKindForName("noalias", 7), 0);
        LLVMAddAttributeAtIndex(f, i + 1, a);
    }
    if (is_pointer && align) {
        a = LLVMCreateEnumAttribute(r->llvm, LLVMGetEnumAttributeKindForName("align", 5), align);
        LLVMAddAttributeAtIndex(f, i + 1, a);
    }
}

static void begin_function(struct reader *r, const struct instruction *in) {
    if (r->function)
        reader_fail(r, "the function before it doesn't end");
    struct id *id = reader_id(r, in->result);
    r->function = id->value;
    r->function_id = in->result;
    r->nparams = 0;
    id->params = job_alloc((LLVMCountParams(r->function) + 1) * sizeof *id->params);
    r->block = 0;
    r->phis.n = r->loops.n = 0;
    if (id->name && LLVMGetLinkage(r->function) == LLVMInternalLinkage)
        LLVMSetValueName2(r->function, id->name, strlen(id->name));
    debug_begin_function(r);
}

static void parameter(struct reader *r, const struct instruction *in) {
    if (!r->function || r->block)
        reader_fail(r, "parameters come before the function's first block");
    if (r->nparams >= LLVMCountParams(r->function))
        reader_fail(r, "the function's type has %u parameters", r->nparams);
    LLVMValueRef param = LLVMGetParam(r->function, r->nparams);
    reader_result(r, in, param);
    struct id *id = reader_id(r, in->result);
    if (!id->name)
        id->name = debug_parameter(r, r->nparams);
    if (id->name)
        LLVMSetValueName2(param, id->name, strlen(id->name));
    reader_id(r, r->function_id)->params[r->nparams] = in->result;
    parameter_attributes(r, id, r->function, r->nparams++);
}

static void begin_block(struct reader *r, const struct instruction *in) {
    if (!r->function)
        reader_fail(r, "it is outside of functions");
    if (r->block)
        reader_fail(r, "the block before it doesn't end");
    if (r->nparams != LLVMCountParams(r->function))
        reader_fail(r, "the function has %u of its %u parameters", r->nparams, LLVMCountParams(r->function));
    r->block = in->result;
    LLVMPositionBuilderAtEnd(r->builder, reader_id(r, in->result)->block);
    debug_begin_block(r);
}

/* Edges from one block to another: a switch may have several. */
static unsigned count_edges(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    unsigned n = 0;
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++)
        n += LLVMGetSuccessor(end, i) == to;
    return n;
}

static struct id *label(struct reader *r, uint32_t number) {
    struct id *id = reader_id(r, number);
    if (id->kind != ID_LABEL || LLVMGetBasicBlockParent(id->block) != r->function)
        reader_fail(r, "id %u is not a label of this function", number);
    return id;
}

static void finish_phi(struct reader *r, struct phi *phi) {
    r->current = &phi->in;
    if (phi->in.n % 2)
        reader_fail(r, "a value lacks its block");
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi->value);
    struct ptrmap seen = {0};
    for (uint32_t i = 0; i < phi->in.n; i += 2) {
        LLVMValueRef value = reader_typed(r, &phi->in, i, LLVMTypeOf(phi->value));
        LLVMBasicBlockRef from = label(r, phi->in.at[i + 1])->block;
        unsigned edges = count_edges(from, block);
        if (!edges || ptrmap_at(&seen, from, 0))
            reader_fail(r, "label %u is not a predecessor, or named twice", phi->in.at[i + 1]);
        ptrmap_set(&seen, from, 1);
        while (edges--)
            LLVMAddIncoming(phi->value, &value, &from, 1);
    }
}

static void finish_loop(struct reader *r, struct loop *loop) {
    LLVMMetadataRef property = ir_loop_property(r->llvm, loop->property, 0);
    for (LLVMUseRef u = LLVMGetFirstUse(LLVMBasicBlockAsValue(loop->header->block)); u;
         u = LLVMGetNextUse(u)) {
        LLVMValueRef branch = LLVMGetUser(u);
        LLVMBasicBlockRef from = LLVMIsATerminatorInst(branch) ? LLVMGetInstructionParent(branch) : NULL;
        bool is_after = from == loop->header->block;
        for (LLVMBasicBlockRef b = loop->header->block; b && !is_after; b = LLVMGetNextBasicBlock(b))
            is_after = b == from;
        if (from && is_after)
            ir_set_loop_property(r->llvm, branch, property);
    }
}

static void end_function(struct reader *r) {
    if (!r->function)
        reader_fail(r, "it ends no function");
    if (r->block)
        reader_fail(r, "the last block doesn't end");
    struct id *id = reader_id(r, r->function_id);
    const struct decoration *linkage = reader_decoration(id, DECORATION_LINKAGE);
    bool is_import = linkage && linkage->n && linkage->at[linkage->n - 1] == LINKAGE_IMPORT;
    if (!LLVMCountBasicBlocks(r->function)) {
        if (!is_import)
            reader_fail(r, "function %u has no body and is not imported", r->function_id);
        LLVMSetLinkage(r->function, LLVMExternalLinkage);
    }
    struct instruction *end = r->current;
    for (size_t i = 0; i < r->phis.n; i++)
        finish_phi(r, r->phis.at[i]);
    r->current = end;
    for (size_t i = 0; i < r->loops.n; i++)
        finish_loop(r, r->loops.at[i]);
    r->function = NULL;
    r->function_id = 0;
}

void read_function(struct reader *r, const struct instruction *in) {
    switch (in->op->code) {
    case OpFunction:
        begin_function(r, in);
        break;
    case OpFunctionParameter:
        parameter(r, in);
        break;
    case OpLabel:
        begin_block(r, in);
        break;
    default:
        end_function(r);
    }
}

void reader_called(struct reader *r, const struct instruction *in, LLVMValueRef call) {
    LLVMAddCallSiteAttribute(
        call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateEnumAttribute(r->llvm, LLVMGetEnumAttributeKindForName("convergent", 10), 0));
    if (LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind) {
        reader_result(r, in, call);
        return;
    }
    if (reader_type_id(r, in->type)->op != OpTypeVoid)
        reader_fail(r, "the function returns nothing");
    reader_define(r, in, ID_GROUP); /* an id that nothing can use */
}

void read_call(struct reader *r, const struct instruction *in) {
    const struct id *callee = reader_id(r, in->at[0]);
    if (callee->kind != ID_FUNCTION)
        reader_fail(r, "id %u is not a function", in->at[0]);
    if (LLVMGetFunctionCallConv(callee->value) == LLVMPTXKernelCallConv)
        reader_fail(r, "a kernel can't be called");
    unsigned n = LLVMCountParams(callee->value);
    if (n != in->n - 1)
        reader_fail(r, "the function has %u parameters, not %u", n, in->n - 1);
    LLVMValueRef *args = job_alloc((n + 1) * sizeof *args);
    LLVMTypeRef *types = job_alloc((n + 1) * sizeof *types);
    LLVMGetParamTypes(callee->type, types);
    for (unsigned i = 0; i < n; i++)
        args[i] = reader_typed(r, in, i + 1, types[i]);
    LLVMValueRef call = LLVMBuildCall2(r->builder, callee->type, callee->value, args, n, "");
    list_add(&r->calls, call);
    reader_called(r, in, call);
}

/* ---- control flow ---------------------------------------------------------------------------------------------------- */

void read_phi(struct reader *r, const struct instruction *in) {
    LLVMBasicBlockRef block = LLVMGetInsertBlock(r->builder);
    LLVMValueRef last = LLVMGetLastInstruction(block);
    if (last && !LLVMIsAPHINode(last))
        reader_fail(r, "it comes after another instruction of its block");
    struct phi *phi = job_alloc(sizeof *phi);
    phi->in = *in;
    phi->value = LLVMBuildPhi(r->builder, reader_type(r, in->type), "");
    reader_result(r, in, phi->value);
    list_add(&r->phis, phi);
}

/* Where loops go on and end shows in the branches; OpLoopControlINTEL is in the header, too, and names no labels. */
void read_merge(struct reader *r, const struct instruction *in) {
    uint32_t labels = in->op->code == OpLoopMerge ? 2 : in->op->code == OpSelectionMerge ? 1 : 0;
    for (uint32_t i = 0; i < labels; i++)
        label(r, in->at[i]);
    if (labels == 2) {
        struct loop_merge *merge = job_alloc(sizeof *merge);
        *merge = (struct loop_merge){label(r, r->block)->block, label(r, in->at[0])->block};
        list_add(&r->merges, merge);
    }
    if (labels == 1 || in->n <= labels)
        return;
    uint32_t control = in->at[labels];
    if (!(control & (LOOP_UNROLL | LOOP_DONT_UNROLL)))
        return;
    struct loop *loop = job_alloc(sizeof *loop);
    loop->header = label(r, r->block);
    loop->property = control & LOOP_UNROLL ? "llvm.loop.unroll.enable" : "llvm.loop.unroll.disable";
    list_add(&r->loops, loop);
}

static void branch_weights(struct reader *r, LLVMValueRef branch, const uint32_t *weights) {
    LLVMMetadataRef node[] = {LLVMMDStringInContext2(r->llvm, "branch_weights", 14),
                              LLVMValueAsMetadata(ir_const32(r->llvm, weights[0])),
                              LLVMValueAsMetadata(ir_const32(r->llvm, weights[1]))};
    LLVMSetMetadata(branch, LLVMGetMDKindIDInContext(r->llvm, "prof", 4),
                    LLVMMetadataAsValue(r->llvm, LLVMMDNodeInContext2(r->llvm, node, 3)));
}

static void read_switch(struct reader *r, const struct instruction *in) {
    LLVMValueRef selector = reader_operand(r, in, 0);
    LLVMTypeRef type = LLVMTypeOf(selector);
    if (!reader_is_int(type) || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        reader_fail(r, "the selector is not an integer");
    unsigned bits = LLVMGetIntTypeWidth(type), words = bits > 32 ? 2 : 1;
    if ((in->n - 2) % (words + 1))
        reader_fail(r, "a case lacks its label");
    unsigned n = (in->n - 2) / (words + 1);
    LLVMValueRef end = LLVMBuildSwitch(r->builder, selector, label(r, in->at[1])->block, n);
    uint64_t mask = bits == 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
    struct ptrmap seen = {0};
    for (unsigned i = 0; i < n; i++) {
        const uint32_t *at = in->at + 2 + i * (words + 1);
        LLVMValueRef value = LLVMConstInt(type, ((words > 1 ? (uint64_t)at[1] << 32 : 0) | at[0]) & mask, 0);
        if (ptrmap_at(&seen, value, 0))
            reader_fail(r, "two cases have the same value");
        ptrmap_set(&seen, value, 1);
        LLVMAddCase(end, value, label(r, at[words])->block);
    }
}

void read_terminator(struct reader *r, const struct instruction *in) {
    LLVMTypeRef i1 = LLVMInt1TypeInContext(r->llvm);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(r->function));
    switch (in->op->code) {
    case OpBranch:
        LLVMBuildBr(r->builder, label(r, in->at[0])->block);
        break;
    case OpBranchConditional: {
        LLVMValueRef branch = LLVMBuildCondBr(r->builder, reader_typed(r, in, 0, i1),
                                              label(r, in->at[1])->block, label(r, in->at[2])->block);
        if (in->n == 5 && in->at[3] + (uint64_t)in->at[4] > 0)
            branch_weights(r, branch, in->at + 3);
        break;
    }
    case OpSwitch:
        read_switch(r, in);
        break;
    case OpReturn:
        if (LLVMGetTypeKind(result) != LLVMVoidTypeKind)
            reader_fail(r, "the function has to return a value");
        LLVMBuildRetVoid(r->builder);
        break;
    case OpReturnValue:
        LLVMBuildRet(r->builder, reader_typed(r, in, 0, result));
        break;
    default:
        LLVMBuildUnreachable(r->builder);
    }
    r->block = 0;
}
