/* enter.c: the work-group function's beginning and its publication.
 *
 * enter: needs program IR with the kernel as k->entry. Gives k->run, a function of type weir_group_fn that
 * loads the arguments from the argument block and calls the kernel; everything else is internal, target
 * attributes and calling conventions of the front end's triple are gone. Kernels other than k->entry die in
 * the next clean-up.
 * publish: needs the finished k->run. Gives the WEIR_KERNEL_SYMBOL that the runtime looks up. */
#include "analysis.h"
#include "frontend.h"
#include "lower.h"
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <string.h>

/* What only the front end's triple, or another compilation unit's calling side, cares about. `noalias` goes
 * too: restrict says nothing about other work-items, whose accesses share the function after `regions`. */
static void strip_function(struct kernel *k, LLVMValueRef f) {
    static const char *const strings[] = {"target-cpu",   "target-features",
                                          "tune-cpu",     "min-legal-vector-width",
                                          "nvvm.maxntid", "stack-protector-buffer-size"};
    static const char *const enums[] = {"noinline", "optnone", "norecurse"};
    for (size_t i = 0; i < sizeof strings / sizeof *strings; i++) {
        LLVMRemoveStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, strings[i],
                                         (unsigned)strlen(strings[i]));
    }
    for (size_t i = 0; i < sizeof enums / sizeof *enums; i++) {
        ir_remove_attribute(f, (unsigned)LLVMAttributeFunctionIndex, enums[i]);
    }
    for (unsigned p = 0; p < LLVMCountParams(f); p++) {
        ir_remove_attribute(f, p + 1, "noalias");
    }
    LLVMSetFunctionCallConv(f, LLVMCCallConv);
    for (LLVMUseRef u = LLVMGetFirstUse(f); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (LLVMIsACallInst(user) && ir_callee(user) == f) {
            LLVMSetInstructionCallConv(user, LLVMCCallConv);
        }
    }
    if (!LLVMIsDeclaration(f)) {
        LLVMSetLinkage(f, LLVMInternalLinkage);
        LLVMSetVisibility(f, LLVMDefaultVisibility);
        LLVMSetComdat(f, NULL);
    }
}

static bool is_constant(const struct kernel *k, unsigned argument) {
    enum arg_kind kind = k->meta->args[argument].kind;
    return kind == ARG_IMAGE || kind == ARG_SAMPLER || (kind == ARG_LOCAL && k->checked);
}

/* What the variant is made for, of an image, a sampler, or the size of checked local memory; false: any. */
static bool find_constant(const struct kernel *k, unsigned argument, uint64_t *value) {
    const struct constants *known = &k->job->request->constants;
    uint32_t place = 0;
    for (unsigned i = 0; i < argument; i++) {
        place += is_constant(k, i);
    }
    *value = place < known->n ? known->at[place] : 0;
    return place < known->n && is_constant(k, argument);
}

static LLVMValueRef constant_of(struct kernel *k, unsigned argument) {
    uint64_t value;
    return find_constant(k, argument, &value) ? ir_const64(k->llvm, value) : NULL;
}

uint64_t enter_local_bytes(const struct kernel *k, unsigned argument) {
    uint64_t bytes;
    return k->meta->args[argument].kind == ARG_LOCAL && find_constant(k, argument, &bytes) ? bytes : 0;
}

/* The image at `object` as kernels have it, with its traits in the upper bits (abi.h). */
static LLVMValueRef image_of(struct kernel *k, LLVMBuilderRef b, LLVMValueRef object, LLVMValueRef traits) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(k->llvm), i64 = LLVMInt64TypeInContext(k->llvm);
    if (!traits) {
        unsigned offset = offsetof(struct weir_image, traits);
        LLVMValueRef at = ir_offset(b, object, ir_const64(k->llvm, offset), "");
        traits = LLVMBuildZExt(b, kernel_invariant_load(k, b, i32, at, "traits"), i64, "");
    }
    traits = LLVMBuildShl(b, traits, ir_const64(k->llvm, WEIR_IMAGE_ADDRESS_BITS), "");
    LLVMValueRef address = LLVMBuildPtrToInt(b, object, i64, ""); /* whose upper bits are known to be 0: */
    address = LLVMBuildAnd(b, address, ir_const64(k->llvm, (UINT64_C(1) << WEIR_IMAGE_ADDRESS_BITS) - 1), "");
    return LLVMBuildIntToPtr(b, LLVMBuildOr(b, address, traits, ""), LLVMTypeOf(object), "");
}

