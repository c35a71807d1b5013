/* program.c: whole programs: reading, linking, checks, and what the runtime must know of kernels.
 *
 * In: program IR (modules with kernels in the ptx_kernel calling convention and clang's kernel_arg_* nodes).
 * Out: one checked module, and struct program_meta. Failures name what the program's author wrote.
 */
#include "frontend.h"
#include "target.h"

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ERRORS_SHOWN 20

/* ---- names ----------------------------------------------------------------------------------------------- */

static const char *name_of(LLVMValueRef value) {
    size_t n;
    return LLVMGetValueName2(value, &n);
}

/* The name as the source has it: without the mangling of overloads, "_Z3fooi" is "foo". */
static const char *source_name(LLVMValueRef value) {
    const char *name = name_of(value);
    if (!strncmp(name, KERNEL_BODY, sizeof KERNEL_BODY - 1))
        return name + sizeof KERNEL_BODY - 1;
    if (strncmp(name, "_Z", 2))
        return name;
    char *at;
    unsigned long n = strtoul(name + 2, &at, 10);
    if (!n || n > strlen(at))
        return name;
    char *copy = job_strdup(at);
    copy[n] = 0;
    return copy;
}

static bool is_kernel(LLVMValueRef f) {
    return LLVMGetFunctionCallConv(f) == LLVMPTXKernelCallConv && !LLVMIsDeclaration(f);
}

/* ---- the graph of functions ---------------------------------------------------------------------------------- */

/* What a function refers to, through constants too. */
struct node {
    LLVMValueRef function;
    struct list callees; /* struct node */
    struct list locals;  /* local variables */
    uint64_t private_bytes;
    bool barrier, subgroups,
        enqueues;                   /* calls a barrier; a function of sub-groups; of queues on the device */
    enum { NEW, OPEN, DONE } state; /* of the walk for recursion */
    unsigned mark;                  /* of the last walk that came here */
};
struct graph_of_functions {
    struct ptrmap nodes; /* function -> struct node */
    struct list order;   /* of definition */
    LLVMTargetDataRef layout;
};

static bool is_barrier(LLVMValueRef f) {
    if (!strncmp(name_of(f), "__weir_barrier", 14) || !strncmp(name_of(f), "__work_group_", 13)) /* pipes */
        return true;
    if (strncmp(name_of(f), "_Z", 2))
        return false;
    const char *name = source_name(f);
    return !strcmp(name, "barrier") || !strncmp(name, "work_group_", 11) ||
           !strncmp(name, "intel_work_group_barrier_", 25) || !strncmp(name, "async_work_group_", 17) ||
           !strcmp(name, "wait_group_events");
}

static bool is_of_queues(LLVMValueRef f) {
    const char *name = source_name(f);
    return !strncmp(name, "__enqueue_kernel_", 17) || !strncmp(name, "__get_kernel_", 13) ||
           !strcmp(name, "get_default_queue") || !strcmp(name, "enqueue_marker") ||
           !strcmp(name, "create_user_event");
}

static void refer(struct graph_of_functions *graph, struct node *node, struct ptrmap *seen,
                  LLVMValueRef value) {
    if (!LLVMIsAConstant(value) || ptrmap_at(seen, value, 0))
        return;
    ptrmap_set(seen, value, 1);
    if (LLVMIsAFunction(value)) {
        struct node *callee = (struct node *)ptrmap_at(&graph->nodes, value, 0);
        node->barrier |= LLVMIsDeclaration(value) && is_barrier(value);
        node->enqueues |= LLVMIsDeclaration(value) && is_of_queues(value);
        node->subgroups |=
            LLVMIsDeclaration(value) && strstr(name_of(value), "sub_group") && !is_of_queues(value);
        if (callee)
            list_add(&node->callees, callee);
        return;
    }
    if (LLVMIsAGlobalVariable(value)) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(value)) == AS_LOCAL)
            list_add(&node->locals, value);
        else if (LLVMGetInitializer(value))
            refer(graph, node, seen, LLVMGetInitializer(value));
        return;
    }
    if (LLVMIsAConstantExpr(value) || LLVMIsAConstantArray(value) || LLVMIsAConstantStruct(value))
        for (int i = 0, n = LLVMGetNumOperands(value); i < n; i++)
            refer(graph, node, seen, LLVMGetOperand(value, (unsigned)i));
}

