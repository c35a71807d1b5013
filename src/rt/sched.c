/* sched.c: the scheduler: which thread runs which command, and which work-groups of it.
 *
 * In: commands whose predecessors are complete (sched_ready), and ranges of work-groups or bytes that one
 * command spreads over the device (sched_range). Out: run commands, ended through command_finish.
 *
 * Threads. Workers, one per compute unit, start when first needed, and park on a futex of their own. A thread
 * that waits for a command lends itself: see sched_wait for what it may run. Either way a command runs on one
 * thread, which publishes a range; others join it, at most as many as its device has compute units.
 *
 * A range calls only as many as its work is worth, by what an item cost in earlier ranges of its kind and in the
 * chunks so far. It is handed to workers one by one, each through its own `mail`, those that spin before those that
 * sleep, and whoever is called calls others in turn. Nobody takes a lock for that, and who hasn't come when all
 * items are handed out isn't waited for: the owner takes the letter back. A range that lasts longer than expected
 * is joined by whoever is idle.
 *
 * Waking is the expensive part of a small launch, and most applications wait or flush right after they
 * enqueue. So an enqueue doesn't make its command urgent. One worker at a time is on watch instead: it looks
 * every WATCH_NS whether something lies there unclaimed, and parks for good when nothing comes any more. An
 * enqueue only has to make sure that somebody is on watch.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define SPIN_NS     8000       /* how long an idle thread looks around before it parks */
#define SHARE_NS    4000       /* of work for each thread of a range, at least */
#define CHUNK_NS    2000       /* of work handed out at once, at least */
#define START_NS    30000      /* of work left that is worth starting threads */
#define LATE_NS     10000      /* after which a range is joined uncalled */
#define WATCH_NS    100000     /* how long an enqueued command may lie before it starts by itself */
#define WATCH_IDLE  20         /* rounds without news after which the watch ends */
#define STACK_BYTES (16 << 20) /* of workers */
#define LEND_BYTES                                                                                           \
    (1 << 20)            /* stack a waiting thread must have left to run commands: kernels keep 256 KiB of */
                         /* arrays there at most */
#define EXIT_MS      100 /* how long the end of the process waits for workers */
#define SEARCH_EDGES 128 /* of the event graph, looked at to find out whether a waiting thread may help */
#define SEARCH_DEPTH 16

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
struct slot { /* a worker's place; guarded by the scheduler's lock, but for `mail` */
    _Alignas(64) _Atomic uintptr_t mail; /* futex, by its low half */
    struct worker *worker;               /* set by who starts the thread */
    pthread_t thread;
    bool has_thread; /* to be joined */
    struct scheduler *scheduler;
};

#define ASLEEP (1u << 31)
struct range { /* on the stack of the thread that owns it; on the list until all items are handed out */
    _Alignas(64) struct range *next;
    cl_device_id device;
    cl_int (*fn)(void *, struct worker *, uint64_t, uint64_t);
    void *arg;
    uint64_t n, start;       /* items; time_ns */
    uint32_t most;           /* threads, with the owner */
    _Atomic uint32_t wanted; /* threads, by what the work costs; up to `most` */
    _Atomic float cost;      /* ns per item; 0: not known yet; written by the owner */
    _Atomic cl_int error;
    _Alignas(64) _Atomic uint64_t at; /* handed out below this */
    /* Others that are called to it or in it, and ASLEEP: futex of the owner. The range lives until there are none. */
    _Alignas(64) _Atomic uint32_t inside;
};

struct scheduler {
    pthread_mutex_t lock; /* guards what follows */
    cl_event ready, *ready_end;
    uint64_t tickets, urgent; /* given out; commands with tickets up to `urgent` start now */
    struct range *ranges;
    struct slot *slots;
    unsigned size;
    bool ending;           /* the process ends: workers leave when there is nothing to do */
    struct slot *watch;    /* the worker on watch */
    struct worker *spare;  /* workers for threads that lend themselves */
    _Atomic uint32_t news; /* counts calls to look around */
};

static struct scheduler the_scheduler = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                         .ready_end = &the_scheduler.ready};

