/* interrupt.c: what WEIR_TRACE and WEIR_PROFILE have to write is written, too, where a signal from outside ends the program:
 * servers, and whatever takes too long, are ended so.
 *
 * In: what is to be done first. Out: the process's end by the same signal.
 *
 * SIGINT, SIGTERM and SIGHUP get a handler where the program leaves them at their default; one that the program sets later
 * takes its place, and the end is the program's then. The handler only wakes a thread, which does the work: what it needs,
 * memory and locks, no handler may take. A second SIGINT ends the process at once. A forked child has no such thread, and
 * its signals their default, until it has something to write itself.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 2 };
static const int outside[] = {SIGINT, SIGTERM, SIGHUP};
enum { NOUTSIDE = sizeof outside / sizeof *outside };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards all but what the handler uses */
static void (*finishers[MOST])(void);
static unsigned nfinishers;
static bool is_watched, is_known_to_forks;
static sem_t asked;
static volatile sig_atomic_t by;

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

static _Noreturn void *wait_for_one(void *arg) {
    void (*all[MOST])(void) = {NULL};
    sigset_t set;
    while (sem_wait(&asked))
        ;
    pthread_mutex_lock(&lock);
    memcpy(all, finishers, sizeof all);
    pthread_mutex_unlock(&lock);
    for (unsigned i = 0; i < MOST && all[i]; i++)
        all[i]();
    signal(by, SIG_DFL);
    sigemptyset(&set);
    sigaddset(&set, by);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL); /* threads of ours take none */
    raise(by);
    _exit(128 + by);
}

static void replace_handlers(void (*from)(int), void (*to)(int)) {
    for (unsigned i = 0; i < NOUTSIDE; i++) {
        struct sigaction now, next = {.sa_handler = to, .sa_flags = SA_RESTART};
        sigemptyset(&next.sa_mask);
        if (!sigaction(outside[i], NULL, &now) && !(now.sa_flags & SA_SIGINFO) && now.sa_handler == from)
            sigaction(outside[i], &next, NULL);
    }
}

static void after_fork_child(void) {
    pthread_mutex_init(&lock, NULL);
    nfinishers = 0;
    is_watched = false;
    by = 0;
    replace_handlers(on_signal, SIG_DFL);
}

static void watch_locked(void) {
    pthread_t thread;
    if (sem_init(&asked, 0, 0) || worker_thread(&thread, 0, wait_for_one, NULL))
        return; /* signals end the process as ever */
    pthread_detach(thread);
    is_watched = true;
    if (!is_known_to_forks)
        pthread_atfork(NULL, NULL, after_fork_child);
    is_known_to_forks = true;
    replace_handlers(SIG_DFL, on_signal);
}

void interrupt_finish(void (*finish)(void)) {
    pthread_mutex_lock(&lock);
    if (nfinishers < MOST)
        finishers[nfinishers++] = finish;
    if (!is_watched)
        watch_locked();
    pthread_mutex_unlock(&lock);
}
