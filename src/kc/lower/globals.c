/* globals.c: variables that don't live in the kernel object: program-scope variables, which all kernels of a
 * program and all its variants share, and local memory, which each worker has.
 *
 * globals: needs `inline` (only k->run names them) and k->globals. Gives: addresses are weir_launch.globals
 * plus an offset. local: gives addresses in weir_worker.local and k->local_bytes. Local variables must be
 * lowered before any optimization: as plain internal variables LLVM would take one work-item's stores for all
 * there is. */
#include "analysis.h"
#include "lower.h"
#include <string.h>

struct placing {
    struct kernel *k;
    LLVMBuilderRef entry; /* at the top of k->run: the base is loaded once, where all uses are dominated */
    LLVMValueRef base;
    unsigned space;
    struct ptrmap
        places; /* addresses by offset: one instruction each, as it may carry the mark of an object */
};

static LLVMValueRef place(void *arg, LLVMBuilderRef b, uintptr_t offset) {
    struct placing *p = arg;
    void *key = (void *)(offset + 1);
    LLVMValueRef known = (LLVMValueRef)ptrmap_at(&p->places, key, 0);
    if (!known) {
        LLVMTypeRef type = LLVMPointerTypeInContext(p->k->llvm, p->space);
        LLVMValueRef at = ir_offset(p->entry, p->base, ir_const64(p->k->llvm, offset), "");
        known = LLVMBuildAddrSpaceCast(p->entry, at, type, "");
        if (p->space == AS_LOCAL) {
            object_mark(p->k, known);
        }
        ptrmap_set(&p->places, key, (uintptr_t)known);
    }
    return known;
}

static void rewrite(struct kernel *k, const struct ptrmap *offsets, enum run_param from, unsigned field,
                    unsigned space) {
    LLVMBuilderRef b = ir_at_entry(k->run);
    LLVMTypeRef generic = LLVMPointerTypeInContext(k->llvm, AS_PRIVATE);
    struct placing p = {k, b, kernel_field(k, b, from, field, generic, ""), space, {0}};
    LLVMValueRef bad;
    if (!ir_expand_globals(k->run, offsets, place, &p, &bad)) {
        char *text = LLVMPrintValueToString(bad);
        job_fail(k->job, ANSWER_BUILD_FAILED, "kernel '%s': unsupported constant expression: %s\n",
                 k->meta->name, text);
    }
    LLVMDisposeBuilder(b);
}

void globals_pass(struct kernel *k) {
    if (k->globals.used) {
        rewrite(k, &k->globals, RUN_LAUNCH, LAUNCH_FIELD(globals), AS_GLOBAL);
    }
}

/* Where the built-in library's collectives meet: SCRATCH bytes after the kernel's own variables. */
static void place_scratch(struct kernel *k) {
    enum { SCRATCH = 16 };
    LLVMValueRef f = LLVMGetNamedFunction(k->module, "__weir_scratch");
    if (!f || !LLVMGetFirstUse(f)) {
        return;
    }
    LLVMBuilderRef b = ir_at_entry(k->run);
    LLVMTypeRef generic = LLVMPointerTypeInContext(k->llvm, AS_PRIVATE);
    struct placing p = {
        k, b, kernel_field(k, b, RUN_WORKER, WORKER_FIELD(local), generic, ""), AS_LOCAL, {0}};
    k->local_bytes = ir_align_up(k->local_bytes, SCRATCH);
    LLVMValueRef at = place(&p, b, k->local_bytes);
    k->local_bytes += SCRATCH;
    for (LLVMUseRef u; (u = LLVMGetFirstUse(f));) {
        LLVMValueRef call = LLVMGetUser(u);
        LLVMReplaceAllUsesWith(call, at);
        LLVMInstructionEraseFromParent(call);
    }
    LLVMDisposeBuilder(b);
}

/* For the checker. */
static void note_place(struct kernel *k, LLVMValueRef variable, uint64_t offset, uint64_t bytes) {
    size_t n;
    for (size_t i = 0; i < k->places.n; i++) {
        struct kernel_place *p = k->places.at[i];
        if (!strcmp(p->variable, LLVMGetValueName2(variable, &n))) {
            p->offset = offset;
            p->bytes = bytes;
        }
    }
}

/* A variable that fills a line of the cache begins with one: else each pack's access to a row of it may cross two. */
static uint32_t local_align(LLVMTargetDataRef layout, LLVMValueRef variable) {
    enum { LINE = 64, LEAST = 16 };
    uint64_t bytes = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(variable));
    return ir_variable_align(layout, variable, bytes >= LINE ? LINE : LEAST);
}

/* Of an array of arrays, what an innermost one has; else 0. */
static uint64_t row_of(LLVMTargetDataRef layout, LLVMTypeRef type) {
    uint64_t row = 0;
    while (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
        type = LLVMGetElementType(type);
        row = LLVMGetTypeKind(type) == LLVMArrayTypeKind ? LLVMABISizeOfType(layout, type) : row;
    }
    return row;
}

