/* order.c: which commands happen before which.
 *
 * In: commands as they are enqueued, what each waits for, when they end and when the host learns of it. Out: whether two of them
 * are in an order, for ranges.c and runs.c, which know what they access. What counts as order:
 *   wait lists, queues' order, barriers, children and their parents: `before`, a bit for each command that is ordered before
 *   this one, complete when this one starts, as whatever ends hands its own on;
 *   the host: a command whose end it has learnt of is before all that it enqueues later, or lets go by a user event
 *   (`host_time` against `seen_at`, times of one clock).
 * So a race is found also where the two happen to run one after the other. There are as many slots as bits; a command without
 * one (too many under way) is not looked at. */
#include "order.h"
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = ORDER_SLOTS / 64 };

pthread_mutex_t order_lock = PTHREAD_MUTEX_INITIALIZER;
struct check_command *order_slots[ORDER_SLOTS];
unsigned order_nslots;
static struct check_command *with_set; /* all whose sets may have members, with slots or without */
static uint64_t now = 1;
static unsigned since_sweep;

/* ---- sets ---- */

static void join(struct set *to, const struct set *from) {
    for (unsigned i = 0; i < WORDS; i++)
        to->words[i] |= from->words[i];
}

static void add(struct set *s, int slot) {
    if (slot >= 0)
        s->words[slot / 64] |= UINT64_C(1) << (slot % 64);
}

