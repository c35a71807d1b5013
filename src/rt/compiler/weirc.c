/* weirc.c: the weirc process: where it is found, how it is started, and the socket to it.
 *
 * weirc runs as `weirc --server` with one end of a Unix socket pair as its standard input, and ends when
 * the other end is closed. Requests are descriptors sent over it (compiler.c makes them).
 *
 * The host process is not ours. It may ignore SIGCHLD or wait for any child, fork, close every
 * descriptor, or change its environment; so the server is nobody's child, its socket is looked at before
 * each use, and nothing of it is expected to survive.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CONTROL_FD     200 /* out of the way of hosts that count on low numbers */
#define SEND_TIMEOUT_S 5   /* a server that doesn't take requests for so long is given up */

static struct {
    pthread_mutex_t lock; /* guards all of it; also held over fork() */
    int fd;               /* our end of the control socket; -1: no server */
    dev_t dev;            /* what `fd` was when we opened it: the host may have closed it and */
    ino_t ino;            /* opened something else there */
    pid_t owner;          /* the process that started it; a forked child starts its own */
    pid_t pid;            /* its process, and since when, as numbers are given again */
    uint64_t since;
    uint64_t generation;
    unsigned busy;      /* requests between weirc_send and weirc_done */
    char **environment; /* the server's; NULL: not copied yet */
} server = {.lock = PTHREAD_MUTEX_INITIALIZER, .fd = -1};

/* ---- where weirc is ---- */

static char found_path[PATH_MAX], weirc_sought[8 * PATH_MAX];

static bool try_path(const char *path) {
    char *full = realpath(path, NULL);
    if (!full && *path == '/' && !access(path, X_OK)) /* links can't be read */
        full = strdup(path);
    bool found = full && strlen(full) < sizeof found_path && !access(full, X_OK);
    if (found)
        strcpy(found_path, full);
    else
        snprintf(weirc_sought + strlen(weirc_sought), sizeof weirc_sought - strlen(weirc_sought), "%s%s",
                 *weirc_sought ? ", " : "", path);
    free(full);
    return found;
}

static void find_weirc(void) {
    static const char *const places[] = {
        "weirc",         "../lib/weir/weirc", "../libexec/weir/weirc",
        "../weir/weirc", "../bin/weirc",      "../../weir/lib/weirc"}; /* the wheel's, from pyopencl/.libs */
    if (env_get()->compiler) {
        try_path(env_get()->compiler);
        return;
    }
    Dl_info info;
    bool is_known = dladdr((void *)weirc_path, &info);
    char *library = is_known ? realpath(info.dli_fname, NULL) : NULL;
    if (is_known && !library) /* links can't be read */
        library = strdup(info.dli_fname);
    char *slash = library ? strrchr(library, '/') : NULL;
    if (slash) {
        *slash = 0;
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            struct buf path = {0};
            buf_printf(&path, "%s/%s", library, places[i]);
            bool found = buf_cstr(&path) && try_path(buf_cstr(&path));
            buf_free(&path);
            if (found)
                break;
        }
    }
    free(library);
}

const char *weirc_path(const char **why) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_weirc);
    if (why)
        *why = weirc_sought;
    return *found_path ? found_path : NULL;
}

/* ---- starting it ----
 * Host -> middle process -> weirc. The middle one ends at once, so that weirc is adopted by init. It is
 * made by clone() without an exit signal: the host gets no SIGCHLD for it, its wait() calls don't see it,
 * and only our __WCLONE collects it. Both steps share memory with the host until they exec or exit, as
 * vfork does: the cost doesn't grow with the host, and no atfork handlers run. A host that adopts orphans (a container's
 * first process, a subreaper) would have weirc as a child: there the middle one stays, and waits for weirc's end. In there,
 * system calls are made directly: the C library's wrappers may be a sanitizer's, which keep books in the shared memory. */

struct start {
    char **argv, **envp;
    int input, null; /* the server's end of the socket; /dev/null */
    cpu_set_t cpus;  /* of the process; the calling thread may be bound to one core */
    bool keep_stderr, stays;
    _Atomic uint32_t has_started; /* futex; with it a middle process that stays has done with all of this */
    volatile int error;           /* errno of what failed, seen by the host */
    volatile pid_t pid;           /* of the server, seen by the host */
};
static _Alignas(64) char stacks[2][64 * 1024];
/* clone() by the name that sanitizers don't replace: theirs takes every child for a copy of the process. */
int __clone(int (*)(void *), void *stack, int flags, void *arg, ...);

