/* clang.c: clang as a child process that serves one request after the other.
 *
 * In: arguments and a source. Out: what clang wrote, its diagnostics, and its wait status. Each run is a fork of a clang
 * that has started, and has compiled a program before (src/forkserver): alone, clang's way to main() takes most of a small
 * program's time. Where the fork server isn't there each run is a process of its own. What goes to clang and comes from it
 * is in memory files, which it opens through /proc: nothing of a request touches the disk.
 */
#include "fork_server.h"
#include "front_end.h"
#include "frontend.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ENDING_MS 1000 /* for a server to end that has closed its output */

/* The run in progress is the job's; the server outlives it. */
static struct {
    struct child server;
    unsigned runs;      /* of this server */
    bool rehearsed;     /* this server */
    bool no_rehearsals; /* one has gone wrong */
} clang = {.server = NO_CHILD};

const char *clang_path(void) {
    static const char *const paths[] = {"/usr/lib/llvm-22/bin/clang", "/usr/bin/clang-22",
                                        "/usr/local/bin/clang-22"};
    static char *found;
    if (front_end_main && !found)
        found = realpath("/proc/self/exe", NULL);
    for (size_t i = 0; i < sizeof paths / sizeof *paths && !found; i++) {
        char *real = realpath(paths[i], NULL); /* clang finds its own headers from its path */
        if (real && !access(real, X_OK))
            found = real;
        else
            free(real);
    }
    return found;
}

void clang_require(struct job *job) {
    if (!clang_path())
        job_fail(job, ANSWER_COMPILER_FAILED, "no front end: clang-22 is missing (package clang-22)");
}

/* Of the installation that holds bin/clang; beside weirc, if that stands alone. */
const char *clang_resources(void) {
    char own[PATH_MAX];
    if (front_end_main && library_find("clang", own))
        return job_strdup(own);
    char *path = job_strdup(clang_path());
    for (int i = 0; i < 2; i++) {
        char *slash = strrchr(path, '/');
        if (slash)
            *slash = 0;
    }
    return job_printf("%s/lib/clang", path);
}

const char *clang_fork_server(void) {
    static char path[PATH_MAX];
    if (front_end_main)
        return NULL;
    static bool looked;
    if (!looked && (!library_find(FORK_SERVER_FILE, path) || strpbrk(path, ": $"))) /* LD_PRELOAD's signs */
        *path = 0;
    looked = true;
    return *path ? path : NULL;
}

/* The environment with the fork server in it. */
static char **environment(void) {
    static char **made;
    static const char preload[] = "LD_PRELOAD=";
    size_t n = 0;
    while (!made && environ[n])
        n++;
    if (!made && (made = calloc(n + 3, sizeof *made)) != NULL) {
        char **to = made;
        for (char **from = environ; *from; from++)
            if (strncmp(*from, preload, sizeof preload - 1))
                *to++ = *from;
        static char entry[sizeof preload + PATH_MAX];
        strcat(strcpy(entry, preload), clang_fork_server());
        *to++ = entry;
        *to = "LD_BIND_NOW=1"; /* once, in the server, instead of in each fork */
    }
    return made;
}

bool clang_start(void) {
    char *argv[] = {(char *)clang_path(), "-cc1", NULL};
    if (spawn_alive(&clang.server))
        return true;
    spawn_drop(&clang.server);
    clang.runs = 0;
    clang.rehearsed = false;
    bool able = argv[0] && (front_end_main || (clang_fork_server() && environment()));
    return able &&
           spawn_start(&clang.server, argv, front_end_main ? environ : environment(), SPAWN_OUT | SPAWN_ERR);
}

bool clang_wants_rehearsal(bool is_idle) {
    return spawn_alive(&clang.server) && !clang.rehearsed && !clang.no_rehearsals &&
           (is_idle || clang.runs > 0);
}

int clang_file(struct job *job, const void *bytes, size_t n, const char **path) {
    int fd = job_fd(memfd_create("weir", MFD_CLOEXEC));
    if (fd < 0 || !write_all(fd, bytes, n))
        job_fail(job, ANSWER_COMPILER_FAILED, "cannot make a memory file: %s", strerror(errno));
    if (path)
        *path = job_printf("/proc/%d/fd/%d", proc_number(), fd);
    return fd;
}

/* Appends what the file holds; an errno value if that can't be. */
static int take(int fd, struct buf *to, size_t max) {
    struct stat info;
    if (fstat(fd, &info))
        return errno;
    if (max && (size_t)info.st_size > max)
        return EFBIG;
    if (!info.st_size)
        return 0;
    void *bytes = mmap(NULL, (size_t)info.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (bytes == MAP_FAILED)
        return errno;
    buf_bytes(to, bytes, (size_t)info.st_size);
    munmap(bytes, (size_t)info.st_size);
    return to->failed ? ENOMEM : 0;
}

void clang_begin(struct job *job, struct clang_run *run) {
    run->arguments_fd = clang_file(job, run->arguments.data, run->arguments.size, &run->arguments_path);
    if (!clang_start())
        return;
    const struct fork_order order = {.is_rehearsal = run->is_rehearsal,
                                     .parent = proc_number(),
                                     .seconds = (int32_t)((job_remaining_ms(job) + 999) / 1000),
                                     .arguments = run->arguments_fd,
                                     .input = clang_file(job, run->input.data, run->input.size, NULL),
                                     .output = run->output_fd = clang_file(job, NULL, 0, NULL),
                                     .errors = run->errors_fd = clang_file(job, NULL, 0, NULL)};
    run->is_served = spawn_tell(&clang.server, &order, sizeof order);
    clang.runs += !run->is_rehearsal;
    clang.rehearsed |= run->is_rehearsal;
}

/* The server gave no answer: why. */
static int lost(struct buf *errors, int error) {
    struct buf output = {0};
    int status = -1;
    if (error)
        spawn_drop(&clang.server);
    else if ((status = spawn_finish(&clang.server, &output, errors, ENDING_MS, 0)) == 0)
        error = EPIPE; /* its end says nothing of the run's */
    else if (status < 0)
        error = errno;
    buf_free(&output);
    errno = error;
    return error ? -1 : status;
}

static int run_alone(struct job *job, const struct clang_run *run, struct buf *output, struct buf *errors,
                     size_t max_output) {
    char *argv[] = {(char *)clang_path(), "-cc1", job_printf("@%s", run->arguments_path), NULL};
    if (!argv[0]) {
        errno = ENOENT;
        return -1;
    }
    return spawn_run(argv, run->input.data, run->input.size, output, errors, job_remaining_ms(job),
                     max_output);
}

int clang_end(struct job *job, const struct clang_run *run, struct buf *output, struct buf *errors,
              size_t max_output) {
    struct fork_answer answer;
    if (!run->is_served)
        return run_alone(job, run, output, errors, max_output);
    errno = 0;
    if (!spawn_hear(&clang.server, &answer, sizeof answer, job_remaining_ms(job) * ELAPSED_FACTOR)) {
        clang.no_rehearsals |= run->is_rehearsal;
        return lost(errors, errno);
    }
    if (!answer.error)
        answer.error = take(run->errors_fd, errors, 0);
    if (!answer.error && WIFSIGNALED(answer.status) && WTERMSIG(answer.status) == SIGXFSZ)
        answer.error = EFBIG;
    if (!answer.error && WIFSIGNALED(answer.status) && WTERMSIG(answer.status) == SIGXCPU)
        answer.error = ETIMEDOUT;
    if (!answer.error && answer.status == 0)
        answer.error = take(run->output_fd, output, max_output);
    errno = answer.error;
    return answer.error ? -1 : answer.status;
}
