/* job.c: one request from its arguments to its answer.
 *
 * In: a job with its request, an LLVM context and perhaps a limit of time. Out: job->answer. Any part may leave the
 * request with job_fail; LLVM's own diagnostics and fatal errors end there too.
 */
#include "driver.h"
#include "emit.h"
#include "frontend.h"
#include "lower.h"
#include "spirv.h"

#include <llvm-c/ErrorHandling.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static struct job *current; /* for LLVM's fatal error handler, which gets no argument of ours */

void job_no_memory(void) {
    static const char message[] = "weirc: out of memory\n";
    if (write(2, message, sizeof message - 1) < 0)
        _exit(3);
    abort(); /* the server answers for its child */
}

/* What job_end gives back. */
static struct block {
    struct block *next;
    _Alignas(16) char bytes[];
} *blocks;
static struct {
    int *at;
    size_t n, cap;
} files;

void *job_alloc(size_t n) {
    struct block *block = calloc(1, sizeof *block + n);
    if (!block)
        job_no_memory();
    block->next = blocks;
    blocks = block;
    return block->bytes;
}

int job_fd(int fd) {
    if (files.n == files.cap) {
        files.cap = files.cap ? 2 * files.cap : 16;
        files.at = realloc(files.at, files.cap * sizeof *files.at);
        if (!files.at)
            job_no_memory();
    }
    return files.at[files.n++] = fd;
}

void job_end(void) {
    for (struct block *next; blocks; blocks = next) {
        next = blocks->next;
        free(blocks);
    }
    while (files.n)
        close(files.at[--files.n]);
}

char *job_strdup(const char *s) {
    size_t n = strlen(s) + 1;
    return memcpy(job_alloc(n), s, n);
}

char *job_printf(const char *format, ...) {
    va_list args, again;
    va_start(args, format);
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    char *text = job_alloc((size_t)n + 1);
    vsnprintf(text, (size_t)n + 1, format, again);
    va_end(again);
    va_end(args);
    return text;
}

void job_fail(struct job *job, uint32_t status, const char *format, ...) {
    char message[4096];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    buf_printf(&job->log, "error: %s\n", message);
    job->answer.status = status;
    longjmp(job->failed, 1);
}

void job_check(struct job *job, LLVMErrorRef error, const char *what) {
    if (!error)
        return;
    char *message = LLVMGetErrorMessage(error);
    job_fail(job, ANSWER_COMPILER_FAILED, "%s: %s", what, message);
}

void job_run_passes(struct job *job, LLVMModuleRef module, const char *passes, LLVMTargetMachineRef machine,
                    const char *what) {
    LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
    job_check(job, LLVMRunPasses(module, passes, machine, options), what);
    LLVMDisposePassBuilderOptions(options);
}

bool job_shows_times;

uint64_t job_used_ns(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return (uint64_t)used.tv_sec * 1000000000ull + (uint64_t)used.tv_nsec;
}

unsigned job_remaining_ms(const struct job *job) {
    uint64_t used = job_used_ns();
    if (!job->limit_ns)
        return 0;
    return job->limit_ns > used ? (unsigned)((job->limit_ns - used) / 1000000 + 1) : 1;
}

void job_phase(struct job *job, const char *done) {
    uint64_t now = time_ns();
    log_write(LOG_DEBUG, "weirc: %6.2f ms %s", (double)(now - job->phase_ns) / 1e6, done);
    size_t n = job->answer.phases ? strlen(job->answer.phases) : 0;
    job->answer.phases = job_printf("%.*s%llu %s\n", (int)n, n ? job->answer.phases : "",
                                    (unsigned long long)(now - job->phase_ns), done);
    if (job_shows_times) {
        fprintf(stderr, "%10.2f ms  %s\n", (double)(job_used_ns() - job->phase_used_ns) / 1e6, done);
    }
    job->phase_ns = now;
    job->phase_used_ns = job_used_ns();
}

static void diagnosed(LLVMDiagnosticInfoRef info, void *arg) {
    static const char *const severities[] = {"error", "warning", "remark", "note"};
    struct job *job = arg;
    LLVMDiagnosticSeverity severity = LLVMGetDiagInfoSeverity(info);
    if (severity == LLVMDSRemark)
        return;
    char *text = LLVMGetDiagInfoDescription(info);
    buf_printf(&job->log, "%s: %s\n", severities[severity], text);
    LLVMDisposeMessage(text);
    job->llvm_error |= severity == LLVMDSError;
}

static void died(const char *reason) {
    job_fail(current, ANSWER_COMPILER_FAILED, "the compiler failed: %s", reason);
}

/* Bitcode of a module becomes the output. */
static void put_bitcode(struct job *job, LLVMModuleRef module) {
    LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
    size_t n = job->answer.output_size = LLVMGetBufferSize(bitcode);
    job->answer.output = memcpy(job_alloc(n), LLVMGetBufferStart(bitcode), n);
    LLVMDisposeMemoryBuffer(bitcode);
}

