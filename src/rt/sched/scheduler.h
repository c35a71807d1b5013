/* scheduler.h: what the files of the scheduler share: sched.c (commands, and the threads that run them), range.c
 * (the items of one command over several threads), mailbox.c (how a worker is reached). Nobody else includes it. */
#ifndef WEIR_SCHEDULER_H
#define WEIR_SCHEDULER_H

#include "rt.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* What lies in a worker's mail, where it isn't a range to join (those are aligned). A worker takes it by putting
 * MAIL_BUSY there; others may only put something in place of what says that the worker is idle. */
enum mail {
    MAIL_BUSY,
    MAIL_SPINNING,
    MAIL_PARKED,
    MAIL_WATCHING, /* parked for WATCH_NS */
    MAIL_ABSENT,   /* no thread yet */
    MAIL_ROUSED,   /* look around */
    MAIL_REVOKED,  /* called to a range that is over; on its way to look around */
    MAIL_KINDS
};
struct mailbox { /* a worker's place; guarded by the scheduler's lock, but for `mail` */
    _Alignas(64) _Atomic uintptr_t mail; /* futex, by its low half */
    struct worker *worker;               /* set by who starts the thread */
    pthread_t thread;
    bool has_thread; /* to be joined */
    struct scheduler *scheduler;
};

#define ASLEEP (1u << 31)
enum { MOST_PARTS = 64 };
struct part {                         /* of a range: begins and ends where part_begin says */
    _Alignas(64) _Atomic uint64_t at; /* handed out below this */
};
struct range { /* on the stack of the thread that owns it; on the list until all items are handed out */
    _Alignas(64) struct range *next;
    cl_device_id device;
    cl_int (*fn)(void *, struct worker *, uint64_t, uint64_t);
    void *arg;
    uint64_t n, start;       /* items; time_ns */
    uint32_t most;           /* threads, with the owner */
    bool is_public;          /* on the scheduler's list */
    _Atomic uint32_t wanted; /* threads, by what the work costs; up to `most` */
    _Atomic float cost;      /* ns per item; 0: not known yet; written by the owner */
    _Atomic cl_int error;
    uint32_t expected, nparts; /* threads that come first, and parts for them */
    struct part *parts;
    uint64_t part_size, longer;       /* items; so many parts have one more */
    uint64_t untried;                 /* items handed out at once at first */
    _Alignas(64) _Atomic bool closed; /* nothing is left to hand out; or an error */
    /* Others that are called to it or in it, and ASLEEP: futex of the owner. The range lives until there are none. */
    _Alignas(64) _Atomic uint32_t inside;
};

struct scheduler {
    pthread_mutex_t lock; /* guards what follows */
    cl_event ready, *ready_end;
    uint64_t backlog;         /* ns that those will run, each at most WORTH_NS */
    unsigned hinted;          /* of those, of queues with a priority */
    uint64_t tickets, urgent; /* given out; commands with tickets up to `urgent` start now */
    struct range *ranges;
    struct mailbox *mailboxes;
    unsigned size;
    bool ending;      /* the process ends: workers leave when there is nothing to do */
    unsigned clients; /* threads of the application that use the scheduler; without any, idle workers leave */
    pthread_cond_t left;   /* a worker has left, or there is a client again */
    struct mailbox *watch; /* the worker on watch */
    struct worker *spare;  /* workers for threads that lend themselves */
    _Atomic uint32_t news; /* counts calls to look around */
};

static inline void futex_wait(const void *word, uint32_t seen, const struct timespec *limit) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, limit, NULL, 0);
}

static inline void futex_wake(const void *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static inline void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* ---- sched.c ---- */

void *sched_worker(void *mailbox); /* a worker thread */

/* ---- range.c ---- */

static inline bool range_is_open(const struct range *r) {
    return !atomic_load_explicit(&r->closed, memory_order_relaxed);
}

/* An open range that is worth this worker's help, entered; NULL: none. */
struct range *range_find_locked(struct scheduler *, const struct mailbox *);
/* Works on a range that was entered, and leaves it. */
void range_help(struct scheduler *, struct range *, struct mailbox *);
/* Threads that were called to it don't come, or are through. */
void range_leave(struct range *, uint32_t threads);
/* Shares the items between the calling thread, which is `w`, and others. any_order and *cost as for sched_range. */
cl_int range_run(struct scheduler *, struct range *, struct worker *w, bool any_order, _Atomic float *cost);

/* ---- binding.c ---- */

void binding_enter(unsigned worker); /* the calling thread is now that worker's */
void binding_before_fork(void);      /* before the scheduler's lock is taken */
void binding_after_fork(void);       /* in both processes */

/* ---- mailbox.c ---- */

bool mailbox_is_eligible(const struct mailbox *, cl_device_id);
/* Takes what lies there; NULL: no range, *kind says what. The worker is busy from then on. */
struct range *mailbox_take(struct mailbox *, uintptr_t *kind);
/* Gives the worker `what` if its mail is `idle`, and wakes it. */
bool mailbox_send(struct mailbox *, uintptr_t idle, uintptr_t what);
/* Has one idle worker of the device look around. Takes the lock held, gives it back released. */
void mailbox_rouse_and_unlock(struct scheduler *, cl_device_id);
void mailbox_rouse_all(
    struct scheduler *); /* has all that have a thread look around; with the lock or without */
/* Whether some worker will look around soon: on watch, or before it parks. */
bool mailbox_watched_locked(struct scheduler *);

#endif
