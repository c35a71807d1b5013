/* program.c: runs another program to its end, for `weir check` and `weir trace`.
 * In: its command line. Out: how it ended. */
#include "cli.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile pid_t running;

static void pass_on(int signal) {
    if (running > 0)
        kill(running, signal);
}

/* In the child: never comes back. */
static _Noreturn void start(char **command, bool to_stderr, int failed, pid_t parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* also where `weir` is killed */
    if (getppid() != parent)
        _exit(126);
    if (to_stderr)
        dup2(STDERR_FILENO, STDOUT_FILENO);
    execvp(command[0], command);
    int error = errno;
    if (write(failed, &error, sizeof error) < 0)
        _exit(126);
    _exit(127);
}

/* What the terminal sends goes to the program, which decides what it does. */
int program_run(char **command, bool to_stderr, int *code, int *signaled) {
    int status, error = 0, failed[2];
    struct sigaction forward = {.sa_handler = pass_on, .sa_flags = SA_RESTART};
    fflush(NULL);
    if (pipe2(failed, O_CLOEXEC))
        return errno;
    pid_t self = getpid(), pid = fork();
    if (pid < 0) {
        error = errno;
        close(failed[0]);
        close(failed[1]);
        return error;
    }
    if (!pid)
        start(command, to_stderr, failed[1], self);
    running = pid;
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    sigaction(SIGTERM, &forward, NULL);
    sigaction(SIGHUP, &forward, NULL);
    close(failed[1]);
    bool is_started = read(failed[0], &error, sizeof error) != sizeof error;
    close(failed[0]);
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return errno;
    *signaled = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    *code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    return is_started ? 0 : error;
}