static void summarize(struct graph_of_functions *graph, struct node *node) {
    struct ptrmap seen = {0};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(node->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (LLVMGetInstructionOpcode(i) == LLVMAlloca)
                node->private_bytes += LLVMABISizeOfType(graph->layout, LLVMGetAllocatedType(i));
            for (int o = 0, n = LLVMGetNumOperands(i); o < n; o++)
                refer(graph, node, &seen, LLVMGetOperand(i, (unsigned)o));
        }
}

static struct graph_of_functions *graph_of(LLVMModuleRef module) {
    struct graph_of_functions *graph = job_alloc(sizeof *graph);
    graph->layout = LLVMGetModuleDataLayout(module);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        if (LLVMIsDeclaration(f))
            continue;
        struct node *node = job_alloc(sizeof *node);
        node->function = f;
        ptrmap_set(&graph->nodes, f, (uintptr_t)node);
        list_add(&graph->order, node);
    }
    for (size_t i = 0; i < graph->order.n; i++)
        summarize(graph, graph->order.at[i]);
    return graph;
}

/* OpenCL C forbids recursion (6.11), and C++ for OpenCL all that isn't computed when it is compiled: nothing after this could
 * inline it. */
static void reject_recursion(struct job *job, struct node *node) {
    node->state = OPEN;
    for (size_t i = 0; i < node->callees.n; i++) {
        struct node *callee = node->callees.at[i];
        bool is_cxx =
            LLVMGetNamedMetadata(LLVMGetGlobalParent(node->function), "opencl.cxx.version", 18) != NULL;
        if (callee->state == OPEN)
            job_fail(
                job, ANSWER_BUILD_FAILED,
                "recursion: '%s' calls '%s', which is still active: OpenCL C has no recursion, write a loop "
                "with an array as its stack%s",
                source_name(node->function), source_name(callee->function),
                is_cxx ? "; what a constexpr function makes of constants goes through a constexpr variable, "
                         "which the compiler computes"
                       : "");
        if (callee->state == NEW)
            reject_recursion(job, callee);
    }
    node->state = DONE;
}

/* ---- linking -------------------------------------------------------------------------------------------------- */

/* Functions that the passes replace or that clang's output uses without declaring them in the library. */
static bool is_ours(LLVMValueRef f) {
    const char *name = name_of(f);
    if (!strncmp(name, "llvm.nvvm.", 10)) /* of the target that clang believes in */
        return false;
    return LLVMGetIntrinsicID(f) || !strncmp(name, "llvm.", 5) || !strncmp(name, "__weir_", 7) ||
           !strcmp(name, "printf");
}

/* Functions that the library has for programs are overloaded or clang's: others are helpers of theirs. */
static bool is_built_in(LLVMValueRef f) {
    return *name_of(f) == '_' && library_has(name_of(f));
}

/* The source name of a function that uses `value`, or NULL. */
static const char *user_of(LLVMValueRef value) {
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAInstruction(user))
            return source_name(LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)));
    }
    return NULL;
}

static void undefined(struct job *job, LLVMValueRef value, unsigned *count) {
    const char *user = user_of(value), *name = source_name(value);
    if (!strncmp(name, "llvm.nvvm.barrier.", 18))
        name = "__syncthreads"; /* as programs write it */
    if (++*count <= ERRORS_SHOWN)
        buf_printf(&job->log, "error: undefined reference to '%s'%s%s%s\n", name, user ? " in '" : "",
                   user ? user : "", user ? "'" : "");
}