static void cut(struct set *s, int slot) {
    if (slot >= 0)
        s->words[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
}

/* The command is about to get members of its sets. */
static void list_locked(struct check_command *c) {
    if (c->with_set)
        return;
    c->with_set = &with_set;
    c->next_with_set = with_set;
    if (with_set)
        with_set->with_set = &c->next_with_set;
    with_set = c;
}

static void unlist_locked(struct check_command *c) {
    if (!c->with_set)
        return;
    *c->with_set = c->next_with_set;
    if (c->next_with_set)
        c->next_with_set->with_set = c->with_set;
}

/* ---- life ---- */

static void drop_locked(struct check_command *c, struct kept **kept) {
    if (!c || --c->refs)
        return;
    drop_locked(c->unmap, kept);
    drop_locked(c->parent, kept);
    while (c->keeps) {
        struct kept *k = c->keeps;
        c->keeps = k->next;
        k->next = *kept;
        *kept = k;
    }
    unlist_locked(c);
    free(c->kernel);
    free(c->touches);
    free(c->uses);
    free(c);
}

static void drop_kept(struct kept *k) { /* under no lock */
    while (k) {
        struct kept *next = k->next;
        k->drop(k->object);
        free(k);
        k = next;
    }
}

static void watch_forks(void);

struct check_command *check_command_new(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    struct check_command *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    static _Atomic uint64_t commands;
    c->number = 1 + atomic_fetch_add_explicit(&commands, 1, memory_order_relaxed);
    c->refs = 1;
    c->slot = -1;
    return c;
}

struct check_command *check_command_hold(struct check_command *c) {
    pthread_mutex_lock(&order_lock);
    if (c)
        c->refs++;
    pthread_mutex_unlock(&order_lock);
    return c;
}

void check_command_drop(struct check_command *c) {
    struct kept *kept = NULL;
    if (!c)
        return;
    pthread_mutex_lock(&order_lock);
    drop_locked(c, &kept);
    pthread_mutex_unlock(&order_lock);
    drop_kept(kept);
}

/* Takes their slots away: nobody can be in conflict with them any more, or nobody shall ask. Whoever knows them forgets them, also
 * who has no slot (user events, a queue's last command): the next one that gets the slot isn't ordered before. */
static void retire_locked(const struct set *gone, struct kept **kept) {
    runs_forget_locked(NULL, gone);
    for (struct check_command *c = with_set; c; c = c->next_with_set)
        for (unsigned w = 0; w < WORDS; w++) {
            c->before.words[w] &= ~gone->words[w];
            c->family.words[w] &= ~gone->words[w];
        }
    for (unsigned i = 0; i < order_nslots; i++)
        if (set_has(gone, (int)i)) {
            struct check_command *c = order_slots[i];
            order_slots[i] = NULL;
            c->slot = -1;
            c->is_gone = true;
            drop_locked(c, kept);
        }
}

static bool may_retire(const struct check_command *c, uint64_t oldest) {
    if (c->is_map && !(c->unmap && c->unmap->is_gone))
        return false;
    return c->ended && c->seen_at && c->seen_at <= oldest;
}

/* Whom all that are still to end come after. */
static void sweep_locked(struct kept **kept) {
    uint64_t oldest = now;
    for (unsigned i = 0; i < order_nslots; i++)
        if (order_slots[i] && !order_slots[i]->ended && order_slots[i]->host_time < oldest)
            oldest = order_slots[i]->host_time;
    struct set gone = {0};
    unsigned n = 0;
    for (unsigned i = 0; i < order_nslots; i++)
        if (order_slots[i] && may_retire(order_slots[i], oldest))
            add(&gone, (int)i), n++;
    if (n)
        retire_locked(&gone, kept);
    since_sweep = 0;
}

/* The oldest that has ended, and what was before it: the host doesn't ask how its commands fare. */
static void force_locked(struct kept **kept) {
    struct check_command *oldest = NULL;
    for (unsigned i = 0; i < order_nslots; i++)
        if (order_slots[i] && order_slots[i]->ended && !(order_slots[i]->is_map && !order_slots[i]->unmap) &&
            (!oldest || order_slots[i]->host_time < oldest->host_time))
            oldest = order_slots[i];
    if (!oldest)
        return;
    struct set gone = oldest->before;
    add(&gone, oldest->slot);
    for (unsigned i = 0; i < ORDER_SLOTS; i++)
        if (!order_slots[i] || !order_slots[i]->ended)
            cut(&gone, (int)i);
    retire_locked(&gone, kept);
}

static void take_slot_locked(struct check_command *c, struct kept **kept) {
    if (++since_sweep >= 32)
        sweep_locked(kept);
    for (int turn = 0; turn < 2; turn++) {
        for (unsigned i = 0; i < ORDER_SLOTS; i++)
            if (!order_slots[i]) {
                order_slots[i] = c;
                c->slot = (int)i;
                c->refs++;
                order_nslots = i >= order_nslots ? i + 1 : order_nslots;
                return;
            }
        force_locked(kept);
    }
}

static _Atomic int ways;

void check_queue_ways(int more) {
    atomic_fetch_add_explicit(&ways, more, memory_order_relaxed);
}

bool order_is_total(void) {
    return atomic_load_explicit(&ways, memory_order_relaxed) <= 1;
}

void check_command_enter(struct check_command *c, const char *name, const void *of_queue, unsigned queue,
                         uint64_t place) {
    struct kept *kept = NULL;
    if (!c)
        return;
    pthread_mutex_lock(&order_lock);
    c->name = name;
    c->of_queue = of_queue;
    c->queue = queue;
    c->place = place;
    if (!c->entered)
        take_slot_locked(c, &kept);
    c->entered = true;
    c->host_time = c->parent ? c->parent->host_time : now;
    pthread_mutex_unlock(&order_lock);
    drop_kept(kept);
}

void check_command_kernel(struct check_command *c, const char *kernel) {
    if (c && !c->kernel)
        c->kernel = strdup(kernel);
}

void check_command_keep(struct check_command *c, void *object, void (*drop)(void *)) {
    struct kept *k = c ? malloc(sizeof *k) : NULL;
    if (!k) {
        drop(object);
        return;
    }
    pthread_mutex_lock(&order_lock);
    *k = (struct kept){c->keeps, object, drop};
    c->keeps = k;
    pthread_mutex_unlock(&order_lock);
}

/* ---- fork: the new process has nobody who would give locks back, and none of the threads that run commands ---- */

static pthread_mutex_t *const *locks(void) { /* in the order in which they are taken */
    static pthread_mutex_t *list[7];
    list[0] = &order_lock;
    list[1] = findings_lock();
    list[2] = shadow_lock();
    list[3] = freed_lock();
    list[4] = mapped_lock();
    list[5] = suppressed_lock();
    return list;
}

static void before_fork(void) {
    for (pthread_mutex_t *const *l = locks(); *l; l++)
        pthread_mutex_lock(*l);
}

static void after_fork(void) {
    for (pthread_mutex_t *const *l = locks(); *l; l++)
        pthread_mutex_unlock(*l);
}

static void after_fork_child(void) {
    struct kept *kept = NULL;
    struct set all = {0};
    for (unsigned i = 0; i < order_nslots; i++)
        if (order_slots[i])
            add(&all, (int)i);
    retire_locked(&all, &kept);
    findings_forked();
    after_fork();
    drop_kept(kept);
}

static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork_child);
}

