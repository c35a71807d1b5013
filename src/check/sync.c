/* sync.c: what atomics and fences order: releases and the acquires that see them (3.3.4 to 3.3.6 of the specification's memory
 * model), each at its scope and for its memory.
 *
 * In: each atomic and fence, as it is run. Out: whether an access that a cell tells of happens before one that runs now.
 * Vector clocks (Mattern, 1989) as lists that only groups have which use such atomics: an edge says what of a group, of
 * a sub-group and of one work-item is known, in intervals that each release ends. What a work-item learns those know that a
 * barrier orders after it. A fence keeps the clocks of its time, for the relaxed atomics after it to release, and acquires
 * what the relaxed atomics before it have seen. A barrier that is a fence, too, acquires before it for all of the group, and
 * releases after it what all have done, so that one edge is enough.
 * Approximations, all to the side of silence: a variable remembers every release to it, whichever an acquire has read;
 * lists that grow too long; cells of several, of which it is enough that one is ordered. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ANYBODY = UINT32_MAX, EVERYTHING = UINT32_MAX };
enum { AT_BARRIER = UINT32_MAX - 1 }; /* nobody knows it before the next barrier, and all do after it */
enum { REACH_ITEM, REACH_SUBGROUP, REACH_GROUP, REACH_DEVICE }; /* of scopes */

struct clock { /* what is ordered before a release: all before these intervals, by space */
    uint32_t own, in_subgroup[WEIR_CELL_SPACES], all[WEIR_CELL_SPACES];
};
struct fences { /* of a work-item in its present group */
    uint64_t group;
    struct released_by_fence {
        bool is_set;
        uint8_t reach;
        uint32_t site;
        struct clock clock;
    } released[WEIR_CELL_SPACES];
    uint32_t seen; /* 1 + index of what its relaxed atomics have read, in `seen` */
};
struct seen_var {
    struct sync_var *var;
    uint32_t next;
};
struct fence_state {
    struct fences of[WEIR_MAX_ITEMS];
    struct seen_var *seen;
    uint32_t nseen, cap;
};

static unsigned reach_of(uint32_t scope) {
    static const uint8_t reach[] = {REACH_ITEM, REACH_GROUP, REACH_DEVICE, REACH_DEVICE, REACH_SUBGROUP};
    if (scope == WEIR_SCOPE_LEGACY)
        return env_get()->check_options.strict_scope ? REACH_GROUP : REACH_DEVICE;
    return scope < sizeof reach ? reach[scope] : REACH_DEVICE;
}

const char *sync_scope_name(uint32_t scope) {
    static const char *const names[] = {"work_item", "work_group", "device", "all_svm_devices", "sub_group"};
    return scope < sizeof names / sizeof *names ? names[scope] : "work_group";
}

/* ---- edges ---- */

static uint32_t larger(uint32_t a, uint32_t b) {
    return a > b ? a : b;
}

static void join(struct edge_of *e, const struct edge_of *x) {
    e->own = larger(e->own, x->own);
    for (unsigned s = 0; s < WEIR_CELL_SPACES; s++) {
        e->all[s] = larger(e->all[s], x->all[s]);
        e->in_subgroup[s] = larger(e->in_subgroup[s], x->in_subgroup[s]);
    }
    if (e->via_group != x->via_group || e->via_subgroup != x->via_subgroup)
        e->via_group = 0;
}

/* An order of edges, for which two that may be joined are equal. */
static int compare(const void *one, const void *other) {
    const struct edge_of *e = one, *x = other;
#define THEN_BY(field)                                                                                       \
    if (e->field != x->field)                                                                                \
        return e->field < x->field ? -1 : 1;
    THEN_BY(group)
    THEN_BY(item)
    THEN_BY(by)
    THEN_BY(since)
    THEN_BY(spaces)
    THEN_BY(reach)
    if (e->reach == REACH_DEVICE)
        return 0;
    THEN_BY(via_group)
    THEN_BY(via_subgroup)
#undef THEN_BY
    return 0;
}