static LLVMValueRef load_argument(struct kernel *k, LLVMBuilderRef b, LLVMValueRef block, unsigned i) {
    const struct arg_meta *arg = &k->meta->args[i];
    LLVMValueRef param = LLVMGetParam(k->entry, i);
    LLVMTypeRef type = LLVMTypeOf(param);
    LLVMValueRef at = ir_offset(b, block, ir_const64(k->llvm, arg->offset), "");
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    if (LLVMGetEnumAttributeAtIndex(k->entry, i + 1, byval)) {
        return at; /* the callee's copy is made when it is inlined */
    }
    if (arg->kind == ARG_SAMPLER && constant_of(k, i)) {
        return LLVMConstIntToPtr(constant_of(k, i), type);
    }
    if (arg->kind != ARG_LOCAL) {
        LLVMValueRef value = kernel_invariant_load(k, b, type, at, arg->name ? arg->name : "");
        LLVMSetAlignment(value, arg->align ? arg->align : 1);
        return arg->kind == ARG_IMAGE ? image_of(k, b, value, constant_of(k, i)) : value;
    }
    LLVMValueRef offset = kernel_invariant_load(k, b, LLVMInt64TypeInContext(k->llvm), at, "");
    LLVMTypeRef generic = LLVMPointerTypeInContext(k->llvm, AS_PRIVATE);
    LLVMValueRef base = kernel_field(k, b, RUN_WORKER, WORKER_FIELD(local), generic, "local");
    return LLVMBuildAddrSpaceCast(b, ir_offset(b, base, offset, ""), type, arg->name ? arg->name : "");
}

/* For the checker: nobody may write a read_only image while the kernel runs. */
static void note_image(struct kernel *k, LLVMValueRef image, unsigned i) {
    bool is_constant = k->meta->args[i].access_qual == CL_KERNEL_ARG_ACCESS_READ_ONLY;
    ptrmap_set(&k->images, image, i | (is_constant ? IMAGE_IS_CONSTANT : 0));
    if (LLVMIsAIntToPtrInst(image)) {
        ptrmap_set(&k->images, LLVMGetOperand(image, 0), i | (is_constant ? IMAGE_IS_CONSTANT : 0));
    }
}

static void make_run(struct kernel *k) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(k->llvm, AS_PRIVATE),
                i64 = LLVMInt64TypeInContext(k->llvm);
    LLVMTypeRef params[] = {pointer, pointer, i64, i64, i64};
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(k->llvm), params, 5, 0);
    k->run = LLVMAddFunction(k->module, job_printf("weir.%s", k->meta->name), type);
    static const char *const names[] = {"launch", "worker", "group.x", "group.y", "group.z"};
    for (unsigned i = 0; i < 5; i++) {
        LLVMSetValueName2(LLVMGetParam(k->run, i), names[i], strlen(names[i]));
    }
    for (unsigned i = RUN_LAUNCH; i <= RUN_WORKER; i++) {
        unsigned kind = LLVMGetEnumAttributeKindForName("noalias", 7);
        LLVMAddAttributeAtIndex(k->run, i + 1, LLVMCreateEnumAttribute(k->llvm, kind, 0));
    }
    ir_attribute(k->llvm, k->run, "nounwind", 0);
    if (k->shown) { /* else gdb stops before the function's first instruction, where it takes frames to be made */
        LLVMAddTargetDependentFunctionAttr(k->run, "frame-pointer", "all");
    }
    /* gdb and perf find the kernel's lines through its own subprogram, which moves to what runs it. */
    LLVMMetadataRef subprogram = LLVMGetSubprogram(k->entry);
    if (subprogram) {
        LLVMSetSubprogram(k->entry, NULL);
        LLVMSetSubprogram(k->run, subprogram);
    }
}

/* clang makes the kernel's body a function of its own, which the kernel does nothing but call. Debuggers are to see one
 * function: the body is taken for the kernel, under the name that the source has for it. */
static void enter_body(struct kernel *k) {
    enum { LINKAGE_NAME = 3 }; /* the operand of LLVM's DISubprogram */
    for (LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(k->entry)); i;
         i = LLVMGetNextInstruction(i)) {
        size_t n;
        LLVMValueRef body = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
        if (body && !strncmp(LLVMGetValueName2(body, &n), KERNEL_BODY, sizeof KERNEL_BODY - 1) &&
            LLVMGetSubprogram(body)) {
            k->entry = body;
            LLVMReplaceMDNodeOperandWith(LLVMMetadataAsValue(k->llvm, LLVMGetSubprogram(body)), LINKAGE_NAME,
                                         NULL);
            return;
        }
    }
}