static _Thread_local struct worker *self; /* what this thread runs as just now */
static _Thread_local bool staying;        /* it will look for more work after what it runs */
static _Thread_local unsigned owed;       /* commands it made ready without waking anybody */

/* ---- futexes ------------------------------------------------------------------------------------------------- */

static void futex_wait(const void *word, uint32_t seen, const struct timespec *limit) {
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, seen, limit, NULL, 0);
}

static void futex_wake(const void *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

static void relax(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* ---- workers' places ------------------------------------------------------------------------------------------- */

static bool is_eligible(const struct slot *slot, cl_device_id device) {
    size_t index = (size_t)(slot - slot->scheduler->slots);
    return index >= device->first_worker && index - device->first_worker < device->compute_units;
}

static void *worker_main(void *);

/* Who was called to a range doesn't come, or leaves. Release: the owner sees what was done there. It may go on, and
 * `r` with it, once this is 0: then the futex's address is only a number, and a wake-up too many does no harm. */
static void range_leave(struct range *r) {
    if (atomic_fetch_sub_explicit(&r->inside, 1, memory_order_release) == (ASLEEP | 1))
        futex_wake(&r->inside);
}

/* Takes what lies there; NULL: no range. */
static struct range *mail_take(struct slot *slot, uintptr_t *kind) {
    uintptr_t mail = atomic_exchange(&slot->mail, MAIL_BUSY);
    *kind = mail;
    return mail < MAIL_KINDS ? NULL : (struct range *)mail;
}

static void slot_start(struct slot *slot) {
    struct scheduler *s = slot->scheduler;
    pthread_attr_t attr;
    pthread_t thread;
    sigset_t all, before;
    int error = ENOMEM;
    if (!slot->worker)
        slot->worker = worker_new((unsigned)(slot - s->slots));
    if (slot->worker && !pthread_attr_init(&attr)) {
        pthread_attr_setstacksize(&attr, STACK_BYTES);
        sigfillset(&all); /* the application's signals are its own threads' */
        pthread_sigmask(SIG_SETMASK, &all, &before);
        error = pthread_create(&thread, &attr, worker_main, slot);
        pthread_sigmask(SIG_SETMASK, &before, NULL);
        pthread_attr_destroy(&attr);
    }
    if (!error) {
        pthread_mutex_lock(&s->lock);
        slot->thread = thread;
        slot->has_thread = true;
        pthread_mutex_unlock(&s->lock);
    } else {
        log_write(LOG_ERROR, "a worker thread can't start (error %d)", error);
        uintptr_t mail = atomic_exchange(&slot->mail, MAIL_ABSENT);
        if (mail >= MAIL_KINDS)
            range_leave((struct range *)mail);
    }
}

/* Gives the worker `what` if its mail is `idle`, and gets it up. */
static bool slot_send(struct slot *slot, uintptr_t idle, uintptr_t what) {
    if (atomic_load(&slot->mail) != idle || !atomic_compare_exchange_strong(&slot->mail, &idle, what))
        return false;
    if (idle == MAIL_ABSENT)
        slot_start(slot);
    else if (idle == MAIL_PARKED || idle == MAIL_WATCHING)
        futex_wake(&slot->mail);
    return true;
}

/* Has one idle worker of the device look around. Takes the lock held, gives it back released. */
static void rouse_and_unlock(struct scheduler *s, cl_device_id device) {
    static const unsigned char order[] = {MAIL_SPINNING, MAIL_REVOKED, MAIL_WATCHING, MAIL_PARKED,
                                          MAIL_ABSENT};
    /* One that is becoming idle sees this afterwards, or we see it being idle; one that parks has looked under
     * the lock. */
    atomic_fetch_add(&s->news, 1);
    pthread_mutex_unlock(&s->lock);
    for (unsigned o = 0; o < sizeof order; o++)
        for (unsigned i = 0; i < device->compute_units; i++)
            if (slot_send(&s->slots[device->first_worker + i], order[o], MAIL_ROUSED))
                return;
}

/* Whether somebody will look around soon: on watch, or before it parks. */
static bool is_watched_locked(struct scheduler *s) {
    bool watched = s->watch;
    for (unsigned i = 0; !watched && i < s->size; i++)
        watched = atomic_load_explicit(&s->slots[i].mail, memory_order_relaxed) == MAIL_SPINNING;
    return watched;
}

/* ---- ranges ---------------------------------------------------------------------------------------------------- */

/* Threads that so much work is worth. */
static uint32_t range_threads(const struct range *r, uint64_t items, float cost) {
    float threads = 1 + (float)items * cost / SHARE_NS;
    return threads < (float)r->most ? (uint32_t)threads : r->most;
}

/* Hands out the next chunk: small ones first, until it's known that items cost what was expected; then large ones;
 * small ones at the end, so that threads end together. */
static bool range_next(struct range *r, uint64_t *begin, uint64_t *end) {
    uint64_t at = atomic_load_explicit(&r->at, memory_order_relaxed), chunk;
    uint32_t threads = atomic_load_explicit(&r->wanted, memory_order_relaxed);
    float cost = atomic_load_explicit(&r->cost, memory_order_relaxed);
    uint64_t least = cost * (float)r->n > CHUNK_NS ? (uint64_t)(CHUNK_NS / cost) : cost > 0 ? r->n : 1;
    do {
        if (at >= r->n)
            return false;
        uint64_t tried = at > r->n / (4 * r->most) ? at : r->n / (4 * r->most);
        chunk = (r->n - at) / (2 * threads);
        chunk = chunk > least ? chunk : least;
        chunk = chunk < tried ? chunk : tried;
        chunk = !chunk ? 1 : chunk < r->n - at ? chunk : r->n - at;
    } while (!atomic_compare_exchange_weak_explicit(&r->at, &at, at + chunk, memory_order_relaxed,
                                                    memory_order_relaxed));
    *begin = at;
    *end = at + chunk;
    return true;
}

static void range_do(struct range *r, struct worker *w, uint64_t begin, uint64_t end) {
    cl_int error = r->fn(r->arg, w, begin, end);
    if (error) {
        atomic_store_explicit(&r->error, error, memory_order_relaxed);
        atomic_store_explicit(&r->at, r->n, memory_order_relaxed);
    }
}

static bool range_is_open(const struct range *r) {
    return atomic_load_explicit(&r->at, memory_order_relaxed) < r->n;
}

/* One more thread; false: there are enough. */
static bool range_enter(struct range *r) {
    uint32_t inside = atomic_load_explicit(&r->inside, memory_order_relaxed);
    do
        if (!range_is_open(r) ||
            (inside & ~ASLEEP) + 1 >= atomic_load_explicit(&r->wanted, memory_order_relaxed))
            return false;
    while (!atomic_compare_exchange_weak_explicit(&r->inside, &inside, inside + 1, memory_order_relaxed,
                                                  memory_order_relaxed));
    return true;
}

/* Whether enough is left for threads to be started, as far as one can know. */
static bool range_is_long(const struct range *r) {
    float cost = atomic_load_explicit(&r->cost, memory_order_relaxed);
    uint64_t at = atomic_load_explicit(&r->at, memory_order_relaxed);
    return cost > 0 ? at < r->n && (float)(r->n - at) * cost > START_NS : time_ns() - r->start > START_NS;
}

/* Calls idle workers, a few: getting one up takes longer than handing it work while it spins. */
static void range_call(struct scheduler *s, struct range *r) {
    static const unsigned char order[] = {MAIL_SPINNING, MAIL_REVOKED, MAIL_PARKED, MAIL_WATCHING,
                                          MAIL_ABSENT};
    const unsigned first = r->device->first_worker, n = r->device->compute_units;
    int strength = 8;
    for (unsigned o = 0; o < sizeof order && range_is_open(r); o++)
        for (unsigned i = 0; i < n && strength > 0; i++) {
            struct slot *slot = &s->slots[first + i];
            if (atomic_load_explicit(&slot->mail, memory_order_relaxed) != order[o])
                continue;
            if ((order[o] == MAIL_ABSENT && !range_is_long(r)) || !range_enter(r))
                return;
            if (slot_send(slot, order[o], (uintptr_t)r))
                strength -= o < 2 ? 1 : 4;
            else
                range_leave(r);
        }
}

static struct range *range_find_locked(struct scheduler *s, const struct slot *slot) {
    uint64_t now = s->ranges ? time_ns() : 0;
    for (struct range *r = s->ranges; r; r = r->next) {
        if (!range_is_open(r) || !is_eligible(slot, r->device))
            continue;
        if (now > r->start + LATE_NS)
            atomic_store_explicit(&r->wanted, r->most, memory_order_relaxed);
        if (range_enter(r))
            return r;
    }
    return NULL;
}

static bool has_urgent_locked(const struct scheduler *s) {
    return s->ready && s->ready->ticket <= s->urgent;
}

/* Works on a range that was entered. */
static void range_help(struct scheduler *s, struct range *r, struct slot *slot) {
    uint64_t begin, end;
    /* Where the first item lasts so long, many threads are worth it. */
    if (atomic_load_explicit(&r->cost, memory_order_relaxed) == 0)
        atomic_store_explicit(&r->wanted, r->most, memory_order_relaxed);
    range_call(s, r); /* those who came call others: a tree */
    while (range_next(r, &begin, &end))
        range_do(r, slot->worker, begin, end);
    range_leave(r);
}

/* The owner's part: also finds out what items cost, and calls more threads where that is more than expected. What
 * it takes to call them doesn't count, nor do short chunks, of which the clock says little. */
static void range_work(struct scheduler *s, struct range *r, struct worker *w, float *cost) {
    uint64_t begin, end, before = time_ns(), spent = 0, done = 0;
    while (range_next(r, &begin, &end)) {
        range_do(r, w, begin, end);
        uint64_t now = time_ns(), took = now - before,
                 at = atomic_load_explicit(&r->at, memory_order_relaxed);
        spent += took;
        done += end - begin;
        before = now;
        if (at >= r->n || took < CHUNK_NS / 2)
            continue;
        float last = (float)took / (float)(end - begin);
        uint32_t wanted = range_threads(r, r->n - at, last);
        atomic_store_explicit(&r->cost, last, memory_order_relaxed);
        if (wanted > atomic_load_explicit(&r->wanted, memory_order_relaxed))
            atomic_store_explicit(&r->wanted, wanted, memory_order_relaxed);
        if (wanted > 1) {
            range_call(s, r);
            before = time_ns();
        }
    }
    if (done)
        *cost = (float)(spent + 1) / (float)done;
}

/* Until those who came have left; who hasn't come yet needn't. */
static void range_settle(struct scheduler *s, struct range *r) {
    uint32_t inside;
    for (unsigned spins = 1; (inside = atomic_load_explicit(&r->inside, memory_order_acquire)) & ~ASLEEP;
         spins++) {
        if (spins % 32 == 8)
            for (unsigned i = 0; i < r->device->compute_units; i++) {
                struct slot *slot = &s->slots[r->device->first_worker + i];
                uintptr_t mine = (uintptr_t)r;
                if (atomic_load_explicit(&slot->mail, memory_order_relaxed) == mine &&
                    atomic_compare_exchange_strong(&slot->mail, &mine, MAIL_REVOKED))
                    range_leave(r);
            }
        if (spins < 256)
            relax();
        else if (inside & ASLEEP)
            futex_wait(&r->inside, inside, NULL);
        else
            atomic_fetch_or_explicit(&r->inside, ASLEEP, memory_order_relaxed);
    }
}

static struct worker *spare_take(struct scheduler *s) {
    pthread_mutex_lock(&s->lock);
    struct worker *w = s->spare;
    if (w)
        s->spare = w->next;
    pthread_mutex_unlock(&s->lock);
    if (!w)
        w = worker_new(s->size);
    if (w)
        worker_enter(w);
    return w;
}

static void spare_give(struct scheduler *s, struct worker *w) {
    pthread_mutex_lock(&s->lock);
    w->next = s->spare;
    s->spare = w;
    pthread_mutex_unlock(&s->lock);
}

static void range_publish(struct scheduler *s, struct range *r) {
    pthread_mutex_lock(&s->lock);
    r->next = s->ranges;
    s->ranges = r;
    s->tickets++; /* the watch goes on */
    if (is_watched_locked(s))
        pthread_mutex_unlock(&s->lock);
    else
        rouse_and_unlock(s, r->device);
}

static void range_withdraw(struct scheduler *s, struct range *r) {
    pthread_mutex_lock(&s->lock);
    struct range **link = &s->ranges;
    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
    pthread_mutex_unlock(&s->lock);
}

/* Shares the items; *cost: known from before, or 0; comes back as measured. */
static cl_int range_run(struct scheduler *s, struct range *r, struct worker *w, float *cost) {
    r->start = time_ns();
    atomic_init(&r->cost, *cost);
    atomic_init(&r->wanted, *cost > 0 ? range_threads(r, r->n, *cost) : 2);
    range_publish(s, r);
    if (atomic_load_explicit(&r->wanted, memory_order_relaxed) > 1)
        range_call(s, r);
    range_work(s, r, w, cost);
    range_withdraw(s, r);
    range_settle(s, r);
    return atomic_load_explicit(&r->error, memory_order_relaxed);
}

/* What to expect next time, after a range with items of `fresh` ns. A thread that lost its processor for a while
 * shouldn't have all workers called to something tiny for long. */
static float cost_expected(float old, float fresh) {
    return old <= 0 ? fresh : fresh < old ? (old + fresh) / 2 : fresh < 16 * old ? fresh : 16 * old;
}

cl_int sched_range(cl_device_id device, cl_int (*fn)(void *, struct worker *, uint64_t, uint64_t), void *arg,
                   uint64_t n, _Atomic float *cost) {
    struct scheduler *s = device->scheduler;
    struct worker *w = self;
    cl_int error;
    if (n == 0)
        return CL_SUCCESS;
    if (!w && !(w = spare_take(s)))
        return CL_OUT_OF_HOST_MEMORY;
    if (n == 1 || device->compute_units == 1) {
        error = fn(arg, w, 0, n);
    } else {
        struct range r = {.device = device, .fn = fn, .arg = arg, .n = n};
        r.most = n < device->compute_units ? (uint32_t)n : device->compute_units;
        float old = atomic_load_explicit(cost, memory_order_relaxed), fresh = old;
        error = range_run(s, &r, w, &fresh);
        if (!error)
            atomic_store_explicit(cost, cost_expected(old, fresh), memory_order_relaxed);
    }
    if (w != self)
        spare_give(s, w);
    return error;
}

/* ---- running commands -------------------------------------------------------------------------------------------- */

/* Kernels expect the default floating-point environment; the application's threads may have another. */
static unsigned float_mode_enter(void) {
#if defined(__x86_64__)
    unsigned before = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(0x1f80);
    return before;
#else
    return 0;
#endif
}

static void float_mode_leave(unsigned before) {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(before);
#endif
}

/* `stays`: this thread will look for more work afterwards, so it needn't wake others for what this releases. */
static void run_command(cl_event e, struct worker *w, bool stays) {
    struct worker *outer = self;
    bool outer_staying = staying;
    self = w;
    staying = false;
    w->command = e;
    if (e->times[0])
        e->times[2] = time_ns();
    event_advance(e, CL_RUNNING);
    unsigned mode = float_mode_enter();
    cl_int status = e->run(e);
    float_mode_leave(mode);
    if (e->times[0])
        e->times[3] = time_ns();
    w->command = NULL;
    staying = stays;
    command_finish(e, status);
    staying = outer_staying;
    self = outer;
}

void sched_ready(cl_event e, bool urgent) {
    cl_device_id device = e->queue->device;
    struct scheduler *s = device->scheduler;
    e->ready_next = NULL;
    pthread_mutex_lock(&s->lock);
    *s->ready_end = e;
    s->ready_end = &e->ready_next;
    e->ticket = ++s->tickets;
    if (urgent)
        s->urgent = e->ticket;
    bool rouse = urgent ? !staying || owed++ : !is_watched_locked(s);
    if (rouse)
        rouse_and_unlock(s, device);
    else
        pthread_mutex_unlock(&s->lock);
}

/* Makes everything urgent and wakes a worker for the oldest. Takes the lock held, gives it back released. */
static void flush_and_unlock(struct scheduler *s) {
    s->urgent = s->tickets;
    if (s->ready)
        rouse_and_unlock(s, s->ready->queue->device);
    else
        pthread_mutex_unlock(&s->lock);
}

void sched_flush(cl_device_id device) {
    struct scheduler *s = device->scheduler;
    pthread_mutex_lock(&s->lock);
    flush_and_unlock(s);
}

void sched_settle(void) {
    bool owes = owed > 0;
    owed = 0;
    staying = false; /* until the callbacks are through */
    if (owes) {
        pthread_mutex_lock(&the_scheduler.lock);
        flush_and_unlock(&the_scheduler);
    }
}

static void unlink_locked(struct scheduler *s, cl_event *link) {
    cl_event e = *link;
    *link = e->ready_next;
    if (!*link)
        s->ready_end = link;
    owed = 0;
}

/* ---- worker threads ------------------------------------------------------------------------------------------------ */

static cl_event urgent_take_locked(struct scheduler *s, const struct slot *slot) {
    for (cl_event *link = &s->ready; *link && (*link)->ticket <= s->urgent; link = &(*link)->ready_next)
        if (is_eligible(slot, (*link)->queue->device)) {
            cl_event e = *link;
            unlink_locked(s, link);
            return e;
        }
    return NULL;
}

/* Does what there is to do, once; false: nothing. With the lock, before and after. */
static bool work_once(struct scheduler *s, struct slot *slot) {
    struct range *r = range_find_locked(s, slot);
    if (r) {
        owed = 0;
        if (has_urgent_locked(s)) /* this thread won't come to it soon */
            rouse_and_unlock(s, s->ready->queue->device);
        else
            pthread_mutex_unlock(&s->lock);
        range_help(s, r, slot);
        pthread_mutex_lock(&s->lock);
        return true;
    }
    cl_event e = urgent_take_locked(s, slot);
    if (!e)
        return false;
    if (has_urgent_locked(s))
        rouse_and_unlock(s, s->ready->queue->device);
    else
        pthread_mutex_unlock(&s->lock);
    run_command(e, slot->worker, true);
    pthread_mutex_lock(&s->lock);
    return true;
}

/* Spins until there is something to look at or the time is up, and joins ranges that it's called to. With the lock,
 * before and after. */
static void spin(struct scheduler *s, struct slot *slot) {
    uint32_t seen = atomic_load_explicit(&s->news, memory_order_relaxed);
    struct range *called;
    uintptr_t kind;
    if (s->size < 2)
        return;
    pthread_mutex_unlock(&s->lock);
    do {
        atomic_store(&slot->mail, MAIL_SPINNING);
        uint64_t end = atomic_load(&s->news) == seen ? time_ns() + SPIN_NS : 0;
        while (atomic_load_explicit(&slot->mail, memory_order_relaxed) == MAIL_SPINNING && time_ns() < end)
            for (int i = 0; i < 4; i++)
                relax();
        if ((called = mail_take(slot, &kind)))
            range_help(s, called, slot);
    } while (called);
    pthread_mutex_lock(&s->lock);
}

/* Sleeps until somebody gets this worker up, or for WATCH_NS. True: it joined a range, or should have. With the
 * lock, before and after. */
static bool park(struct scheduler *s, struct slot *slot, bool watching) {
    const struct timespec limit = {.tv_nsec = WATCH_NS};
    const uintptr_t idle = watching ? MAIL_WATCHING : MAIL_PARKED;
    uintptr_t kind;
    atomic_store(&slot->mail, idle);
    if (watching)
        s->watch = slot;
    pthread_mutex_unlock(&s->lock);
    do
        futex_wait(&slot->mail, (uint32_t)idle, watching ? &limit : NULL);
    while (!watching && atomic_load_explicit(&slot->mail, memory_order_relaxed) == idle);
    struct range *called = mail_take(slot, &kind);
    if (called && !watching)
        range_help(s, called, slot);
    pthread_mutex_lock(&s->lock);
    if (s->watch == slot)
        s->watch = NULL;
    if (called && watching) {
        if (s->ready) /* somebody else has to watch that */
            rouse_and_unlock(s, s->ready->queue->device);
        else
            pthread_mutex_unlock(&s->lock);
        range_help(s, called, slot);
        pthread_mutex_lock(&s->lock);
    }
    return called || kind == MAIL_REVOKED;
}

/* One round of the watch: what lay there before it and lies there still has waited long enough. */
static bool watch_round(struct scheduler *s, struct slot *slot, unsigned *quiet) {
    uint64_t before = s->tickets;
    bool called = park(s, slot, true);
    *quiet = s->tickets == before ? *quiet + 1 : 0;
    if (s->urgent < before)
        s->urgent = before;
    cl_event oldest = s->ready;
    if (oldest && oldest->ticket <= s->urgent && !is_eligible(slot, oldest->queue->device)) {
        rouse_and_unlock(s, oldest->queue->device);
        pthread_mutex_lock(&s->lock);
    }
    return called;
}

static void *worker_main(void *arg) {
    struct slot *slot = arg;
    struct scheduler *s = slot->scheduler;
    uint64_t seen = 0; /* tickets at the end of the last watch */
    unsigned quiet = 0;
    bool spun = false;
    uintptr_t kind;
    struct range *called = mail_take(slot, &kind);
    worker_enter(slot->worker);
    float_mode_enter();
    if (called)
        range_help(s, called, slot);
    pthread_mutex_lock(&s->lock);
    while (!s->ending) {
        if (work_once(s, slot)) {
            spun = false;
        } else if (!spun) {
            spun = true;
            spin(s, slot);
        } else if (!s->watch && s->tickets != seen) {
            spun = !watch_round(s, slot, &quiet);
            if (quiet >= WATCH_IDLE) {
                quiet = 0;
                seen = s->tickets;
            }
        } else {
            spun = !park(s, slot, false) && s->urgent < s->tickets; /* roused to go on watch */
        }
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* ---- waiting threads ------------------------------------------------------------------------------------------------- */

/* Whether a thread that waits for `x` may run `e`: only if `x` can't end before `e` does. Then running it can
 * add no dependency that isn't there already, and so no deadlock: any other command might be a native kernel
 * that waits for what this thread does next. */
static bool comes_before_in_queue(cl_event e, cl_event x) {
    if (e->queue != x->queue)
        return false;
    bool in_order = !(x->queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    return (in_order || x->waits_all) && e->position < x->position;
}

/* Whether `x` waits for `e`, maybe through others. The locks on the way keep those alive: an event that still has
 * its list of dependents hasn't let them go. They are taken in the direction of the graph. */
static bool leads_to(cl_event e, cl_event x, unsigned depth, unsigned *budget) {
    bool found = false;
    pthread_mutex_lock(&e->lock);
    for (struct edge *edge = e->dependents; edge && !found && *budget; edge = edge->next) {
        --*budget;
        found = edge->waiter == x || (depth && leads_to(edge->waiter, x, depth - 1, budget));
    }
    pthread_mutex_unlock(&e->lock);
    return found;
}

static bool comes_before(cl_event e, cl_event x, unsigned *budget) {
    return e == x || comes_before_in_queue(e, x) || leads_to(e, x, SEARCH_DEPTH, budget);
}

static cl_event before_take(struct scheduler *s, cl_event x) {
    cl_event found = NULL;
    unsigned budget = SEARCH_EDGES;
    pthread_mutex_lock(&s->lock);
    for (cl_event *link = &s->ready; *link; link = &(*link)->ready_next)
        if (comes_before(*link, x, &budget)) {
            found = *link;
            unlink_locked(s, link);
            break;
        }
    pthread_mutex_unlock(&s->lock);
    return found;
}

static bool has_ended(cl_event x) {
    return atomic_load_explicit(&x->status, memory_order_acquire) <= CL_COMPLETE;
}

/* Nothing to run: spins for a while, then parks on the event's status. */
static void wait_idle(struct scheduler *s, cl_event x) {
    uint64_t end = time_ns() + SPIN_NS;
    pthread_mutex_lock(&s->lock);
    flush_and_unlock(s);
    while (time_ns() < end) {
        for (int i = 0; i < 16; i++)
            relax();
        if (has_ended(x))
            return;
    }
    atomic_fetch_add(&x->waiters, 1);
    cl_int status = atomic_load(&x->status);
    if (status > CL_COMPLETE)
        futex_wait(&x->status, (uint32_t)status, NULL);
    atomic_fetch_sub(&x->waiters, 1);
}

static bool may_lend(const struct worker *w) {
    weir_u64 here = (uintptr_t)__builtin_frame_address(0);
    return here > w->abi.stack_low && here - w->abi.stack_low >= LEND_BYTES && here < w->abi.stack_high;
}

void sched_wait(cl_event x) {
    struct scheduler *s = &the_scheduler;
    struct worker *w = NULL;
    bool lends = x->queue != NULL;
    while (!has_ended(x)) {
        if (lends && !w)
            lends = (w = spare_take(s)) && may_lend(w);
        cl_event e = lends ? before_take(s, x) : NULL;
        if (e)
            run_command(e, w, e != x);
        else
            wait_idle(s, x);
    }
    if (w)
        spare_give(s, w);
    if (owed)
        sched_settle();
}

/* ---- the scheduler ------------------------------------------------------------------------------------------------------ */

static void before_fork(void) {
    pthread_mutex_lock(&the_scheduler.lock);
}

static void after_fork_parent(void) {
    pthread_mutex_unlock(&the_scheduler.lock);
}

/* The child has none of the threads: what they were running is lost, what was waiting can still run. */
static void after_fork_child(void) {
    struct scheduler *s = &the_scheduler;
    pthread_mutex_init(&s->lock, NULL);
    s->ranges = NULL;
    s->watch = NULL;
    s->ending = false;
    for (unsigned i = 0; i < s->size; i++)
        s->slots[i] = (struct slot){.mail = MAIL_ABSENT, .worker = s->slots[i].worker, .scheduler = s};
}

struct scheduler *sched_new(unsigned workers) {
    struct scheduler *s = &the_scheduler;
    s->slots = aligned_alloc(_Alignof(struct slot), workers * sizeof *s->slots);
    if (!s->slots) {
        log_write(LOG_ERROR, "no memory for %u workers", workers);
        abort(); /* a few kilobytes, at the first call of the API */
    }
    s->size = workers;
    for (unsigned i = 0; i < workers; i++)
        s->slots[i] = (struct slot){.mail = MAIL_ABSENT, .scheduler = s};
    pthread_atfork(before_fork, after_fork_parent, after_fork_child);
    return s;
}

/* Workers without work end before the process does, so that tools find no threads left. One that runs a kernel is
 * left alone. What is enqueued even later starts new ones. */
__attribute__((destructor)) static void end_workers(void) {
    struct scheduler *s = &the_scheduler;
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_nsec += EXIT_MS * 1000000L;
    limit.tv_sec += limit.tv_nsec / 1000000000;
    limit.tv_nsec %= 1000000000;
    if (!s->size || pthread_mutex_timedlock(&s->lock, &limit))
        return;
    s->ending = true;
    for (unsigned i = 0; i < s->size; i++)
        for (uintptr_t idle = MAIL_SPINNING; idle <= MAIL_WATCHING; idle++)
            slot_send(&s->slots[i], idle, MAIL_ROUSED);
    for (unsigned i = 0; i < s->size; i++) {
        struct slot *slot = &s->slots[i];
        if (!slot->has_thread || pthread_equal(slot->thread, pthread_self()))
            continue;
        slot->has_thread = false;
        pthread_mutex_unlock(&s->lock);
        bool ended = !pthread_timedjoin_np(slot->thread, NULL, &limit);
        if (!ended)
            pthread_detach(slot->thread);
        pthread_mutex_lock(&s->lock);
        if (ended)
            atomic_store(&slot->mail, MAIL_ABSENT);
    }
    s->ending = false;
    pthread_mutex_unlock(&s->lock);
}
