/* kernels.c: entry points as clang leaves kernels: the calling convention, and metadata of arguments and execution modes. */
#include "reader.h"

#include "opcodes.h"

#include <string.h>

/* ---- metadata nodes --------------------------------------------------------------------------------------------- */

static LLVMMetadataRef text_node(struct reader *r, const char *text) {
    return LLVMMDStringInContext2(r->llvm, text, strlen(text));
}

static LLVMMetadataRef number_node(struct reader *r, uint32_t n) {
    return LLVMValueAsMetadata(ir_const32(r->llvm, n));
}

static void attach(struct reader *r, LLVMValueRef f, const char *kind, LLVMMetadataRef *nodes, size_t n) {
    LLVMGlobalSetMetadata(f, LLVMGetMDKindIDInContext(r->llvm, kind, (unsigned)strlen(kind)),
                          LLVMMDNodeInContext2(r->llvm, nodes, n));
}

/* ---- arguments ---------------------------------------------------------------------------------------------------- */

static const char *image_name(const struct id *image) {
    static const char *const dims[] = {"1d", "2d", "3d"};
    uint32_t dim = image->at[1];
    bool depth = image->at[2] == 1, arrayed = image->at[3] == 1;
    return job_printf("image%s%s%s%s_t", dim == DIM_BUFFER ? "1d" : dims[dim % 3], arrayed ? "_array" : "",
                      dim == DIM_BUFFER ? "_buffer" : "", depth ? "_depth" : "");
}

/* The type as OpenCL C spells it. Integers of modules have no sign: clang makes them unsigned, translators keep what the
 * source has in a string (below). */
static const char *spell(struct reader *r, const struct id *type, unsigned depth) {
    static const char *const floats[] = {"half", "float", "", "double"};
    switch (type->op) {
    case OpTypeVoid:
        return "void";
    case OpTypeBool:
        return "bool";
    case OpTypeInt: {
        uint32_t bits = type->at[0];
        const char *name = bits == 8    ? "char"
                           : bits == 16 ? "short"
                           : bits == 32 ? "int"
                           : bits == 64 ? "long"
                                        : NULL;
        if (!name)
            return job_printf("%s_BitInt(%u)", type->at[1] ? "" : "unsigned ", bits);
        return type->at[1] ? name : job_printf("u%s", name);
    }
    case OpTypeFloat:
        return floats[(type->at[0] / 16 - 1) % 4];
    case OpTypeVector:
        return job_printf("%s%u", spell(r, reader_type_id(r, type->at[0]), depth + 1), type->at[1]);
    case OpTypePointer:
        return depth > 8 ? "void*" : job_printf("%s*", spell(r, reader_type_id(r, type->at[1]), depth + 1));
    case OpTypeStruct:
        return type->name
                   ? strncmp(type->name, "struct.", 7) ? type->name : job_printf("struct %s", type->name + 7)
                   : "struct";
    case OpTypeArray:
        return depth > 8 ? "void" : job_printf("%s[]", spell(r, reader_type_id(r, type->at[0]), depth + 1));
    case OpTypeImage:
        return image_name(type);
    case OpTypeSampler:
        return "sampler_t";
    case OpTypeEvent:
        return "event_t";
    case OpTypeDeviceEvent:
        return "clk_event_t";
    case OpTypeReserveId:
        return "reserve_id_t";
    case OpTypeQueue:
        return "queue_t";
    case OpTypePipe:
        return "pipe";
    default:
        return type->name ? type->name : "";
    }
}

/* What translators keep of argument `i`: the string "KIND.KERNEL.A,B,". NULL: nothing. */
static const char *kept(struct reader *r, const char *kind, const char *kernel, unsigned i) {
    const char *begin = job_printf("%s.%s.", kind, kernel);
    for (size_t s = 0; s < r->strings.n; s++) {
        const char *text = r->strings.at[s];
        if (strncmp(text, begin, strlen(begin)))
            continue;
        text += strlen(begin);
        for (unsigned k = 0; k < i && text; k++) {
            text = strchr(text, ',');
            text = text ? text + 1 : NULL;
        }
        const char *end = text ? strchr(text, ',') : NULL;
        return end ? job_printf("%.*s", (int)(end - text), text) : NULL;
    }
    return NULL;
}