static void merge_alike(struct edges *e) {
    size_t left = 0;
    qsort(e->at, e->n, sizeof *e->at, compare);
    for (size_t i = 0; i < e->n; i++)
        if (left && !compare(&e->at[left - 1], &e->at[i]))
            join(&e->at[left - 1], &e->at[i]);
        else
            e->at[left++] = e->at[i];
    e->n = left;
}

static void add_edge(struct edges *e, const struct edge_of *x) {
    for (size_t i = e->n; i-- > 0 && e->n - i < 16;)
        if (!compare(&e->at[i], x)) {
            join(&e->at[i], x);
            return;
        }
    if (e->n == MAX_EDGES) {
        merge_alike(e);
        e->all = e->n > MAX_EDGES / 2; /* it doesn't get better */
    }
    if (e->n == e->cap) {
        size_t cap = e->cap ? 2 * e->cap : 16;
        struct edge_of *grown = e->all ? NULL : realloc(e->at, cap * sizeof *grown);
        if (!grown) {
            e->all = true;
            return;
        }
        e->at = grown;
        e->cap = cap;
    }
    e->at[e->n++] = *x;
}

void edges_free(struct edges *e) {
    free(e->at);
    *e = (struct edges){0};
}

static uint32_t tick_of(uint64_t covered) {
    return (uint32_t)(covered >> WEIR_CELL_TICK_SHIFT);
}

static bool knows(const struct check_worker *c, const struct edge_of *e, uint32_t item, unsigned space) {
    return e->by == item || e->by == ANYBODY || e->since < tick_of(c->abi.covered[space]) ||
           subgroup_orders(c, e->by, e->since, item, space);
}

void sync_renumber(struct check_worker *c) {
    for (size_t i = 0; i < c->known.n; i++)
        c->known.at[i].by = ANYBODY;
    check_has_met(c, 0);
}

/* Whether it tells of nothing but what barriers order. */
static bool is_covered(const struct check_worker *c, const struct edge_of *e) {
    bool covered = e->group == CELL_SERIAL(c->abi.base);
    for (unsigned s = 0; s < WEIR_CELL_SPACES; s++) {
        uint32_t tick = tick_of(c->abi.covered[s]);
        if (e->spaces >> s & 1)
            covered &= e->own <= tick && e->all[s] <= tick && e->in_subgroup[s] <= tick;
    }
    return covered;
}

/* What one of the group knew before a barrier, all know after it. */
void sync_meet(struct check_worker *c) {
    size_t left = 0;
    check_has_met(c, CELL_TICK(c->abi.now));
    if (c->known.n < c->settled)
        return;
    for (size_t i = 0; i < c->known.n; i++) {
        struct edge_of *e = &c->known.at[i];
        bool by_all = true;
        for (unsigned s = 0; s < WEIR_CELL_SPACES; s++)
            by_all &= !(e->spaces >> s & 1) || e->since < tick_of(c->abi.covered[s]);
        if (by_all && e->by != ANYBODY && !e->too_narrow) {
            e->by = ANYBODY;
            e->since = 0;
        }
        if (!is_covered(c, e) || e->too_narrow)
            c->known.at[left++] = *e;
    }
    c->known.n = left;
    merge_alike(&c->known);
    c->settled = 2 * c->known.n + SETTLE_FROM;
}

/* ---- releases and acquires ---- */

static struct sync_var *find_var(struct check_launch *l, uint64_t address, bool make) {
    if (!l->vars && make)
        l->vars = calloc(SYNC_VARS, sizeof *l->vars);
    if (!l->vars)
        return NULL;
    struct sync_var **at = &l->vars[address / 4 % SYNC_VARS];
    while (*at && (*at)->address != address)
        at = &(*at)->next;
    if (!*at && make) {
        *at = calloc(1, sizeof **at);
        if (*at)
            (*at)->address = address;
    }
    return *at;
}

/* All that is ordered before the work-item's present. */
static struct clock clock_of(const struct check_worker *c, uint32_t item) {
    struct clock k = {.own = CELL_TICK(c->abi.now) + 1};
    for (unsigned s = 0; s < WEIR_CELL_SPACES; s++) {
        k.all[s] = tick_of(c->abi.covered[s]);
        k.in_subgroup[s] = c->has_subgroup_barriers ? tick_of(c->covered_in[subgroup_of(c, item)][s]) : 0;
    }
    return k;
}

