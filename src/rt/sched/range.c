/* range.c: ranges: the items of one command, work-groups or blocks of bytes, over several threads.
 *
 * In: a range, on the stack of the thread that owns it. Out: all its items done, by the owner and by others that it
 * called or that came by themselves; and what an item cost, for the next time.
 *
 * A range calls only as many as its work is worth, by what an item cost in earlier ranges of its kind and in the
 * chunks so far. It is handed to workers one by one, each through its own `mail`, those that spin before those that
 * sleep, and whoever is called calls others in turn. Nobody takes a lock for that, and who hasn't come when all
 * items are handed out isn't waited for: the owner takes the letter back. A range that lasts longer than expected
 * is joined by whoever is idle. Of one that is worth no other thread nobody knows, unless the first chunks say otherwise.
 *
 * Items that need no order are in parts, one for each thread that is expected. A thread begins with its own part, the same
 * one in each range, so what earlier launches left in its caches, and memory that it was the first to touch, is near
 * ("affinity scheduling": Markatos and LeBlanc, "Using Processor Affinity in Loop Scheduling on Shared-Memory
 * Multiprocessors", 1994), and threads don't wait for each other to be handed chunks. Then it goes on where most is left.
 * Other items are one part, handed out in order: work-groups that wait for others mostly wait for earlier ones.
 */
#include "scheduler.h"

#define SHARE_NS 4000  /* of work for each thread of a range, at least */
#define CHUNK_NS 2000  /* of work handed out at once, at least */
#define START_NS 30000 /* of work left that is worth starting threads */
#define PART_NS  32000 /* of work that is worth parts */
#define LATE_NS  10000 /* after which a range is joined uncalled */
#define CALLS    4     /* that one thread makes at once */

/* So many who were called to a range don't come, or leave. Release: the owner sees what was done there. It may go on,
 * and `r` with it, once this is 0: then the futex's address is only a number, and a wake-up too many does no harm. */