static void check_defined(struct job *job, LLVMModuleRef module) {
    library_need(job); /* without it, all that it has would seem undefined */
    unsigned count = 0;
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMIsDeclaration(f) && LLVMGetFirstUse(f) && !is_ours(f) && !is_built_in(f))
            undefined(job, f, &count);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (LLVMIsDeclaration(g) && LLVMGetFirstUse(g))
            undefined(job, g, &count);
    if (count)
        hints_add(&job->log, 0);
    if (count)
        job_fail(job, ANSWER_BUILD_FAILED, "linking failed: %u undefined reference%s", count,
                 count == 1 ? "" : "s");
}

/* Functions and constants that no kernel reaches go: programs that include whole libraries have many. */
static void drop_unreachable(struct job *job, LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f) && !is_kernel(f))
            LLVMSetLinkage(f, LLVMInternalLinkage);
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g))
        if (!LLVMIsDeclaration(g) && LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == AS_CONSTANT)
            LLVMSetLinkage(g, LLVMInternalLinkage);
    job_run_passes(job, module, "globaldce", target_machine(job), "dropping functions");
}

/* A program may call its functions `memcpy` or `floor`: LLVM must not take them for the C library's. */
static void rename_functions(LLVMModuleRef module) {
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const char *name = name_of(f);
        if (LLVMIsDeclaration(f) || is_kernel(f) || !strncmp(name, "_Z", 2) || strchr(name, '.'))
            continue;
        name = job_printf("%s.cl", name);
        LLVMSetValueName2(f, name, strlen(name));
    }
}

LLVMModuleRef program_link(struct job *job, LLVMModuleRef *modules, unsigned n, bool library) {
    LLVMModuleRef module = modules[0];
    for (unsigned i = 0; i < n; i++)
        blocks_hide(modules[i]);
    for (unsigned i = 1; i < n; i++)
        if (LLVMLinkModules2(module, modules[i])) {
            job->llvm_error = false; /* the message is in the log */
            job_fail(job, ANSWER_BUILD_FAILED, "linking failed");
        }
    if (library)
        return module;
    drop_unreachable(job, module);
    blocks_bind(module);
    indirect_calls_choose(module);
    check_defined(job, module);
    struct graph_of_functions *graph = graph_of(module);
    for (size_t i = 0; i < graph->order.n; i++)
        if (((struct node *)graph->order.at[i])->state == NEW)
            reject_recursion(job, graph->order.at[i]);
    rename_functions(module);
    return module;
}

/* ---- metadata of arguments -------------------------------------------------------------------------------------- */

/* The operands of one metadata node of a function; n is 0 if there is none. */
struct operands {
    LLVMValueRef *at;
    unsigned n;
};

static struct operands node_operands(LLVMValueRef f, const char *kind) {
    LLVMContextRef llvm = LLVMGetModuleContext(LLVMGetGlobalParent(f));
    unsigned id = LLVMGetMDKindIDInContext(llvm, kind, (unsigned)strlen(kind));
    struct operands operands = {0};
    size_t count;
    LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(f, &count);
    for (unsigned i = 0; i < count && !operands.n; i++) {
        if (LLVMValueMetadataEntriesGetKind(entries, i) != id)
            continue;
        LLVMValueRef node = LLVMMetadataAsValue(llvm, LLVMValueMetadataEntriesGetMetadata(entries, i));
        operands.n = LLVMGetMDNodeNumOperands(node);
        operands.at = job_alloc(operands.n * sizeof *operands.at);
        LLVMGetMDNodeOperands(node, operands.at);
    }
    LLVMDisposeValueMetadataEntries(entries);
    return operands;
}

static const char *string_at(struct operands operands, unsigned i) {
    unsigned length;
    const char *s = i < operands.n && operands.at[i] ? LLVMGetMDString(operands.at[i], &length) : NULL;
    return s ? s : "";
}

static uint32_t number_at(struct operands operands, unsigned i) {
    if (i >= operands.n || !operands.at[i] || !LLVMIsAConstantInt(operands.at[i]))
        return 0;
    return (uint32_t)LLVMConstIntGetZExtValue(operands.at[i]);
}