static int become_weirc(void *arg) {
    struct start *s = arg;
    s->pid = (pid_t)syscall(SYS_getpid);
    uint64_t zeros[4] = {0}; /* a kernel sigaction: default handler; or an empty signal set */
    for (int i = 1; i < NSIG; i++)
        syscall(SYS_rt_sigaction, i, zeros, NULL, 8);
    syscall(SYS_sched_setaffinity, 0, sizeof s->cpus, &s->cpus);
    /* One whose ids differ is no owner of its files, and has no preloaded library. */
    uid_t uid = (uid_t)syscall(SYS_geteuid);
    gid_t gid = (gid_t)syscall(SYS_getegid);
    syscall(SYS_setresgid, gid, gid, gid);
    syscall(SYS_setresuid, uid, uid, uid);
    syscall(SYS_chdir, "/"); /* pins no file system; requests say where their paths start */
    bool ok = syscall(SYS_dup3, s->input, 0, 0) >= 0 && syscall(SYS_dup3, s->null, 1, 0) >= 0 &&
              (s->keep_stderr || syscall(SYS_dup3, s->null, 2, 0) >= 0);
    /* All but 0-2. Before Linux 5.9 the descriptors of the host that aren't close-on-exec stay. */
    syscall(SYS_close_range, 3u, ~0u, 0u);
    syscall(SYS_rt_sigprocmask, SIG_SETMASK, zeros, NULL, 8);
    if (ok)
        syscall(SYS_execve, s->argv[0], s->argv, s->envp);
    s->error = errno;
    syscall(SYS_exit_group, 127);
    return 0;
}

static int middle(void *arg) {
    struct start *s = arg;
    syscall(SYS_setsid); /* the terminal's signals are not for the server */
    bool stays = s->stays;
    if (stays)
        syscall(SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
    if (__clone(become_weirc, stacks[1] + sizeof stacks[1], CLONE_VM | CLONE_VFORK | SIGCHLD, s) < 0)
        s->error = errno;
    if (stays) {
        /* Its descriptors are copies of the host's: with one of the socket's the server would never end. */
        if (syscall(SYS_close_range, 0u, ~0u, 0u))
            for (int fd = 0; fd < 65536; fd++)
                syscall(SYS_close, fd);
        atomic_store(&s->has_started, 1);
        syscall(SYS_futex, &s->has_started, FUTEX_WAKE, 1, NULL, NULL, 0);
        /* for the server, and what a dead one leaves; all signals are blocked */
        while (syscall(SYS_wait4, -1, NULL, 0, NULL) > 0)
            continue;
    }
    /* Not an exit: under valgrind this is a process of its own that would report on the host's memory; it
     * even does so at a plain kill. */
    siginfo_t info = {.si_code = SI_QUEUE};
    syscall(SYS_rt_sigqueueinfo, syscall(SYS_getpid), SIGKILL, &info);
    return 0;
}

/* Of the host's environment what the compiler reads, finds its libraries with, and, in builds of their own, what
 * sanitizers read: the rest may hold secrets. */
static bool is_for_weirc(const char *variable) {
    static const char *const names[] = {
        "WEIR_",         "HOME=",         "XDG_CACHE_HOME=", "TZ=", "LD_LIBRARY_PATH=",
        "ASAN_OPTIONS=", "TSAN_OPTIONS=", "UBSAN_OPTIONS="};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(variable, names[i], strlen(names[i])))
            return true;
    return false;
}

/* A copy, to be freed as one block. Whoever calls this is in a call of the application's: at other times its threads may
 * change their environment, which frees what others look at. */
static char **clean_environment(void) {
    size_t n = 0, kept = 0, bytes = 0;
    /* a program with more rights than who started it believes nothing that this user says */
    for (; !getauxval(AT_SECURE) && environ && environ[n]; n++)
        bytes += is_for_weirc(environ[n]) ? strlen(environ[n]) + 1 : 0;
    char **copy = malloc((n + 1) * sizeof *copy + bytes);
    char *text = (char *)(copy + n + 1);
    for (size_t i = 0; copy && i < n; i++)
        if (is_for_weirc(environ[i])) {
            copy[kept++] = text;
            text = stpcpy(text, environ[i]) + 1;
        }
    if (copy)
        copy[kept] = NULL;
    return copy;
}

static bool adopts_orphans(void) {
    int is_subreaper = 0;
    return getpid() == 1 || (!prctl(PR_GET_CHILD_SUBREAPER, &is_subreaper) && is_subreaper);
}

/* The middle process that stayed last, and its stack; others have left theirs behind if they still run. */
static struct {
    pid_t pid, owner;
    void *stack;
} keeper;

