/* sandbox.c: what a process that reads hostile input gives up for good.
 *
 * In: the one directory where it may still write. Out: no new sockets, no signals to and no looking into other
 * processes, no mounts, keys, probes and the like (a seccomp filter: EPERM), and no writing to other files
 * (landlock: EACCES). It holds for children too, through exec. What the kernel lacks is left out. The filter can't
 * know the ids of children to come: that signals go to those alone is landlock's part, where it is new enough.
 */
#define _GNU_SOURCE
#include "base.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/landlock.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- system calls ---- */

#ifdef __x86_64__

/* Refused whatever their arguments. */
static const unsigned short refused[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4, /* network */
    SYS_tkill,
    SYS_rt_sigqueueinfo,

    SYS_ptrace,
    SYS_process_vm_readv, /* processes */
    SYS_process_vm_writev,
    SYS_process_madvise,
    SYS_process_mrelease,
    SYS_kcmp,
    SYS_pidfd_open,
    SYS_pidfd_getfd,
    SYS_pidfd_send_signal,
    SYS_migrate_pages,
    SYS_move_pages,
    SYS_unshare,
    SYS_setns,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_move_mount,
    SYS_open_tree,
    SYS_fsopen, /* files */
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_mount_setattr,
    SYS_name_to_handle_at,
    SYS_open_by_handle_at,
    SYS_fanotify_init,
    SYS_quotactl,
    SYS_swapon,
    SYS_swapoff,
    SYS_mknod,
    SYS_mknodat,
    SYS_keyctl,
    SYS_add_key,
    SYS_request_key,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd, /* the kernel */
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_reboot,
    SYS_syslog,
    SYS_acct,
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_adjtimex,
    SYS_clock_adjtime,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_vhangup,
    SYS_shmget,
    SYS_shmat,
    SYS_shmctl, /* shared objects */
    SYS_semget,
    SYS_semop,
    SYS_semctl,
    SYS_semtimedop,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_mq_open,
    SYS_mq_unlink,
};

enum { NREFUSED = sizeof refused / sizeof *refused, MAX_FILTER = 2 * NREFUSED + 64 };
#define NAMESPACES                                                                                           \
    (CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID |            \
     CLONE_NEWNET)
#define X32           0x40000000u
#define FIELD(name)   offsetof(struct seccomp_data, name)
#define ANSWER(error) (SECCOMP_RET_ERRNO | (error))

struct filter {
    struct sock_filter code[MAX_FILTER];
    unsigned short n;
};

static void add(struct filter *f, unsigned short code, uint32_t k, unsigned char if_true,
                unsigned char if_false) {
    f->code[f->n++] = (struct sock_filter){code, if_true, if_false, k};
}

static void load(struct filter *f, size_t field) {
    add(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)field, 0, 0);
}

static void answer(struct filter *f, uint32_t action) {
    add(f, BPF_RET | BPF_K, action, 0, 0);
}

/* Unless the accumulator, a call's number, is `call`, goes over the next `body` instructions, which end in answers
 * on all ways: they lose the number. */
static void on(struct filter *f, long call, unsigned char body) {
    add(f, BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)call, 0, body);
}

