/* pipeline.c: from a program's IR to one kernel's optimized module: the table of passes, and its driver.
 *
 * In: linked program IR without the built-in library, the kernel's metadata, the variant's local size. Out: a
 * module that emit_answer turns into an object. A row is a C function or a pipeline of LLVM passes. The verifier runs
 * after the last row of ours; in the command-line compiler after each row. */
#include "driver.h"
#include "frontend.h"
#include "lower.h"
#include "post.h"
#include "report.h"
#include "wg.h"
#include "width.h"
#include <stdio.h>
#include <string.h>

const char *pipeline_print_after, *pipeline_stop_after;
bool pipeline_verify;
struct buf *pipeline_analysis;

/* Clean-up before regions are formed: nothing here copies, merges or moves memory accesses across barriers,
 * which are calls that may touch all memory, convergent and noduplicate. */
#define VALUES                                                                                               \
    "function(sroa<modify-cfg>,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>,simplifycfg,"   \
    "memcpyopt,dse),"                                                                                        \
    "cgscc(function-attrs),function(reassociate,early-cse,loop-mssa(loop-rotate,licm))"
#define SIMPLIFY                                                                                             \
    "function(loop(indvars,loop-deletion,loop-unroll-full),sroa<modify-cfg>,"                                \
    "jump-threading,early-cse<memssa>,loop-mssa(licm),instcombine<no-verify-fixpoint>,simplifycfg,adce)"

/* For packs: OpenCL vectors become scalars, whose lanes are then the work-items, but in memory (memory_access.c); switches
 * become branches. */
#define SCALARS "function(simplifycfg<bonus-inst-threshold=8>,lower-switch,scalarizer,early-cse,adce)"

static const char OPTIMIZE[] =
    "default<O3>,function(sink),globaldce"; /* the only one that makes vectors of its own */

/* For huge kernels in haste: loops' passes take a time that grows with the square of the number of loops. */
static const char STRAIGHT[] =
    "function(sroa<modify-cfg>,early-cse<memssa>,instsimplify,simplifycfg,adce),globaldce";

enum {
    ALWAYS = 0,
    PACKS = 1,     /* only at widths above 1 */
    EXTRACTED = 2, /* also on each function that extract_loops made */
};

