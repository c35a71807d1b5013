/* to_spirv.c: OpenCL C to SPIR-V, by clang as a child process: for `weir compile --emit spv`. Programs have the functions
 * that they have on the device; of extensions of SPIR-V those that clang knows and the reader (kc/spirv).
 *
 * In: source and options. Out: the module's bytes. What clang's back end for SPIR-V can't express fails the job. It gets the
 * program's IR without LLVM's optimization, which makes integers of any number of bits and vectors of any number of
 * elements of it, which the back end takes for wider ones, or writes as they are; but with variables as values, and with
 * what it gets wrong written otherwise (to_spirv_ready). */
#include "frontend.h"
#include "ir.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

/* clang's front end with these arguments, and the options' if there are; what it writes goes to `out`. */
static void run_clang(struct job *job, const char *const *arguments, size_t narguments,
                      const struct options *options, struct blob input, struct buf *out) {
    char **argv = job_alloc((narguments + (options ? options->nclang : 0) + 5) * sizeof *argv);
    size_t n = 0;
    argv[n++] = (char *)clang_path();
    for (size_t i = 0; i < narguments; i++)
        argv[n++] = (char *)arguments[i];
    for (size_t i = 0; options && i < options->nclang; i++)
        argv[n++] = options->clang[i];
    argv[n++] = "-o";
    argv[n++] = "-";
    argv[n++] = "-";
    int status = spawn_run(argv, input.data, input.size, out, &job->log, job_remaining_ms(job), 0),
        error = errno;
    if (status < 0)
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot run the front end: %s", strerror(error));
    if (status)
        job_fail(job, ANSWER_BUILD_FAILED, "clang makes no SPIR-V of it (%s %d)",
                 WIFSIGNALED(status) ? "signal" : "exit status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

#define EACH_TIME "-cc1", "-triple", "spirv64-unknown-unknown", "-disable-llvm-passes"

static LLVMModuleRef read_source(struct job *job, struct blob source, const struct options *options) {
    static const char *const arguments[] = {EACH_TIME,
                                            "-O1",
                                            "-x",
                                            "cl",
                                            "-emit-llvm-bc",
                                            "-finclude-default-header",
                                            "-fdeclare-opencl-builtins",
                                            "-cl-ext=+all",
                                            "-debug-info-kind=line-tables-only"};
    struct buf input = {0}, bitcode = {0};
    declare_functions(&input, source, true);
    buf_printf(&input, "#line 1\n");
    buf_bytes(&input, source.data, source.size);
    if (input.failed)
        job_fail(job, ANSWER_COMPILER_FAILED, "out of memory");
    run_clang(job, arguments, sizeof arguments / sizeof *arguments, options,
              (struct blob){input.data, input.size, NULL}, &bitcode);
    LLVMModuleRef module = ir_read(job, (struct blob){bitcode.data, bitcode.size, NULL});
    buf_free(&input);
    buf_free(&bitcode);
    return module;
}

void frontend_to_spirv(struct job *job, struct blob source, const struct options *options, struct buf *out) {
    static const char *const arguments[] = {
        EACH_TIME,
        "-O0", /* its loops else get integers of any number of bits, too */
        "-x",
        "ir",
        "-emit-obj",
        "-mllvm",
        "--spirv-ext=+SPV_KHR_subgroup_rotate,+SPV_KHR_shader_clock,"
        "+SPV_KHR_uniform_group_instructions,+SPV_KHR_integer_dot_product,"
        "+SPV_KHR_bit_instructions,+SPV_KHR_expect_assume,"
        "+SPV_KHR_no_integer_wrap_decoration,"
        "+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float16_add,"
        "+SPV_EXT_shader_atomic_float_min_max,+SPV_INTEL_subgroups,"
        "+SPV_INTEL_split_barrier"};
    clang_require(job);
    LLVMModuleRef module = read_source(job, source, options);
    to_spirv_ready(job, module);
    LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(module);
    run_clang(job, arguments, sizeof arguments / sizeof *arguments, NULL,
              (struct blob){LLVMGetBufferStart(bitcode), LLVMGetBufferSize(bitcode), NULL}, out);
    LLVMDisposeMemoryBuffer(bitcode);
}
