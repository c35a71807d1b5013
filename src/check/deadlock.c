/* deadlock.c: work-items and groups that wait for each other for ever.
 *
 * In: each round of a loop that waits (kc/lower/instrument_loops.c), with what it carries, and what it has read and
 * written. Out: a finding, and the launch is stopped. A round like the one before it changes nothing and is followed by
 * another, until somebody else writes. So nothing can end the waiting if all groups that run are in such rounds: no time
 * limit would tell that. The limit (WEIR_CHECK_DEADLOCK) is for others than this launch: the host, another command. A
 * group that computes, however long, isn't in such rounds, and then nobody is taken to be stuck. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    WATCH_SLOTS = 1 << 15, /* what loops have seen: work-items times places in a loop */
    WATCH_PROBES = 8,
    LOOK_EVERY = 256, /* rounds */
    SURE = 1 << 18,   /* rounds: more than all packs of a group take in a turn of each */
};

struct seen { /* by a work-item at a site */
    uint64_t group, value;
    uint32_t site, item;
};
struct watch {
    struct seen seen[WATCH_SLOTS];
};

static void has_changed(struct check_worker *c) {
    atomic_fetch_add_explicit(&c->changes, 1, memory_order_relaxed);
    c->quiet_since = 0;
}

/* Whether it is what this work-item had here before. */
static bool is_known(struct check_worker *c, uint32_t site, uint32_t item, uint64_t value) {
    uint64_t group = CELL_SERIAL(c->abi.base), hash = (site * 0x9e3779b1u) ^ (item * 0x85ebca6bu);
    for (unsigned i = 0; i < WATCH_PROBES; i++) {
        struct seen *s = &c->watch->seen[(hash + i) % WATCH_SLOTS];
        if (s->group == group && s->site == site && s->item == item) {
            bool same = s->value == value;
            s->value = value;
            return same;
        }
        if (s->group != group || i + 1 == WATCH_PROBES) {
            *s = (struct seen){group, value, site, item};
            return false;
        }
    }
    return false;
}

void deadlock_enter(struct check_worker *c) {
    struct check_launch *l = c->launch;
    if (!c->has_watches) {
        if (!atomic_load_explicit(&l->is_busy, memory_order_relaxed))
            atomic_store_explicit(&l->is_busy, true, memory_order_relaxed);
        return;
    }
    has_changed(c);
    pthread_mutex_lock(&l->lock);
    c->next_running = l->running;
    l->running = c;
    l->suspects++;
    l->begun++;
    pthread_mutex_unlock(&l->lock);
}

void deadlock_leave(struct check_worker *c) {
    struct check_launch *l = c->launch;
    if (!c->has_watches)
        return;
    pthread_mutex_lock(&l->lock);
    struct check_worker **at = &l->running;
    while (*at != c)
        at = &(*at)->next_running;
    *at = c->next_running;
    l->suspects++;
    pthread_mutex_unlock(&l->lock);
}

/* Whether all that run have made many rounds since they were first asked, and none that changes anything. */
static bool is_sure_locked(struct check_launch *l) {
    bool again = l->suspects != l->suspected, sure = !atomic_load_explicit(&l->is_busy, memory_order_relaxed);
    for (struct check_worker *c = l->running; c && !again; c = c->next_running)
        again = atomic_load(&c->changes) != c->changes_before;
    for (struct check_worker *c = l->running; c; c = c->next_running) {
        uint64_t rounds = atomic_load_explicit(&c->rounds, memory_order_relaxed);
        if (again) {
            c->changes_before = atomic_load(&c->changes);
            c->rounds_before = rounds;
        }
        sure &= rounds - c->rounds_before >= SURE;
    }
    l->suspected = l->suspects;
    return sure && !again;
}

/* The other groups that run; they stay until the lock is given back. */
static void describe_others_locked(struct buf *text, const struct check_worker *c) {
    const struct check_worker *other = NULL;
    unsigned others = 0;
    for (const struct check_worker *x = c->launch->running; x; x = x->next_running) {
        other = x == c ? other : x;
        others += x != c;
    }
    if (!other)
        return;
    uint32_t site = atomic_load_explicit(&other->waits.site, memory_order_relaxed);
    struct party p = {.does = "waits",
                      .item = atomic_load_explicit(&other->waits.item, memory_order_relaxed)};
    struct side side = report_side(other, &p);
    const struct report r = {.dim = other->geometry->work_dim};
    buf_printf(text,
               others == 1 ? "another group waits, too: " : "%u other groups wait, too, one of them as ",
               others);
    report_who(text, &r, &side);
    buf_printf(text, " at ");
    report_place(text, check_site(other, site));
    buf_printf(text, "; ");
}

static void describe_rest_locked(struct buf *text, const struct check_worker *c) {
    const weir_u64 *groups = c->geometry->num_groups;
    uint64_t all = groups[0] * groups[1] * groups[2], begun = c->launch->begun;
    if (begun >= all)
        buf_printf(text, "all groups have begun");
    else
        buf_printf(text, "%llu group%s not begun", (unsigned long long)(all - begun),
                   all - begun == 1 ? " has" : "s have");
}

/* One side alone: how many wait, and where, depends on how many threads there are. The others are in the text. */
static void report(struct check_worker *c, uint32_t site, uint32_t item, const char *others) {
    struct finding f = {
        .kind = FINDING_DEADLOCK,
        .a = {.site = site, .does = "waits for ever", .item = item},
        .address = c->waits.address,
    };
    snprintf(f.text, sizeof f.text, "%s", others);
    snprintf(f.fix, sizeof f.fix,
             "wait for nobody who waits for you, give back each lock on every way, and wait for no "
             "work-group that "
             "may not have begun, for they run in any order: use another launch");
    finding_report(c, &f);
}

static void look(struct check_worker *c, uint32_t site, uint32_t item) {
    struct check_launch *l = c->launch;
    uint64_t now = time_ns(), limit = env_get()->check_deadlock;
    if (!c->quiet_since)
        c->quiet_since = now;
    if (!limit || now - c->quiet_since < limit * 1000000)
        return;
    struct buf text = {0};
    pthread_mutex_lock(&l->lock);
    bool sure = !atomic_load(&l->is_stuck) && is_sure_locked(l);
    if (sure) {
        atomic_store(&l->is_stuck, true);
        describe_others_locked(&text, c);
        buf_printf(&text, "nothing that they look at has changed for %llu ms; ", (unsigned long long)limit);
        describe_rest_locked(&text, c);
    }
    pthread_mutex_unlock(&l->lock);
    if (sure)
        report(c, site, item, buf_cstr(&text));
    buf_free(&text);
}

void check_watch(struct check_worker *c, uint64_t p, uint32_t site, uint32_t item, uint32_t what,
                 uint64_t value) {
    enum { SEEN, ROUND, GOES_ON };
    if (!c->watch)
        c->watch = calloc(1, sizeof *c->watch);
    if (!c->watch || what == GOES_ON || !is_known(c, site, item, value ^ p)) {
        has_changed(c);
        return;
    }
    if (what == SEEN) {
        c->waits.address = p;
        return;
    }
    uint64_t rounds = atomic_fetch_add_explicit(&c->rounds, 1, memory_order_relaxed);
    atomic_store_explicit(&c->waits.site, site, memory_order_relaxed);
    atomic_store_explicit(&c->waits.item, item, memory_order_relaxed);
    if (rounds % LOOK_EVERY == 0)
        look(c, site, item);
    if (atomic_load_explicit(&c->launch->is_stuck, memory_order_relaxed))
        check_stop(c);
}