static void release(struct check_worker *c, struct sync_var *v, uint32_t item, const struct clock *k,
                    uint8_t spaces, unsigned reach, uint32_t site) {
    v->version = ++c->launch->versions;
    v->released.all |= c->known.all;
    if (v->released.all)
        return;
    bool alone = k->own; /* else a barrier has joined all work-items, and they are alike */
    struct edge_of own = {.group = CELL_SERIAL(c->abi.base),
                          .item = alone ? item : 0,
                          .subgroup = alone ? subgroup_of(c, item) : 0,
                          .own = k->own,
                          .spaces = spaces,
                          .reach = (uint8_t)reach,
                          .via_group = CELL_SERIAL(c->abi.base),
                          .via_subgroup = alone ? subgroup_of(c, item) : 0,
                          .site = site};
    memcpy(own.all, k->all, sizeof own.all);
    memcpy(own.in_subgroup, k->in_subgroup, sizeof own.in_subgroup);
    add_edge(&v->released, &own);
    for (unsigned i = 0; i < c->nearlier; i++) { /* this group's under its earlier numbers */
        struct edge_of x = own;
        x.group = c->earlier[i];
        for (unsigned s = 0; s < WEIR_CELL_SPACES; s++)
            x.all[s] = EVERYTHING;
        add_edge(&v->released, &x);
    }
    for (size_t i = 0; i < c->known.n; i++) {
        struct edge_of x = c->known.at[i];
        for (unsigned s = 0; s < WEIR_CELL_SPACES; s++)
            if (!(spaces >> s & 1) || !knows(c, &x, item, s))
                x.spaces &= (uint8_t)~(1u << s);
        x.by = x.since = 0;
        x.reach = own.reach;
        x.via_group = own.via_group;
        x.via_subgroup = own.via_subgroup;
        x.site = site;
        if (x.spaces)
            add_edge(&v->released, &x);
    }
}

/* What scope both sides need, so that one's includes the other. */
static unsigned reach_between(const struct check_worker *c, uint64_t group, uint32_t subgroup,
                              uint32_t item) {
    if (group != CELL_SERIAL(c->abi.base))
        return REACH_DEVICE;
    return subgroup == subgroup_of(c, item) ? REACH_SUBGROUP : REACH_GROUP;
}

static void acquire(struct check_worker *c, const struct sync_var *v, uint32_t item, uint8_t spaces,
                    unsigned reach, bool at_barrier) {
    uint32_t by = at_barrier ? AT_BARRIER : item, tick = at_barrier ? c->barrier_tick : CELL_TICK(c->abi.now),
             place = (uint32_t)(v->address / 4 + by) % 64;
    if (c->seen[place].address == v->address && c->seen[place].version == v->version &&
        c->seen[place].item == by && c->seen[place].tick == tick)
        return;
    c->has_seen = true;
    c->seen[place].address = v->address;
    c->seen[place].version = v->version;
    c->seen[place].item = by;
    c->seen[place].tick = tick;
    c->known.all |= v->released.all;
    for (size_t i = 0; i < v->released.n && !c->known.all; i++) {
        struct edge_of x = v->released.at[i];
        unsigned least = x.via_group ? reach_between(c, x.via_group, x.via_subgroup, item) : 0;
        if (is_covered(c, &x))
            continue;
        x.by = by;
        x.since = tick;
        x.too_narrow = x.reach < least || reach < least;
        x.spaces &= x.too_narrow ? 0 : spaces;
        add_edge(&c->known, &x);
    }
}

static struct fences *fences_of(struct check_worker *c, uint32_t item) {
    uint64_t group = CELL_SERIAL(c->abi.base);
    if (!c->fences)
        c->fences = calloc(1, sizeof *c->fences);
    if (!c->fences)
        return NULL;
    struct fences *f = &c->fences->of[item];
    if (f->group != group)
        *f = (struct fences){.group = group};
    return f;
}

