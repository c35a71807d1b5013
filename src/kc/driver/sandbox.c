/* sandbox.c: what a process that reads hostile input gives up for good.
 *
 * In: the folders that it may read, and the one where it may write. Out: a list of system calls that pass, all others
 * being refused (a seccomp filter, made by libseccomp), and a list of files that can be opened (landlock). Both hold for
 * children too, through exec. What the kernel lacks is left out, and sandbox_enter says what is in force.
 *
 * Refused calls fail, with EPERM, and with ENOSYS where the C library knows what to do instead and for calls that are
 * newer than this list: nothing dies of a C library that tries a new call first.
 */
#include "sandbox.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <seccomp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- system calls ---- */

/* Allowed whatever their arguments: they concern this process, its memory, its children, what it has open, and files as
 * far as landlock lets it. Owners, modes, times and attributes of files are not among what landlock knows: no call that
 * changes one is here. */
static const int allowed[] = {
    /* memory */
    SCMP_SYS(brk),
    SCMP_SYS(munmap),
    SCMP_SYS(mremap),
    SCMP_SYS(madvise),
    SCMP_SYS(membarrier),
    SCMP_SYS(memfd_create),
    /* files */
    SCMP_SYS(open),
    SCMP_SYS(openat),
    SCMP_SYS(close),
    SCMP_SYS(close_range),
    SCMP_SYS(read),
    SCMP_SYS(readv),
    SCMP_SYS(pread64),
    SCMP_SYS(preadv),
    SCMP_SYS(write),
    SCMP_SYS(writev),
    SCMP_SYS(pwrite64),
    SCMP_SYS(pwritev),
    SCMP_SYS(lseek),
    SCMP_SYS(fadvise64), /* what linkers do with their output */
    SCMP_SYS(fallocate),
    SCMP_SYS(ftruncate),
    SCMP_SYS(msync),
    SCMP_SYS(stat),
    SCMP_SYS(fstat),
    SCMP_SYS(lstat),
    SCMP_SYS(newfstatat),
    SCMP_SYS(statx),
    SCMP_SYS(statfs),
    SCMP_SYS(fstatfs),
    SCMP_SYS(access),
    SCMP_SYS(faccessat),
    SCMP_SYS(faccessat2),
    SCMP_SYS(readlink),
    SCMP_SYS(readlinkat),
    SCMP_SYS(getcwd),
    SCMP_SYS(getdents64),
    SCMP_SYS(rename),
    SCMP_SYS(renameat),
    SCMP_SYS(renameat2),
    SCMP_SYS(unlink),
    SCMP_SYS(unlinkat),
    SCMP_SYS(umask),
    SCMP_SYS(dup),
    SCMP_SYS(dup2),
    SCMP_SYS(dup3),
    SCMP_SYS(pipe2),
    SCMP_SYS(poll),
    SCMP_SYS(ppoll),
    SCMP_SYS(recvmsg), /* on sockets that are open: no call makes, names or connects one */
    SCMP_SYS(sendto),
    /* this process and its children */
    SCMP_SYS(vfork),
    SCMP_SYS(execve),
    SCMP_SYS(exit),
    SCMP_SYS(exit_group),
    SCMP_SYS(wait4),
    SCMP_SYS(waitid),
    SCMP_SYS(getpid),
    SCMP_SYS(getppid),
    SCMP_SYS(gettid),
    SCMP_SYS(getpgrp),
    SCMP_SYS(getuid),
    SCMP_SYS(geteuid),
    SCMP_SYS(getgid),
    SCMP_SYS(getegid),
    SCMP_SYS(getrlimit),
    SCMP_SYS(setrlimit),
    SCMP_SYS(getrusage),
    SCMP_SYS(times),
    SCMP_SYS(set_tid_address),
    SCMP_SYS(set_robust_list),
    SCMP_SYS(rseq),
    SCMP_SYS(futex),
    SCMP_SYS(futex_waitv),
    SCMP_SYS(sched_yield),
    SCMP_SYS(sched_getaffinity),
    SCMP_SYS(getcpu),
    SCMP_SYS(rt_sigaction),
    SCMP_SYS(rt_sigprocmask),
    SCMP_SYS(rt_sigpending),
    SCMP_SYS(rt_sigreturn),
    SCMP_SYS(rt_sigtimedwait),
    SCMP_SYS(sigaltstack),
    SCMP_SYS(restart_syscall),
    SCMP_SYS(setitimer),
    /* the machine */
    SCMP_SYS(clock_gettime),
    SCMP_SYS(clock_getres),
    SCMP_SYS(gettimeofday),
    SCMP_SYS(time),
    SCMP_SYS(nanosleep),
    SCMP_SYS(clock_nanosleep),
    SCMP_SYS(getrandom),
    SCMP_SYS(uname),
    SCMP_SYS(sysinfo),
};