static void compile(struct job *job, bool link) {
    const struct request *request = job->request;
    struct options *options = options_parse(job, request->options, false);
    bool cacheable = true;
    job->answer.cacheable = 0; /* errors may come from files: a missing header may be there next time */
    library_open();
    LLVMModuleRef module =
        source_is_spirv(request->source.data, request->source.size)
            ? spirv_read(job, request->source, options)
            : frontend_compile(job, request->source, request->inputs, request->ninputs, options, &cacheable);
    frontend_mark_options(module, options);
    job->answer.cacheable = cacheable;
    job_phase(job, "reading IR");
    if (link) {
        module = program_link(job, &module, 1, false);
        program_meta(job, module, &job->answer.meta);
        job_phase(job, "linking");
    }
    put_bitcode(job, module);
}

static void link_programs(struct job *job) {
    const struct request *request = job->request;
    struct options *options = options_parse(job, request->options, true);
    if (!request->ninputs)
        job_fail(job, ANSWER_BUILD_FAILED, "nothing to link");
    library_open();
    LLVMModuleRef *modules = job_alloc(request->ninputs * sizeof *modules);
    for (uint32_t i = 0; i < request->ninputs; i++) {
        modules[i] = ir_read(job, request->inputs[i]);
        char *message = NULL; /* it may come from a file of the application's */
        if (LLVMVerifyModule(modules[i], LLVMReturnStatusAction, &message))
            job_fail(job, ANSWER_BUILD_FAILED, "the program's IR is invalid: %s", message);
        LLVMDisposeMessage(message);
    }
    LLVMModuleRef module = program_link(job, modules, request->ninputs, options->create_library);
    if (options->check)
        frontend_mark(module, MARK_CHECK);
    if (!options->create_library)
        program_meta(job, module, &job->answer.meta);
    put_bitcode(job, module);
}

static void require_kernel(struct job *job, const struct program_meta *meta) {
    for (uint32_t i = 0; i < meta->nkernels; i++)
        if (!strcmp(meta->kernels[i].name, job->request->kernel))
            return;
    job_fail(job, ANSWER_COMPILER_FAILED, "the program has no kernel '%s'", job->request->kernel);
}

static void generate(struct job *job) {
    const struct request *request = job->request;
    if (request->ninputs != 1)
        job_fail(job, ANSWER_COMPILER_FAILED, "a request for code needs one program, not %u",
                 request->ninputs);
    library_open();
    LLVMModuleRef module = request->kind == REQUEST_KERNEL
                               ? ir_read_function(job, request->inputs[0], request->kernel)
                               : ir_read(job, request->inputs[0]);
    job->answer.cacheable = !dependence_of_code(module);
    job_phase(job, "reading IR");
    if (request->kind == REQUEST_GLOBALS) {
        struct constructors constructors;
        constructors_make(job, module, &constructors);
        globals_program(job, module, &constructors);
    } else {
        struct program_meta meta;
        program_meta(job, module, &meta);
        require_kernel(job, &meta);
        struct kernel *k = pipeline_kernel(job, module, &meta, NULL);
        if (k->keeps_vectors) {
            LLVMDisposeModule(module);
            module = ir_read_function(job, request->inputs[0], request->kernel);
            program_meta(job, module, &meta);
            pipeline_kernel(job, module, &meta, k);
        }
    }
    job_phase(job, "passes");
    emit_answer(job, module);
}

static void serve(struct job *job) {
    job->answer.cacheable = 1;
    switch (job->request->kind) {
    case REQUEST_COMPILE:
    case REQUEST_BUILD:
        compile(job, job->request->kind == REQUEST_BUILD);
        break;
    case REQUEST_LINK:
        link_programs(job);
        break;
    case REQUEST_KERNEL:
    case REQUEST_GLOBALS:
        generate(job);
        break;
    default:
        job_fail(job, ANSWER_COMPILER_FAILED, "unknown request kind %u", job->request->kind);
    }
    if (job->llvm_error)
        job_fail(job, ANSWER_COMPILER_FAILED, "the compiler reported errors");
}

void job_run(struct job *job) {
    current = job;
    job->phase_ns = time_ns();
    job->phase_used_ns = job_used_ns();
    LLVMContextSetDiagnosticHandler(job->llvm, diagnosed, job);
    LLVMResetFatalErrorHandler();
    LLVMInstallFatalErrorHandler(died);
    if (setjmp(job->failed) == 0) {
        serve(job);
    } else {
        job->answer.output = NULL;
        job->answer.report = NULL;
        job->answer.output_size = 0;
        job->answer.meta = (struct program_meta){0};
        if (job->answer.status == ANSWER_COMPILER_FAILED)
            job->answer.cacheable = 0;
    }
    const char *log = buf_cstr(&job->log);
    job->answer.log = job_strdup(log ? log : "");
    buf_free(&job->log);
}