static void note_variable(struct kernel *k, LLVMTargetDataRef layout, LLVMTypeRef type, uint64_t offset) {
    struct local_variable *v = job_alloc(sizeof *v);
    *v = (struct local_variable){offset, LLVMABISizeOfType(layout, type), row_of(layout, type)};
    list_add(&k->local_variables, v);
}

void local_pass(struct kernel *k) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(k->module);
    struct ptrmap offsets = {0};
    for (LLVMValueRef g = LLVMGetFirstGlobal(k->module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == AS_LOCAL) {
            k->local_bytes = ir_align_up(k->local_bytes, local_align(layout, g));
            ptrmap_set(&offsets, g, k->local_bytes);
            LLVMValueRef initial = LLVMGetInitializer(g);
            k->zero_local |= initial && LLVMIsNull(initial);
            note_place(k, g, k->local_bytes, LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g)));
            note_variable(k, layout, LLVMGlobalGetValueType(g), k->local_bytes);
            k->local_bytes += LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g));
        }
    }
    if (offsets.used) {
        rewrite(k, &offsets, RUN_WORKER, WORKER_FIELD(local), AS_LOCAL);
    }
    place_scratch(k);
}

/* Stores an initializer, part by part where it refers to placed variables. */
struct initializing {
    LLVMModuleRef module;
    LLVMContextRef llvm;
    LLVMTargetDataRef layout;
    LLVMValueRef base;
    const struct ptrmap *offsets;
};

static LLVMValueRef address(void *arg, LLVMBuilderRef b, uintptr_t offset) {
    struct initializing *s = arg;
    LLVMTypeRef global = LLVMPointerTypeInContext(s->llvm, AS_GLOBAL);
    return LLVMBuildAddrSpaceCast(b, ir_offset(b, s->base, ir_const64(s->llvm, offset), ""), global, "");
}

static void copy_constant(struct initializing *s, LLVMBuilderRef b, LLVMValueRef value, uint64_t offset) {
    LLVMValueRef image = LLVMAddGlobal(s->module, LLVMTypeOf(value), "weir.image");
    LLVMSetInitializer(image, value);
    LLVMSetGlobalConstant(image, 1);
    LLVMSetLinkage(image, LLVMInternalLinkage);
    LLVMValueRef to = ir_offset(b, s->base, ir_const64(s->llvm, offset), "");
    LLVMBuildMemCpy(b, to, 1, image, 1, ir_const64(s->llvm, LLVMABISizeOfType(s->layout, LLVMTypeOf(value))));
}

static void initialize(struct initializing *s, LLVMBuilderRef b, LLVMValueRef value, uint64_t offset,
                       LLVMValueRef *bad) {
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    if (LLVMIsNull(value) || LLVMIsUndef(value)) {
        return; /* the block comes zeroed */
    }
    if (!ir_refers(value, s->offsets)) {
        copy_constant(s, b, value, offset);
        return;
    }
    if ((kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind) || LLVMIsAConstantExpr(value)) {
        LLVMValueRef to = ir_offset(b, s->base, ir_const64(s->llvm, offset), "");
        LLVMValueRef v = ir_expand(b, value, s->offsets, address, s, bad);
        LLVMSetAlignment(LLVMBuildStore(b, v, to), 1);
        return;
    }
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        LLVMValueRef part = LLVMGetOperand(value, (unsigned)i);
        uint64_t at = kind == LLVMStructTypeKind
                          ? LLVMOffsetOfElement(s->layout, type, (unsigned)i)
                          : (uint64_t)i * LLVMABISizeOfType(s->layout, LLVMTypeOf(part));
        initialize(s, b, part, offset + at, bad);
    }
}

/* Zeroed bytes of the object's own, with a margin that kernels may read; their address. */
static LLVMValueRef bytes_of(struct initializing *s, uint64_t bytes) {
    LLVMTypeRef type = LLVMArrayType2(LLVMInt8TypeInContext(s->llvm), bytes + 2 * WEIR_ARENA_MARGIN);
    LLVMValueRef var = LLVMAddGlobal(s->module, type, "weir.memory");
    LLVMSetInitializer(var, LLVMConstNull(type));
    LLVMSetLinkage(var, LLVMInternalLinkage);
    LLVMSetAlignment(var, 128);
    return var;
}

/* printf's room: there is none, so that it fails. */
static LLVMValueRef no_room(struct initializing *s) {
    LLVMTypeRef pointer = LLVMPointerTypeInContext(s->llvm, AS_PRIVATE);
    LLVMTypeRef params[] = {pointer, LLVMInt32TypeInContext(s->llvm)};
    LLVMValueRef f = LLVMAddFunction(s->module, "weir.no.room", LLVMFunctionType(pointer, params, 2, 0));
    LLVMBuilderRef b = ir_at_end(ir_block(f, "entry"));
    LLVMBuildRet(b, LLVMConstNull(pointer));
    LLVMDisposeBuilder(b);
    LLVMSetLinkage(f, LLVMInternalLinkage);
    return f;
}