/* Signals go to this process and to its children: those are landlock's to tell, from version 6 on. */
static const int signals[] = {SCMP_SYS(kill), SCMP_SYS(tgkill), SCMP_SYS(rt_tgsigqueueinfo)};

#define NEWEST_CALL 450 /* of those that this list knows; the same numbers on all machines from 424 on */
#define CALLS_END   600

#define NAMESPACES                                                                                           \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |            \
     CLONE_NEWNET)
#define WRITE_AND_EXEC (PROT_WRITE | PROT_EXEC)
#ifndef PR_SET_VMA
#define PR_SET_VMA 0x53564d41
#endif
#define TERMINAL_2 0x802c542a /* TCGETS2, whose macro needs struct termios2 */
#ifndef ARCH_SET_FS
#define ARCH_SET_FS 0x1002
#endif

#define MASKED(argument, mask, value) SCMP_CMP64(argument, SCMP_CMP_MASKED_EQ, (mask), (value))
#define IS_INT(argument, value)       MASKED(argument, 0xffffffffu, (uint32_t)(value))
#define ALLOW(call, ...)              seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(call), __VA_ARGS__)

/* The calls whose arguments decide. Pointers can't be looked at. */
static void allow_some(scmp_filter_ctx filter) {
    static const int commands[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL};
    static const unsigned long terminal[] = {TCGETS, TERMINAL_2, TIOCGWINSZ, FIOCLEX, FIONCLEX};
    static const int own[] = {PR_SET_PDEATHSIG, PR_GET_PDEATHSIG,    PR_SET_NAME,
                              PR_GET_NAME,      PR_SET_VMA,          PR_GET_SECCOMP,
                              PR_GET_DUMPABLE,  PR_GET_NO_NEW_PRIVS, PR_SET_NO_NEW_PRIVS};
    for (size_t i = 0; i < sizeof commands / sizeof *commands; i++)
        ALLOW(fcntl, 1, IS_INT(1, commands[i]));
    for (size_t i = 0; i < sizeof terminal / sizeof *terminal; i++)
        ALLOW(ioctl, 1, IS_INT(1, terminal[i]));
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        ALLOW(prctl, 1, IS_INT(0, own[i]));
    ALLOW(arch_prctl, 1, IS_INT(0, ARCH_SET_FS));
    ALLOW(prlimit64, 1, IS_INT(0, 0)); /* of this process */
    ALLOW(setpgid, 2, IS_INT(0, 0), IS_INT(1, 0));
    ALLOW(clone, 1, MASKED(0, NAMESPACES, 0));
    /* No memory is written and run at a time, and none becomes code later. */
    ALLOW(mmap, 1, MASKED(2, PROT_EXEC, 0));
    ALLOW(mmap, 1, MASKED(2, WRITE_AND_EXEC, PROT_EXEC));
    ALLOW(mprotect, 1, MASKED(2, PROT_EXEC, 0));
}

/* The filter's instructions, in memory that stays. */
static struct sock_fprog export(scmp_filter_ctx filter) {
    struct sock_fprog program = {0};
    int fd = memfd_create("weir-filter", MFD_CLOEXEC);
    struct stat info;
    if (fd >= 0 && !seccomp_export_bpf(filter, fd) && !fstat(fd, &info) && info.st_size) {
        void *code = malloc((size_t)info.st_size);
        if (code && pread(fd, code, (size_t)info.st_size, 0) == info.st_size) {
            program.filter = code;
            program.len = (unsigned short)((size_t)info.st_size / sizeof(struct sock_filter));
        }
    }
    if (fd >= 0)
        close(fd);
    return program;
}

