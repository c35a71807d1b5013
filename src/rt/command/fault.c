/* fault.c: WEIR_FAULT=1: where a kernel was when it faulted.
 *
 * In: SIGSEGV, SIGBUS, SIGFPE and SIGILL of threads that run a kernel just then. Out: one message to standard error with
 * the kernel, the source line, the work-group and the buffer next to the address; then everything goes on as without
 * it: the handler that was there before is called, or the process dies of the signal.
 *
 * In the handler nothing is called that isn't async-signal-safe. It runs on a stack of its own, for the fault may be
 * that the other one is full.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

enum { STACK_BYTES = 64 << 10 };

/* Initial-exec: reading it needs no call, which in a handler might allocate. */
static _Thread_local __attribute__((tls_model("initial-exec"))) const struct fault_place *here;

static const struct {
    int number;
    const char *name;
} signals[] = {{SIGSEGV, "SIGSEGV"}, {SIGBUS, "SIGBUS"}, {SIGFPE, "SIGFPE"}, {SIGILL, "SIGILL"}};
enum { SIGNALS = sizeof signals / sizeof *signals };
static struct sigaction before[SIGNALS];

/* ---- the message ---- */

struct text {
    char bytes[1024];
    size_t size;
};

static void put(struct text *t, const char *s) {
    for (; *s && t->size < sizeof t->bytes - 1; s++)
        t->bytes[t->size++] = *s;
}

static void put_number(struct text *t, uint64_t n, unsigned base) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = 0;
    do
        digits[--at] = "0123456789abcdef"[n % base];
    while (n /= base);
    put(t, base == 16 ? "0x" : "");
    put(t, digits + at);
}

/* Where the instruction is from: the variant whose object it lies in. */
static void put_line(struct text *t, const struct fault_place *p, uint64_t pc) {
    for (int i = 0; i < 2; i++) {
        const struct variant *v = p->code[i];
        struct source_line s;
        if (!v || pc - v->base >= v->elf_size || !line_of(v->elf, v->elf_size, pc - v->base, &s))
            continue;
        put(t, " at ");
        if (*s.file != '/' && *s.folder) {
            put(t, s.folder);
            put(t, "/");
        }
        put(t, s.file);
        put(t, ":");
        put_number(t, s.line, 10);
        return;
    }
}

/* The memory that an argument stands for: a buffer's; of a pointer that is none nobody knows the size. */
struct range_of_memory {
    uint64_t begin, size;
    uint64_t distance; /* from the address to the next of its bytes; 0: inside */
};

static struct range_of_memory memory_of(const struct fault_place *p, const struct arg_meta *a,
                                        uint64_t address) {
    struct range_of_memory m = {0};
    memcpy(&m.begin, (const char *)p->args + a->offset, sizeof m.begin);
    for (cl_uint i = 0; i < p->nmems; i++)
        if ((uintptr_t)p->mems[i]->data == m.begin)
            m.size = p->mems[i]->size;
    m.distance = address < m.begin            ? m.begin - address
                 : address - m.begin < m.size ? 0
                                              : address - m.begin - m.size;
    return m;
}

static void put_buffer(struct text *t, const struct fault_place *p, uint64_t address) {
    const struct arg_meta *nearest = NULL;
    struct range_of_memory best = {.distance = UINT64_MAX};
    uint32_t index = 0;
    for (uint32_t i = 0; i < p->kernel->nargs; i++) {
        struct range_of_memory m = {.distance = UINT64_MAX};
        if (p->kernel->args[i].kind == ARG_GLOBAL)
            m = memory_of(p, &p->kernel->args[i], address);
        if (m.distance < best.distance) {
            best = m;
            nearest = &p->kernel->args[i];
            index = i;
        }
    }
    if (!nearest)
        return;
    put(t, ", ");
    if (best.distance) {
        put_number(t, address < best.begin ? best.distance : best.distance + (best.size != 0), 10);
        put(t, address < best.begin ? " bytes before"
               : best.size          ? " bytes after the last of"
                                    : " bytes after");
    } else {
        put(t, "inside of");
    }
    put(t, " argument ");
    put_number(t, index, 10);
    put(t, " (");
    put(t, nearest->name);
    put(t, !best.begin ? "), which is NULL"
           : best.size ? "), a buffer of "
                       : "), a pointer that is not a buffer's");
    if (best.size) {
        put_number(t, best.size, 10);
        put(t, " bytes");
    }
}

static void report(const struct fault_place *p, int number, const siginfo_t *info,
                   const ucontext_t *context) {
    struct text t = {.size = 0};
    uint64_t pc = (uint64_t)context->uc_mcontext.gregs[REG_RIP], group = p->group;
    put(&t, "weir: ");
    for (int i = 0; i < SIGNALS; i++)
        put(&t, signals[i].number == number ? signals[i].name : "");
    put(&t, " in kernel ");
    put(&t, p->kernel->name);
    put_line(&t, p, pc);
    put(&t, ", work-group (");
    for (int d = 0; d < 3; d++) {
        put_number(&t, d < 2 ? group % p->num_groups[d] : group, 10);
        put(&t, d < 2 ? ", " : ")");
        group /= p->num_groups[d];
    }
    if (number == SIGSEGV || number == SIGBUS) {
        /* Addresses that no memory could have come without the address. */
        put(&t, info->si_code == SI_KERNEL ? ": an address that is none" : ": address ");
        if (info->si_code != SI_KERNEL) {
            put_number(&t, (uintptr_t)info->si_addr, 16);
            put_buffer(&t, p, (uintptr_t)info->si_addr);
        }
    }
    put(&t, "\n");
    ssize_t written = write(STDERR_FILENO, t.bytes, t.size);
    (void)written;
}

/* ---- the handler ---- */

static void pass_on(int number, siginfo_t *info, void *context) {
    for (int i = 0; i < SIGNALS; i++) {
        const struct sigaction *old = &before[i];
        if (signals[i].number != number)
            continue;
        if (old->sa_flags & SA_RESETHAND) /* as the system does: the handler is called once */
            signal(number, SIG_DFL);
        if (old->sa_flags & SA_SIGINFO) {
            old->sa_sigaction(number, info, context);
        } else if (old->sa_handler != SIG_DFL && old->sa_handler != SIG_IGN) {
            old->sa_handler(number);
        } else { /* the instruction runs again, and the process dies of it; a signal that was sent comes again */
            sigaction(number, old, NULL);
            if (info->si_code <= 0)
                raise(number);
        }
    }
}

static void on_fault(int number, siginfo_t *info, void *context) {
    int error = errno;
    const struct fault_place *p = here;
    here = NULL; /* a fault in here is reported by nobody */
    if (p && info->si_code > 0)
        report(p, number, info, context);
    here = p;
    errno = error;
    pass_on(number, info, context);
}

static void install(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i].number, &action, &before[i]);
}

/* ---- threads that run a kernel ---- */

void fault_enter(struct fault_place *p) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    stack_t old;
    pthread_once(&once, install);
    p->has_stack = false;
    if (!sigaltstack(NULL, &old) && old.ss_flags & SS_DISABLE) {
        p->stack = mmap(NULL, STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        stack_t own = {.ss_sp = p->stack, .ss_size = STACK_BYTES};
        p->has_stack = p->stack != MAP_FAILED && !sigaltstack(&own, NULL);
    }
    p->outer = here;
    here = p;
}

void fault_leave(struct fault_place *p) {
    here = p->outer;
    if (p->has_stack) {
        sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
        munmap(p->stack, STACK_BYTES);
    }
}
