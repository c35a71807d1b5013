/* pipeline.c: from a program's IR to one kernel's optimized module: the table of passes, and its driver.
 *
 * In: linked program IR without the built-in library, the kernel's metadata, the variant's local size. Out: a
 * module that emit_answer turns into an object. A row is a C function or a pipeline of LLVM passes. The verifier runs
 * after the last row of ours; in the command-line compiler after each row. */
#include "kc.h"
#include <stdio.h>
#include <string.h>

const char *pipeline_print_after, *pipeline_stop_after;
bool pipeline_verify;

/* Clean-up before regions are formed: nothing here copies, merges or moves memory accesses across barriers,
 * which are calls that may touch all memory, convergent and noduplicate. */
#define SIMPLIFY                                                                                             \
    "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg),"  \
    "cgscc(function-attrs),function(reassociate,early-cse,"                                                  \
    "loop-mssa(loop-rotate,licm),loop(indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,"             \
    "jump-threading,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg,adce)"

/* For packs: OpenCL vectors become scalars, whose lanes are then the work-items, but in memory (access.c); switches
 * become branches. */
#define SCALARS "function(lower-switch,scalarizer,early-cse,adce)"

static const struct row {
    const char *name;
    void (*pass)(struct kernel *);
    const char *llvm;      /* with optimization */
    const char *llvm_none; /* with -cl-opt-disable */
    bool for_packs;        /* only at widths above 1 */
} rows[] = {
    {"enter", enter_pass, NULL, NULL, false},
    {"link", link_pass, NULL, NULL, false},
    {"inline", inline_pass, NULL, NULL, false},
    {"printf", printf_pass, NULL, NULL, false},
    {"globals", globals_pass, NULL, NULL, false},
    {"local", local_pass, NULL, NULL, false},
    {"builtin", builtin_pass, NULL, NULL, false},
    {"simplify", NULL, SIMPLIFY, "function(sroa<preserve-cfg>)", false},
    {"scalars", NULL, SCALARS, SCALARS, true},
    {"regions", regions_pass, NULL, NULL, false},
    {"promote", NULL, "function(simplifycfg,sroa<modify-cfg>)", "function(simplifycfg,mem2reg)", false},
    {"atomics", atomics_pass, NULL, NULL, false},
    {"publish", publish_pass, NULL, NULL, false},
    {"optimize", NULL, "default<O3>,globaldce", "default<O1>,globaldce", false},
    {"single", single_pass, NULL, NULL, true},
};

enum { RECURSION = 1 << 30 };

/* Instructions of a function with all it calls inlined; `sizes` remembers, and holds RECURSION meanwhile. */
static uint64_t inlined_size(struct ptrmap *sizes, LLVMValueRef f) {
    uintptr_t known;
    if (ptrmap_get(sizes, f, &known)) {
        return known;
    }
    ptrmap_set(sizes, f, RECURSION);
    uint64_t size = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            LLVMValueRef callee = LLVMIsACallInst(i) ? ir_callee(i) : NULL;
            size += callee && !LLVMIsDeclaration(callee) ? inlined_size(sizes, callee) : 1;
            size = size < RECURSION ? size : RECURSION;
        }
    }
    ptrmap_set(sizes, f, size);
    return size;
}

/* Packs inline everything, and their code grows with the width: past a limit the width yields. */
static void limit_width(struct kernel *k) {
    enum { LARGE = 160000 }; /* instructions times lanes */
    struct ptrmap sizes = {0};
    bool may_yield = k->width > 1 && !k->meta->uses_subgroups;
    uint64_t size = may_yield ? inlined_size(&sizes, k->run) : 0;
    while (k->width > 1 && size * k->width > LARGE) {
        k->width = k->job->request->width ? k->width / 2 : 1;
    }
}

void link_pass(struct kernel *k) {
    library_link(k->job, k->module);
    limit_width(k);
}