static struct sock_fprog make_filter(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ERRNO(EPERM));
    if (!filter)
        return (struct sock_fprog){0};
    seccomp_attr_set(filter, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM));
    seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, 2); /* a binary search */
    for (size_t i = 0; i < sizeof allowed / sizeof *allowed; i++)
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, allowed[i], 0); /* one that this machine lacks is no error */
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        seccomp_rule_add(filter, SCMP_ACT_ALLOW, signals[i], 0);
    allow_some(filter);
    /* Its flags are in memory: the C library takes clone instead. */
    seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), SCMP_SYS(clone3), 0);
    for (int call = NEWEST_CALL + 1; call < CALLS_END; call++)
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOSYS), call, 0);
    struct sock_fprog program = export(filter);
    seccomp_release(filter);
    return program;
}

/* Where landlock doesn't keep signals among ourselves: to this process alone, and none to its children, who end when
 * they lose their parent. */
static struct sock_fprog make_signal_filter(void) {
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter)
        return (struct sock_fprog){0};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        seccomp_rule_add(filter, SCMP_ACT_ERRNO(EPERM), signals[i], 1,
                         SCMP_CMP64(0, SCMP_CMP_NE, (scmp_datum_t)getpid()));
    struct sock_fprog program = export(filter);
    seccomp_release(filter);
    return program;
}

static bool install(const struct sock_fprog *program) {
    if (!program->len) {
        errno = ENOMEM;
        return false;
    }
    /* Without the flag, older kernels slow the whole process down against speculative attacks. */
    return !syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, program) ||
           !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program);
}

static struct sock_fprog filter;

void sandbox_prepare(void) {
    if (!filter.len)
        filter = make_filter();
}

/* 0, or the errno that says why not. */
static int refuse_calls(bool signals_too) {
    sandbox_prepare();
    if (signals_too) {
        struct sock_fprog own = make_signal_filter();
        int error = install(&own) ? 0 : errno;
        free(own.filter);
        if (error)
            return error;
    }
    return install(&filter) ? 0 : errno;
}

/* ---- files ---- */

/* What is newer than the oldest headers to build with. */
#define REFER          (1ull << 13)
#define TRUNCATE       (1ull << 14)
#define IOCTL_DEV      (1ull << 15)
#define SCOPE_ABSTRACT (1ull << 0)
#define SCOPE_SIGNAL   (1ull << 1)
#define NET_BIND       (1ull << 0)
#define NET_CONNECT    (1ull << 1)
#define ACCESS(name)   LANDLOCK_ACCESS_FS_##name
#define ANY_FILE       (ACCESS(EXECUTE) | ACCESS(WRITE_FILE) | ACCESS(READ_FILE) | TRUNCATE | IOCTL_DEV)

struct ruleset {
    uint64_t fs, net, scoped;
};

static void allow_beneath(int ruleset, int fd, uint64_t access) {
    struct landlock_path_beneath_attr rule = {.allowed_access = access, .parent_fd = fd};
    struct stat info;
    if (!fstat(fd, &info) && !S_ISDIR(info.st_mode))
        rule.allowed_access &= ANY_FILE;
    if (rule.allowed_access)
        syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
}

/* A path that isn't there needs no rule. */
static void allow_path(int ruleset, const char *path, uint64_t access) {
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return;
    allow_beneath(ruleset, fd, access);
    close(fd);
}

/* The files that lie in the folder itself, without hidden ones. */
static void allow_files_in(int ruleset, const char *path) {
    DIR *folder = opendir(path);
    int left = 10000;
    for (struct dirent *entry; folder && left-- > 0 && (entry = readdir(folder));) {
        if (*entry->d_name == '.' || (entry->d_type != DT_REG && entry->d_type != DT_UNKNOWN))
            continue;
        int fd = openat(dirfd(folder), entry->d_name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
        struct stat info;
        if (fd >= 0 && !fstat(fd, &info) && S_ISREG(info.st_mode))
            allow_beneath(ruleset, fd, ACCESS(READ_FILE));
        if (fd >= 0)
            close(fd);
    }
    if (folder)
        closedir(folder);
}

struct loaded {
    int ruleset;
    bool is_first;
};

/* The folder of a library that this process has loaded: the front end loads the same ones. And the program's loader. */
static int allow_loaded(struct dl_phdr_info *object, size_t size, void *arg) {
    struct loaded *loaded = arg;
    const char *slash = strrchr(object->dlpi_name, '/');
    if (slash && slash > object->dlpi_name) {
        char folder[PATH_MAX];
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - object->dlpi_name), object->dlpi_name);
        allow_path(loaded->ruleset, folder, ACCESS(READ_FILE));
    }
    for (int i = 0; loaded->is_first && i < object->dlpi_phnum; i++)
        if (object->dlpi_phdr[i].p_type == PT_INTERP)
            allow_path(loaded->ruleset, (const char *)(object->dlpi_addr + object->dlpi_phdr[i].p_vaddr),
                       ACCESS(READ_FILE) | ACCESS(EXECUTE));
    loaded->is_first = false;
    return 0;
}