void sync_begin(struct check_worker *c) {
    c->known.n = 0;
    c->known.all = false;
    check_has_met(c, 0);
    c->settled = SETTLE_FROM;
    if (c->fences)
        c->fences->nseen = 0;
    if (c->has_seen)
        memset(c->seen, 0, sizeof c->seen);
    c->has_seen = false;
}

/* A relaxed read of a variable that has releases: a fence may come. */
static void remember(struct check_worker *c, struct sync_var *v, uint32_t item) {
    struct fences *f = fences_of(c, item);
    struct fence_state *all = c->fences;
    uint32_t looked = 0;
    for (uint32_t at = f ? f->seen : 0; at && looked < 16; at = all->seen[at - 1].next, looked++)
        if (all->seen[at - 1].var == v)
            return;
    if (f && all->nseen == all->cap) {
        uint32_t cap = all->cap ? 2 * all->cap : 256;
        struct seen_var *grown = cap <= 1 << 20 ? realloc(all->seen, cap * sizeof *grown) : NULL;
        if (grown) {
            all->seen = grown;
            all->cap = cap;
        }
    }
    if (!f || all->nseen == all->cap) {
        c->known.all = true;
        return;
    }
    all->seen[all->nseen] = (struct seen_var){v, f->seen};
    f->seen = ++all->nseen;
}

/* ---- what the kernel does ---- */

enum { LOCAL_SPACE = 1, OTHER_SPACES = 6 }; /* images with the rest */

static uint8_t space_bit(const struct check_worker *c, uint64_t address) {
    return address - (uint64_t)c->worker->local < c->worker->local_bytes ? LOCAL_SPACE : OTHER_SPACES;
}

/* Before it is run. */
static void atomic_releases(struct check_worker *c, uint64_t address, uint32_t item, uint32_t how,
                            uint32_t scope, uint32_t site) {
    struct check_launch *l = c->launch;
    const struct fences *f = how & WEIR_ATOMIC_FENCED && c->fences ? fences_of(c, item) : NULL;
    bool by_fence = f && (f->released[0].is_set || f->released[1].is_set);
    if (!(how & WEIR_ATOMIC_WRITES) || !(by_fence || how & WEIR_ATOMIC_RELEASES))
        return;
    pthread_mutex_lock(&l->lock);
    struct sync_var *v = find_var(l, address, true);
    for (unsigned s = 0; v && by_fence && s < WEIR_CELL_SPACES; s++)
        if (f->released[s].is_set)
            release(c, v, item, &f->released[s].clock, (uint8_t)(1u << s), f->released[s].reach,
                    f->released[s].site);
    if (v && how & WEIR_ATOMIC_RELEASES) {
        struct clock k = clock_of(c, item);
        release(c, v, item, &k, space_bit(c, address), reach_of(scope), site);
    }
    pthread_mutex_unlock(&l->lock);
    if (how & WEIR_ATOMIC_RELEASES)
        check_tick(c, site, EVENT_RELEASE, 0, 0); /* what comes now isn't covered */
}

/* After it was run. */
static void atomic_acquires(struct check_worker *c, uint64_t address, uint32_t item, uint32_t how,
                            uint32_t scope) {
    struct check_launch *l = c->launch;
    bool acquires = how & WEIR_ATOMIC_ACQUIRES, fenced = how & WEIR_ATOMIC_FENCED;
    if (!(how & WEIR_ATOMIC_READS) || !(acquires || fenced))
        return;
    pthread_mutex_lock(&l->lock);
    struct sync_var *v = find_var(l, address, false);
    if (v && acquires)
        acquire(c, v, item, space_bit(c, address), reach_of(scope), false);
    pthread_mutex_unlock(&l->lock);
    if (v && fenced)
        remember(c, v, item);
}

void sync_atomic(struct check_worker *c, uint64_t address, uint32_t item, uint32_t how, uint32_t scope,
                 uint32_t site, bool was_run) {
    if (was_run)
        atomic_acquires(c, address, item, how, scope);
    else
        atomic_releases(c, address, item, how, scope, site);
}

