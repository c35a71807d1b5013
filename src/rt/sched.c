/* sched.c: the scheduler: which thread runs which command, and which work-groups of it.
 *
 * In: commands whose predecessors are complete (sched_ready), and ranges of work-groups or bytes that one
 * command spreads over the device (sched_range). Out: run commands, ended through command_finish.
 *
 * Threads. Workers, one per compute unit, start when first needed, and park on a futex of their own. A thread
 * that waits for a command lends itself: see sched_wait for what it may run. Either way a command runs on one
 * thread, which publishes a range; others join it, at most as many as its device has compute units.
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
#define WATCH_NS    100000     /* how long an enqueued command may lie before it starts by itself */
#define WATCH_IDLE  20         /* rounds without news after which the watch ends */
#define STACK_BYTES (16 << 20) /* of workers */
#define LEND_BYTES                                                                                           \
    (1 << 20)            /* stack a waiting thread must have left to run commands: kernels keep 256 KiB of */
                         /* arrays there at most */
#define EXIT_MS      100 /* how long the end of the process waits for workers */
#define SEARCH_EDGES 128 /* of the event graph, looked at to find out whether a waiting thread may help */
#define SEARCH_DEPTH 16

enum slot_state { SLOT_EMPTY, SLOT_BUSY, SLOT_PARKED };
struct slot { /* a worker's place; guarded by the scheduler's lock, but for `wake` */
    struct worker *worker;
    enum slot_state state;
    pthread_t thread;
    bool has_thread;       /* to be joined */
    _Atomic uint32_t wake; /* futex: 1: get up */
    struct scheduler *scheduler;
};

struct range { /* on the stack of the thread that owns it; on the list while others may join */
    struct range *next;
    cl_device_id device;
    cl_int (*fn)(void *, struct worker *, uint64_t, uint64_t);
    void *arg;
    uint64_t n;
    unsigned most;           /* threads */
    unsigned joined;         /* so far, with the owner; guarded by the scheduler's lock */
    _Atomic uint32_t inside; /* others still in it; changed under the lock; futex of the owner */
    _Atomic uint64_t at;     /* handed out below this */
    _Atomic cl_int error;
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
    _Atomic uint32_t news; /* counts what spinning workers should look at */
    _Atomic uint32_t spinning;
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
    if (error)
        log_write(LOG_ERROR, "a worker thread can't start (error %d)", error);
    pthread_mutex_lock(&s->lock);
    if (error) {
        slot->state = SLOT_EMPTY;
    } else {
        slot->thread = thread;
        slot->has_thread = true;
    }
    pthread_mutex_unlock(&s->lock);
}

/* Claims an idle worker of the device; slot_rouse it under no lock. `started`: it has no thread yet. */
static struct slot *claim_idle_locked(struct scheduler *s, cl_device_id device, bool *start) {
    struct slot *found = NULL;
    if (s->watch && is_eligible(s->watch, device) && s->watch->state == SLOT_PARKED)
        found = s->watch;
    for (unsigned i = 0; !found && i < device->compute_units; i++)
        if (s->slots[device->first_worker + i].state == SLOT_PARKED)
            found = &s->slots[device->first_worker + i];
    for (unsigned i = 0; !found && i < device->compute_units; i++)
        if (s->slots[device->first_worker + i].state == SLOT_EMPTY)
            found = &s->slots[device->first_worker + i];
    if (!found)
        return NULL;
    *start = found->state == SLOT_EMPTY;
    found->state = SLOT_BUSY;
    if (s->watch == found)
        s->watch = NULL;
    return found;
}

static void slot_rouse(struct slot *slot, bool start) {
    if (start) {
        slot_start(slot);
    } else {
        atomic_store_explicit(&slot->wake, 1, memory_order_release);
        futex_wake(&slot->wake);
    }
}

/* Gets up to `n` idle workers of the device up. Takes the lock held, gives it back released. */
static void rouse_and_unlock(struct scheduler *s, cl_device_id device, unsigned n) {
    struct slot *slots[2];
    bool start[2];
    unsigned found = 0, spinning = atomic_load_explicit(&s->spinning, memory_order_relaxed);
    /* A spinning worker looks again under the lock before it parks: it can't miss this. */
    atomic_fetch_add_explicit(&s->news, 1, memory_order_relaxed);
    if (!device->parent)
        n = n > spinning ? n - spinning : 0;
    for (; found < n && found < 2; found++)
        if (!(slots[found] = claim_idle_locked(s, device, &start[found])))
            break;
    pthread_mutex_unlock(&s->lock);
    for (unsigned i = 0; i < found; i++)
        slot_rouse(slots[i], start[i]);
}

