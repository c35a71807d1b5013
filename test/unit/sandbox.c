/* What a sandboxed process can still do, and what not. Each test enters it in a child process. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>
#include "sandbox.h"
#include "unit.h"

static char folder[64], inside[80], outside[80], readable[80], link_out[120], header[120];

static bool can_create(const char *path) {
    int fd = open(path, O_CREAT | O_WRONLY | O_TRUNC | O_CLOEXEC, 0600);
    return fd >= 0 && write(fd, "x", 1) == 1 && !close(fd);
}

static bool can_read(const char *path) {
    char byte;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    bool read_it = fd >= 0 && read(fd, &byte, 1) == 1;
    if (fd >= 0)
        close(fd);
    return read_it;
}

static const char *enter(void) {
    const char *const programs[] = {"/bin/echo", "/bin/sleep", "/bin/sh"}, *const folders[] = {readable};
    struct sandbox sandbox = {.programs = programs, .nprograms = 3, .readable = folders, .nreadable = 1};
    sandbox.writable = open(folder, O_PATH | O_DIRECTORY);
    return sandbox_enter(&sandbox, NULL);
}

/* Runs `body`, sandboxed or not; returns its result, up to 255. There are a writable folder, a readable
 * one with a header and a link out of it, and a file outside of both. */
static int run(int (*body)(void), bool enters) {
    strcpy(folder, "/tmp/weir-sandbox.XXXXXX");
    assert_non_null(mkdtemp(folder));
    snprintf(inside, sizeof inside, "%s/inside", folder);
    snprintf(outside, sizeof outside, "%s.outside", folder);
    snprintf(readable, sizeof readable, "%s.readable", folder);
    snprintf(header, sizeof header, "%s/header.h", readable);
    snprintf(link_out, sizeof link_out, "%s/link.h", readable);
    assert_int_equal(mkdir(readable, 0700), 0);
    assert_true(can_create(outside) && can_create(header) && !symlink(outside, link_out));
    pid_t child = fork();
    if (!child) {
        for (int s = 1; s < NSIG; s++) /* cmocka's are for the parent */
            signal(s, SIG_DFL);
        if (enters)
            enter();
        _exit(body());
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    unlink(inside);
    unlink(outside);
    unlink(header);
    unlink(link_out);
    rmdir(readable);
    rmdir(folder);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static int sandboxed(int (*body)(void)) {
    return run(body, true);
}

enum { SKIPPED = 77 };

static bool has_seccomp(void) {
    return prctl(PR_GET_SECCOMP) == 2;
}

/* Outside of a sandbox: it has no call for that. */
static long landlock_version(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, 1);
}

#define REFUSED(call) ((call) == -1 && errno == EPERM)

/* ---- system calls ---- */

/* What the compiler needs, as the test sees it: all others must fail, whatever their arguments. */
static const short needed[] = {
    SYS_read,
    SYS_write,
    SYS_open,
    SYS_close,
    SYS_stat,
    SYS_fstat,
    SYS_lstat,
    SYS_poll,
    SYS_lseek,
    SYS_mmap,
    SYS_mprotect,
    SYS_munmap,
    SYS_brk,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_ioctl,
    SYS_pread64,
    SYS_pwrite64,
    SYS_readv,
    SYS_writev,
    SYS_access,
    SYS_sched_yield,
    SYS_mremap,
    SYS_madvise,
    SYS_dup,
    SYS_dup2,
    SYS_nanosleep,
    SYS_setitimer,
    SYS_getpid,
    SYS_sendto,
    SYS_recvmsg,
    SYS_clone,
    SYS_vfork,
    SYS_execve,
    SYS_exit,
    SYS_wait4,
    SYS_kill,
    SYS_uname,
    SYS_fcntl,
    SYS_getcwd,
    SYS_rename,
    SYS_unlink,
    SYS_readlink,
    SYS_umask,
    SYS_gettimeofday,
    SYS_getrlimit,
    SYS_getrusage,
    SYS_sysinfo,
    SYS_times,
    SYS_getuid,
    SYS_getgid,
    SYS_geteuid,
    SYS_getegid,
    SYS_setpgid,
    SYS_getppid,
    SYS_getpgrp,
    SYS_rt_sigpending,
    SYS_rt_sigtimedwait,
    SYS_sigaltstack,
    SYS_statfs,
    SYS_fstatfs,
    SYS_prctl,
    SYS_arch_prctl,
    SYS_setrlimit,
    SYS_gettid,
    SYS_time,
    SYS_futex,
    SYS_sched_getaffinity,
    SYS_getdents64,
    SYS_set_tid_address,
    SYS_restart_syscall,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_exit_group,
    SYS_tgkill,
    SYS_waitid,
    SYS_openat,
    SYS_newfstatat,
    SYS_unlinkat,
    SYS_renameat,
    SYS_readlinkat,
    SYS_faccessat,
    SYS_ppoll,
    SYS_set_robust_list,
    SYS_dup3,
    SYS_pipe2,
    SYS_preadv,
    SYS_pwritev,
    SYS_rt_tgsigqueueinfo,
    SYS_prlimit64,
    SYS_getcpu,
    SYS_renameat2,
    SYS_getrandom,
    SYS_memfd_create,
    SYS_membarrier,
    SYS_statx,
    SYS_rseq,
    SYS_close_range,
    SYS_faccessat2,
    SYS_futex_waitv,
    SYS_fadvise64,
    SYS_fallocate,
    SYS_ftruncate,
    SYS_msync,
};

/* The kernel's own, for probes: newer ones ask no filter, and end whoever calls them. */
enum { FIRST_PROBE = 335, LAST_PROBE = 336 };

static bool is_needed(long call) {
    for (size_t i = 0; i < COUNT(needed); i++)
        if (needed[i] == call)
            return true;
    return false;
}

/* The first call that does not fail as refused, from 1 on in two bytes' worth of exit codes; 0: all do. */
static long first_allowed(void) {
    for (long call = 0; call < 1024; call++) {
        if (is_needed(call) || (call >= FIRST_PROBE && call <= LAST_PROBE))
            continue;
        errno = 0;
        if (syscall(call, -1L, -1L, -1L, -1L, -1L, -1L) != -1 || (errno != EPERM && errno != ENOSYS))
            return call + 1;
        if (call < 300 && errno != EPERM)
            return call + 1;
        /* the x32 ABI's way in */
        if (syscall(call | 0x40000000, -1L, -1L, -1L, -1L, -1L, -1L) != -1 ||
            (errno != EPERM && errno != ENOSYS))
            return call + 1;
    }
    return 0;
}

static int try_all_calls(void) {
    if (!has_seccomp())
        return SKIPPED;
    long call = first_allowed();
    if (call)
        dprintf(2, "system call %ld is not refused: %s\n", call - 1, strerror(errno));
    return call != 0;
}

#define CHECK(body)                                                                                          \
    int result = sandboxed(body);                                                                            \
    if (result == SKIPPED)                                                                                   \
        skip();                                                                                              \
    assert_int_equal(result, 0)

TEST(every_call_that_is_not_needed_is_refused) {
    CHECK(try_all_calls);
}

static int number_of_first(const bool *as_wanted, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!as_wanted[i])
            return (int)i + 1;
    return 0;
}

