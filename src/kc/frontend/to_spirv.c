/* to_spirv.c: OpenCL C to SPIR-V, by clang as a child process: for `weir compile --emit spv`. Programs have the functions
 * that they have on the device; of extensions of SPIR-V those that clang knows and the reader (kc/spirv).
 *
 * In: source and options. Out: the module's bytes. What clang's back end for SPIR-V can't express fails the job. */
#include "frontend.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>

void frontend_to_spirv(struct job *job, struct blob source, const struct options *options, struct buf *out) {
    static const char *const fixed[] = {"-cc1",
                                        "-triple",
                                        "spirv64-unknown-unknown",
                                        "-x",
                                        "cl",
                                        "-emit-obj",
                                        "-O1",
                                        "-finclude-default-header",
                                        "-fdeclare-opencl-builtins",
                                        "-cl-ext=+all",
                                        "-mllvm",
                                        "--spirv-ext=+SPV_KHR_subgroup_rotate,+SPV_KHR_shader_clock,"
                                        "+SPV_KHR_uniform_group_instructions,+SPV_KHR_integer_dot_product,"
                                        "+SPV_KHR_bit_instructions,+SPV_KHR_expect_assume,"
                                        "+SPV_KHR_no_integer_wrap_decoration,"
                                        "+SPV_EXT_shader_atomic_float_add,+SPV_EXT_shader_atomic_float16_add,"
                                        "+SPV_EXT_shader_atomic_float_min_max,+SPV_INTEL_subgroups,"
                                        "+SPV_INTEL_split_barrier",
                                        "-debug-info-kind=line-tables-only"};
    enum { FIXED = sizeof fixed / sizeof *fixed };
    char **argv = job_alloc((FIXED + options->nclang + 8) * sizeof *argv);
    size_t n = 0;
    struct buf input = {0};
    declare_functions(&input, source, true);
    buf_printf(&input, "#line 1\n");
    buf_bytes(&input, source.data, source.size);
    if (input.failed)
        job_fail(job, ANSWER_COMPILER_FAILED, "out of memory");
    clang_require(job);
    argv[n++] = (char *)clang_path();
    for (size_t i = 0; i < FIXED; i++)
        argv[n++] = (char *)fixed[i];
    for (size_t i = 0; i < options->nclang; i++)
        argv[n++] = options->clang[i];
    argv[n++] = "-o";
    argv[n++] = "-";
    argv[n++] = "-";
    int status = spawn_run(argv, input.data, input.size, out, &job->log, job_remaining_ms(job), 0),
        error = errno;
    buf_free(&input);
    if (status < 0)
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot run the front end: %s", strerror(error));
    if (status)
        job_fail(job, ANSWER_BUILD_FAILED, "clang makes no SPIR-V of it (%s %d)",
                 WIFSIGNALED(status) ? "signal" : "exit status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}