/* ---- ranges ---------------------------------------------------------------------------------------------------- */

/* Hands out the next chunk: large ones first, single items at the end, so that threads end together. */
static bool range_next(struct range *r, uint64_t *begin, uint64_t *end) {
    uint64_t at = atomic_load_explicit(&r->at, memory_order_relaxed), chunk;
    do {
        if (at >= r->n)
            return false;
        chunk = (r->n - at) / (4 * r->most);
        if (!chunk)
            chunk = 1;
    } while (!atomic_compare_exchange_weak_explicit(&r->at, &at, at + chunk, memory_order_relaxed,
                                                    memory_order_relaxed));
    *begin = at;
    *end = at + chunk;
    return true;
}

static void range_work(struct range *r, struct worker *w) {
    uint64_t begin, end;
    while (range_next(r, &begin, &end)) {
        cl_int error = r->fn(r->arg, w, begin, end);
        if (error) {
            atomic_store_explicit(&r->error, error, memory_order_relaxed);
            atomic_store_explicit(&r->at, r->n, memory_order_relaxed);
        }
    }
}

static bool range_has_room_locked(const struct range *r) {
    return r->joined < r->most && atomic_load_explicit(&r->at, memory_order_relaxed) < r->n;
}

static struct range *range_find_locked(struct scheduler *s, const struct slot *slot) {
    struct range *r = s->ranges;
    while (r && !(range_has_room_locked(r) && is_eligible(slot, r->device)))
        r = r->next;
    return r;
}

static bool has_urgent_locked(const struct scheduler *s) {
    return s->ready && s->ready->ticket <= s->urgent;
}

/* Joins a range: enters with the lock held, and comes back with it. */
static void range_join(struct scheduler *s, struct range *r, struct slot *slot) {
    r->joined++;
    atomic_fetch_add_explicit(&r->inside, 1, memory_order_relaxed);
    owed = 0;
    if (range_has_room_locked(r))
        rouse_and_unlock(s, r->device, 2); /* those who came wake others: a tree */
    else if (has_urgent_locked(s))         /* this thread won't come to it soon */
        rouse_and_unlock(s, s->ready->queue->device, 1);
    else
        pthread_mutex_unlock(&s->lock);
    range_work(r, slot->worker);
    pthread_mutex_lock(&s->lock);
    /* Release: the owner sees what was done here. It may leave, and `r` with it, once this is 0 and the
     * lock is free: the futex's address is then only a number, and a wake-up too many does no harm. */
    if (atomic_fetch_sub_explicit(&r->inside, 1, memory_order_release) == 1) {
        pthread_mutex_unlock(&s->lock);
        futex_wake(&r->inside);
        pthread_mutex_lock(&s->lock);
    }
}

/* Until those who joined have left. */
static void range_settle(struct scheduler *s, struct range *r) {
    pthread_mutex_lock(&s->lock);
    struct range **link = &s->ranges;
    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
    pthread_mutex_unlock(&s->lock);
    uint32_t inside;
    for (unsigned spins = 0; (inside = atomic_load_explicit(&r->inside, memory_order_acquire)); spins++)
        if (spins < 256)
            relax();
        else
            futex_wait(&r->inside, inside, NULL);
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

cl_int sched_range(cl_device_id device, cl_int (*fn)(void *, struct worker *, uint64_t, uint64_t), void *arg,
                   uint64_t n) {
    struct scheduler *s = device->scheduler;
    struct worker *w = self;
    if (n == 0)
        return CL_SUCCESS;
    if (!w && !(w = spare_take(s)))
        return CL_OUT_OF_HOST_MEMORY;
    struct range r = {.device = device, .fn = fn, .arg = arg, .n = n, .joined = 1};
    r.most = n < device->compute_units ? (unsigned)n : device->compute_units;
    if (r.most > 1) {
        pthread_mutex_lock(&s->lock);
        r.next = s->ranges;
        s->ranges = &r;
        rouse_and_unlock(s, device, r.most > 2 ? 2 : 1);
    }
    range_work(&r, w);
    if (r.most > 1)
        range_settle(s, &r);
    if (w != self)
        spare_give(s, w);
    return atomic_load_explicit(&r.error, memory_order_relaxed);
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
    bool rouse = urgent ? !staying || owed++ : !s->watch;
    if (rouse)
        rouse_and_unlock(s, device, 1);
    else
        pthread_mutex_unlock(&s->lock);
}

/* Makes everything urgent and wakes a worker for the oldest. Takes the lock held, gives it back released. */
static void flush_and_unlock(struct scheduler *s) {
    s->urgent = s->tickets;
    if (s->ready)
        rouse_and_unlock(s, s->ready->queue->device, 1);
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
        range_join(s, r, slot);
        return true;
    }
    cl_event e = urgent_take_locked(s, slot);
    if (!e)
        return false;
    if (has_urgent_locked(s))
        rouse_and_unlock(s, s->ready->queue->device, 1);
    else
        pthread_mutex_unlock(&s->lock);
    run_command(e, slot->worker, true);
    pthread_mutex_lock(&s->lock);
    return true;
}

