/* fork_server.c: makes a program that runs once a server that runs it often: a library that is preloaded into clang, or
 * (STANDALONE) a part of weirc, where clang is one too.
 *
 * In: orders on descriptor 3, each with a file of arguments and files to read and to write (fork_server.h). Out: an answer
 * for each, as soon as the run has ended. Most of a small program's time would be clang's way to main(): libraries of 200 MB
 * are mapped and relocated, and make thousands of objects. Here all of that happens before this library's main(), whose
 * forks call clang's; and a rehearsal, an order that this process carries out itself, leaves them what clang makes only when
 * it needs it, and memory that is there.
 *
 * A fork is a runner: it takes the next orders, too, as the pages that each new process has to find again cost more than
 * the compilation of a small program. After a few runs, or a large one, another takes its place. If it dies, the order that it
 * had is its death's cause only if it was its first one: else another runner tries it. A runner ends with its server, and
 * the server with the thread that started it.
 */
#define _GNU_SOURCE
#include "fork_server.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

typedef int main_function(int, char **, char **);

static main_function *program;

/* A descriptor of the parent's, opened anew: from its beginning. */
static int open_of(int32_t parent, int fd, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", parent, fd);
    return open(path, flags | O_CLOEXEC);
}

/* The standard streams of a run; false with errno. */
static int take_files(const struct fork_order *o) {
    const int given[] = {o->input, o->output, o->errors};
    for (int i = 0; i < 3; i++) {
        int fd =
            open_of(o->parent, given[i], i ? O_WRONLY | O_TRUNC : O_RDONLY); /* a run may be a second try */
        if (fd < 0 || dup2(fd, i) < 0)
            return 0;
        close(fd);
    }
    return 1;
}

/* The limit is one of the process, which may have had runs before. */
static void limit_time(int seconds) {
    struct rusage used;
    struct rlimit limit;
    if (getrusage(RUSAGE_SELF, &used) || getrlimit(RLIMIT_CPU, &limit))
        return;
    rlim_t end = (rlim_t)(used.ru_utime.tv_sec + used.ru_stime.tv_sec + 1 + seconds);
    limit.rlim_cur = seconds && end < limit.rlim_max ? end : limit.rlim_max;
    setrlimit(RLIMIT_CPU, &limit);
}

static int run(const struct fork_order *o, char *name, char **environment) {
    char arguments[64];
    snprintf(arguments, sizeof arguments, "@/proc/%d/fd/%d", o->parent, o->arguments);
    char *argv[] = {name, "-cc1", arguments, NULL};
    return program(3, argv, environment);
}

/* What a runner and the server both see. */
struct runner {
    struct fork_order order;
    int runs; /* that it has begun */
    int busy; /* with `order`, which nobody has answered */
};

enum { MOST_RUNS = 16, MAX_HEAP = 64 << 20 };

static int answer(int reply, struct fork_answer a) {
    return write(reply, &a, sizeof a) == sizeof a;
}

/* False: there is none, nor will there be. */
static int next_order(struct fork_order *o) {
    ssize_t n;
    do
        n = read(3, o, sizeof *o);
    while (n < 0 && errno == EINTR);
    return n == sizeof *o;
}

/* In a fork: carries out the order that is there and then further ones, `most` in all. */
static _Noreturn void run_orders(struct runner *r, int most, pid_t server, char *name, char **environment,
                                 int reply) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != server)
        _exit(127);
    for (;;) {
        r->runs++;
        if (!take_files(&r->order))
            _exit(127);
        limit_time(r->order.seconds);
        int status = run(&r->order, name, environment) & 0xff;
        fflush(NULL);
        struct mallinfo2 heap = mallinfo2();
        int is_last = r->runs == most || heap.uordblks + heap.hblkhd > MAX_HEAP;
        r->busy = 0;
        /* Nothing is left that other libraries should tidy up. */
        if (!answer(reply, (struct fork_answer){.status = status << 8}))
            _exit(127);
        if (is_last || !next_order(&r->order))
            _exit(0);
        r->busy = 1;
    }
}

/* Has a runner carry out the order, and those that follow it. False: the server should end. */
static int fork_runner(struct runner *r, int most, char *name, char **environment, int reply) {
    struct fork_answer a = {0};
    pid_t self = getpid();
    do {
        r->busy = 1;
        r->runs = 0;
        pid_t child = fork();
        if (child == 0)
            run_orders(r, most, self, name, environment, reply);
        if (child < 0)
            a.error = errno;
        while (child > 0 && waitpid(child, &a.status, 0) < 0)
            if (errno != EINTR) {
                a.error = errno;
                break;
            }
    } while (r->busy && !a.error && r->runs > 1 && !(WIFSIGNALED(a.status) && WTERMSIG(a.status) == SIGXCPU));
    if (r->busy)
        return answer(reply, a);
    /* else nobody knows whether the last answer was sent */
    return !a.error && WIFEXITED(a.status) && !WEXITSTATUS(a.status);
}

/* In place of the program's. Everything before main() has happened. */
static int serve(int argc, char **argv, char **environment) {
    int reply = fcntl(1, F_DUPFD_CLOEXEC, 4), most = 1; /* until there was a rehearsal */
    if (reply < 0) /* a filter of system calls may refuse it; 0 to 3 are in use */
        reply = dup(1);
    /* What one run has had serves the next one. */
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 128 << 20);
    mallopt(M_TOP_PAD, 1 << 20);
    struct runner *r = mmap(NULL, sizeof *r, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    struct fork_order o;
    while (r != MAP_FAILED && next_order(&o)) {
        if (o.is_rehearsal) {
            if (take_files(&o))
                run(&o, argv[0], environment);
            most = MOST_RUNS;
            if (!answer(reply, (struct fork_answer){0}))
                break;
            continue;
        }
        r->order = o;
        if (!fork_runner(r, most, argv[0], environment, reply))
            break;
    }
    _exit(0);
}

#ifdef STANDALONE
int fork_server_main(main_function *main, int argc, char **argv, char **environment) {
    program = main;
    return serve(argc, argv, environment);
}
#else
/* In place of what LLVM's programs do around main(). The constructor registers one more handler of crashes each time, for
 * which there is room eight times; the destructor ends LLVM. A crash is told without them as well. */
__attribute__((visibility("default"))) void init_llvm(void *self, int *argc, char ***argv,
                                                      int pipes) __asm__("_ZN4llvm8InitLLVMC2ERiRPPKcb");
__attribute__((visibility("default"))) void end_llvm(void *self) __asm__("_ZN4llvm8InitLLVMD1Ev");
void init_llvm(void *self, int *argc, char ***argv, int pipes) {
}
void end_llvm(void *self) {
}

typedef int start_function(main_function *, int, char **, void (*)(void), void (*)(void), void (*)(void),
                           void *);

/* The C library's, which the program's first instructions call. */
__attribute__((visibility("default"))) start_function __libc_start_main;

int __libc_start_main(main_function *main, int argc, char **argv, void (*init)(void), void (*fini)(void),
                      void (*loader_fini)(void), void *stack_end) {
    start_function *start = (start_function *)dlsym(RTLD_NEXT, "__libc_start_main");
    program = main;
    if (!start)
        abort();
    return start(serve, argc, argv, init, fini, loader_fini, stack_end);
}
#endif