static int try_arguments(void) {
    int fd = open("/dev/null", O_RDWR | O_CLOEXEC), rw = PROT_READ | PROT_WRITE, rx = PROT_READ | PROT_EXEC;
    struct rlimit limit;
    if (!has_seccomp())
        return SKIPPED;
    char *page = mmap(NULL, 4096, rw, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool refused[] = {
        REFUSED(syscall(SYS_clone, CLONE_NEWUSER | SIGCHLD, NULL, NULL, NULL, 0)),
        REFUSED(syscall(SYS_clone, CLONE_NEWNET | SIGCHLD, NULL, NULL, NULL, 0)),
        REFUSED(ioctl(fd, TIOCSTI, "x")),
        REFUSED(ioctl(fd, FIOASYNC, &fd)),
        REFUSED(fcntl(fd, F_SETOWN, getppid())),
        REFUSED(fcntl(fd, F_SETLEASE, F_WRLCK)),
        REFUSED(prctl(PR_SET_SECUREBITS, 0)),
        REFUSED(prctl(PR_SET_PTRACER, -1L)),
        REFUSED(prlimit(getppid(), RLIMIT_CORE, NULL, &limit)),
        REFUSED(setpgid(0, getppid())),
        REFUSED(setpgid(getppid(), 0)),
        REFUSED(syscall(SYS_arch_prctl, 0x1001, 0L)), /* ARCH_SET_GS */
        REFUSED(mprotect(page, 4096, rx)),
        mmap(NULL, 4096, rw | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED && errno == EPERM,
    };
    return page == MAP_FAILED ? 100 : number_of_first(refused, COUNT(refused));
}

TEST(arguments_that_reach_out_are_refused) {
    CHECK(try_arguments);
}

static int try_signals(void) {
    if (!has_seccomp())
        return SKIPPED;
    bool refused[] = {
        REFUSED(kill(getppid(), 0)),
        REFUSED(kill(getppid(), SIGCONT)),
        REFUSED(syscall(SYS_tgkill, getppid(), getppid(), SIGTERM)),
        REFUSED(syscall(SYS_rt_sigqueueinfo, getppid(), SIGTERM, NULL)),
        REFUSED(syscall(SYS_tkill, getppid(), 0)),
        REFUSED(syscall(SYS_pidfd_open, getppid(), 0)),
        REFUSED(setpriority(PRIO_PROCESS, (id_t)getppid(), 19)),
        REFUSED(syscall(SYS_ioprio_set, 1, getppid(), 0)),
        REFUSED(syscall(SYS_sched_setaffinity, getppid(), 8, "\1\0\0\0\0\0\0\0")),
        REFUSED(sched_setscheduler(getppid(), SCHED_IDLE, &(struct sched_param){0})),
        REFUSED(setpriority(PRIO_PROCESS, 0, 19)),
    };
    return number_of_first(refused, COUNT(refused));
}

TEST(other_processes_are_out_of_reach) {
    CHECK(try_signals);
}

static int try_attributes(void) {
    if (!has_seccomp() || !can_create(inside))
        return SKIPPED;
    int fd = open(inside, O_WRONLY | O_CLOEXEC);
    bool refused[] = {
        REFUSED(chmod(inside, 0777)),
        REFUSED(fchmod(fd, 0777)),
        REFUSED(chmod(outside, 0777)),
        REFUSED(chown(outside, getuid(), getgid())),
        REFUSED(fchownat(fd, "", getuid(), getgid(), AT_EMPTY_PATH)),
        REFUSED(utimensat(AT_FDCWD, outside, NULL, 0)),
        REFUSED(futimens(fd, NULL)),
        REFUSED(setxattr(outside, "user.x", "x", 1, 0)),
        REFUSED(removexattr(outside, "user.x")),
        REFUSED(link(inside, outside)),
        REFUSED(symlink(inside, outside)),
        REFUSED(mkdir(outside, 0700)),
        REFUSED(truncate(outside, 0)),
    };
    return number_of_first(refused, COUNT(refused));
}

TEST(owners_modes_times_and_attributes_of_files_stay) {
    CHECK(try_attributes);
}

/* ---- files ---- */

static int try_writing(void) {
    char name[100];
    snprintf(name, sizeof name, "%s.moved", inside);
    if (!can_create("/dev/null"))
        return 1;
    if (!can_create(inside) || rename(inside, name) || unlink(name))
        return 2;
    int memory = memfd_create("memory", MFD_CLOEXEC);
    snprintf(name, sizeof name, "/proc/self/fd/%d", memory); /* how the linker gets its output */
    if (!can_create(name))
        return 3;
    snprintf(name, sizeof name, "%s/new", readable);
    return can_create(outside) || !unlink(outside) ? 4 : can_create(name) || can_create(header) ? 5 : 0;
}

TEST(only_the_given_folder_can_be_written) {
    if (landlock_version() < 1)
        skip();
    CHECK(try_writing);
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) /* whose runtime looks at its process */
enum { IS_SANITIZED = 1 };
#else
enum { IS_SANITIZED = 0 };
#endif

static int try_reading(void) {
    char memory[64], parent[64];
    int fd = memfd_create("memory", MFD_CLOEXEC);
    snprintf(memory, sizeof memory, "/proc/self/fd/%d", fd);
    snprintf(parent, sizeof parent, "/proc/%d/environ", (int)getppid());
    bool as_wanted[] = {
        can_read(header), /* 1 */
        write(fd, "x", 1) == 1 && can_read(memory),
        can_read("/etc/ld.so.cache"),
        !can_read(outside),
        !can_read(link_out),
        !can_read("/etc/passwd"), /* 6 */
        !can_read(parent),
        !can_read("/proc/self/environ") || IS_SANITIZED,
        !can_read("/proc/1/cmdline"),
        !can_read("/proc/version"),
        !can_read("/dev/zero"), /* 11 */
        open(folder, O_RDONLY | O_DIRECTORY) < 0,
        open("/", O_RDONLY | O_DIRECTORY) < 0,
        execl("/bin/true", "true", (char *)NULL) == -1,
    };
    return number_of_first(as_wanted, COUNT(as_wanted));
}

TEST(only_the_given_folders_and_the_systems_libraries_can_be_read) {
    if (landlock_version() < 1)
        skip();
    CHECK(try_reading);
}

static int try_shallow(void) {
    char below[140], hidden[140];
    snprintf(below, sizeof below, "%s/below", readable);
    snprintf(hidden, sizeof hidden, "%s/.hidden", readable);
    if (!can_create(hidden) || mkdir(below, 0700))
        return 1;
    strcat(below, "/file");
    bool made = can_create(below);
    sandbox_enter(&(struct sandbox){.shallow = readable, .writable = open(readable, O_PATH | O_DIRECTORY)},
                  NULL);
    bool as_wanted[] = {made, can_read(header), !can_read(below), !can_read(hidden), !can_read(link_out)};
    unlink(below);
    unlink(hidden);
    return number_of_first(as_wanted, COUNT(as_wanted));
}

TEST(of_a_shallow_folder_only_its_plain_files_can_be_read) {
    if (landlock_version() < 1)
        skip();
    int result = run(try_shallow, false);
    char below[140];
    snprintf(below, sizeof below, "%s/below", readable);
    rmdir(below); /* it could not */
    rmdir(readable);
    assert_int_equal(result, 0);
}

/* ---- work ---- */

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
    char script[80];
    snprintf(script, sizeof script, "kill -0 1 && exit 1; kill -0 %d && exit 1; exit 0", (int)getppid());
    char *const kill_others[] = {"/bin/sh", "-c", script, NULL};
    if (spawn_run(kill_others, NULL, 0, NULL, NULL, 10000, 0))
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
    if (landlock_version() < 6)
        skip();
    assert_int_equal(sandboxed(try_abort), 0);
}

static int enter_again(void) {
    sandbox_enter(&(struct sandbox){.writable = -1, .is_quiet = true}, NULL);
    return !can_create(inside) || !can_read(header);
}

TEST(entering_twice_does_no_harm) {
    assert_int_equal(sandboxed(enter_again), 0);
}

/* ---- where the kernel lacks something ---- */

/* From here on this process's kernel has no such call. */
static void take_away(int call, int error) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint16_t)error), call, 0);
    seccomp_load(filter);
    seccomp_release(filter);
}

static int try_without_landlock(void) {
    take_away(SCMP_SYS(landlock_create_ruleset), ENOSYS);
    const char *says = enter();
    if (strcmp(says, "system calls only: no landlock (Function not implemented)"))
        return 10;
    if (!REFUSED(chmod(outside, 0777)) || !REFUSED(kill(getppid(), 0)) || !can_read(outside))
        return 11;
    return try_work();
}

TEST(without_landlock_the_calls_are_limited) {
    assert_int_equal(run(try_without_landlock, false), 0);
}

static int try_without_seccomp(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(seccomp), 0);
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(EINVAL), SCMP_SYS(prctl), 1,
                     SCMP_A0_64(SCMP_CMP_EQ, PR_SET_SECCOMP, 0));
    if (seccomp_load(filter))
        return 9;
    const char *says = enter();
    return strncmp(says, "files only (landlock ", 21) ? 10 : can_read(outside) ? 11 : try_work();
}

TEST(without_seccomp_the_files_are_limited) {
    if (landlock_version() < 1)
        skip();
    assert_int_equal(run(try_without_seccomp, false), 0);
}