static const struct row {
    const char *name;
    void (*pass)(struct kernel *);
    const char *llvm;      /* with optimization */
    const char *llvm_none; /* with -cl-opt-disable, or in haste */
    unsigned when;
} rows[] = {
    {"enter", enter_pass, NULL, NULL, ALWAYS},
    {"math-calls", math_calls_pass, NULL, NULL, ALWAYS},
    {"link", link_pass, NULL, NULL, ALWAYS},
    {"stay", stay_pass, NULL, NULL, ALWAYS},
    {"initialize", initialize_pass, NULL, NULL, ALWAYS},
    {"mark-calls", mark_calls_pass, NULL, NULL, ALWAYS},
    {"show-variables", show_variables_pass, NULL, NULL, ALWAYS},
    {"passed-ids", passed_ids_pass, NULL, NULL, ALWAYS},
    {"inline", inline_pass, NULL, NULL, ALWAYS},
    {"aggregates", aggregates_pass, NULL, NULL, ALWAYS},
    {"components", components_pass, NULL, NULL, ALWAYS},
    {"instrument", instrument_pass, NULL, NULL, ALWAYS},
    {"printf", printf_pass, NULL, NULL, ALWAYS},
    {"globals", globals_pass, NULL, NULL, ALWAYS},
    {"local", local_pass, NULL, NULL, ALWAYS},
    {"queries", queries_pass, NULL, NULL, ALWAYS},
    {"divide", divide_pass, NULL, NULL, ALWAYS},
    {"devolatilize", devolatilize_pass, NULL, NULL, ALWAYS},
    {"address-spaces", address_spaces_pass, NULL, NULL, ALWAYS},
    {"values", NULL, VALUES, "function(sroa<preserve-cfg>)", ALWAYS},
    {"pointees", devolatilize_pass, NULL, NULL, ALWAYS}, /* what pointers in variables led to */
    {"apart", apart_pass, NULL, NULL, ALWAYS},
    {"unroll", unroll_pass, NULL, NULL, ALWAYS},
    {"unroll-steps", unroll_steps_pass, NULL, NULL, PACKS},
    {"step-versions", step_versions_pass, NULL, NULL, PACKS},
    {"flipped-bits", flipped_bits_pass, NULL, NULL, PACKS},
    {"simplify", NULL, SIMPLIFY, "function(adce)", ALWAYS},
    {"split-barrier", split_barrier_pass, NULL, NULL, ALWAYS},
    {"barrier-elimination", barrier_elimination_pass, NULL, NULL, ALWAYS},
    {"row-pitch", row_pitch_pass, NULL, NULL, PACKS},
    {"flatten", flatten_pass, NULL, NULL, PACKS},
    {"expand-copies", expand_copies_pass, NULL, NULL, PACKS},
    {"any-all", any_all_pass, NULL, NULL, PACKS},
    {"kept-vectors", kept_vectors_pass, NULL, NULL, PACKS},
    {"scalars", NULL, SCALARS, SCALARS, PACKS},
    {"limits", limits_pass, NULL, NULL, PACKS},
    {"object-indices", object_indices_pass, NULL, NULL, PACKS},
    {"moved-bases", moved_bases_pass, NULL, NULL, PACKS},
    {"reads-again", reads_again_pass, NULL, NULL, PACKS},
    {"joined-tests", joined_tests_pass, NULL, NULL, PACKS},
    {"branch-phis", branch_phis_pass, NULL, NULL, PACKS},
    {"if-conversion", if_conversion_pass, NULL, NULL, PACKS},
    {"walks", walks_pass, NULL, NULL, PACKS},
    {"sunk-accesses", sunk_accesses_pass, NULL, NULL, PACKS},
    {"address-choices", address_choices_pass, NULL, NULL, PACKS},
    {"left-values", left_values_pass, NULL, NULL, PACKS},
    {"texels", texels_pass, NULL, NULL, PACKS},
    {"row-versions", row_versions_pass, NULL, NULL, PACKS},
    {"group-rounds", group_rounds_pass, NULL, NULL, PACKS},
    {"cuts", cuts_pass, NULL, NULL, ALWAYS},
    {"regions", regions_pass, NULL, NULL, ALWAYS},
    {"promote", NULL, "function(simplifycfg,sroa<modify-cfg>)", "function(simplifycfg,mem2reg)", ALWAYS},
    {"pack-tails", pack_tails_pass, NULL, NULL, PACKS},
    {"fission", fission_pass, NULL, NULL, PACKS},
    {"local-atomics", local_atomics_pass, NULL, NULL, ALWAYS},
    {"idle-atomics", idle_atomics_pass, NULL, NULL, ALWAYS},
    {"publish", publish_pass, NULL, NULL, ALWAYS},
    {"dot", dot_pass, NULL, NULL, ALWAYS},
    {"number-parts", number_parts_pass, NULL, NULL, ALWAYS},
    {"half-conversions", half_conversions_pass, NULL, NULL, ALWAYS},
    {"rolled-loops", rolled_loops_pass, NULL, NULL, ALWAYS},
    {"masked-loads", masked_loads_pass, NULL, NULL, ALWAYS},
    {"pointer-numbers", pointer_numbers_pass, NULL, NULL, PACKS},
    {"unroll-tiles", unroll_tiles_pass, NULL, NULL, PACKS},
    {"local-tiles", local_tiles_pass, NULL, NULL, PACKS},
    {"pack-loops", pack_loops_pass, NULL, NULL, PACKS},
    {"scales", scales_pass, NULL, NULL, ALWAYS},
    {"vectorizer-off", vectorizer_off_pass, NULL, NULL, ALWAYS},
    {"extract-loops", extract_loops_pass, NULL, NULL, ALWAYS},
    {"optimize", NULL, OPTIMIZE, "default<O1>,globaldce", ALWAYS},
    {"vectorizer-on", vectorizer_on_pass, NULL, NULL, ALWAYS},
    {"half-arithmetic", half_arithmetic_pass, NULL, NULL, ALWAYS},
    {"reciprocals", reciprocals_pass, NULL, NULL, ALWAYS},
    {"reload", reload_pass, NULL, NULL, PACKS | EXTRACTED},
    {"woven-sums", woven_sums_pass, NULL, NULL, PACKS | EXTRACTED},
    {"scalar-base", scalar_base_pass, NULL, NULL, PACKS | EXTRACTED},
    {"wanted-lanes", wanted_lanes_pass, NULL, NULL, PACKS | EXTRACTED},
    {"single-lane-store", single_lane_store_pass, NULL, NULL, PACKS | EXTRACTED},
    {"blended-store", blended_store_pass, NULL, NULL, PACKS | EXTRACTED},
    {"lane-index", lane_index_pass, NULL, NULL, PACKS | EXTRACTED},
    {"mask-parts", mask_parts_pass, NULL, NULL, PACKS | EXTRACTED},
    {"masked-operands", masked_operands_pass, NULL, NULL, EXTRACTED},
    {"large-blocks", large_blocks_pass, NULL, NULL, ALWAYS},
};