/* Spins until there is news or the time is up. With the lock, before and after. */
static void spin(struct scheduler *s) {
    uint32_t seen = atomic_load_explicit(&s->news, memory_order_relaxed);
    if (s->size < 2)
        return;
    atomic_fetch_add_explicit(&s->spinning, 1, memory_order_relaxed);
    pthread_mutex_unlock(&s->lock);
    uint64_t end = time_ns() + SPIN_NS;
    while (atomic_load_explicit(&s->news, memory_order_relaxed) == seen && time_ns() < end)
        for (int i = 0; i < 16; i++)
            relax();
    pthread_mutex_lock(&s->lock);
    atomic_fetch_sub_explicit(&s->spinning, 1, memory_order_relaxed);
}

/* Sleeps until somebody rouses this worker, or for WATCH_NS. With the lock, before and after. */
static void park(struct scheduler *s, struct slot *slot, bool watching) {
    const struct timespec limit = {.tv_nsec = WATCH_NS};
    slot->state = SLOT_PARKED;
    atomic_store_explicit(&slot->wake, 0, memory_order_relaxed);
    if (watching)
        s->watch = slot;
    pthread_mutex_unlock(&s->lock);
    do
        futex_wait(&slot->wake, 0, watching ? &limit : NULL);
    while (!watching && !atomic_load_explicit(&slot->wake, memory_order_acquire));
    pthread_mutex_lock(&s->lock);
    slot->state = SLOT_BUSY; /* whoever rouses has done so already */
    if (s->watch == slot)
        s->watch = NULL;
}

/* One round of the watch: what lay there before it and lies there still has waited long enough. */
static void watch_round(struct scheduler *s, struct slot *slot, unsigned *quiet) {
    uint64_t before = s->tickets;
    park(s, slot, true);
    *quiet = s->tickets == before ? *quiet + 1 : 0;
    if (s->urgent < before)
        s->urgent = before;
    cl_event oldest = s->ready;
    if (oldest && oldest->ticket <= s->urgent && !is_eligible(slot, oldest->queue->device)) {
        rouse_and_unlock(s, oldest->queue->device, 1);
        pthread_mutex_lock(&s->lock);
    }
}

static void *worker_main(void *arg) {
    struct slot *slot = arg;
    struct scheduler *s = slot->scheduler;
    uint64_t seen = 0; /* tickets at the end of the last watch */
    unsigned quiet = 0;
    bool spun = false;
    worker_enter(slot->worker);
    float_mode_enter();
    pthread_mutex_lock(&s->lock);
    while (!s->ending) {
        if (work_once(s, slot)) {
            spun = false;
        } else if (!spun) {
            spun = true;
            spin(s);
        } else if (!s->watch && s->tickets != seen) {
            watch_round(s, slot, &quiet);
            if (quiet >= WATCH_IDLE) {
                quiet = 0;
                seen = s->tickets;
            }
        } else {
            park(s, slot, false);
            spun = s->urgent < s->tickets; /* roused to go on watch */
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
    atomic_store(&s->spinning, 0);
    for (unsigned i = 0; i < s->size; i++)
        s->slots[i] = (struct slot){.worker = s->slots[i].worker, .scheduler = s};
}

struct scheduler *sched_new(unsigned workers) {
    struct scheduler *s = &the_scheduler;
    s->slots = calloc(workers, sizeof *s->slots);
    if (!s->slots) {
        log_write(LOG_ERROR, "no memory for %u workers", workers);
        abort(); /* a few kilobytes, at the first call of the API */
    }
    s->size = workers;
    for (unsigned i = 0; i < workers; i++)
        s->slots[i].scheduler = s;
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
    for (unsigned i = 0; i < s->size; i++) {
        atomic_store_explicit(&s->slots[i].wake, 1, memory_order_release);
        futex_wake(&s->slots[i].wake);
    }
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
            slot->state = SLOT_EMPTY;
    }
    s->ending = false;
    pthread_mutex_unlock(&s->lock);
}