static uint32_t address_qualifier(uint32_t space) {
    static const uint32_t qualifiers[] = {/* by SPIR's numbers */
                                          CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ADDRESS_GLOBAL,
                                          CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ADDRESS_LOCAL};
    return space < 4 ? qualifiers[space] : CL_KERNEL_ARG_ADDRESS_PRIVATE;
}

static uint32_t access_qualifier(const char *s) {
    return !strcmp(s, "read_only")    ? CL_KERNEL_ARG_ACCESS_READ_ONLY
           : !strcmp(s, "write_only") ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
           : !strcmp(s, "read_write") ? CL_KERNEL_ARG_ACCESS_READ_WRITE
                                      : CL_KERNEL_ARG_ACCESS_NONE;
}

static uint32_t type_qualifier(const char *s) {
    return (strstr(s, "const") ? CL_KERNEL_ARG_TYPE_CONST : 0) |
           (strstr(s, "restrict") ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
           (strstr(s, "volatile") ? CL_KERNEL_ARG_TYPE_VOLATILE : 0) |
           (strstr(s, "pipe") ? CL_KERNEL_ARG_TYPE_PIPE : 0);
}

/* Of "image2d_array_depth_t" and such; 0: it is none, or one with several samples per texel, of which there are none. */
static uint32_t image_type(const char *s) {
    static const struct {
        const char *name;
        uint32_t type;
    } types[] = {
        {"image1d_t", CL_MEM_OBJECT_IMAGE1D},
        {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY},
        {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER},
        {"image2d_t", CL_MEM_OBJECT_IMAGE2D},
        {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
        {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D | ARG_IMAGE_DEPTH},
        {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY | ARG_IMAGE_DEPTH},
        {"image3d_t", CL_MEM_OBJECT_IMAGE3D},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (!strcmp(types[i].name, s))
            return types[i].type;
    return 0;
}

static LLVMAttributeRef parameter_attribute(LLVMValueRef f, unsigned i, const char *name) {
    return LLVMGetEnumAttributeAtIndex(f, i + 1, LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

/* Kind, size and alignment. */
static void argument_shape(LLVMValueRef f, unsigned i, struct arg_meta *arg, const char *base_type) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(f));
    LLVMTypeRef type = LLVMTypeOf(LLVMGetParam(f, i));
    LLVMAttributeRef byval = parameter_attribute(f, i, "byval"), align = parameter_attribute(f, i, "align");
    arg->kind = ARG_VALUE;
    if (byval)
        type = LLVMGetTypeAttributeValue(byval);
    else if (arg->type_qual & CL_KERNEL_ARG_TYPE_PIPE)
        arg->kind = ARG_PIPE;
    else if ((arg->image_type = image_type(base_type)))
        arg->kind = ARG_IMAGE;
    else if (!strcmp(base_type, "sampler_t"))
        arg->kind = ARG_SAMPLER;
    else if (!strcmp(base_type, "queue_t"))
        arg->kind = ARG_QUEUE;
    else if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        arg->kind = LLVMGetPointerAddressSpace(type) == AS_LOCAL ? ARG_LOCAL : ARG_GLOBAL;
    arg->size = (uint32_t)LLVMABISizeOfType(layout, type);
    arg->align = LLVMABIAlignmentOfType(layout, type);
    if (byval && align && LLVMGetEnumAttributeValue(align) > arg->align)
        arg->align = (uint32_t)LLVMGetEnumAttributeValue(align);
}

static void read_arguments(struct job *job, LLVMValueRef f, struct kernel_meta *kernel) {
    struct operands names = node_operands(f, "kernel_arg_name"), types = node_operands(f, "kernel_arg_type"),
                    bases = node_operands(f, "kernel_arg_base_type"),
                    spaces = node_operands(f, "kernel_arg_addr_space"),
                    accesses = node_operands(f, "kernel_arg_access_qual"),
                    qualifiers = node_operands(f, "kernel_arg_type_qual");
    kernel->nargs = LLVMCountParams(f);
    kernel->args = job_alloc(kernel->nargs * sizeof *kernel->args);
    uint64_t end = 0;
    for (uint32_t i = 0; i < kernel->nargs; i++) {
        struct arg_meta *arg = &kernel->args[i];
        arg->name = (char *)string_at(names, i);
        arg->type_name = (char *)string_at(types, i);
        arg->address_qual = address_qualifier(number_at(spaces, i));
        arg->access_qual = access_qualifier(string_at(accesses, i));
        arg->type_qual = type_qualifier(string_at(qualifiers, i));
        argument_shape(f, i, arg, string_at(bases, i));
        uint64_t offset = (end + arg->align - 1) / arg->align * arg->align;
        end = offset + arg->size;
        if (end > WEIR_MAX_ARGS_BYTES)
            job_fail(job, ANSWER_BUILD_FAILED,
                     "the arguments of kernel '%s' take more than %d bytes (at '%s')", kernel->name,
                     WEIR_MAX_ARGS_BYTES, arg->name);
        arg->offset = (uint32_t)offset;
    }
    kernel->args_bytes = (uint32_t)end;
}

/* ---- metadata of kernels ------------------------------------------------------------------------------------------ */

/* Spells the type of vec_type_hint, whose node is {a value of the type, signed?}. */
static void spell_type(struct buf *out, LLVMValueRef f) {
    unsigned width = 1;
    struct operands operands = node_operands(f, "vec_type_hint");
    if (operands.n < 2)
        return;
    LLVMTypeRef type = LLVMTypeOf(operands.at[0]);
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
        width = LLVMGetVectorSize(type);
        type = LLVMGetElementType(type);
    }
    const char *name = "int";
    switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
        name = "half";
        break;
    case LLVMFloatTypeKind:
        name = "float";
        break;
    case LLVMDoubleTypeKind:
        name = "double";
        break;
    case LLVMIntegerTypeKind: {
        unsigned bits = LLVMGetIntTypeWidth(type);
        name = bits == 8 ? "char" : bits == 16 ? "short" : bits == 32 ? "int" : "long";
        if (!number_at(operands, 1))
            name = job_printf("u%s", name);
        break;
    }
    default:
        break;
    }
    buf_printf(out, "%svec_type_hint(%s", out->size ? " " : "", name);
    if (width > 1)
        buf_printf(out, "%u", width);
    buf_printf(out, ")");
}

static void read_attributes(LLVMValueRef f, struct kernel_meta *kernel) {
    struct buf text = {0};
    const struct {
        const char *name;
        uint32_t *sizes;
    } triples[] = {{"reqd_work_group_size", kernel->reqd_local},
                   {"work_group_size_hint", kernel->hint_local}};
    for (size_t i = 0; i < 2; i++) {
        struct operands sizes = node_operands(f, triples[i].name);
        for (unsigned d = 0; d < 3; d++)
            triples[i].sizes[d] = number_at(sizes, d);
        if (sizes.n)
            buf_printf(&text, "%s%s(%u,%u,%u)", text.size ? " " : "", triples[i].name, triples[i].sizes[0],
                       triples[i].sizes[1], triples[i].sizes[2]);
    }
    spell_type(&text, f);
    kernel->subgroup_size = number_at(node_operands(f, "intel_reqd_sub_group_size"), 0);
    kernel->num_subgroups = number_at(node_operands(f, "weir_reqd_num_sub_groups"), 0);
    kernel->uses_subgroups = kernel->subgroup_size || kernel->num_subgroups;
    if (kernel->subgroup_size)
        buf_printf(&text, "%sintel_reqd_sub_group_size(%u)", text.size ? " " : "", kernel->subgroup_size);
    kernel->attributes = text.size ? buf_cstr(&text) : "";
}

/* cl_intel_required_subgroup_size: one of CL_DEVICE_SUB_GROUP_SIZES_INTEL. */
static void check_subgroup_size(struct job *job, const struct kernel_meta *kernel) {
    uint32_t size = kernel->subgroup_size;
    if (size && (size < 4 || size > 64 || (size & (size - 1))))
        job_fail(job, ANSWER_BUILD_FAILED,
                 "kernel '%s': intel_reqd_sub_group_size(%u) isn't one of 4, 8, 16, 32, 64", kernel->name,
                 size);
}

/* Collects what is reachable from `node` in the walk number `mark`. */
static void reach(struct node *node, unsigned mark, struct kernel_meta *kernel, struct ptrmap *locals) {
    if (node->mark == mark)
        return;
    node->mark = mark;
    kernel->private_bytes += node->private_bytes;
    kernel->has_barrier |= node->barrier;
    kernel->uses_subgroups |= node->subgroups;
    kernel->enqueues |= node->enqueues;
    for (size_t i = 0; i < node->locals.n; i++)
        ptrmap_set(locals, node->locals.at[i], 1);
    for (size_t i = 0; i < node->callees.n; i++)
        reach(node->callees.at[i], mark, kernel, locals);
}

/* Local variables lie in module order, each at its alignment. */
static uint64_t local_layout(LLVMModuleRef module, const struct ptrmap *locals) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    uint64_t end = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (!ptrmap_at(locals, g, 0))
            continue;
        end = ir_align_up(end, ir_variable_align(layout, g, 1)) +
              LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g));
    }
    return end;
}