static void acquire_by_fence(struct check_worker *c, struct fences *f, uint32_t item, uint8_t spaces,
                             unsigned reach, bool at_barrier) {
    pthread_mutex_lock(&c->launch->lock);
    if (!at_barrier) /* whose flags and scope are all work-items' */
        memset(c->seen, 0, sizeof c->seen);
    for (uint32_t at = f->seen; at; at = c->fences->seen[at - 1].next)
        acquire(c, c->fences->seen[at - 1].var, item, spaces, reach, at_barrier);
    pthread_mutex_unlock(&c->launch->lock);
    f->seen = spaces == (LOCAL_SPACE | OTHER_SPACES) ? 0 : f->seen;
}

void sync_fence(struct check_worker *c, uint32_t item, uint32_t how, uint32_t flags, uint32_t scope,
                uint32_t site) {
    struct fences *f = fences_of(c, item);
    const struct weir_site *s = check_site(c, site);
    bool at_barrier = s && s->what == WEIR_SITE_BARRIER && s->object != WEIR_HALF_ARRIVES;
    uint8_t spaces = (flags & WEIR_FENCE_LOCAL ? LOCAL_SPACE : 0) |
                     (flags & (WEIR_FENCE_GLOBAL | WEIR_FENCE_IMAGE) ? OTHER_SPACES : 0);
    if (!f || !spaces)
        return;
    if (how & WEIR_ATOMIC_ACQUIRES && f->seen)
        acquire_by_fence(c, f, item, spaces, reach_of(scope), at_barrier);
    if (!(how & WEIR_ATOMIC_RELEASES))
        return;
    struct clock k = clock_of(c, item);
    if (at_barrier) { /* what came before it is in `all` */
        k.own = 0;
        memset(k.in_subgroup, 0, sizeof k.in_subgroup);
    }
    for (unsigned n = 0; n < WEIR_CELL_SPACES; n++)
        if (spaces >> n & 1)
            f->released[n] = (struct released_by_fence){true, (uint8_t)reach_of(scope), site, k};
    if (!at_barrier)
        check_tick(c, site, EVENT_RELEASE, 0, 0);
}

/* ---- what is ordered ---- */

static bool is_own(const struct check_worker *c, uint64_t serial) {
    bool own = serial == CELL_SERIAL(c->abi.base);
    for (unsigned i = 0; i < c->nearlier && !own; i++)
        own = c->earlier[i] == serial;
    return own;
}

/* Whether the edge tells of one of several work-items. Atomics are of one interval; readers may have come in any since the last
 * barrier that orders their memory, and the cell has the last one's. */
static bool tells_of_some(const struct check_worker *c, const struct edge_of *e, uint64_t cell,
                          unsigned space) {
    bool own = e->group == CELL_SERIAL(c->abi.base);
    uint32_t tick = cell & WEIR_CELL_ATOMIC ? CELL_TICK(cell) : own ? tick_of(c->abi.covered[space]) : 0;
    return tick < e->own || tick < e->all[space] || tick < e->in_subgroup[space];
}

/* Whether the edge tells of the access, were its scope and memory right. */
static bool tells(const struct check_worker *c, const struct edge_of *e, uint64_t cell, unsigned space) {
    uint32_t tick = CELL_TICK(cell), who = CELL_WHO(cell);
    if (e->group != CELL_SERIAL(cell))
        return false;
    if (who >= WHO_SOME)
        return tells_of_some(c, e, cell, space);
    return tick < e->all[space] || (tick < e->own && who == e->item) ||
           (tick < e->in_subgroup[space] && subgroup_of(c, who) == e->subgroup);
}