static void verify(struct kernel *k, const char *row) {
    char *message = NULL;
    if (LLVMVerifyModule(k->module, LLVMReturnStatusAction, &message)) {
        job_fail(k->job, ANSWER_COMPILER_FAILED, "kernel '%s': invalid IR after '%s': %s\n", k->meta->name,
                 row, message);
    }
    LLVMDisposeMessage(message);
}

static void run_row(struct kernel *k, const struct row *row) {
    uint64_t start = time_ns();
    if (row->for_packs && k->width == 1) {
        return;
    }
    if (row->pass) {
        row->pass(k);
    } else {
        LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
        LLVMPassBuilderOptionsSetLoopInterleaving(options, 1);
        LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
        LLVMPassBuilderOptionsSetSLPVectorization(options, 1);
        LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
        const char *passes = k->optimize ? row->llvm : row->llvm_none;
        job_check(k->job, LLVMRunPasses(k->module, passes, emit_optimizer(k->job), options), row->name);
        LLVMDisposePassBuilderOptions(options);
    }
    log_write(LOG_DEBUG, "weirc: kernel %s: pass %s took %.2f ms", k->meta->name, row->name,
              (double)(time_ns() - start) / 1e6);
}

static void run_rows(struct kernel *k) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        run_row(k, &rows[i]);
        if (pipeline_verify || rows[i].pass == publish_pass) {
            verify(k, rows[i].name);
        }
        if (pipeline_print_after && !strcmp(pipeline_print_after, rows[i].name)) {
            char *text = LLVMPrintModuleToString(k->module);
            fputs(text, stderr);
            LLVMDisposeMessage(text);
        }
        if (pipeline_stop_after && !strcmp(pipeline_stop_after, rows[i].name)) {
            return;
        }
    }
}

/* Work-items per pack: as asked, else what fills a vector register with 32-bit values; less for a known row that is
 * shorter. */
static uint32_t choose_width(const struct kernel *k) {
    enum { WIDEST = 64 };
    uint32_t asked = k->job->request->width & ~(uint32_t)REQUEST_LARGE_IDS;
    if (k->meta->uses_subgroups) { /* never another one: the host asks for it */
        return meta_subgroup_size(k->meta, asked, k->local_size[0]);
    }
    uint32_t width = asked ? asked : emit_vector_bits(k->job) / 32;
    while (width > WIDEST || (width & (width - 1))) { /* powers of two */
        width = width > WIDEST ? WIDEST : width & (width - 1);
    }
    while (width > 1 && k->local_size[0] && k->local_size[0] < width) {
        width /= 2;
    }
    return width;
}

void pipeline_kernel(struct job *job, LLVMModuleRef module, const struct program_meta *program) {
    const struct request *r = job->request;
    struct kernel *k = job_alloc(sizeof *k);
    *k = (struct kernel){.job = job, .module = module, .llvm = LLVMGetModuleContext(module), .width = 1};
    for (uint32_t i = 0; i < program->nkernels; i++) {
        if (!strcmp(program->kernels[i].name, r->kernel)) {
            struct kernel_meta *meta = job_alloc(sizeof *meta);
            *meta = program->kernels[i];
            meta->name = job_strdup(r->kernel); /* outlives the kernel's function */
            k->meta = meta;
        }
    }
    k->entry = LLVMGetNamedFunction(module, r->kernel);
    if (!k->meta || !k->entry) {
        job_fail(job, ANSWER_BUILD_FAILED, "no kernel '%s' in this program\n", r->kernel);
    }
    memcpy(k->local_size, r->local_size, sizeof k->local_size);
    k->private_bytes = k->meta->private_bytes;
    static const char disabled[] = "weir-opt-disable"; /* the front end's mark */
    k->optimize = !LLVMGetStringAttributeAtIndex(k->entry, (unsigned)LLVMAttributeFunctionIndex, disabled,
                                                 sizeof disabled - 1);
    k->width = choose_width(k);
    k->mask_registers = emit_has(job, "+avx512vl");
    globals_layout(module, &k->globals, NULL);
    run_rows(k);
}
