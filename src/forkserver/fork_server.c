/* fork_server.c: makes a program that runs once a server that runs it often: a library that is preloaded into clang, or
 * (STANDALONE) a part of weirc, where clang is one too.
 *
 * In: orders on descriptor 3, each with a file of arguments and files to read and to write (fork_server.h). Out: an answer
 * for each, as soon as the run has ended. Most of a small program's time would be clang's way to main(): libraries of 200 MB
 * are mapped and relocated, and make thousands of objects. Here all of that happens before this library's main(), whose
 * forks call clang's, each for one order; and a rehearsal, an order that this process carries out itself, leaves them what
 * clang makes only when it needs it, and memory that is there.
 *
 * A run ends with its server, and the server with the thread that started it.
 */
#define _GNU_SOURCE
#include "fork_server.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <signal.h>
#include <unistd.h>

typedef int main_function(int, char **, char **);

static main_function *program;

/* A descriptor of the parent's, opened anew: from its beginning. */
static int open_of(pid_t parent, int fd, int flags) {
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)parent, fd);
    return open(path, flags | O_CLOEXEC);
}

/* The standard streams of a run; false with errno. */
static int take_files(pid_t parent, const struct fork_order *o) {
    const int given[] = {o->input, o->output, o->errors};
    for (int i = 0; i < 3; i++) {
        int fd = open_of(parent, given[i], i ? O_WRONLY : O_RDONLY);
        if (fd < 0 || dup2(fd, i) < 0)
            return 0;
        close(fd);
    }
    return 1;
}

static int run(pid_t parent, const struct fork_order *o, char *name, char **environment) {
    char arguments[64];
    snprintf(arguments, sizeof arguments, "@/proc/%d/fd/%d", (int)parent, o->arguments);
    char *argv[] = {name, "-cc1", arguments, NULL};
    return program(3, argv, environment);
}

static struct fork_answer fork_and_run(pid_t parent, const struct fork_order *o, char *name,
                                       char **environment, int reply) {
    struct fork_answer answer = {0};
    pid_t self = getpid(), child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(3);
        close(reply);
        if (getppid() != self || !take_files(parent, o))
            _exit(127);
        int status = run(parent, o, name, environment);
        fflush(NULL);
        _exit(status); /* nothing is left that other libraries should tidy up */
    }
    if (child < 0)
        answer.error = errno;
    while (child > 0 && waitpid(child, &answer.status, 0) < 0)
        if (errno != EINTR) {
            answer.error = errno;
            break;
        }
    return answer;
}

/* In place of the program's. Everything before main() has happened. */
static int serve(int argc, char **argv, char **environment) {
    pid_t parent = getppid();
    int reply = fcntl(1, F_DUPFD_CLOEXEC, 4);
    struct fork_order o;
    ssize_t n;
    while ((n = read(3, &o, sizeof o)) == sizeof o || (n < 0 && errno == EINTR)) {
        struct fork_answer answer = {0};
        if (n < 0)
            continue;
        if (!o.is_rehearsal)
            answer = fork_and_run(parent, &o, argv[0], environment, reply);
        else if (take_files(parent, &o))
            run(parent, &o, argv[0], environment);
        if (write(reply, &answer, sizeof answer) != sizeof answer)
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