bool sync_is_ordered(struct check_worker *c, uint64_t cell, uint32_t item, unsigned space) {
    uint64_t serial = CELL_SERIAL(cell);
    struct before before = {0};
    if (is_own(c, serial) && serial != CELL_SERIAL(c->abi.base))
        return true;
    enum order_relation relation = order_relation(c->launch, serial, &before);
    if (before.size) {
        c->before[1] = c->before[0];
        c->before[0] = before;
    }
    if (relation != ORDER_OWN)
        return relation == ORDER_BEFORE;
    if (!c->known.n && !c->known.all)
        return false;
    bool of_groups = serial == CELL_SERIAL(c->launch->key); /* which ones isn't known */
    if (of_groups || CELL_WHO(cell) == WHO_ASYNC || c->known.all)
        return true;
    for (size_t i = 0; i < c->known.n; i++) {
        const struct edge_of *e = &c->known.at[i];
        if (e->spaces >> space & 1 && tells(c, e, cell, space) && knows(c, e, item, space))
            return true;
    }
    return false;
}

bool sync_blame(const struct check_worker *c, uint64_t cell, uint32_t item, unsigned space,
                struct finding *f) {
    for (size_t i = 0; i < c->known.n; i++) {
        const struct edge_of *e = &c->known.at[i];
        const struct weir_site *s = check_site_of(c, e->via_group, e->site);
        if (!s || !tells(c, e, cell, space) || !(e->by == item || e->too_narrow || knows(c, e, item, space)))
            continue;
        bool far = e->group != CELL_SERIAL(c->abi.base);
        if (e->too_narrow) {
            snprintf(
                f->text, sizeof f->text,
                "the release at %s:%u:%u, or what acquires it, has a scope that doesn't reach from one %s to "
                "the other",
                s->file, s->line, s->column, far ? "work-group" : "sub-group");
            snprintf(f->fix, sizeof f->fix, "give both of them memory_scope_%s",
                     far ? "device" : "work_group");
        } else {
            snprintf(f->text, sizeof f->text, "the release at %s:%u:%u between them doesn't order %s memory",
                     s->file, s->line, s->column, space ? "global" : "local");
            snprintf(f->fix, sizeof f->fix,
                     "put atomic_work_item_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE, ...) before the "
                     "one and after the other");
        }
        return true;
    }
    return false;
}

/* Scopes narrower than the device are remembered by site, for the other side of a conflict. */
void sync_note_scope(struct check_worker *c, uint32_t site, uint32_t scope) {
    struct check_launch *l = c->launch;
    uint32_t number = check_number(c, CELL_SERIAL(c->abi.base), site);
    if (reach_of(scope) == REACH_DEVICE &&
        !atomic_load_explicit(&l->narrow[site % NARROW_SITES], memory_order_relaxed))
        return;
    atomic_store_explicit(&l->narrow[site % NARROW_SITES], number << 8 | (scope + 1), memory_order_relaxed);
}

bool sync_reaches_device(uint32_t scope) {
    return reach_of(scope) == REACH_DEVICE;
}

bool sync_reaches_group(uint32_t scope) {
    return reach_of(scope) >= REACH_GROUP;
}

bool sync_includes(const struct check_worker *c, uint32_t scope, uint64_t cell, uint32_t other_site,
                   uint32_t item) {
    uint32_t who = CELL_WHO(cell), other = check_number(c, CELL_SERIAL(cell), other_site),
             narrow =
                 atomic_load_explicit(&c->launch->narrow[other_site % NARROW_SITES], memory_order_relaxed);
    if (narrow >> 8 != other && reach_of(scope) == REACH_DEVICE)
        return true;
    bool some = who >= WHO_SOME, own = CELL_SERIAL(cell) == CELL_SERIAL(c->abi.base);
    unsigned least = some ? own ? REACH_SUBGROUP : REACH_DEVICE /* one of several is another one */
                          : reach_between(c, CELL_SERIAL(cell), subgroup_of(c, who), item);
    unsigned theirs = narrow >> 8 == other ? reach_of((narrow & 0xff) - 1) : REACH_DEVICE;
    return is_own(c, CELL_SERIAL(cell)) && least == REACH_DEVICE
               ? true
               : reach_of(scope) >= least && theirs >= least;
}

void sync_forget(struct check_launch *l) {
    for (unsigned i = 0; l->vars && i < SYNC_VARS; i++)
        while (l->vars[i]) {
            struct sync_var *v = l->vars[i];
            l->vars[i] = v->next;
            edges_free(&v->released);
            free(v);
        }
    free(l->vars);
}