static const char *qualifiers(struct reader *r, const struct id *param, const struct id *type) {
    enum { NO_WRITE = 6 };
    const struct decoration *d = NULL;
    bool is_const = type->op == OpTypePointer && type->at[0] == STORAGE_UNIFORM_CONSTANT;
    while ((d = reader_decoration_of(param, d, DECORATION_FUNC_PARAM_ATTR)))
        is_const |= d->n && d->at[0] == NO_WRITE;
    if (type->op == OpTypePipe)
        return "pipe";
    return job_printf("%s%s%s", reader_decoration(param, DECORATION_RESTRICT) ? "restrict " : "",
                      is_const ? "const " : "",
                      reader_decoration(param, DECORATION_VOLATILE) ? "volatile" : "");
}

static const char *access_of(const struct id *type) {
    static const char *const names[] = {"read_only", "write_only", "read_write"};
    if (type->op == OpTypeImage)
        return type->n > 7 && type->at[7] < 3 ? names[type->at[7]] : "read_only";
    return type->op == OpTypePipe && type->at[0] < 3 ? names[type->at[0]] : "none";
}

static uint32_t space_of(const struct id *type) { /* by SPIR's numbers */
    if (type->op == OpTypeImage || type->op == OpTypePipe)
        return 1;
    if (type->op != OpTypePointer)
        return 0;
    switch (type->at[0]) {
    case STORAGE_CROSS_WORKGROUP:
    case STORAGE_DEVICE_ONLY:
    case STORAGE_HOST_ONLY:
        return 1;
    case STORAGE_UNIFORM_CONSTANT:
        return 2;
    case STORAGE_WORKGROUP:
        return 3;
    default:
        return 0;
    }
}

/* The base type tells the runtime what an argument is: images, samplers and queues by clang's names. */
static void describe_arguments(struct reader *r, LLVMValueRef f, const struct id *function,
                               const struct entry_point *e) {
    static const char *const kinds[] = {"kernel_arg_addr_space", "kernel_arg_access_qual", "kernel_arg_type",
                                        "kernel_arg_base_type",  "kernel_arg_type_qual",   "kernel_arg_name"};
    enum { KINDS = sizeof kinds / sizeof *kinds };
    unsigned n = LLVMCountParams(f);
    LLVMMetadataRef *nodes = job_alloc((n + 1) * KINDS * sizeof *nodes);
    const struct id *type = reader_type_id(r, function->at[1]);
    for (unsigned i = 0; i < n; i++) {
        const struct id *param = reader_id(r, function->params[i]), *t = reader_type_id(r, type->at[i + 1]);
        const char *base = spell(r, t, 0), *name = kept(r, "kernel_arg_type", e->name, i);
        const char *quals = kept(r, "kernel_arg_type_qual", e->name, i);
        bool by_value = t->op == OpTypePointer && t->at[0] == STORAGE_FUNCTION;
        if (by_value)
            base = spell(r, reader_pointee(r, type->at[i + 1]), 0);
        if (t->op == OpTypePipe)
            name = name ? name : "int";
        LLVMMetadataRef all[KINDS] = {
            number_node(r, space_of(t)),
            text_node(r, access_of(t)),
            text_node(r, name ? name : base),
            text_node(r, base),
            text_node(r, quals && t->op != OpTypePipe ? quals : qualifiers(r, param, t)),
            text_node(r, param->name ? param->name : "")};
        for (int k = 0; k < KINDS; k++)
            nodes[k * n + i] = all[k];
    }
    for (int k = 0; k < KINDS; k++)
        attach(r, f, kinds[k], nodes + k * n, n);
}