static void make_filter(struct filter *f) {
    load(f, FIELD(arch));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
    answer(f, ANSWER(EPERM));
    load(f, FIELD(nr));
    add(f, BPF_JMP | BPF_JGE | BPF_K, X32, 0, 1);
    answer(f, ANSWER(EPERM));
    for (unsigned i = 0; i < NREFUSED; i++) {
        on(f, refused[i], 1);
        answer(f, ANSWER(EPERM));
    }
    on(f, SYS_clone3, 1); /* its flags are in memory: the C library takes clone then */
    answer(f, ANSWER(ENOSYS));
    on(f, SYS_clone, 4);
    load(f, FIELD(args[0]));
    add(f, BPF_JMP | BPF_JSET | BPF_K, NAMESPACES, 0, 1);
    answer(f, ANSWER(EPERM));
    answer(f, SECCOMP_RET_ALLOW);
    on(f, SYS_ioctl, 5); /* no typing into the user's terminal */
    load(f, FIELD(args[1]));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, TIOCSTI, 1, 0);
    add(f, BPF_JMP | BPF_JEQ | BPF_K, TIOCLINUX, 0, 1);
    answer(f, ANSWER(EPERM));
    answer(f, SECCOMP_RET_ALLOW);
    on(f, SYS_kill,
       5); /* a group of children only: no single process, not one's own group (0) nor all (-1) */
    load(f, FIELD(args[0]));
    add(f, BPF_JMP | BPF_JGE | BPF_K, 0x80000000u, 0, 2);
    add(f, BPF_JMP | BPF_JEQ | BPF_K, UINT32_MAX, 1, 0);
    answer(f, SECCOMP_RET_ALLOW);
    answer(f, ANSWER(EPERM));
    for (int i = 0; i < 2; i++) { /* only what a process ends itself with, SIGILL to SIGFPE and SIGSEGV */
        on(f, i ? SYS_tgkill : SYS_rt_tgsigqueueinfo, 6);
        load(f, FIELD(args[2]));
        add(f, BPF_JMP | BPF_JGT | BPF_K, SIGFPE, 1, 0);
        add(f, BPF_JMP | BPF_JGE | BPF_K, SIGILL, 1, 2);
        add(f, BPF_JMP | BPF_JEQ | BPF_K, SIGSEGV, 0, 1);
        answer(f, SECCOMP_RET_ALLOW);
        answer(f, ANSWER(EPERM));
    }
    on(f, SYS_prlimit64, 4); /* of others */
    load(f, FIELD(args[0]));
    add(f, BPF_JMP | BPF_JEQ | BPF_K, 0, 1, 0);
    answer(f, ANSWER(EPERM));
    answer(f, SECCOMP_RET_ALLOW);
    answer(f, SECCOMP_RET_ALLOW);
}

static void refuse_calls(void) {
    static struct filter f;
    f.n = 0;
    make_filter(&f);
    struct sock_fprog program = {.len = f.n, .filter = f.code};
    /* Without the flag, older kernels slow the whole process down against speculative attacks. */
    if (!syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_SPEC_ALLOW, &program) ||
        !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program))
        return;
    log_write(LOG_DEBUG, "sandbox: no seccomp: %s", strerror(errno));
}

#else
static void refuse_calls(void) {
}
#endif

/* ---- files ---- */

/* What is newer than the oldest headers to build with. */
#define TRUNCATE       (1ull << 14)
#define SCOPE_ABSTRACT (1ull << 0)
#define SCOPE_SIGNAL   (1ull << 1)
#define NET_BIND       (1ull << 0)
#define NET_CONNECT    (1ull << 1)
#define ACCESS(name)   LANDLOCK_ACCESS_FS_##name

struct ruleset {
    uint64_t fs, net, scoped;
};

static void allow_beneath(int ruleset, const char *path, uint64_t access) {
    struct landlock_path_beneath_attr rule = {.allowed_access = access};
    rule.parent_fd = open(path, O_PATH | O_CLOEXEC);
    if (rule.parent_fd < 0)
        return;
    syscall(SYS_landlock_add_rule, ruleset, LANDLOCK_RULE_PATH_BENEATH, &rule, 0);
    close(rule.parent_fd);
}

static void refuse_files(const char *writable) {
    static const size_t sizes[] = {0, 8, 8, 8, 16, 16, 24}; /* of struct ruleset, by the kernel's version */
    uint64_t create = ACCESS(WRITE_FILE) | ACCESS(REMOVE_FILE) | ACCESS(MAKE_REG);
    struct ruleset rules = {.fs = create | ACCESS(REMOVE_DIR) | ACCESS(MAKE_DIR) | ACCESS(MAKE_CHAR) |
                                  ACCESS(MAKE_SOCK) | ACCESS(MAKE_FIFO) | ACCESS(MAKE_BLOCK) |
                                  ACCESS(MAKE_SYM),
                            .net = NET_BIND | NET_CONNECT,
                            .scoped = SCOPE_ABSTRACT | SCOPE_SIGNAL};
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (version >= 3)
        create |= TRUNCATE;
    rules.fs |= create;
    int ruleset =
        version < 1 ? -1
                    : (int)syscall(SYS_landlock_create_ruleset, &rules, sizes[version < 6 ? version : 6], 0);
    if (ruleset >= 0) {
        if (writable && *writable)
            allow_beneath(ruleset, writable, create);
        allow_beneath(ruleset, "/dev/null", create & (ACCESS(WRITE_FILE) | TRUNCATE));
    }
    if (ruleset < 0 || syscall(SYS_landlock_restrict_self, ruleset, 0))
        log_write(LOG_DEBUG, "sandbox: no landlock: %s", strerror(errno));
    if (ruleset >= 0)
        close(ruleset);
}

void sandbox_enter(const char *writable) {
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    refuse_files(writable);
    refuse_calls();
}
