/* timed.c: runs a command and notes how much of a processor's time it took.
 *
 * In: timed FILE NAME COMMAND [ARGUMENT...]. Out: the command's exit code, 128 and the signal if one has ended it; a line
 * "SECONDS NAME" at the end of FILE. What the command leaves behind, as the compiler's server, counts if it ends within a
 * second: such processes are this one's children then. Elapsed time would tell of what else the machine does.
 */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static pid_t command;

static void pass_on(int signal_number) {
    if (signal_number != SIGALRM) /* which only ends the wait for what was left */
        kill(command, signal_number);
}

static double seconds(const struct timeval *t) {
    return (double)t->tv_sec + (double)t->tv_usec * 1e-6;
}

int main(int argc, char **argv) {
    static const int signals[] = {SIGALRM, SIGINT, SIGTERM};
    if (argc < 4)
        return 2;
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    command = fork();
    if (command == 0) {
        execvp(argv[3], argv + 3);
        perror(argv[3]);
        _exit(127);
    }
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &(struct sigaction){.sa_handler = pass_on}, NULL);
    int status, code = 127;
    bool ended = false;
    for (pid_t pid; (pid = wait(&status)) > 0 || (errno == EINTR && !ended);)
        if (pid == command) {
            code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
            ended = true;
            alarm(1);
        }
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    FILE *file = fopen(argv[1], "a");
    if (file) {
        fprintf(file, "%.2f %s\n", seconds(&used.ru_utime) + seconds(&used.ru_stime), argv[2]);
        fclose(file);
    }
    return code;
}
