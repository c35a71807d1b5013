/* sched.c: the scheduler: which thread runs which command, and which work-groups of it.
 *
 * In: commands whose predecessors are complete (sched_ready), and ranges of work-groups or bytes that one
 * command spreads over the device (sched_range). Out: run commands, ended through command_finish.
 *
 * Threads. Workers, one per compute unit, start when first needed, and park on a futex of their own. A thread
 * that waits for a command lends itself: see sched_wait for what it may run. Either way a command runs on one
 * thread, which publishes a range (range.c); others join it, at most as many as its device has compute units.
 *
 * Waking is the expensive part of a small launch, and most applications wait or flush right after they
 * enqueue. So an enqueue doesn't make its command urgent. One worker at a time is on watch instead: it looks
 * every WATCH_NS whether something lies there unclaimed, and parks for good when nothing comes any more. An
 * enqueue only has to make sure that somebody is on watch.
 */
#define _GNU_SOURCE
#include "scheduler.h"

#include <stdlib.h>

#define SPIN_NS    8000   /* how long an idle thread looks around without letting others run */
#define YIELD_NS   30000  /* and how long it looks around at all before it parks */
#define WORTH_NS   10000  /* of commands that are ready is worth another thread */
#define WATCH_NS   100000 /* how long an enqueued command may lie before it starts by itself */
#define WATCH_IDLE 20     /* rounds without news after which the watch ends */
#define LEND_BYTES                                                                                           \
    (1 << 20) /* stack a waiting thread must have left to run commands: kernels keep 256 KiB of */
              /* arrays there at most */
#define OWN_BYTES                                                                                            \
    (1 << 20) /* of memory that a thread of the application keeps for the next time that it lends itself */
#define EXIT_MS      100 /* how long the end of the process waits for workers */
#define SEARCH_EDGES 128 /* of the event graph, looked at to find out whether a waiting thread may help */
#define SEARCH_DEPTH 16

static struct scheduler the_scheduler = {
    .lock = PTHREAD_MUTEX_INITIALIZER, .left = PTHREAD_COND_INITIALIZER, .ready_end = &the_scheduler.ready};

/* The calling thread. Asking for its address is a call: functions ask once, and tell those they call. */
static _Thread_local struct thread {
    struct worker *self; /* what it runs as just now */
    struct worker *
        own; /* of the application's: what it runs as when it lends itself; NULL: none yet, or it does just now */
    unsigned owed;  /* commands it made ready without waking anybody */
    bool staying;   /* it will look for more work after what it runs */
    bool is_client; /* counted; workers never are */
    bool is_worker;
} this_thread;

#if !defined(__SANITIZE_THREAD__)
char tsan_place;
#endif

static inline struct thread *thread_here(void) {
    struct thread *t = &this_thread;
    __asm__("" : "+r"(t)); /* else compilers ask again at each use */
    return t;
}

/* ---- the application's threads ----
 * A process may go on after its main thread has called pthread_exit, and then ends with its last thread. That must
 * not be one of ours: when no thread is left that used the scheduler, workers with nothing to do leave, and start
 * again for the next one. Until they have left, the main thread stays behind: it takes the signals that workers
 * block, and a kernel that runs for long can be ended. */

static pthread_key_t client_key;
static bool has_client_key;

static void client_add(void) {
    struct scheduler *s = &the_scheduler;
    if (!has_client_key || pthread_setspecific(client_key, s))
        return;
    this_thread.is_client = true;
    pthread_mutex_lock(&s->lock);
    s->clients++;
    pthread_cond_broadcast(&s->left);
    pthread_mutex_unlock(&s->lock);
}

static inline void client_enter(const struct thread *t) {
    if (!t->is_client && !t->is_worker)
        client_add();
}

static bool has_threads_locked(const struct scheduler *s) {
    bool any = false;
    for (unsigned i = 0; i < s->size && !any; i++)
        any = s->mailboxes[i].has_thread;
    return any;
}

/* The end of a thread that was one; not of the process. */
static void client_leave(void *arg) {
    struct scheduler *s = arg;
    this_thread.is_client = false;
    pthread_mutex_lock(&s->lock);
    struct worker *own = this_thread.own;
    if (own) {
        own->next = s->spare;
        s->spare = own;
        this_thread.own = NULL;
    }
    s->clients--;
    if (!s->clients)
        mailbox_rouse_all(s);
    while (gettid() == getpid() && !s->clients && has_threads_locked(s))
        pthread_cond_wait(&s->left, &s->lock);
    pthread_mutex_unlock(&s->lock);
}