void range_leave(struct range *r, uint32_t threads) {
    if (threads && atomic_fetch_sub_explicit(&r->inside, threads, memory_order_release) == (ASLEEP | threads))
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

static uint64_t part_begin(const struct range *r, uint64_t part) {
    return part * r->part_size + at_most(part, r->longer);
}

static uint64_t part_left(const struct range *r, uint32_t part) {
    uint64_t at = atomic_load_explicit(&r->parts[part].at, memory_order_relaxed),
             end = part_begin(r, part + 1);
    return at < end ? end - at : 0;
}

/* Hands out the next chunk: small ones first, until it's known that items cost what was expected; then large ones;
 * small ones at the end, so that threads end together. */
static bool part_next(struct range *r, uint32_t part, uint64_t *begin, uint64_t *end) {
    const uint64_t first = part_begin(r, part), last = part_begin(r, part + 1);
    uint64_t threads = at_least(atomic_load_explicit(&r->wanted, memory_order_relaxed) / r->nparts, 1);
    float cost = atomic_load_explicit(&r->cost, memory_order_relaxed);
    uint64_t least = cost > 0 ? r->n : 1, chunk;
    if (cost * (float)r->n > CHUNK_NS)
        least = (uint64_t)(CHUNK_NS / cost);
    uint64_t at = atomic_load_explicit(&r->parts[part].at, memory_order_relaxed);
    do {
        if (at >= last)
            return false;
        chunk = (last - at) / (2 * threads);
        chunk = at_least(chunk, least);
        chunk = at_most(chunk, at_least(at - first, r->untried));
        chunk = at_most(at_least(chunk, 1), last - at);
    } while (!atomic_compare_exchange_weak_explicit(&r->parts[part].at, &at, at + chunk, memory_order_relaxed,
                                                    memory_order_relaxed));
    *begin = at;
    *end = at + chunk;
    return true;
}

/* The part of which most is left; false: nothing is left of any. */
static bool part_find(const struct range *r, uint32_t *part) {
    uint64_t most = 0;
    for (uint32_t i = 0; i < r->nparts; i++) {
        uint64_t left = part_left(r, i);
        *part = left > most ? i : *part;
        most = at_least(most, left);
    }
    return most > 0;
}

/* *part: where the calling thread takes from. */
static bool range_next(struct range *r, uint32_t *part, uint64_t *begin, uint64_t *end) {
    while (range_is_open(r)) {
        if (part_next(r, *part, begin, end))
            return true;
        if (!part_find(r, part))
            atomic_store_explicit(&r->closed, true, memory_order_relaxed);
    }
    return false;
}

/* The part of a worker: of few threads, those with the lowest numbers are called first. A thread of the application, which
 * stands in for the last one, has the last part. */
static uint32_t part_of(const struct range *r, const struct worker *w) {
    uint64_t i = w->index - r->device->first_worker;
    uint64_t thread = i < r->device->compute_units ? i % r->expected : r->expected - 1;
    return (uint32_t)(thread * r->nparts / r->expected);
}

static void range_do(struct range *r, struct worker *w, uint64_t begin, uint64_t end) {
    cl_int error = r->fn(r->arg, w, begin, end);
    if (error) {
        atomic_store_explicit(&r->error, error, memory_order_relaxed);
        atomic_store_explicit(&r->closed, true, memory_order_relaxed);
    }
}

/* How many more threads it wants. */
static uint32_t range_lacks(const struct range *r, uint32_t inside) {
    uint32_t threads = (inside & ~ASLEEP) + 1,
             wanted = atomic_load_explicit(&r->wanted, memory_order_relaxed);
    return range_is_open(r) && threads < wanted ? wanted - threads : 0;
}

/* More threads, at most so many: how many may come. */
static uint32_t range_enter(struct range *r, uint32_t most) {
    uint32_t inside = atomic_load_explicit(&r->inside, memory_order_relaxed), more;
    do {
        more = range_lacks(r, inside);
        more = more < most ? more : most;
    } while (more && !atomic_compare_exchange_weak_explicit(&r->inside, &inside, inside + more,
                                                            memory_order_relaxed, memory_order_relaxed));
    return more;
}

static uint64_t range_left(const struct range *r) {
    uint64_t left = 0;
    for (uint32_t i = 0; i < r->nparts; i++)
        left += part_left(r, i);
    return left;
}

/* Whether enough is left for threads to be started, as far as one can know. */
static bool range_is_long(const struct range *r) {
    float cost = atomic_load_explicit(&r->cost, memory_order_relaxed);
    return cost > 0 ? (float)range_left(r) * cost > START_NS : time_ns() - r->start > START_NS;
}

/* Calls idle workers, at most CALLS: getting one up takes as long as several messages to those that spin. They call others in
 * turn, each beginning with those behind what the ones before it call, so that no two callers try the same. `from`: a
 * worker's number, counted from 1; 0: the owner. */
static void range_call(struct scheduler *s, struct range *r, uint32_t from) {
    static const unsigned char order[] = {MAIL_SPINNING, MAIL_REVOKED, MAIL_PARKED, MAIL_WATCHING,
                                          MAIL_ABSENT};
    const uint32_t n = r->device->compute_units;
    uint32_t room = range_enter(r, CALLS), strength = CALLS;
    for (unsigned o = 0; o < sizeof order && room && range_is_open(r); o++) {
        const uint32_t cost = o < 2 ? 1 : CALLS / 2;
        if (order[o] == MAIL_ABSENT && !range_is_long(r))
            break;
        for (uint32_t i = 0; i < n && room && strength >= cost; i++) {
            struct mailbox *mailbox = &s->mailboxes[r->device->first_worker + (from * CALLS + i) % n];
            if (atomic_load_explicit(&mailbox->mail, memory_order_relaxed) == order[o] &&
                mailbox_send(mailbox, order[o], (uintptr_t)r)) {
                room--;
                strength -= cost;
            }
        }
    }
    range_leave(r, room);
}

struct range *range_find_locked(struct scheduler *s, const struct mailbox *mailbox) {
    uint64_t now = s->ranges ? time_ns() : 0;
    for (struct range *r = s->ranges; r; r = r->next) {
        if (!range_is_open(r) || !mailbox_is_eligible(mailbox, r->device))
            continue;
        if (now > r->start + LATE_NS)
            atomic_store_explicit(&r->wanted, r->most, memory_order_relaxed);
        if (range_enter(r, 1))
            return r;
    }
    return NULL;
}

void range_help(struct scheduler *s, struct range *r, struct mailbox *mailbox) {
    uint64_t begin, end;
    uint32_t part = part_of(r, mailbox->worker);
    tsan_acquire();
    /* Where the first item lasts so long, many threads are worth it. */
    if (atomic_load_explicit(&r->cost, memory_order_relaxed) == 0)
        atomic_store_explicit(&r->wanted, r->most, memory_order_relaxed);
    range_call(s, r, mailbox->worker->index - r->device->first_worker + 1); /* a tree */
    while (range_next(r, &part, &begin, &end))
        range_do(r, mailbox->worker, begin, end);
    tsan_release();
    range_leave(r, 1);
}

/* Now idle threads find it. */
static void range_publish(struct scheduler *s, struct range *r) {
    r->is_public = true;
    pthread_mutex_lock(&s->lock);
    r->next = s->ranges;
    s->ranges = r;
    s->tickets++; /* the watch goes on */
    if (mailbox_watched_locked(s))
        pthread_mutex_unlock(&s->lock);
    else
        mailbox_rouse_and_unlock(s, r->device);
}

/* The owner's part: also finds out what items cost, and calls more threads where that is more than expected. What
 * it takes to call them doesn't count, nor do short chunks, of which the clock says little. */
static void range_work(struct scheduler *s, struct range *r, struct worker *w, float *cost) {
    uint64_t begin, end, before = time_ns(), spent = 0, done = 0;
    uint32_t part = part_of(r, w);
    while (range_next(r, &part, &begin, &end)) {
        range_do(r, w, begin, end);
        uint64_t now = time_ns(), took = now - before;
        uint32_t wanted = atomic_load_explicit(&r->wanted, memory_order_relaxed);
        spent += took;
        done += end - begin;
        before = now;
        if (took < CHUNK_NS / 2)
            continue;
        float last = (float)took / (float)(end - begin);
        uint32_t worth = wanted < r->most ? range_threads(r, range_left(r), last) : wanted;
        atomic_store_explicit(&r->cost, last, memory_order_relaxed);
        if (worth > wanted)
            atomic_store_explicit(&r->wanted, worth, memory_order_relaxed);
        if (worth > 1) {
            if (!r->is_public)
                range_publish(s, r);
            range_call(s, r, 0);
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
                    range_leave(r, 1);
            }
        if (spins < 256)
            relax();
        else if (inside & ASLEEP)
            futex_wait(&r->inside, inside, NULL);
        else
            atomic_fetch_or_explicit(&r->inside, ASLEEP, memory_order_relaxed);
    }
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

/* Parts for all threads that may come; of what ends before many do, for those who are called. */
static void range_part(struct range *r, uint32_t threads) {
    r->expected = threads;
    r->nparts = at_most(threads, MOST_PARTS);
    r->part_size = r->n / r->nparts;
    r->longer = r->n % r->nparts;
    r->untried = r->n / (2 * r->most);
    for (uint32_t i = 0; i < r->nparts; i++)
        atomic_init(&r->parts[i].at, part_begin(r, i));
}

cl_int range_run(struct scheduler *s, struct range *r, struct worker *w, bool any_order,
                 _Atomic float *cost) {
    float old = atomic_load_explicit(cost, memory_order_relaxed), fresh = old;
    uint32_t wanted = old > 0 ? range_threads(r, r->n, old) : 2;
    r->start = time_ns();
    atomic_init(&r->cost, old);
    atomic_init(&r->wanted, wanted);
    bool is_short = old > 0 && (float)r->n * old < PART_NS;
    range_part(r, !any_order || is_short ? 1 : old > 0 ? wanted : r->most);
    if (wanted > 1 || !any_order)
        range_publish(s, r);
    if (wanted > 1)
        range_call(s, r, 0);
    range_work(s, r, w, &fresh);
    if (r->is_public) {
        range_withdraw(s, r);
        range_settle(s, r);
    }
    cl_int error = atomic_load_explicit(&r->error, memory_order_relaxed);
    if (!error)
        atomic_store_explicit(cost, cost_expected(old, fresh), memory_order_relaxed);
    return error;
}
