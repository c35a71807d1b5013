/* What a sandboxed process can still do, and what not. Each test enters it in a child process. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include "unit.h"

static char folder[64], inside[80], outside[80];

/* Runs `body` sandboxed, with a writable folder; returns its result, up to 255. */
static int sandboxed(int (*body)(void)) {
    strcpy(folder, "/tmp/weir-sandbox.XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(inside, sizeof inside, "%s/inside", folder);
    snprintf(outside, sizeof outside, "%s.outside", folder);
    pid_t child = fork();
    if (!child) {
        sandbox_enter(folder);
        _exit(body());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    unlink(inside);
    unlink(outside);
    rmdir(folder);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

#define REFUSED(call) ((call) == -1 && errno == EPERM)

/* The number of the first call that is not refused; 0: all are. */
static int try_refused(void) {
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC), ends[2];
    struct rlimit limit;
    if (prctl(PR_GET_SECCOMP) != 2)
        return 77;
    bool refused[] = {
        REFUSED(socket(AF_INET, SOCK_STREAM, 0)),
        REFUSED(socket(AF_UNIX, SOCK_STREAM, 0)),
        REFUSED(socketpair(AF_UNIX, SOCK_STREAM, 0, ends)),
        REFUSED(connect(fd, NULL, 0)),
        REFUSED(kill(getppid(), 0)),
        REFUSED(kill(-1, 0)),
        REFUSED(kill(0, 0)),
        REFUSED(syscall(SYS_tgkill, getppid(), getppid(), SIGTERM)),
        REFUSED(ptrace(PTRACE_ATTACH, getppid(), NULL, NULL)),
        REFUSED(syscall(SYS_pidfd_open, getppid(), 0)),
        REFUSED(prlimit(getppid(), RLIMIT_CORE, NULL, &limit)),
        REFUSED(mount("none", "/tmp", "tmpfs", 0, NULL)),
        REFUSED(syscall(SYS_unshare, 0x10000000)), /* CLONE_NEWUSER */
        REFUSED(syscall(SYS_clone, 0x10000000 | SIGCHLD, NULL, NULL, NULL, 0)),
        REFUSED(syscall(SYS_keyctl, 0, 0, 0, 0, 0)),
        REFUSED(syscall(SYS_bpf, 0, NULL, 0)),
        REFUSED(syscall(SYS_perf_event_open, NULL, 0, 0, 0, 0)),
        REFUSED(syscall(SYS_io_uring_setup, 1, NULL)),
        REFUSED(ioctl(fd, TIOCSTI, "x")),
        REFUSED(syscall(SYS_getpid | 0x40000000)), /* the x32 ABI's way in */
    };
    for (size_t i = 0; i < COUNT(refused); i++)
        if (!refused[i])
            return (int)i + 1;
    return 0;
}

TEST(calls_that_reach_out_are_refused) {
    int result = sandboxed(try_refused);
    if (result == 77)
        skip();
    assert_int_equal(result, 0);
}

static bool can_create(const char *path) {
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    return fd >= 0 && write(fd, "x", 1) == 1 && !close(fd);
}

static int try_files(void) {
    char name[100];
    int fd = open("/etc/passwd", O_RDONLY | O_CLOEXEC), null = open("/dev/null", O_WRONLY | O_CLOEXEC);
    snprintf(name, sizeof name, "%s.moved", inside);
    if (fd < 0 || null < 0)
        return 1;
    if (!can_create(inside) || rename(inside, name) || unlink(name))
        return 2;
    int memory = memfd_create("memory", MFD_CLOEXEC);
    snprintf(name, sizeof name, "/proc/self/fd/%d", memory); /* how the linker gets its output */
    if (!can_create(name))
        return 3;
    if (syscall(SYS_landlock_create_ruleset, NULL, 0, 1) < 1)
        return 77;
    return can_create(outside) ? 4 : !mkdir(outside, 0700) ? 5 : !symlink("/", outside) ? 6 : 0;
}

TEST(only_the_given_folder_can_be_written) {
    int result = sandboxed(try_files);
    if (result == 77)
        skip();
    assert_int_equal(result, 0);
}

static void *nothing(void *arg) {
    return arg;
}

static int try_work(void) {
    pthread_t thread;
    struct buf out = {0};
    if (pthread_create(&thread, NULL, nothing, NULL) || pthread_join(thread, NULL))
        return 1;
    char *const echo[] = {"/bin/echo", "hello", NULL}, *const sleep[] = {"/bin/sleep", "100", NULL};
    if (spawn_run(echo, NULL, 0, &out, NULL, 10000, 0) || out.size != 6)
        return 2;
    if (spawn_run(sleep, NULL, 0, &out, NULL, 50, 0) != -1 || errno != ETIMEDOUT)
        return 3;
    /* Children can't leave it. */
    char *const kill_parent[] = {"/bin/sh", "-c", "kill -0 1 && exit 1; kill -0 $PPID && exit 1; exit 0",
                                 NULL};
    if (prctl(PR_GET_SECCOMP) == 2 && spawn_run(kill_parent, NULL, 0, NULL, NULL, 10000, 0))
        return 4;
    return 0;
}

TEST(threads_and_child_processes_work) {
    assert_int_equal(sandboxed(try_work), 0);
}

static int try_abort(void) {
    pid_t child = fork();
    if (!child) {
        signal(SIGABRT, SIG_DFL);
        abort();
    }
    int status;
    return waitpid(child, &status, 0) != child || !WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT;
}

TEST(abort_still_ends_a_process) {
    assert_int_equal(sandboxed(try_abort), 0);
}

static int enter_again(void) {
    sandbox_enter(NULL);
    return can_create(inside) && syscall(SYS_landlock_create_ruleset, NULL, 0, 1) >= 1;
}

TEST(it_nests) {
    assert_int_equal(sandboxed(enter_again), 0);
}
