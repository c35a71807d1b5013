/* spawn.c: runs a child process to its end, with bytes in and bytes out.
 *
 * In: argv, the child's standard input. Out: what it wrote and its wait status. The input is a memory file,
 * so that the child may seek in it and nothing here has to feed a pipe. The child leads its own process
 * group and dies with the calling thread; nothing of the caller's descriptors and signal state reaches it.
 */
#define _GNU_SOURCE
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* A descriptor above 2: the caller may run with some of 0-2 closed. Closes `fd`. */
static int above_stdio(int fd) {
    if (fd < 0 || fd > 2)
        return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, 3);
    int error = errno;
    close(fd);
    errno = error;
    return high;
}

static int input_file(const void *bytes, size_t n) {
    int fd = above_stdio(memfd_create("weir-input", MFD_CLOEXEC));
    for (size_t done = 0; fd >= 0 && done < n;) {
        ssize_t written = write(fd, (const char *)bytes + done, n - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0) {
            close(fd);
            return -1;
        }
        done += (size_t)written;
    }
    if (fd >= 0)
        lseek(fd, 0, SEEK_SET);
    return fd;
}

static bool open_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC))
        return false;
    ends[0] = above_stdio(ends[0]);
    ends[1] = above_stdio(ends[1]);
    return ends[0] >= 0 && ends[1] >= 0;
}

/* The child between vfork and exec: only system calls. */
static _Noreturn void exec_child(char *const argv[], const int fds[3], pid_t parent, volatile int *error) {
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) {
        for (int i = 0; i < 3; i++)
            dup2(fds[i], i);
        syscall(SYS_close_range, 3U, ~0U, 0U);
        execv(argv[0], argv);
    }
    *error = errno;
    _exit(127);
}

/* Returns the child's id, or -1 with errno. vfork: the caller's address space may be large. */
static pid_t start(char *const argv[], const int fds[3]) {
    volatile int error = 0;
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid_t parent = getpid(), child = vfork();
    if (child == 0)
        exec_child(argv, fds, parent, &error);
    int fork_error = errno;
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    if (child > 0 && error)
        waitpid(child, NULL, 0);
    if (child < 0 || error) {
        errno = child < 0 ? fork_error : error;
        return -1;
    }
    return child;
}

/* Milliseconds until `deadline` (0: none) for poll; 0 when it has passed. */
static int remaining_ms(uint64_t deadline) {
    if (!deadline)
        return -1;
    uint64_t now = time_ns();
    return now >= deadline ? 0 : (int)((deadline - now + 999999) / 1000000);
}

/* Reads both pipes to their ends. Returns 0 or an errno value. */
static int collect(int fds[2], struct buf *bufs[2], uint64_t deadline, size_t max_out) {
    struct pollfd polls[2] = {{.fd = fds[0], .events = POLLIN}, {.fd = fds[1], .events = POLLIN}};
    while (polls[0].fd >= 0 || polls[1].fd >= 0) {
        int ready = poll(polls, 2, remaining_ms(deadline));
        if (ready == 0)
            return ETIMEDOUT;
        if (ready < 0 && errno != EINTR)
            return errno;
        for (int i = 0; ready > 0 && i < 2; i++) {
            if (polls[i].fd < 0 || !polls[i].revents)
                continue;
            char chunk[65536];
            ssize_t n = read(polls[i].fd, chunk, sizeof chunk);
            if (n < 0 && (errno == EINTR || errno == EAGAIN))
                continue;
            if (n <= 0) {
                polls[i].fd = -1;
                continue;
            }
            buf_bytes(bufs[i], chunk, (size_t)n);
            if (bufs[i]->failed)
                return ENOMEM;
            if (max_out && bufs[i]->size > max_out)
                return EFBIG;
        }
    }
    return 0;
}

/* Waits for the child's end, at most until the deadline. The wait polls: a host may ignore SIGCHLD or reap
 * children of its own, and either must not block this. Returns 0 or an errno value. */
static int reap(pid_t child, uint64_t deadline, int *status) {
    for (long nap_ns = 20000;; nap_ns = nap_ns < 2000000 ? nap_ns * 2 : nap_ns) {
        pid_t got = waitpid(child, status, WNOHANG);
        if (got == child)
            return 0;
        if (got < 0 && errno != EINTR)
            return errno;
        if (remaining_ms(deadline) == 0)
            return ETIMEDOUT;
        nanosleep(&(struct timespec){.tv_nsec = nap_ns}, NULL);
    }
}

int spawn_run(char *const argv[], const void *in, size_t in_size, struct buf *out, struct buf *err,
              unsigned timeout_ms, size_t max_out) {
    uint64_t deadline = timeout_ms ? time_ns() + timeout_ms * 1000000ull : 0;
    int pipes[2][2] = {{-1, -1}, {-1, -1}}, null = -1, status = -1, error = 0;
    int input = input_file(in, in_size);
    bool ok = input >= 0 && (!out || open_pipe(pipes[0]));
    if (ok && err && err != out)
        ok = open_pipe(pipes[1]);
    if (ok && (!out || !err))
        ok = (null = above_stdio(open("/dev/null", O_WRONLY | O_CLOEXEC))) >= 0;
    if (!ok)
        error = errno;

    if (ok) {
        int out_fd = out ? pipes[0][1] : null;
        int err_fd = !err ? null : err == out ? out_fd : pipes[1][1];
        pid_t child = start(argv, (int[]){input, out_fd, err_fd});
        for (int i = 0; i < 2; i++) {
            if (pipes[i][1] >= 0)
                close(pipes[i][1]);
            pipes[i][1] = -1;
        }
        if (child < 0) {
            error = errno;
        } else {
            error = collect((int[]){pipes[0][0], pipes[1][0]}, (struct buf *[]){out, err}, deadline, max_out);
            if (!error)
                error = reap(child, deadline, &status);
            kill(-child, SIGKILL); /* stragglers of its group, or all of it after a failure */
            if (error && error != ECHILD)
                reap(child, 0, &status);
        }
    }
    int fds[] = {input, null, pipes[0][0], pipes[0][1], pipes[1][0], pipes[1][1]};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++)
        if (fds[i] >= 0)
            close(fds[i]);
    errno = error;
    return error ? -1 : status;
}