/* Arguments are what the host can set. */
static void check_arguments(struct reader *r, LLVMValueRef f, const struct id *function) {
    const struct id *type = reader_type_id(r, function->at[1]);
    if (LLVMGetTypeKind(LLVMGetReturnType(type->type)) != LLVMVoidTypeKind)
        reader_fail(r, "kernels return nothing");
    for (unsigned i = 0; i < LLVMCountParams(f); i++) {
        const struct id *t = reader_type_id(r, type->at[i + 1]);
        bool is_private =
            t->op == OpTypePointer && (t->at[0] == STORAGE_FUNCTION || t->at[0] == STORAGE_GENERIC);
        LLVMAttributeRef byval =
            LLVMGetEnumAttributeAtIndex(f, i + 1, LLVMGetEnumAttributeKindForName("byval", 5));
        if ((is_private && !byval) || t->op == OpTypeSampledImage || t->op == OpTypeBool)
            reader_fail(r, "argument %u of kernel '%s' can't be of type %u", i,
                        LLVMGetValueName2(f, &(size_t){0}), type->at[i + 1]);
    }
}

/* ---- execution modes ------------------------------------------------------------------------------------------------ */

static void sizes(struct reader *r, LLVMValueRef f, const char *kind, const struct execution_mode *mode) {
    LLVMMetadataRef nodes[3];
    if (mode->n != 3)
        reader_fail(r, "execution mode %u has %u sizes", mode->mode, mode->n);
    for (int d = 0; d < 3; d++)
        nodes[d] = number_node(r, mode->by_id ? (uint32_t)reader_constant(r, mode->at[d]) : mode->at[d]);
    attach(r, f, kind, nodes, 3);
}

static void vector_hint(struct reader *r, LLVMValueRef f, uint32_t hint) {
    uint32_t type = hint & 0xffff, n = hint >> 16;
    LLVMTypeRef types[] = {LLVMInt8TypeInContext(r->llvm),  LLVMInt16TypeInContext(r->llvm),
                           LLVMInt32TypeInContext(r->llvm), LLVMInt64TypeInContext(r->llvm),
                           LLVMHalfTypeInContext(r->llvm),  LLVMFloatTypeInContext(r->llvm),
                           LLVMDoubleTypeInContext(r->llvm)};
    if (type >= sizeof types / sizeof *types || n > 16)
        return;
    LLVMTypeRef whole = n > 1 ? LLVMVectorType(types[type], n) : types[type];
    LLVMMetadataRef nodes[] = {LLVMValueAsMetadata(LLVMGetUndef(whole)), number_node(r, 1)};
    attach(r, f, "vec_type_hint", nodes, 2);
}

/* What runs before the program's first kernel, as clang lists constructors. */
static void add_constructor(struct reader *r, LLVMValueRef f) {
    static const char *const name = "llvm.global_ctors";
    enum { PRIORITY = 65535 }; /* none of its own */
    LLVMTypeRef pointer = LLVMPointerTypeInContext(r->llvm, AS_PRIVATE);
    LLVMValueRef row[] = {ir_const32(r->llvm, PRIORITY), f, LLVMConstNull(pointer)};
    LLVMTypeRef types[] = {LLVMTypeOf(row[0]), LLVMTypeOf(f), pointer};
    LLVMTypeRef type = LLVMStructTypeInContext(r->llvm, types, 3, 0);
    LLVMValueRef old = LLVMGetNamedGlobal(r->module, name);
    unsigned n = old ? (unsigned)LLVMGetArrayLength2(LLVMGlobalGetValueType(old)) : 0;
    LLVMValueRef *rows = job_alloc((n + 1) * sizeof *rows);
    for (unsigned i = 0; i < n; i++)
        rows[i] = LLVMGetAggregateElement(LLVMGetInitializer(old), i);
    rows[n] = LLVMConstStructInContext(r->llvm, row, 3, 0);
    if (old)
        LLVMDeleteGlobal(old);
    LLVMValueRef list = LLVMAddGlobal(r->module, LLVMArrayType2(type, n + 1), name);
    LLVMSetInitializer(list, LLVMConstArray2(type, rows, n + 1));
    LLVMSetLinkage(list, LLVMAppendingLinkage);
}

