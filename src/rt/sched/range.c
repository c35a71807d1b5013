/* range.c: ranges: the items of one command, work-groups or blocks of bytes, over several threads.
 *
 * In: a range, on the stack of the thread that owns it. Out: all its items done, by the owner and by others that it
 * called or that came by themselves; and what an item cost, for the next time.
 *
 * A range calls only as many as its work is worth, by what an item cost in earlier ranges of its kind and in the
 * chunks so far. It is handed to workers one by one, each through its own `mail`, those that spin before those that
 * sleep, and whoever is called calls others in turn. Nobody takes a lock for that, and who hasn't come when all
 * items are handed out isn't waited for: the owner takes the letter back. A range that lasts longer than expected
 * is joined by whoever is idle.
 */
#include "scheduler.h"

#define SHARE_NS 4000  /* of work for each thread of a range, at least */
#define CHUNK_NS 2000  /* of work handed out at once, at least */
#define START_NS 30000 /* of work left that is worth starting threads */
#define LATE_NS  10000 /* after which a range is joined uncalled */

/* Who was called to a range doesn't come, or leaves. Release: the owner sees what was done there. It may go on, and
 * `r` with it, once this is 0: then the futex's address is only a number, and a wake-up too many does no harm. */
void range_leave(struct range *r) {
    if (atomic_fetch_sub_explicit(&r->inside, 1, memory_order_release) == (ASLEEP | 1))
        futex_wake(&r->inside);
}

/* Threads that so much work is worth. */
static uint32_t range_threads(const struct range *r, uint64_t items, float cost) {
    float threads = 1 + (float)items * cost / SHARE_NS;
    return threads < (float)r->most ? (uint32_t)threads : r->most;
}

static uint64_t at_least(uint64_t n, uint64_t least) {
    return n > least ? n : least;
}

static uint64_t at_most(uint64_t n, uint64_t most) {
    return n < most ? n : most;
}

/* Hands out the next chunk: small ones first, until it's known that items cost what was expected; then large ones;
 * small ones at the end, so that threads end together. */
static bool range_next(struct range *r, uint64_t *begin, uint64_t *end) {
    uint64_t at = atomic_load_explicit(&r->at, memory_order_relaxed), chunk;
    uint32_t threads = atomic_load_explicit(&r->wanted, memory_order_relaxed);
    float cost = atomic_load_explicit(&r->cost, memory_order_relaxed);
    uint64_t least = cost > 0 ? r->n : 1;
    if (cost * (float)r->n > CHUNK_NS)
        least = (uint64_t)(CHUNK_NS / cost);
    do {
        if (at >= r->n)
            return false;
        uint64_t tried = at > r->n / (4 * r->most) ? at : r->n / (4 * r->most);
        chunk = (r->n - at) / (2 * threads);
        chunk = at_least(chunk, least);
        chunk = at_most(chunk, tried);
        chunk = at_most(at_least(chunk, 1), r->n - at);
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
            struct mailbox *mailbox = &s->mailboxes[first + i];
            if (atomic_load_explicit(&mailbox->mail, memory_order_relaxed) != order[o])
                continue;
            if ((order[o] == MAIL_ABSENT && !range_is_long(r)) || !range_enter(r))
                return;
            if (mailbox_send(mailbox, order[o], (uintptr_t)r))
                strength -= o < 2 ? 1 : 4;
            else
                range_leave(r);
        }
}

struct range *range_find_locked(struct scheduler *s, const struct mailbox *mailbox) {
    uint64_t now = s->ranges ? time_ns() : 0;
    for (struct range *r = s->ranges; r; r = r->next) {
        if (!range_is_open(r) || !mailbox_is_eligible(mailbox, r->device))
            continue;
        if (now > r->start + LATE_NS)
            atomic_store_explicit(&r->wanted, r->most, memory_order_relaxed);
        if (range_enter(r))
            return r;
    }
    return NULL;
}

void range_help(struct scheduler *s, struct range *r, struct mailbox *mailbox) {
    uint64_t begin, end;
    /* Where the first item lasts so long, many threads are worth it. */
    if (atomic_load_explicit(&r->cost, memory_order_relaxed) == 0)
        atomic_store_explicit(&r->wanted, r->most, memory_order_relaxed);
    range_call(s, r); /* those who came call others: a tree */
    while (range_next(r, &begin, &end))
        range_do(r, mailbox->worker, begin, end);
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
                struct mailbox *mailbox = &s->mailboxes[r->device->first_worker + i];
                uintptr_t mine = (uintptr_t)r;
                if (atomic_load_explicit(&mailbox->mail, memory_order_relaxed) == mine &&
                    atomic_compare_exchange_strong(&mailbox->mail, &mine, MAIL_REVOKED))
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

static void range_publish(struct scheduler *s, struct range *r) {
    pthread_mutex_lock(&s->lock);
    r->next = s->ranges;
    s->ranges = r;
    s->tickets++; /* the watch goes on */
    if (mailbox_watched_locked(s))
        pthread_mutex_unlock(&s->lock);
    else
        mailbox_rouse_and_unlock(s, r->device);
}

static void range_withdraw(struct scheduler *s, struct range *r) {
    pthread_mutex_lock(&s->lock);
    struct range **link = &s->ranges;
    while (*link != r)
        link = &(*link)->next;
    *link = r->next;
    pthread_mutex_unlock(&s->lock);
}

/* What to expect next time, after a range with items of `fresh` ns. A thread that lost its processor for a while
 * shouldn't have all workers called to something tiny for long. */
static float cost_expected(float old, float fresh) {
    if (old <= 0)
        return fresh;
    if (fresh < old)
        return (old + fresh) / 2;
    return fresh < 16 * old ? fresh : 16 * old;
}

cl_int range_run(struct scheduler *s, struct range *r, struct worker *w, _Atomic float *cost) {
    float old = atomic_load_explicit(cost, memory_order_relaxed), fresh = old;
    r->start = time_ns();
    atomic_init(&r->cost, old);
    atomic_init(&r->wanted, old > 0 ? range_threads(r, r->n, old) : 2);
    range_publish(s, r);
    if (atomic_load_explicit(&r->wanted, memory_order_relaxed) > 1)
        range_call(s, r);
    range_work(s, r, w, &fresh);
    range_withdraw(s, r);
    range_settle(s, r);
    cl_int error = atomic_load_explicit(&r->error, memory_order_relaxed);
    if (!error)
        atomic_store_explicit(cost, cost_expected(old, fresh), memory_order_relaxed);
    return error;
}