/* What every program needs to start and to run, all of it the system's. */
static void allow_system(int ruleset) {
    static const char *const readable[] = {
        "/lib",
        "/lib64",
        "/usr/lib",
        "/usr/lib64",
        "/etc/ld.so.cache",
        "/etc/localtime",
        "/usr/share/zoneinfo",
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        "/proc/self", /* their runtime reads its process's maps */
#endif
    };
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++)
        allow_path(ruleset, readable[i], ACCESS(READ_FILE));
    dl_iterate_phdr(allow_loaded, &(struct loaded){ruleset, true});
    allow_path(ruleset, "/dev/null", ACCESS(READ_FILE) | ACCESS(WRITE_FILE) | TRUNCATE);
}

/* 0, or the errno that says why not; *version is landlock's. */
static int refuse_files(const struct sandbox *s, long *version) {
    static const size_t sizes[] = {0, 8, 8, 8, 16, 16, 24}; /* of struct ruleset, by the kernel's version */
    uint64_t write = ACCESS(WRITE_FILE) | ACCESS(REMOVE_FILE) | ACCESS(MAKE_REG);
    struct ruleset rules = {.fs = write | ACCESS(EXECUTE) | ACCESS(READ_FILE) | ACCESS(READ_DIR) |
                                  ACCESS(REMOVE_DIR) | ACCESS(MAKE_DIR) | ACCESS(MAKE_CHAR) |
                                  ACCESS(MAKE_SOCK) | ACCESS(MAKE_FIFO) | ACCESS(MAKE_BLOCK) |
                                  ACCESS(MAKE_SYM),
                            .net = NET_BIND | NET_CONNECT,
                            .scoped = SCOPE_ABSTRACT | SCOPE_SIGNAL};
    *version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (*version < 1)
        return errno ? errno : ENOSYS;
    write |= *version >= 3 ? TRUNCATE : 0;
    rules.fs |= write | (*version >= 2 ? REFER : 0) | (*version >= 5 ? IOCTL_DEV : 0);
    int ruleset = (int)syscall(SYS_landlock_create_ruleset, &rules, sizes[*version < 6 ? *version : 6], 0);
    if (ruleset < 0)
        return errno;
    allow_system(ruleset);
    for (size_t i = 0; i < s->nprograms; i++)
        allow_path(ruleset, s->programs[i], ACCESS(READ_FILE) | ACCESS(EXECUTE));
    for (size_t i = 0; i < s->nreadable; i++)
        allow_path(ruleset, s->readable[i], ACCESS(READ_FILE));
    if (s->shallow)
        allow_files_in(ruleset, s->shallow);
    if (s->writable >= 0)
        allow_beneath(ruleset, s->writable, write);
    int error = syscall(SYS_landlock_restrict_self, ruleset, 0) ? errno : 0;
    close(ruleset);
    return error;
}

bool sandbox_limits_files(void) {
    return syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION) >= 1;
}

/* ---- both ---- */

const char *sandbox_enter(const struct sandbox *s, bool *is_whole) {
    static char says[160];
    long version = 0;
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    errno = 0;
    int files = refuse_files(s, &version);
    int calls = refuse_calls(files || version < 6);
    if (!files && !calls)
        snprintf(says, sizeof says, "system calls and files (landlock %ld)", version);
    else if (!calls)
        snprintf(says, sizeof says, "system calls only: no landlock (%s)", strerror(files));
    else if (!files)
        snprintf(says, sizeof says, "files only (landlock %ld): no seccomp (%s)", version, strerror(calls));
    else
        snprintf(says, sizeof says, "none: no seccomp (%s), no landlock (%s)", strerror(calls),
                 strerror(files));
    if (is_whole)
        *is_whole = !files && !calls;
    if (files || calls)
        log_write(s->is_quiet ? LOG_DEBUG : LOG_WARN, "the compiler's sandbox: %s", says);
    return says;
}