void enter_pass(struct kernel *k) {
    if (k->shown) {
        enter_body(k);
    }
    for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f; f = LLVMGetNextFunction(f)) {
        strip_function(k, f);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(k->module); g; g = LLVMGetNextGlobal(g)) {
        if (!LLVMIsDeclaration(g)) {
            LLVMSetLinkage(g, LLVMInternalLinkage);
        }
    }
    make_run(k);
    LLVMBuilderRef b = ir_at_end(ir_block(k->run, "entry"));
    unsigned n = LLVMCountParams(k->entry);
    LLVMValueRef *args = job_alloc((n + 1) * sizeof *args);
    LLVMTypeRef generic = LLVMPointerTypeInContext(k->llvm, AS_PRIVATE);
    LLVMValueRef block = kernel_field(k, b, RUN_LAUNCH, LAUNCH_FIELD(args), generic, "args");
    k->argument_types = k->checked ? job_alloc((n + 1) * sizeof *k->argument_types) : NULL;
    for (unsigned i = 0; i < n; i++) {
        args[i] = load_argument(k, b, block, i);
        if (k->checked) {
            k->argument_types[i] = types_text(k->llvm, k->entry, i);
        }
        if (k->meta->args[i].kind == ARG_GLOBAL || k->meta->args[i].kind == ARG_LOCAL) {
            ptrmap_set(&k->arguments, args[i], i);
            object_mark(k, args[i]);
        }
        if (k->checked && LLVMGetTypeKind(LLVMTypeOf(args[i])) == LLVMIntegerTypeKind) {
            ptrmap_set(&k->numbers, args[i], i);
        }
        if (k->meta->args[i].kind == ARG_IMAGE) {
            note_image(k, args[i], i);
        }
    }
    LLVMValueRef call = LLVMBuildCall2(b, LLVMGlobalGetValueType(k->entry), k->entry, args, n, "");
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    for (unsigned i = 0; i < n; i++) {
        LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(k->entry, i + 1, byval);
        if (attribute) {
            LLVMAddCallSiteAttribute(call, i + 1, attribute);
        }
    }
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
}

/* A constant of the object's own; gives its address. */
static LLVMValueRef constant(struct kernel *k, LLVMValueRef value, const char *name) {
    LLVMValueRef global = LLVMAddGlobal(k->module, LLVMTypeOf(value), name);
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(global, LLVMInternalLinkage);
    return global;
}

/* Text that neighbours share, once: `texts` has the last ones, each with its address. */
static LLVMValueRef text_of(struct kernel *k, struct list *texts, const char *text) {
    for (size_t i = texts->n; i > 0 && i + 16 > texts->n; i -= 2) {
        if (!strcmp(texts->at[i - 2], text)) {
            return texts->at[i - 1];
        }
    }
    LLVMValueRef global = constant(k, LLVMConstStringInContext2(k->llvm, text, strlen(text), 0), "weir.text");
    list_add(texts, (void *)text);
    list_add(texts, global);
    return global;
}

/* The tables of a checked kernel: struct weir_site and weir_place. */
static LLVMValueRef sites_of(struct kernel *k, struct list *texts) {
    LLVMTypeRef i32 = LLVMInt32TypeInContext(k->llvm);
    LLVMValueRef *rows = job_alloc((k->sites.n + 1) * sizeof *rows);
    if (!k->sites.n) {
        return LLVMConstNull(LLVMPointerTypeInContext(k->llvm, AS_PRIVATE));
    }
    for (size_t i = 0; i < k->sites.n; i++) {
        const struct kernel_site *s = k->sites.at[i];
        LLVMValueRef fields[] = {text_of(k, texts, s->file),      text_of(k, texts, s->function),
                                 text_of(k, texts, s->stack),     LLVMConstInt(i32, s->line, 0),
                                 LLVMConstInt(i32, s->column, 0), LLVMConstInt(i32, s->what, 0),
                                 LLVMConstInt(i32, s->bytes, 0),  LLVMConstInt(i32, s->object, 0),
                                 LLVMConstInt(i32, s->align, 0),  LLVMConstInt(i32, s->quiet, 0),
                                 LLVMConstInt(i32, s->form, 0),   LLVMConstInt(i32, s->is_local, 0)};
        rows[i] = LLVMConstStructInContext(k->llvm, fields, sizeof fields / sizeof *fields, 0);
    }
    return constant(k, LLVMConstArray2(LLVMTypeOf(rows[0]), rows, k->sites.n), "weir.sites");
}