/* ---- order ---- */

static void follow_locked(struct check_command *c, const struct check_command *before) {
    list_locked(c);
    join(&c->before, &before->before);
    join(&c->before, &before->family);
    add(&c->before, before->slot);
    if (c->host_time < before->host_time)
        c->host_time = before->host_time;
}

void check_command_follow(struct check_command *c, const struct check_command *before) {
    if (!c || !before)
        return;
    pthread_mutex_lock(&order_lock);
    follow_locked(c, before);
    pthread_mutex_unlock(&order_lock);
}

void check_command_follow_all(struct check_command *c, const void *queue) {
    pthread_mutex_lock(&order_lock);
    for (unsigned i = 0; i < order_nslots; i++)
        if (order_slots[i] && order_slots[i] != c && order_slots[i]->of_queue == queue)
            follow_locked(c, order_slots[i]);
    pthread_mutex_unlock(&order_lock);
}

static _Thread_local const struct order_run *running; /* of this thread's last group */

void order_runs(const struct check_launch *l) {
    running = l->run;
}

void check_command_follow_running(struct check_command *c) {
    if (running)
        check_command_follow(c, running->command);
}

void check_command_child(struct check_command *child, struct check_command *parent) {
    check_command_follow(child, parent);
    if (!child || !parent)
        return;
    pthread_mutex_lock(&order_lock);
    if (!child->parent) {
        child->parent = parent;
        parent->refs++;
    }
    pthread_mutex_unlock(&order_lock);
}

void check_command_child_ended(struct check_command *parent, const struct check_command *child) {
    if (!parent || !child)
        return;
    pthread_mutex_lock(&order_lock);
    list_locked(parent);
    join(&parent->family, &child->before);
    join(&parent->family, &child->family);
    add(&parent->family, child->slot);
    cut(&parent->family, parent->slot);
    pthread_mutex_unlock(&order_lock);
}

void check_command_released(struct check_command *c) {
    if (!c)
        return;
    pthread_mutex_lock(&order_lock);
    c->host_time = now;
    pthread_mutex_unlock(&order_lock);
}

static void see_locked(struct check_command *c) {
    if (!c->seen_at)
        c->seen_at = now;
}

static void see_set_locked(const struct set *s) {
    for (unsigned i = 0; i < order_nslots; i++)
        if (order_slots[i] && set_has(s, (int)i))
            see_locked(order_slots[i]);
}

void check_command_seen(struct check_command *c, bool has_ended) {
    if (!c)
        return;
    pthread_mutex_lock(&order_lock);
    now++;
    see_set_locked(&c->before);
    if (has_ended) {
        see_set_locked(&c->family);
        see_locked(c);
    }
    now++;
    pthread_mutex_unlock(&order_lock);
}

void check_commands_seen(const void *of_queue) {
    struct set seen = {0};
    pthread_mutex_lock(&order_lock);
    now++;
    for (unsigned i = 0; i < order_nslots; i++)
        if (order_slots[i] && order_slots[i]->ended && (!of_queue || order_slots[i]->of_queue == of_queue)) {
            join(&seen, &order_slots[i]->before);
            join(&seen, &order_slots[i]->family);
            add(&seen, (int)i);
        }
    see_set_locked(&seen);
    now++;
    pthread_mutex_unlock(&order_lock);
}

