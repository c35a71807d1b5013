/* interrupt.c: what WEIR_TRACE and WEIR_PROFILE have to write is written, too, where a signal ends the program: one from outside,
 * as servers and whatever takes too long are ended, or a fault of its own.
 *
 * In: what is to be done first. Out: the process's end by the same signal.
 *
 * These signals get a handler where the program leaves them at their default; one that the program sets later takes its place,
 * and the end is the program's then. The handler only wakes a thread, which does the work: what it needs, memory and locks, no
 * handler may take. It ends when the last thread has that there is something to write of (watchers.c), and signals have their
 * default then. A second SIGINT ends the process at once. Threads with a fault wait for that thread, but not for long: the
 * fault may have damaged memory, or have happened with a lock that the work needs. Then they die of it where they are, as
 * debuggers and core files should have it. A forked child has no such thread, and its signals their default, until it has
 * something to write itself.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { MOST = 2 };
static const int outside[] = {SIGINT, SIGTERM, SIGHUP};
static const int faults[] = {CRASH_SIGNALS};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all but what the handler uses */
static void (*finishers[MOST])(void);
static unsigned nfinishers;
static bool is_watched, is_known_to_forks;
static sem_t asked;
static _Atomic int by; /* the last one from outside, whichever thread it came to */
static _Atomic bool is_faulty, is_written;
static _Atomic pid_t writer;

/* Of SIGTERM and SIGHUP several may come for one cause: to a process group, and from who passes them on. */
static void on_signal(int number) {
    int error = errno;
    if (by == SIGINT && number == SIGINT) {
        signal(number, SIG_DFL);
        raise(number);
    }
    by = number;
    sem_post(&asked);
    errno = error;
}

static void on_fault(int number, siginfo_t *info, void *context) {
    enum { PATIENCE_MS = 5000 };
    int error = errno;
    if (atomic_load(&writer) != (pid_t)syscall(SYS_gettid)) { /* else it can't do its work */
        if (!atomic_exchange(&is_faulty, true))
            sem_post(&asked);
        for (int ms = 0; ms < PATIENCE_MS && !atomic_load(&is_written); ms++)
            nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    signal(number, SIG_DFL);
    if (info->si_code <= 0) /* it was sent: nothing makes it come again */
        raise(number);
    errno = error;
}

static bool same_handler(const struct sigaction *a, const struct sigaction *b) {
    if (a->sa_flags & b->sa_flags & SA_SIGINFO)
        return a->sa_sigaction == b->sa_sigaction;
    return !((a->sa_flags | b->sa_flags) & SA_SIGINFO) && a->sa_handler == b->sa_handler;
}

static void replace_handlers(const int *signals, size_t n, const struct sigaction *from,
                             const struct sigaction *to) {
    for (size_t i = 0; i < n; i++) {
        struct sigaction now;
        if (!sigaction(signals[i], NULL, &now) && same_handler(&now, from))
            sigaction(signals[i], to, NULL);
    }
}

static const struct sigaction by_default = {.sa_handler = SIG_DFL},
                              ask = {.sa_handler = on_signal, .sa_flags = SA_RESTART},
                              ask_and_wait = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};

/* With nobody left to watch: signals end the process as ever, until there is somebody again. Whether this thread ends. */
static bool leave(void) {
    bool leaves;
    pthread_mutex_lock(&lock);
    leaves = !watchers_needed();
    if (leaves) {
        replace_handlers(outside, COUNT(outside), &ask, &by_default);
        replace_handlers(faults, COUNT(faults), &ask_and_wait, &by_default);
        is_watched = by || is_faulty; /* a handler was there first */
        leaves = !is_watched;
        atomic_store(&writer, leaves ? 0 : atomic_load(&writer));
    }
    pthread_mutex_unlock(&lock);
    return leaves;
}

static void *wait_for_one(void *arg) {
    void (*all[MOST])(void) = {NULL};
    sigset_t set;
    atomic_store(&writer, (pid_t)syscall(SYS_gettid));
    while (!by && !is_faulty) {
        while (sem_wait(&asked))
            ;
        if (!by && !is_faulty && leave())
            return arg;
    }
    pthread_mutex_lock(&lock);
    memcpy(all, finishers, sizeof all);
    pthread_mutex_unlock(&lock);
    for (unsigned i = 0; i < MOST && all[i]; i++)
        all[i]();
    atomic_store(&is_written, true);
    while (!by) /* the thread with the fault ends the process */
        pause();
    signal(by, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, by);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* threads of ours take none */
    raise(by);
    _exit(128 + by);
}

static void after_fork_child(void) {
    pthread_mutex_init(&lock, NULL);
    nfinishers = 0;
    is_watched = false;
    sem_init(&asked, 0, 0);
    by = 0;
    is_faulty = is_written = false;
    writer = 0;
    replace_handlers(outside, COUNT(outside), &ask, &by_default);
    replace_handlers(faults, COUNT(faults), &ask_and_wait, &by_default);
}

static void watch_locked(void) {
    pthread_t thread;
    if ((!is_known_to_forks && sem_init(&asked, 0, 0)) || worker_thread(&thread, 0, wait_for_one, NULL))
        return; /* signals end the process as ever */
    pthread_detach(thread);
    is_watched = true;
    if (!is_known_to_forks)
        pthread_atfork(NULL, NULL, after_fork_child);
    is_known_to_forks = true;
    replace_handlers(outside, COUNT(outside), &by_default, &ask);
    replace_handlers(faults, COUNT(faults), &by_default, &ask_and_wait);
}

void interrupt_finish(void (*finish)(void)) {
    pthread_mutex_lock(&lock);
    if (nfinishers < MOST)
        finishers[nfinishers++] = finish;
    if (!is_watched)
        watch_locked();
    pthread_mutex_unlock(&lock);
}

void interrupt_watch(void) {
    pthread_mutex_lock(&lock);
    if (nfinishers && !is_watched)
        watch_locked();
    pthread_mutex_unlock(&lock);
}

void interrupt_rouse(void) {
    pthread_mutex_lock(&lock);
    if (is_watched)
        sem_post(&asked);
    pthread_mutex_unlock(&lock);
}