/* This worker's thread ends, with nothing to do. Others that parked for as little look again. */
static void worker_leave_locked(struct scheduler *s, struct mailbox *mailbox) {
    mailbox_rouse_all(s);
    if (!mailbox->has_thread) /* somebody joins it */
        return;
    mailbox->has_thread = false;
    pthread_detach(mailbox->thread);
    atomic_store(&mailbox->mail, MAIL_ABSENT);
    pthread_cond_broadcast(&s->left);
}

/* ---- ranges ---- */

static struct worker *spare_take(struct scheduler *s, struct thread *t) {
    struct worker *w = t->own;
    t->own = NULL;
    if (w)
        return w;
    pthread_mutex_lock(&s->lock);
    w = s->spare;
    if (w)
        s->spare = w->next;
    pthread_mutex_unlock(&s->lock);
    if (!w)
        w = worker_new(s->size);
    if (w)
        worker_enter(w);
    return w;
}

static void spare_give(struct scheduler *s, struct thread *t, struct worker *w) {
    if (t->is_client && !t->own && w->abi.local_bytes + w->abi.context_bytes <= OWN_BYTES) {
        t->own = w;
        return;
    }
    pthread_mutex_lock(&s->lock);
    w->next = s->spare;
    s->spare = w;
    pthread_mutex_unlock(&s->lock);
}

cl_int sched_range(cl_device_id device, cl_int (*fn)(void *, struct worker *, uint64_t, uint64_t), void *arg,
                   uint64_t n, bool any_order, _Atomic float *cost) {
    struct scheduler *s = device->scheduler;
    struct thread *t = thread_here();
    struct worker *w = t->self;
    cl_int error;
    if (n == 0)
        return CL_SUCCESS;
    if (!w && !(w = spare_take(s, t)))
        return CL_OUT_OF_HOST_MEMORY;
    if (n == 1 || device->compute_units == 1) {
        error = fn(arg, w, 0, n);
    } else {
        struct part parts[MOST_PARTS];
        struct range r = {.device = device, .fn = fn, .arg = arg, .n = n, .parts = parts};
        r.most = n < device->compute_units ? (uint32_t)n : device->compute_units;
        error = range_run(s, &r, w, any_order, cost);
    }
    if (w != t->self)
        spare_give(s, t, w);
    return error;
}

/* ---- running commands -------------------------------------------------------------------------------------------- */

/* `stays`: this thread will look for more work afterwards, so it needn't wake others for what this releases. */
static void run_command(struct thread *t, cl_event e, struct worker *w, bool stays) {
    struct worker *outer = t->self;
    bool outer_staying = t->staying;
    t->self = w;
    t->staying = false;
    if (e->times[0]) {
        e->times[2] = event_clock(e);
        trace_call_began = 0; /* what it enqueues isn't of this time */
    }
    event_advance(e, CL_RUNNING);
    struct float_mode mode = float_mode_enter();
    bool ended = atomic_load_explicit(&e->context->terminated, memory_order_relaxed);
    tsan_acquire();
    cl_int status = ended ? CL_CONTEXT_TERMINATED_KHR : e->run(e->payload, e);
    tsan_release();
    float_mode_leave(mode);
    if (e->times[0] && !e->times[3])
        e->times[3] = event_clock(e);
    t->staying = stays;
    command_ran(e, status);
    w->command = NULL;
    t->staying = outer_staying;
    t->self = outer;
}

static uint64_t weight(cl_event e) {
    return e->expected && e->expected < WORTH_NS ? e->expected : WORTH_NS;
}

static bool is_hinted(cl_event e) {
    return e->queue->priority != CL_QUEUE_PRIORITY_MED_KHR;
}

/* Whether the thread, which runs a command, could also run one of that device. */
static bool may_run(const struct thread *t, cl_device_id device) {
    bool is_near = t->self->index - device->first_worker < device->compute_units;
    return t->is_worker ? is_near : !device_is_bound(device);
}

/* One that becomes ready by a command's end is left to that command's thread, if that stays and little else is ready: another
 * thread would take longer to come than the command takes, and both wait for each other's locks and caches afterwards. */
