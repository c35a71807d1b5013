/* spawn.c: runs a child process to its end, with bytes in and bytes out.
 *
 * In: argv, the child's standard input. Out: what it wrote and its wait status. The input is a memory file,
 * so that the child may seek in it and nothing here has to feed a pipe. The child leads its own process
 * group and dies with the calling thread; nothing of the caller's descriptors and signal state reaches it.
 *
 * A child that serves has a gate, a pipe that it reads as descriptor 3: what it is told there it answers on its
 * standard output.
 */
#define _GNU_SOURCE
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define REFUSED_NS 1000000000u /* for a child to end that can't be killed */

/* A descriptor of at least `low`: the caller may run with some of 0-2 closed. Closes `fd`. */
static int at_least(int low, int fd) {
    if (fd < 0 || fd >= low)
        return fd;
    int high = fcntl(fd, F_DUPFD_CLOEXEC, low);
    int error = errno;
    close(fd);
    errno = error;
    return high;
}

int proc_number(void) {
    char text[32] = "";
    return readlink("/proc/self", text, sizeof text - 1) > 0 ? atoi(text) : 0;
}

static bool fill(int fd, const void *bytes, size_t n) {
    return write_all(fd, bytes, n) && lseek(fd, 0, SEEK_SET) == 0;
}

int spawn_nowhere(void) {
    int null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    return null >= 0 ? null : open("/", O_PATH | O_CLOEXEC);
}

static bool open_pipe(int ends[2]) {
    if (pipe2(ends, O_CLOEXEC))
        return false;
    ends[0] = at_least(4, ends[0]);
    ends[1] = at_least(4, ends[1]);
    return ends[0] >= 0 && ends[1] >= 0;
}

/* The child between vfork and exec: only system calls. `seconds` of processor time are its limit, if not 0. */
static _Noreturn void exec_child(char *const argv[], char *const environment[], const int fds[4],
                                 pid_t parent, rlim_t seconds, volatile int *error) {
    struct rlimit limit;
    if (seconds && !getrlimit(RLIMIT_CPU, &limit) && seconds < limit.rlim_cur) {
        limit.rlim_cur = seconds;
        setrlimit(RLIMIT_CPU, &limit);
    }
    for (int s = 1; s < NSIG; s++)
        signal(s, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() == parent) {
        bool has_files = true;
        for (int i = 0; i < 4 && has_files; i++)
            has_files = fds[i] < 0 || dup2(fds[i], i) == i;
        if (has_files) {
            syscall(SYS_close_range, fds[3] >= 0 ? 4U : 3U, ~0U, 0U);
            execve(argv[0], argv, environment);
        }
    }
    *error = errno;
    _exit(127);
}

/* Returns the child's id, or -1 with errno. vfork: the caller's address space may be large. */
static pid_t start(char *const argv[], char *const environment[], const int fds[4], rlim_t seconds) {
    volatile int error = 0;
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &old);
    pid_t parent = getpid(), child = vfork();
    if (child == 0)
        exec_child(argv, environment, fds, parent, seconds, &error);
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
            enum { CHUNK = 65536 };
            void *room = buf_room(bufs[i], CHUNK);
            if (!room)
                return ENOMEM;
            ssize_t n = read(polls[i].fd, room, CHUNK);
            if (n < 0 && (errno == EINTR || errno == EAGAIN))
                continue;
            if (n <= 0) {
                polls[i].fd = -1;
                continue;
            }
            bufs[i]->size += (size_t)n;
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

static void close_all(struct child *child) {
    int *fds[] = {&child->input, &child->gate, &child->out, &child->err};
    for (size_t i = 0; i < sizeof fds / sizeof *fds; i++) {
        if (*fds[i] >= 0)
            close(*fds[i]);
        *fds[i] = -1;
    }
}

enum { SPAWN_GATE = 8 }; /* beside base.h's flags */