void check_command_end(struct check_command *c) {
    if (!c)
        return;
    pthread_mutex_lock(&order_lock);
    c->ended = true;
    if (c->is_shared)
        see_locked(c);
    if (c->slot < 0)
        runs_forget_locked(c, &(struct set){0});
    pthread_mutex_unlock(&order_lock);
}

void check_command_maps(struct check_command *map, uint64_t start, bool is_kept) {
    if (!map)
        return;
    pthread_mutex_lock(&order_lock);
    map->is_map = true;
    map->map_start = start;
    map->refs += is_kept;
    pthread_mutex_unlock(&order_lock);
}

static void unmap_locked(struct check_command *map, struct check_command *unmap) {
    if (map && unmap && !map->unmap) {
        map->unmap = unmap;
        unmap->refs++;
    }
}

void check_command_unmaps(struct check_command *map, struct check_command *unmap) {
    pthread_mutex_lock(&order_lock);
    unmap_locked(map, unmap);
    pthread_mutex_unlock(&order_lock);
}

void check_command_unmaps_at(uint64_t start, struct check_command *unmap) {
    struct check_command *map = NULL;
    pthread_mutex_lock(&order_lock);
    for (unsigned i = 0; i < order_nslots && !map; i++)
        if (order_slots[i] && order_slots[i]->is_map && !order_slots[i]->unmap &&
            order_slots[i]->map_start == start)
            map = order_slots[i];
    unmap_locked(map, unmap);
    pthread_mutex_unlock(&order_lock);
}

void check_command_map_gone(struct check_command *map) {
    struct kept *kept = NULL;
    if (!map)
        return;
    pthread_mutex_lock(&order_lock);
    map->is_map = map->unmap;
    drop_locked(map, &kept);
    pthread_mutex_unlock(&order_lock);
    drop_kept(kept);
}

bool order_is_before(const struct check_command *x, const struct check_command *y) {
    if (x->is_map) {
        if (!x->unmap)
            return false;
        x = x->unmap;
        if (x == y || x->slot < 0)
            return true;
    }
    return set_has(&y->before, x->slot) || (x->seen_at && x->seen_at <= y->host_time);
}

bool order_has(const struct check_command *x, const struct check_command *y) {
    return x == y || x->slot < 0 || y->slot < 0 || x->is_shared || y->is_shared || order_is_before(x, y) ||
           order_is_before(y, x);
}

/* ---- words ---- */

static const char *suffix(uint64_t n) {
    static const char *const of[] = {"th", "st", "nd", "rd"};
    return n % 100 / 10 == 1 || n % 10 > 3 ? "th" : of[n % 10];
}

void order_words(const struct check_command *c, const char *call, const char *kernel,
                 struct command_words *w) {
    const struct check_command *root = c;
    const char *shown = kernel ? NULL : call ? call : c->name;
    char what[200];
    while (root->parent)
        root = root->parent;
    w->is_map = c->is_map;
    if (kernel || (!call && c->kernel))
        snprintf(what, sizeof what, "kernel %s", kernel ? kernel : c->kernel);
    else
        snprintf(what, sizeof what, "%s", shown ? shown : "a command");
    bool is_block = root != c && root->kernel;
    const char *within =
        root->name && shown != root->name && (root != c || !root->kernel) ? root->name : NULL;
    snprintf(w->key, sizeof w->key, "%s%s%s%s", what,
             is_block ? ", which kernel "
             : within ? " in "
                      : "",
             is_block ? root->kernel
             : within ? within
                      : "",
             is_block ? " enqueues" : "");
    snprintf(w->text, sizeof w->text, "%s, the %llu%s command of queue %u", w->key,
             (unsigned long long)root->place, suffix(root->place), root->queue);
}

const char *order_fix(const struct command_words *a, const struct command_words *b) {
    if (a->is_map || b->is_map)
        return "unmap the memory before a command accesses it, and map it when the command has ended";
    return "let the later command wait for the earlier one's event, or the host before it enqueues it";
}

const char *order_does(const struct check_command *c, bool writes) {
    if (c->is_map)
        return writes ? "lets the host write until it is unmapped"
                      : "lets the host read until it is unmapped";
    return writes ? "writes" : "reads";
}