void sched_ready(cl_event e, bool urgent) {
    cl_device_id device = e->device;
    struct scheduler *s = device->scheduler;
    struct thread *t = thread_here();
    client_enter(t);
    e->ready_next = NULL;
    pthread_mutex_lock(&s->lock);
    *s->ready_end = e;
    s->ready_end = &e->ready_next;
    e->ticket = ++s->tickets;
    s->hinted += is_hinted(e);
    s->backlog += weight(e);
    if (urgent)
        s->urgent = e->ticket;
    bool stays = t->staying && may_run(t, device), is_left = stays && (!t->owed || s->backlog < WORTH_NS);
    t->owed += urgent && stays;
    if (urgent ? !is_left : !mailbox_watched_locked(s))
        mailbox_rouse_and_unlock(s, device);
    else
        pthread_mutex_unlock(&s->lock);
}

/* Makes everything urgent and wakes a worker for the oldest. Takes the lock held, gives it back released. */
static void flush_and_unlock(struct scheduler *s) {
    s->urgent = s->tickets;
    if (s->ready)
        mailbox_rouse_and_unlock(s, s->ready->device);
    else
        pthread_mutex_unlock(&s->lock);
}

void sched_flush(cl_device_id device) {
    struct scheduler *s = device->scheduler;
    sched_look_back();
    pthread_mutex_lock(&s->lock);
    flush_and_unlock(s);
}

void sched_settle(void) {
    struct thread *t = thread_here();
    bool owes = t->owed > 0;
    t->owed = 0;
    t->staying = false; /* until the callbacks are through */
    if (owes) {
        pthread_mutex_lock(&the_scheduler.lock);
        flush_and_unlock(&the_scheduler);
    }
}

/* For this thread to run as `w`. */
static void unlink_locked(struct scheduler *s, struct thread *t, struct worker *w, cl_event *link) {
    cl_event e = *link;
    w->command = e;
    w->thread = t;
    *link = e->ready_next;
    if (!*link)
        s->ready_end = link;
    s->hinted -= is_hinted(e);
    s->backlog -= weight(e);
    t->owed = 0;
}

/* ---- worker threads ------------------------------------------------------------------------------------------------ */

/* The oldest of those of the highest priority. */
static cl_event urgent_take_locked(struct scheduler *s, const struct mailbox *mailbox) {
    cl_event *best = NULL;
    for (cl_event *link = &s->ready; *link && (*link)->ticket <= s->urgent; link = &(*link)->ready_next)
        if (mailbox_is_eligible(mailbox, (*link)->device) &&
            (!best || (*link)->queue->priority < (*best)->queue->priority)) {
            best = link;
            if (!s->hinted)
                break;
        }
    cl_event e = best ? *best : NULL;
    if (e)
        unlink_locked(s, thread_here(), mailbox->worker, best);
    return e;
}

static bool has_urgent_locked(const struct scheduler *s) {
    return s->ready && s->ready->ticket <= s->urgent;
}

/* Does what there is to do, once; false: nothing. With the lock, before and after. */
static bool work_once(struct scheduler *s, struct mailbox *mailbox) {
    struct range *r = range_find_locked(s, mailbox);
    if (r) {
        this_thread.owed = 0;
        if (has_urgent_locked(s)) /* this thread won't come to it soon */
            mailbox_rouse_and_unlock(s, s->ready->device);
        else
            pthread_mutex_unlock(&s->lock);
        range_help(s, r, mailbox);
        pthread_mutex_lock(&s->lock);
        return true;
    }
    cl_event e = urgent_take_locked(s, mailbox);
    if (!e)
        return false;
    if (has_urgent_locked(s) && s->backlog >= WORTH_NS)
        mailbox_rouse_and_unlock(s, s->ready->device);
    else
        pthread_mutex_unlock(&s->lock);
    run_command(thread_here(), e, mailbox->worker, true);
    float_mode_enter(); /* a callback may have another one */
    pthread_mutex_lock(&s->lock);
    return true;
}

/* A moment of a thread that has had nothing to do since `begin`; false: it was long enough, park. Between two launches of an
 * application all who helped with the first one should still be there: getting one up takes as long as a small kernel. */
static bool linger(uint64_t begin) {
    uint64_t idle = time_ns() - begin;
    if (idle > SPIN_NS)
        sched_yield();
    else
        for (int i = 0; i < 4; i++)
            relax();
    return idle < YIELD_NS;
}

/* Spins until there is something to look at or the time is up, and joins ranges that it's called to. With the lock,
 * before and after. */