/* Variables and constants that a program can't have fail here, not after seconds of code generation or at a launch. */
static void check_sizes(struct job *job, LLVMModuleRef module) {
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    uint64_t total = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == AS_LOCAL)
            continue;
        uint64_t size = LLVMABISizeOfType(layout, LLVMGlobalGetValueType(g));
        total = size > UINT64_MAX - total ? UINT64_MAX : total + size;
        if (total > WEIR_MAX_GLOBALS)
            job_fail(job, ANSWER_BUILD_FAILED,
                     "program-scope variable '%s' has %llu bytes; all variables and constants of a program "
                     "may have %d\n",
                     name_of(g), (unsigned long long)size, WEIR_MAX_GLOBALS);
    }
}

static bool is_marked(LLVMValueRef f, const char *mark) {
    return LLVMGetStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, mark,
                                         (unsigned)strlen(mark)) != NULL;
}

static void describe(struct job *job, LLVMModuleRef module, struct node *node, struct program_meta *meta) {
    struct kernel_meta *kernel = &meta->kernels[meta->nkernels++];
    struct ptrmap locals = {0};
    kernel->name = (char *)name_of(node->function);
    kernel->is_block = block_is_kernel(node->function);
    kernel->debug = is_marked(node->function, MARK_DEBUG);
    kernel->checked = is_marked(node->function, MARK_CHECK);
    read_arguments(job, node->function, kernel);
    read_attributes(node->function, kernel);
    reach(node, meta->nkernels, kernel, &locals);
    kernel->local_bytes = local_layout(module, &locals);
    check_subgroup_size(job, kernel);
}

void program_meta(struct job *job, LLVMModuleRef module, struct program_meta *meta) {
    struct graph_of_functions *graph = graph_of(module);
    check_sizes(job, module);
    *meta =
        (struct program_meta){.globals_bytes = globals_layout(module, NULL, NULL),
                              .has_constructors = LLVMGetNamedGlobal(module, "llvm.global_ctors") != NULL};
    meta->kernels = job_alloc(graph->order.n * sizeof *meta->kernels);
    for (int blocks = 0; blocks < 2; blocks++) {
        for (size_t i = 0; i < graph->order.n; i++) {
            struct node *node = graph->order.at[i];
            if (is_kernel(node->function) && block_is_kernel(node->function) == blocks)
                describe(job, module, node, meta);
        }
    }
}