static void apply_mode(struct reader *r, LLVMValueRef f, const struct execution_mode *mode) {
    LLVMMetadataRef node;
    switch (mode->mode) {
    case MODE_LOCAL_SIZE:
    case MODE_LOCAL_SIZE_ID:
        sizes(r, f, "reqd_work_group_size", mode);
        break;
    case MODE_LOCAL_SIZE_HINT:
    case MODE_LOCAL_SIZE_HINT_ID:
        sizes(r, f, "work_group_size_hint", mode);
        break;
    case MODE_VEC_TYPE_HINT:
        if (mode->n)
            vector_hint(r, f, mode->at[0]);
        break;
    case MODE_SUBGROUP_SIZE:
        if (!mode->n)
            reader_fail(r, "execution mode SubgroupSize lacks its size");
        node = number_node(r, mode->at[0]);
        attach(r, f, "intel_reqd_sub_group_size", &node, 1);
        break;
    case MODE_SUBGROUPS_PER_WORKGROUP:
    case MODE_SUBGROUPS_PER_WORKGROUP_ID:
        if (mode->n != 1)
            reader_fail(r, "execution mode SubgroupsPerWorkgroup has one number");
        node = number_node(r, mode->by_id ? (uint32_t)reader_constant(r, mode->at[0]) : mode->at[0]);
        attach(r, f, "weir_reqd_num_sub_groups", &node, 1);
        break;
    case MODE_INITIALIZER:
        if (LLVMCountParams(f))
            reader_fail(r, "'%s' runs before all other kernels, and can't have arguments",
                        LLVMGetValueName2(f, &(size_t){0}));
        add_constructor(r, f);
        break;
    default: /* what concerns the order of operations is as the mode asks, or was taken when it was read */
        break;
    }
}

/* ---- several entry points of one function ----------------------------------------------------------------------------- */

static LLVMValueRef wrapper(struct reader *r, const struct id *function, const char *name) {
    LLVMValueRef inner = function->value, f = LLVMAddFunction(r->module, name, function->type);
    unsigned n = LLVMCountParams(f), byval = LLVMGetEnumAttributeKindForName("byval", 5);
    LLVMSetFunctionCallConv(f, LLVMPTXKernelCallConv);
    ir_attribute(r->llvm, f, "convergent", 0);
    ir_attribute(r->llvm, f, "nounwind", 0);
    LLVMPositionBuilderAtEnd(r->builder, ir_block(f, "entry"));
    LLVMSetCurrentDebugLocation2(r->builder, NULL);
    LLVMSetSubprogram(inner, NULL);
    LLVMValueRef *args = job_alloc((n + 1) * sizeof *args);
    LLVMGetParams(f, args);
    LLVMValueRef call = LLVMBuildCall2(r->builder, function->type, inner, args, n, "");
    for (unsigned i = 0; i < n; i++) {
        LLVMAttributeRef a = LLVMGetEnumAttributeAtIndex(inner, i + 1, byval);
        if (a) {
            LLVMAddAttributeAtIndex(f, i + 1, a);
            LLVMAddCallSiteAttribute(call, i + 1, a);
        }
    }
    LLVMBuildRetVoid(r->builder);
    return f;
}

void reader_finish_kernels(struct reader *r) {
    for (size_t i = 0; i < r->entry_points.n; i++) {
        const struct entry_point *e = r->entry_points.at[i];
        const struct id *function = reader_id(r, e->function);
        if (function->kind != ID_FUNCTION || !LLVMCountBasicBlocks(function->value))
            reader_fail(r, "the entry point '%s' is not a function with a body", e->name);
        LLVMValueRef f = function->value;
        check_arguments(r, f, function);
        if (LLVMGetFunctionCallConv(f) != LLVMPTXKernelCallConv)
            f = wrapper(r, function, e->name);
        describe_arguments(r, f, function, e);
        for (size_t m = 0; m < r->modes.n; m++) {
            const struct execution_mode *mode = r->modes.at[m];
            if (mode->function == e->function)
                apply_mode(r, f, mode);
        }
    }
    /* what is passed by value is so in calls, too */
    for (size_t i = 0; i < r->calls.n; i++) {
        LLVMValueRef call = r->calls.at[i], callee = LLVMGetCalledValue(call);
        for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++) {
            LLVMAttributeRef a =
                LLVMGetEnumAttributeAtIndex(callee, k + 1, LLVMGetEnumAttributeKindForName("byval", 5));
            if (a)
                LLVMAddCallSiteAttribute(call, k + 1, a);
        }
    }
}