/* Instead of llvm_none where debuggers are to show variables, which stay where they are. */
static const char *const shown[][2] = {
    {"values", "no-op-module"},
    {"simplify", "no-op-module"},
    {"promote", "function(unreachableblockelim,dce)"},
    {"optimize", "globaldce"},
};

void link_pass(struct kernel *k) {
    library_link(k->job, k->module, k->one_row);
    width_limit(k);
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
    uint64_t start = job_used_ns();
    if ((row->when & PACKS) && k->width == 1) {
        return;
    }
    if (row->pass) {
        row->pass(k);
        LLVMValueRef run = k->run;
        for (LLVMValueRef f = LLVMGetFirstFunction(k->module); f && (row->when & EXTRACTED);
             f = LLVMGetNextFunction(f)) {
            if (extract_loops_made(f)) {
                k->run = f;
                row->pass(k);
            }
        }
        k->run = run;
    } else {
        LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
        LLVMPassBuilderOptionsSetLoopInterleaving(options, 1);
        LLVMPassBuilderOptionsSetLoopVectorization(options, 1);
        LLVMPassBuilderOptionsSetSLPVectorization(options, 1);
        LLVMPassBuilderOptionsSetLoopUnrolling(options, 1);
        bool less = k->job->request->effort != EFFORT_FULL && row->llvm == OPTIMIZE;
        const char *passes = k->optimize && !less ? row->llvm : row->llvm_none;
        if (less && ir_is_huge(k->module)) {
            passes = STRAIGHT;
        }
        for (size_t i = 0; k->shown && i < sizeof shown / sizeof *shown; i++) {
            passes = strcmp(row->name, shown[i][0]) ? passes : shown[i][1];
        }
        job_check(k->job, LLVMRunPasses(k->module, passes, target_optimizer(k->job), options), row->name);
        LLVMDisposePassBuilderOptions(options);
    }
    double ms = (double)(job_used_ns() - start) / 1e6;
    log_write(LOG_DEBUG, "weirc: kernel %s: pass %s took %.2f ms", k->meta->name, row->name, ms);
    if (job_shows_times) {
        fprintf(stderr, "%10.2f ms    %s\n", ms, row->name);
    }
}

bool pipeline_has(const char *row) {
    bool found = false;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        found |= !strcmp(rows[i].name, row);
    }
    return found;
}

void pipeline_names(struct buf *out) {
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        buf_printf(out, "%s%s", i ? " " : "", rows[i].name);
    }
}

void pipeline_rows(struct kernel *k) {
    globals_layout(k->module, &k->globals, NULL);
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
        if (k->keeps_vectors) {
            return;
        }
    }
}

static bool has_mark(LLVMValueRef f, const char *name) {
    return LLVMGetStringAttributeAtIndex(f, (unsigned)LLVMAttributeFunctionIndex, name,
                                         (unsigned)strlen(name));
}

/* Whether packs go through the work-group's rows, or through all of it as one. */
static void find_rows(struct kernel *k) {
    const struct request *r = k->job->request;
    uint32_t row = r->local_size[0], others = r->local_size[1] * r->local_size[2];
    k->one_row = row ? meta_is_one_row(k->meta, k->width, row, others) : (r->width & REQUEST_ONE_ROW) != 0;
    if (k->one_row && row) {
        k->local_size[0] = row * others;
        k->local_size[1] = k->local_size[2] = 1;
        report_width(k, NULL, "sub-groups of the required size go over the ends of rows");
    }
}

struct kernel *pipeline_kernel(struct job *job, LLVMModuleRef module, const struct program_meta *program,
                               const struct kernel *before) {
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
    k->shown = has_mark(k->entry, MARK_OPT_DISABLE) && has_mark(k->entry, MARK_DEBUG) && !r->check;
    if (k->shown) {
        struct request *simple = job_alloc(sizeof *simple);
        *simple = *r;
        simple->effort = EFFORT_LEAST;
        job->request = r = simple;
    }
    k->optimize = !has_mark(k->entry, MARK_OPT_DISABLE) && r->effort != EFFORT_LEAST;
    k->analysis = pipeline_analysis;
    k->checked = r->check;
    k->progress = !has_mark(k->entry, MARK_NO_PROGRESS);
    k->target = target_find(job);
    constructors_drop(module);
    report_begin(k);
    if (before) {
        report_go_on(k, before);
    } else {
        width_choose(k);
    }
    find_rows(k);
    k->shown &= k->width == 1;
    job->shown = k->shown;
    pipeline_rows(k);
    if (!k->keeps_vectors) {
        report_end(k);
    }
    return k;
}
