/* to_spirv.c: OpenCL C to SPIR-V, by clang as a child process: for `weir compile --emit spv`.
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
                                        "-debug-info-kind=line-tables-only"};
    enum { FIXED = sizeof fixed / sizeof *fixed };
    char **argv = job_alloc((FIXED + options->nclang + 8) * sizeof *argv);
    size_t n = 0;
    if (!clang_path())
        job_fail(job, ANSWER_COMPILER_FAILED, "the front end is missing (package clang-22)");
    argv[n++] = (char *)clang_path();
    for (size_t i = 0; i < FIXED; i++)
        argv[n++] = (char *)fixed[i];
    for (size_t i = 0; i < options->nclang; i++)
        argv[n++] = options->clang[i];
    argv[n++] = "-o";
    argv[n++] = "-";
    argv[n++] = "-";
    int status = spawn_run(argv, source.data, source.size, out, &job->log, job_remaining_ms(job), 0);
    if (status < 0)
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot run the front end: %s", strerror(errno));
    if (status)
        job_fail(job, ANSWER_BUILD_FAILED, "clang makes no SPIR-V of it (%s %d)",
                 WIFSIGNALED(status) ? "signal" : "exit status",
                 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}