static void spin(struct scheduler *s, struct mailbox *mailbox) {
    uint32_t seen = atomic_load_explicit(&s->news, memory_order_relaxed);
    struct range *called;
    uintptr_t kind;
    if (s->size < 2)
        return;
    pthread_mutex_unlock(&s->lock);
    do {
        atomic_store(&mailbox->mail, MAIL_SPINNING);
        uint64_t begin = time_ns();
        bool quiet = atomic_load(&s->news) == seen;
        while (quiet && atomic_load_explicit(&mailbox->mail, memory_order_relaxed) == MAIL_SPINNING &&
               linger(begin))
            ;
        if ((called = mailbox_take(mailbox, &kind)))
            range_help(s, called, mailbox);
    } while (called);
    pthread_mutex_lock(&s->lock);
}

/* Sleeps until somebody gets this worker up, or for WATCH_NS. True: it joined a range, or should have. With the
 * lock, before and after. */
static bool park(struct scheduler *s, struct mailbox *mailbox, bool watching) {
    const struct timespec limit = {.tv_nsec = WATCH_NS};
    const uintptr_t idle = watching ? MAIL_WATCHING : MAIL_PARKED;
    uintptr_t kind;
    atomic_store(&mailbox->mail, idle);
    if (watching)
        s->watch = mailbox;
    pthread_mutex_unlock(&s->lock);
    do
        futex_wait(&mailbox->mail, (uint32_t)idle, watching ? &limit : NULL);
    while (!watching && atomic_load_explicit(&mailbox->mail, memory_order_relaxed) == idle);
    struct range *called = mailbox_take(mailbox, &kind);
    if (called && !watching)
        range_help(s, called, mailbox);
    pthread_mutex_lock(&s->lock);
    if (s->watch == mailbox)
        s->watch = NULL;
    if (called && watching) {
        if (s->ready) /* somebody else has to watch that */
            mailbox_rouse_and_unlock(s, s->ready->device);
        else
            pthread_mutex_unlock(&s->lock);
        range_help(s, called, mailbox);
        pthread_mutex_lock(&s->lock);
    }
    return called || kind == MAIL_REVOKED;
}

/* One round of the watch: what lay there before it and lies there still has waited long enough. */
static bool watch_round(struct scheduler *s, struct mailbox *mailbox, unsigned *quiet) {
    uint64_t before = s->tickets;
    bool called = park(s, mailbox, true);
    *quiet = s->tickets == before ? *quiet + 1 : 0;
    if (s->urgent < before)
        s->urgent = before;
    cl_event oldest = s->ready;
    if (oldest && oldest->ticket <= s->urgent && !mailbox_is_eligible(mailbox, oldest->device)) {
        mailbox_rouse_and_unlock(s, oldest->device);
        pthread_mutex_lock(&s->lock);
    }
    return called;
}