/* The table of struct weir_form, which has 64-bit members alone. */
static LLVMValueRef forms_of(struct kernel *k) {
    size_t words = sizeof(struct weir_form) / sizeof(weir_u64);
    LLVMValueRef *values = job_alloc((k->forms.n * words + 1) * sizeof *values);
    if (!k->forms.n) {
        return LLVMConstNull(LLVMPointerTypeInContext(k->llvm, AS_PRIVATE));
    }
    for (size_t i = 0; i < k->forms.n * words; i++) {
        values[i] = ir_const64(k->llvm, ((const weir_u64 *)k->forms.at[i / words])[i % words]);
    }
    LLVMTypeRef i64 = LLVMInt64TypeInContext(k->llvm);
    return constant(k, LLVMConstArray2(i64, values, k->forms.n * words), "weir.forms");
}

static LLVMValueRef places_of(struct kernel *k, struct list *texts) {
    LLVMValueRef *rows = job_alloc((k->places.n + 1) * sizeof *rows);
    if (!k->places.n) {
        return LLVMConstNull(LLVMPointerTypeInContext(k->llvm, AS_PRIVATE));
    }
    for (size_t i = 0; i < k->places.n; i++) {
        const struct kernel_place *p = k->places.at[i];
        LLVMValueRef fields[] = {text_of(k, texts, p->name), text_of(k, texts, p->type),
                                 ir_const64(k->llvm, p->offset), ir_const64(k->llvm, p->bytes),
                                 ir_const64(k->llvm, p->space)};
        rows[i] = LLVMConstStructInContext(k->llvm, fields, 5, 0);
    }
    return constant(k, LLVMConstArray2(LLVMTypeOf(rows[0]), rows, k->places.n), "weir.places");
}

static LLVMValueRef argument_types_of(struct kernel *k, struct list *texts) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(k->llvm, AS_PRIVATE);
    LLVMValueRef *rows = job_alloc((k->meta->nargs + 1) * sizeof *rows);
    if (!k->argument_types || !k->meta->nargs) {
        return LLVMConstNull(pointer);
    }
    for (uint32_t i = 0; i < k->meta->nargs; i++) {
        rows[i] = text_of(k, texts, k->argument_types[i]);
    }
    return constant(k, LLVMConstArray2(pointer, rows, k->meta->nargs), "weir.types");
}

/* A group that is no more than a column has no choice along which dimension packs lie: that says nothing about its neighbours. */
static unsigned flags_of(const struct kernel *k) {
    unsigned along = k->local_size[k->turned] > 1 ? k->turned : 0;
    return (k->small_ids ? WEIR_SMALL_IDS : 0) | (k->checked ? WEIR_CHECKED : 0) |
           (k->any_order ? WEIR_ANY_ORDER : 0) | (k->zero_local ? WEIR_ZERO_LOCAL : 0) |
           along << WEIR_ALONG_SHIFT | (k->one_row ? WEIR_ONE_ROW : 0);
}

void publish_pass(struct kernel *k) {
    LLVMContextRef c = k->llvm;
    struct list texts = {0};
    LLVMTypeRef i32 = LLVMInt32TypeInContext(c);
    LLVMValueRef text = LLVMConstStringInContext2(c, k->meta->name, strlen(k->meta->name), 0);
    LLVMValueRef name = constant(k, text, "weir.name");
    LLVMValueRef size[3];
    for (int d = 0; d < 3; d++) {
        size[d] = LLVMConstInt(i32, k->job->request->local_size[d], 0);
    }
    LLVMValueRef fields[] = {/* struct weir_kernel */
                             LLVMConstInt(i32, WEIR_ABI_VERSION, 0),
                             LLVMConstInt(i32, k->width, 0),
                             k->run,
                             name,
                             LLVMConstArray2(i32, size, 3),
                             LLVMConstInt(i32, flags_of(k), 0),
                             ir_const64(c, k->local_bytes),
                             ir_const64(c, k->context_is_small ? 0 : k->context_fixed),
                             ir_const64(c, k->context_is_small ? 0 : k->context_per_item),
                             ir_const64(c, k->private_bytes),
                             ir_const64(c, k->sites.n),
                             sites_of(k, &texts),
                             ir_const64(c, k->places.n),
                             places_of(k, &texts),
                             ir_const64(c, k->argument_types ? k->meta->nargs : 0),
                             argument_types_of(k, &texts),
                             forms_of(k)};
    LLVMValueRef value = LLVMConstStructInContext(c, fields, sizeof fields / sizeof *fields, 0);
    LLVMValueRef global = LLVMAddGlobal(k->module, LLVMTypeOf(value), WEIR_KERNEL_SYMBOL);
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, 1);
    LLVMSetLinkage(k->run, LLVMInternalLinkage);
}
