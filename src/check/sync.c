/* sync.c: what atomics order: releases and the acquires that see them (3.3.4 to 3.3.6 of the specification's memory model).
 *
 * In: each atomic that acquires or releases, as it is run. Out: whether an access that a cell tells of happens before one that
 * runs now. Vector clocks (Mattern, 1989) as lists that only groups have which use such atomics: an entry says that all
 * intervals of a group before one, and one work-item's accesses in that one, are known. What a work-item learns its group
 * knows after the next barrier. That a release covers what its work-item does later in the same interval is an
 * approximation, to the side of silence; so are lists that grow too long, and cells of several readers. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

static void add_edge(struct edges *e, struct edge_of x) {
    for (size_t i = e->n; i-- > 0 && e->n - i < 16;)
        if (e->at[i].group == x.group && e->at[i].item == x.item && e->at[i].by == x.by &&
            e->at[i].since == x.since) {
            if (e->at[i].tick < x.tick)
                e->at[i].tick = x.tick;
            return;
        }
    if (e->n == e->cap) {
        size_t cap = e->cap ? 2 * e->cap : 16;
        struct edge_of *grown = e->n < MAX_EDGES ? realloc(e->at, cap * sizeof *grown) : NULL;
        if (!grown) {
            e->all = true;
            return;
        }
        e->at = grown;
        e->cap = cap;
    }
    e->at[e->n++] = x;
}

void edges_free(struct edges *e) {
    free(e->at);
    *e = (struct edges){0};
}

static bool knows(const struct edge_of *e, uint32_t item, uint32_t tick) {
    return e->by == item || e->since < tick;
}

static struct sync_var *find_var(struct check_launch *l, uint64_t address, bool make) {
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

static void release(struct check_worker *c, struct sync_var *v, uint32_t item) {
    uint32_t tick = CELL_TICK(c->abi.now);
    v->version = ++c->launch->versions;
    v->released.all |= c->known.all;
    if (v->released.all)
        return;
    add_edge(&v->released, (struct edge_of){.group = CELL_SERIAL(c->abi.now), .tick = tick, .item = item});
    for (size_t i = 0; i < c->known.n; i++)
        if (knows(&c->known.at[i], item, tick)) {
            struct edge_of x = c->known.at[i];
            x.by = x.since = 0;
            add_edge(&v->released, x);
        }
}

static void acquire(struct check_worker *c, const struct sync_var *v, uint32_t item) {
    uint32_t tick = CELL_TICK(c->abi.now), place = (uint32_t)(v->address / 4 + item) % 64;
    if (c->seen[place].address == v->address && c->seen[place].version == v->version &&
        c->seen[place].item == item && c->seen[place].tick == tick)
        return;
    c->seen[place].address = v->address;
    c->seen[place].version = v->version;
    c->seen[place].item = item;
    c->seen[place].tick = tick;
    c->known.all |= v->released.all;
    for (size_t i = 0; i < v->released.n && !c->known.all; i++) {
        struct edge_of x = v->released.at[i];
        x.by = item;
        x.since = tick;
        add_edge(&c->known, x);
    }
}

void sync_atomic(struct check_worker *c, uint64_t address, uint32_t item, uint32_t how) {
    struct check_launch *l = c->launch;
    atomic_store_explicit(&l->synchronizes, true, memory_order_relaxed);
    pthread_mutex_lock(&l->lock);
    struct sync_var *v = find_var(l, address, how & WEIR_ATOMIC_RELEASES && how & WEIR_ATOMIC_WRITES);
    if (v && how & WEIR_ATOMIC_ACQUIRES && how & WEIR_ATOMIC_READS)
        acquire(c, v, item);
    if (v && how & WEIR_ATOMIC_RELEASES && how & WEIR_ATOMIC_WRITES)
        release(c, v, item);
    pthread_mutex_unlock(&l->lock);
}

static bool is_own(const struct check_worker *c, uint64_t serial) {
    bool own = serial == CELL_SERIAL(c->abi.base);
    for (unsigned i = 0; i < c->nearlier && !own; i++)
        own = c->earlier[i] == serial;
    return own;
}

bool sync_is_ordered(const struct check_worker *c, uint64_t cell, uint32_t item) {
    uint64_t serial = CELL_SERIAL(cell);
    uint32_t tick = CELL_TICK(cell), who = CELL_WHO(cell), now = CELL_TICK(c->abi.now);
    if (is_own(c, serial) && serial != CELL_SERIAL(c->abi.base))
        return true;
    enum order_relation relation = order_relation(c->launch, serial);
    if (relation != ORDER_OWN)
        return relation == ORDER_BEFORE;
    if (!atomic_load_explicit(&c->launch->synchronizes, memory_order_relaxed))
        return false;
    if (who >= WHO_SOME || c->known.all)
        return true;
    for (size_t i = 0; i < c->known.n; i++) {
        const struct edge_of *e = &c->known.at[i];
        if (e->group == serial && knows(e, item, now) &&
            (tick < e->tick || (tick == e->tick && who == e->item)))
            return true;
    }
    return false;
}

void sync_forget(struct check_launch *l) {
    for (unsigned i = 0; i < SYNC_VARS; i++)
        while (l->vars[i]) {
            struct sync_var *v = l->vars[i];
            l->vars[i] = v->next;
            edges_free(&v->released);
            free(v);
        }
}