/* Starts one that stays, and waits until weirc runs. Its number, or -1 with errno. */
static pid_t start_keeper(struct start *s) {
    if (keeper.pid > 0 && keeper.owner == getpid() &&
        waitpid(keeper.pid, NULL, __WCLONE | WNOHANG) == keeper.pid)
        munmap(keeper.stack, sizeof stacks[0]);
    void *stack = mmap(NULL, sizeof stacks[0], PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (stack == MAP_FAILED)
        return -1;
    pid_t pid = __clone(middle, (char *)stack + sizeof stacks[0], CLONE_VM, s);
    while (pid > 0 && !atomic_load(&s->has_started))
        if (syscall(SYS_futex, &s->has_started, FUTEX_WAIT, 0, &(struct timespec){.tv_sec = 1}, NULL, 0) &&
            errno == ETIMEDOUT && waitpid(pid, NULL, __WCLONE | WNOHANG) == pid) /* killed from outside */
            pid = -1;
    keeper.pid = pid;
    keeper.owner = getpid();
    keeper.stack = stack;
    return pid;
}

/* 0, or the errno of what failed. */
static int start_process(int input, pid_t *server_pid) {
    struct start s = {.input = input,
                      .stays = adopts_orphans(),
                      .keep_stderr = log_on(LOG_ERROR) && fcntl(2, F_GETFD) >= 0};
    s.argv = (char *[]){found_path, "--server", NULL};
    if (!server.environment)
        server.environment = clean_environment();
    s.envp = server.environment;
    int null = spawn_nowhere();
    s.null = null >= 0 && null < 3 ? fcntl(null, F_DUPFD_CLOEXEC, 3) : null;
    if (!s.envp || s.null < 0) {
        s.error = errno;
    } else {
        if (sched_getaffinity(getpid(), sizeof s.cpus, &s.cpus))
            memset(&s.cpus, 0xff, sizeof s.cpus);
        sigset_t all, old;
        sigfillset(&all);
        pthread_sigmask(SIG_SETMASK, &all, &old);
        pid_t pid = s.stays ? start_keeper(&s)
                            : __clone(middle, stacks[0] + sizeof stacks[0], CLONE_VM | CLONE_VFORK, &s);
        if (pid < 0)
            s.error = errno;
        while (!s.stays && pid > 0 && waitpid(pid, NULL, __WCLONE) < 0 && errno == EINTR)
            continue;
        pthread_sigmask(SIG_SETMASK, &old, NULL);
    }
    *server_pid = s.pid;
    if (s.null >= 0 && s.null != null)
        close(s.null);
    if (null >= 0)
        close(null);
    return s.error;
}

/* ---- the control socket ---- */

static bool is_ours(void) {
    struct stat st;
    return server.fd >= 0 && !fstat(server.fd, &st) && st.st_dev == server.dev && st.st_ino == server.ino;
}

static void drop_locked(void) {
    if (is_ours())
        close(server.fd);
    server.fd = -1;
}

/* When the process started, in clock ticks since the machine did: with its number it names a process. 0: unknown.
 * *state: what it does, a letter (man 5 proc). */
static uint64_t started_at(pid_t pid, char *state) {
    char path[64], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    int fd =
        proc_number() == getpid() ? open(path, O_RDONLY | O_CLOEXEC) : -1; /* else it means another one */
    ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : -1;
    if (fd >= 0)
        close(fd);
    text[n > 0 ? n : 0] = 0;
    const char *field = strrchr(text, ')'); /* the program's name, the second field, may hold anything */
    *state = field && field[1] ? field[2] : 0;
    for (int i = 2; field && i < 22; i++)
        field = strchr(field + 1, ' ');
    return field ? strtoull(field + 1, NULL, 10) : 0;
}

/* Ends a server that doesn't answer, be it stopped. Its workers die with it. */
static void kill_locked(void) {
    char state;
    if (server.owner != getpid() || server.pid <= 0 || !server.since)
        return;
    int process = (int)syscall(SYS_pidfd_open, server.pid, 0); /* what is looked at next is what is killed */
    if (started_at(server.pid, &state) == server.since && state != 'Z') {
        log_write(LOG_WARN, "the compiler's server doesn't answer and is killed");
        if (process < 0 || syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0))
            kill(server.pid, SIGKILL);
    }
    if (process >= 0)
        close(process);
    server.pid = 0;
}

static bool alive_locked(void) {
    struct pollfd p = {.fd = server.fd};
    return server.owner == getpid() && is_ours() && poll(&p, 1, 0) >= 0 && !(p.revents & (POLLHUP | POLLERR));
}

/* A descriptor that is not below `low`, if there is room. */
static int move_up(int fd, int low) {
    int moved = fd >= 0 && fd < low ? fcntl(fd, F_DUPFD_CLOEXEC, low) : -1;
    if (moved < 0)
        return fd;
    close(fd);
    return moved;
}

void weirc_explain(char *why, size_t why_size) {
    char text[200];
    for (unsigned i = 0; i < LIMITS; i++) {
        size_t n = strlen(why);
        if (limit_is_short(i, text, sizeof text))
            snprintf(why + n, why_size - n, "; %s", text);
    }
}