static void store_at(struct initializing *s, LLVMBuilderRef b, LLVMValueRef base, unsigned offset,
                     LLVMValueRef value) {
    LLVMBuildStore(b, value, ir_offset(b, base, ir_const64(s->llvm, offset), ""));
}

/* Runs the constructors: a launch of one work-item, on a worker that has nothing but memory. */
static void construct(struct initializing *s, LLVMBuilderRef b, const struct constructors *c) {
    LLVMValueRef one = ir_const64(s->llvm, 1), zero = ir_const64(s->llvm, 0);
    LLVMValueRef launch = bytes_of(s, sizeof(struct weir_launch)),
                 worker = bytes_of(s, sizeof(struct weir_worker));
    for (unsigned d = 0; d < 3; d++) {
        unsigned step = d * (unsigned)sizeof(uint64_t);
        store_at(s, b, launch, LAUNCH_FIELD(global_size) + step, one);
        store_at(s, b, launch, LAUNCH_FIELD(local_size) + step, one);
        store_at(s, b, launch, LAUNCH_FIELD(num_groups) + step, one);
    }
    store_at(s, b, launch, LAUNCH_FIELD(work_dim), ir_const32(s->llvm, 1));
    store_at(s, b, launch, LAUNCH_FIELD(globals), s->base);
    LLVMValueRef margin = ir_const64(s->llvm, WEIR_ARENA_MARGIN);
    store_at(s, b, worker, WORKER_FIELD(local), ir_offset(b, bytes_of(s, c->local_bytes), margin, ""));
    store_at(s, b, worker, WORKER_FIELD(context), ir_offset(b, bytes_of(s, c->context_bytes), margin, ""));
    store_at(s, b, worker, WORKER_FIELD(local_bytes), ir_const64(s->llvm, c->local_bytes));
    store_at(s, b, worker, WORKER_FIELD(context_bytes), ir_const64(s->llvm, c->context_bytes));
    store_at(s, b, worker, WORKER_FIELD(printf_reserve), no_room(s));
    LLVMValueRef run = LLVMGetNamedFunction(s->module, c->run), args[] = {launch, worker, zero, zero, zero};
    LLVMSetLinkage(run, LLVMInternalLinkage);
    LLVMBuildCall2(b, LLVMGlobalGetValueType(run), run, args, 5, "");
}

/* What the runtime looks for in the object: struct weir_globals. */
static void add_symbol(LLVMModuleRef module, uint32_t align, uint64_t bytes, LLVMValueRef init) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    LLVMValueRef fields[] = {ir_const32(c, WEIR_ABI_VERSION), ir_const32(c, align), ir_const64(c, bytes), init};
    LLVMValueRef value = LLVMConstStructInContext(c, fields, sizeof fields / sizeof *fields, 0);
    LLVMValueRef global = LLVMAddGlobal(module, LLVMTypeOf(value), WEIR_GLOBALS_SYMBOL);
    LLVMSetInitializer(global, value);
    LLVMSetGlobalConstant(global, 1);
}

void globals_program(struct job *job, LLVMModuleRef module, const struct constructors *constructors) {
    LLVMContextRef c = LLVMGetModuleContext(module);
    struct ptrmap offsets = {0};
    uint32_t align;
    uint64_t bytes = globals_layout(module, &offsets, &align);
    for (LLVMValueRef next, f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!LLVMIsDeclaration(f)) {
            LLVMSetLinkage(f, LLVMInternalLinkage);
        }
    }
    LLVMTypeRef pointer = LLVMPointerTypeInContext(c, AS_PRIVATE);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), &pointer, 1, 0);
    LLVMValueRef init = LLVMAddFunction(module, "weir.globals.init", type), bad = NULL;
    LLVMBuilderRef b = ir_at_end(ir_block(init, "entry"));
    struct initializing s = {module, c, LLVMGetModuleDataLayout(module), LLVMGetParam(init, 0), &offsets};
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        uintptr_t offset;
        if (ptrmap_get(&offsets, g, &offset)) {
            initialize(&s, b, LLVMGetInitializer(g), offset, &bad);
        }
        if (!LLVMIsDeclaration(g)) {
            LLVMSetLinkage(g, LLVMInternalLinkage);
        }
    }
    if (constructors->run) {
        construct(&s, b, constructors);
    }
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    if (bad) {
        job_fail(job, ANSWER_BUILD_FAILED, "unsupported initializer: %s\n", LLVMPrintValueToString(bad));
    }
    add_symbol(module, align, bytes, init);
    LLVMSetLinkage(init, LLVMInternalLinkage);
    job_run_passes(job, module, "globaldce,default<O1>", target_optimizer(job), "globals");
}