static bool launch(struct child *child, char *const argv[], char *const environment[], unsigned flags,
                   const void *in, size_t in_size, rlim_t seconds) {
    int out[2] = {-1, -1}, err[2] = {-1, -1}, gate[2] = {-1, -1}, null = -1, error = 0;
    *child = (struct child)NO_CHILD;
    child->input = at_least(4, memfd_create("weir-input", MFD_CLOEXEC));
    bool ok = child->input >= 0 && fill(child->input, in, in_size) &&
              (!(flags & SPAWN_OUT) || open_pipe(out)) && (!(flags & SPAWN_ERR) || open_pipe(err)) &&
              (!(flags & SPAWN_GATE) || open_pipe(gate));
    if (ok && (out[1] < 0 || err[1] < 0))
        ok = (null = at_least(4, spawn_nowhere())) >= 0;
    if (ok) {
        int out_fd = out[1] >= 0 ? out[1] : null;
        int err_fd = err[1] >= 0 ? err[1] : flags & SPAWN_ERR_TO_OUT ? out_fd : null;
        child->pid = start(argv, environment, (int[]){child->input, out_fd, err_fd, gate[0]}, seconds);
    }
    if (child->pid < 0)
        error = errno;
    int theirs[] = {out[1], err[1], gate[0], null};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        if (theirs[i] >= 0)
            close(theirs[i]);
    child->out = out[0];
    child->err = err[0];
    child->gate = gate[1];
    if (child->pid < 0)
        close_all(child);
    errno = error;
    return !error;
}

bool spawn_start(struct child *child, char *const argv[], char *const environment[], unsigned flags) {
    return launch(child, argv, environment, flags | SPAWN_GATE, NULL, 0, 0);
}

/* Its group is killed, and it is collected. Where a sandbox refuses the signal a child mostly ends for want of what is
 * closed here, and else with its parent. */
static void end(struct child *child) {
    int status;
    bool killed = !kill(-child->pid, SIGKILL) || errno == ESRCH;
    close_all(child);
    reap(child->pid, killed ? 0 : time_ns() + REFUSED_NS, &status);
    child->pid = -1;
}

bool spawn_alive(const struct child *child) {
    siginfo_t info = {0};
    return child->pid > 0 && !waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) &&
           !info.si_pid;
}

void spawn_drop(struct child *child) {
    if (child->pid > 0)
        end(child);
    else
        close_all(child);
}

bool spawn_tell(struct child *child, const void *bytes, size_t n) {
    return write_quietly(child->gate, bytes, n) == (ssize_t)n;
}

bool spawn_hear(struct child *child, void *bytes, size_t n, unsigned timeout_ms) {
    uint64_t deadline = timeout_ms ? time_ns() + timeout_ms * 1000000ull : 0;
    for (size_t done = 0; done < n;) {
        struct pollfd p = {.fd = child->out, .events = POLLIN};
        int ready = poll(&p, 1, remaining_ms(deadline));
        ssize_t got = ready > 0 ? read(child->out, (char *)bytes + done, n - done) : 0;
        if (ready == 0 || (ready > 0 && got == 0)) {
            errno = ready ? 0 : ETIMEDOUT;
            return false;
        }
        if ((ready < 0 || got < 0) && errno != EINTR)
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

int spawn_finish(struct child *child, struct buf *out, struct buf *err, unsigned timeout_ms, size_t max_out) {
    uint64_t deadline = timeout_ms ? time_ns() + timeout_ms * 1000000ull : 0;
    int status = -1;
    int error = collect((int[]){child->out, child->err}, (struct buf *[]){out, err}, deadline, max_out);
    if (!error)
        error = reap(child->pid, deadline, &status);
    if (error && error != ECHILD) {
        end(child);
    } else {
        kill(-child->pid, SIGKILL); /* stragglers of its group */
        child->pid = -1;
        close_all(child);
    }
    if (!error && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        error = ETIMEDOUT;
    errno = error;
    return error ? -1 : status;
}

int spawn_run(char *const argv[], const void *in, size_t in_size, struct buf *out, struct buf *err,
              unsigned timeout_ms, size_t max_out) {
    struct child child;
    unsigned flags = (out ? SPAWN_OUT : 0) | (!err ? 0 : err == out ? SPAWN_ERR_TO_OUT : SPAWN_ERR);
    if (!launch(&child, argv, environ, flags, in, in_size, (timeout_ms + 999) / 1000))
        return -1;
    return spawn_finish(&child, out, err, timeout_ms * ELAPSED_FACTOR, max_out);
}