static bool start_locked(char *why, size_t why_size) {
    const char *sought;
    if (!weirc_path(&sought)) {
        snprintf(why, why_size, "the compiler weirc was not found; tried: %.2000s", sought);
        return false;
    }
    if (access("/proc/self/fd", X_OK)) {
        snprintf(why, why_size, "the compiler needs /proc, which is not mounted here");
        return false;
    }
    uint64_t begin = time_ns();
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends)) {
        snprintf(why, why_size, "no socket for the compiler: %s", strerror(errno));
        weirc_explain(why, why_size);
        return false;
    }
    ends[1] = move_up(ends[1], 3);
    int error = start_process(ends[1], &server.pid);
    close(ends[1]);
    if (error) {
        close(ends[0]);
        snprintf(why, why_size, "%s cannot be started: %s", found_path, strerror(error));
        weirc_explain(why, why_size);
        return false;
    }
    server.fd = move_up(ends[0], CONTROL_FD);
    struct stat st;
    fstat(server.fd, &st);
    setsockopt(server.fd, SOL_SOCKET, SO_SNDTIMEO, &(struct timeval){.tv_sec = SEND_TIMEOUT_S},
               sizeof(struct timeval));
    server.dev = st.st_dev;
    server.ino = st.st_ino;
    server.owner = getpid();
    server.since = started_at(server.pid, &(char){0});
    server.generation++;
    log_write(LOG_DEBUG, "started %s in %.2f ms", found_path, (double)(time_ns() - begin) / 1e6);
    return true;
}

/* fork() in the middle of our critical section would leave the child's lock taken for ever. */
static void before_fork(void) {
    pthread_mutex_lock(&server.lock);
}

static void after_fork_parent(void) {
    pthread_mutex_unlock(&server.lock);
}

static void after_fork_child(void) {
    server.lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    server.busy = 0; /* the threads that asked are the parent's */
}

static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork_parent, after_fork_child);
}

static pthread_once_t forks_watched = PTHREAD_ONCE_INIT;

uint64_t weirc_send(int fd, const struct buf *reading, char *why, size_t why_size) {
    pthread_once(&forks_watched, watch_forks);
    uint64_t generation = 0;
    pthread_mutex_lock(&server.lock);
    for (int attempt = 0; attempt < 2 && !generation; attempt++) {
        if (!alive_locked())
            drop_locked();
        if (server.fd < 0 && !start_locked(why, why_size))
            break;
        if (frame_send_fd(server.fd, fd) &&
            frame_send(server.fd, reading->data, reading->size, SEND_TIMEOUT_S * 1000)) {
            generation = server.generation;
            server.busy++;
        } else {
            snprintf(why, why_size, "the compiler takes no requests: %s", strerror(errno));
            weirc_explain(why, why_size);
            kill_locked();
            drop_locked();
        }
    }
    pthread_mutex_unlock(&server.lock);
    return generation;
}

void weirc_copy_environment(void) {
    pthread_once(&forks_watched, watch_forks);
    if (pthread_mutex_trylock(&server.lock)) /* somebody starts it or asks */
        return;
    if (!alive_locked()) {
        free(server.environment);
        server.environment = clean_environment();
    }
    pthread_mutex_unlock(&server.lock);
}

bool weirc_alive(uint64_t generation) {
    pthread_mutex_lock(&server.lock);
    bool alive = generation == server.generation && alive_locked();
    pthread_mutex_unlock(&server.lock);
    return alive;
}

bool weirc_stopped(uint64_t generation) {
    char state = 0;
    pthread_mutex_lock(&server.lock);
    bool known = generation == server.generation && server.owner == getpid() && server.pid > 0 &&
                 started_at(server.pid, &state) == server.since;
    pthread_mutex_unlock(&server.lock);
    return known && state == 'T';
}

void weirc_drop(uint64_t generation) {
    pthread_mutex_lock(&server.lock);
    if (generation == server.generation) {
        kill_locked();
        drop_locked();
    }
    pthread_mutex_unlock(&server.lock);
}

void weirc_done(void) {
    pthread_mutex_lock(&server.lock);
    server.busy--;
    pthread_mutex_unlock(&server.lock);
}

void weirc_rest(void) {
    pthread_mutex_lock(&server.lock);
    /* Its children, which work on the requests, end with it. */
    if (!server.busy)
        drop_locked();
    pthread_mutex_unlock(&server.lock);
}

/* If the host unloads the library (or ends), the server must not outlive it. */
__attribute__((destructor)) static void unload(void) {
    /* At exit another thread may be in here for long: then the kernel closes the socket. */
    if (server.owner != getpid() || pthread_mutex_trylock(&server.lock))
        return;
    drop_locked();
    pthread_mutex_unlock(&server.lock);
}