void *sched_worker(void *arg) {
    struct mailbox *mailbox = arg;
    struct scheduler *s = mailbox->scheduler;
    uint64_t seen = 0; /* tickets at the end of the last watch */
    unsigned quiet = 0;
    bool spun = false;
    uintptr_t kind;
    struct range *called = mailbox_take(mailbox, &kind);
    this_thread.is_worker = true;
    worker_enter(mailbox->worker);
    binding_enter((unsigned)(mailbox - s->mailboxes));
    float_mode_enter();
    if (called)
        range_help(s, called, mailbox);
    pthread_mutex_lock(&s->lock);
    while (!s->ending) {
        if (work_once(s, mailbox)) {
            spun = false;
        } else if (!spun) {
            spun = true;
            spin(s, mailbox);
        } else if (!s->clients && !s->ready) {
            worker_leave_locked(s, mailbox);
            break;
        } else if (!s->watch && s->tickets != seen) {
            spun = !watch_round(s, mailbox, &quiet);
            if (quiet >= WATCH_IDLE) {
                quiet = 0;
                seen = s->tickets;
            }
        } else {
            spun = !park(s, mailbox, false) && s->urgent < s->tickets; /* roused to go on watch */
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
    bool found = false;
    for (; e && !found && *budget; e = e->parent) { /* which can't end before its part */
        --*budget;
        found = e == x || comes_before_in_queue(e, x) || leads_to(e, x, SEARCH_DEPTH, budget);
    }
    return found;
}

static cl_event before_take(struct scheduler *s, struct thread *t, struct worker *w, cl_event x) {
    cl_event found = NULL;
    unsigned budget = SEARCH_EDGES;
    pthread_mutex_lock(&s->lock);
    for (cl_event *link = &s->ready; *link; link = &(*link)->ready_next)
        if (!device_is_bound((*link)->device) && comes_before(*link, x, &budget)) {
            found = *link;
            unlink_locked(s, t, w, link);
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
    uint64_t begin = time_ns();
    pthread_mutex_lock(&s->lock);
    flush_and_unlock(s);
    while (linger(begin))
        if (has_ended(x))
            return;
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
    struct thread *t = thread_here();
    struct worker *w = NULL;
    bool lends = x->queue != NULL;
    sched_look_back();
    client_enter(t);
    while (!has_ended(x)) {
        if (lends && !w)
            lends = (w = spare_take(s, t)) && may_lend(w);
        cl_event e = lends ? before_take(s, t, w, x) : NULL;
        if (e)
            run_command(t, e, w, e != x);
        else
            wait_idle(s, x);
    }
    if (w)
        spare_give(s, t, w);
    if (t->owed)
        sched_settle();
}

/* ---- the scheduler ------------------------------------------------------------------------------------------------------ */

static void before_fork(void) {
    binding_before_fork();
    pthread_mutex_lock(&the_scheduler.lock);
}

static void after_fork_parent(void) {
    pthread_mutex_unlock(&the_scheduler.lock);
    binding_after_fork();
}

_Atomic(cl_event) sched_lost; /* by ready_next */

/* In place of its own: what the command holds may be half given back. */
static void lost_cleanup(cl_event e) {
}

/* What other threads were running. A command whose end they had begun may have another one in its place. */
static void list_lost(void) {
    cl_event lost = atomic_load(&sched_lost);
    for (struct worker *w = worker_newest(); w; w = w->older) {
        cl_event e = w->command;
        if (!e || w->thread == &this_thread)
            continue;
        w->command = NULL;
        if (atomic_load(&e->status) == CL_RUNNING && e->cleanup != lost_cleanup) {
            pthread_mutex_init(&e->lock, NULL); /* they may have had it */
            e->cleanup = lost_cleanup;
            e->ready_next = lost;
            lost = e;
        }
    }
    atomic_store(&sched_lost, lost);
}

void sched_end_lost(void) {
    cl_event e = atomic_exchange(&sched_lost, NULL);
    while (e) {
        cl_event next = e->ready_next;
        log_write(LOG_ERROR, "a command that the parent process was running at the fork is lost in this one");
        command_ran(e, CL_OUT_OF_RESOURCES);
        e = next;
    }
}

/* The child has none of the threads: what they were running is lost, with the workers that may have been in the middle of it;
 * what was waiting can still run. */
static void after_fork_child(void) {
    struct scheduler *s = &the_scheduler;
    list_lost();
    binding_after_fork();
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->left, NULL);
    s->clients = this_thread.is_client || !has_client_key;
    s->ranges = NULL;
    s->watch = NULL;
    s->ending = false;
    for (unsigned i = 0; i < s->size; i++) {
        struct mailbox *m = &s->mailboxes[i];
        bool is_whole = atomic_load(&m->mail) != MAIL_BUSY;
        *m = (struct mailbox){.mail = MAIL_ABSENT, .worker = is_whole ? m->worker : NULL, .scheduler = s};
    }
}

struct scheduler *sched_new(unsigned workers) {
    struct scheduler *s = &the_scheduler;
    s->mailboxes = aligned_alloc(_Alignof(struct mailbox), workers * sizeof *s->mailboxes);
    if (!s->mailboxes) {
        log_write(LOG_ERROR, "no memory for %u workers", workers);
        abort(); /* a few kilobytes, at the first call of the API */
    }
    s->size = workers;
    for (unsigned i = 0; i < workers; i++)
        s->mailboxes[i] = (struct mailbox){.mail = MAIL_ABSENT, .scheduler = s};
    has_client_key = !pthread_key_create(&client_key, client_leave);
    s->clients = !has_client_key; /* then there is always one */
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
    mailbox_rouse_all(s);
    for (unsigned i = 0; i < s->size; i++) {
        struct mailbox *mailbox = &s->mailboxes[i];
        if (!mailbox->has_thread || pthread_equal(mailbox->thread, pthread_self()))
            continue;
        mailbox->has_thread = false;
        pthread_mutex_unlock(&s->lock);
        bool ended = !pthread_timedjoin_np(mailbox->thread, NULL, &limit);
        if (!ended)
            pthread_detach(mailbox->thread);
        pthread_mutex_lock(&s->lock);
        if (ended)
            atomic_store(&mailbox->mail, MAIL_ABSENT);
    }
    s->ending = false;
    pthread_mutex_unlock(&s->lock);
}
