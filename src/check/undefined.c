/* undefined.c: values that come from local memory which no work-item of the group has written, or by a shuffle from a
 * work-item that isn't there.
 *
 * In: what checked kernels say of them (kc/lower/definedness.c): such a value matters now, or has been stored to local
 * memory. Out: findings; the cells of what was stored, which are as if nobody had.
 * Both are kept until the group comes to its next barrier, or ends: what another work-item has written by then, since the last
 * one, was read too early or too late, by chance, and is a data-race that has been found as such. Until then the cells of what was stored
 * tell who did, for races. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_LATER = 4096, LOOK_BACK = 64, FIRST_ROOM = 64, ITEMS = 64, LONGEST_CHAIN = 16 };

struct later {
    uint64_t cell; /* of writers: where the value comes from */
    uint64_t to,
        saved; /* of a store: the cell that will count as unwritten unless it is written again; ~0: a use */
    uint32_t origin, item, site, how;
    uint64_t items;  /* all that do the same: a bit for each from `item` on */
    bool was_before; /* it was read in an interval before */
    bool is_atomic;  /* of a store: a change of what is there, one or several in a row */
    bool is_told;    /* of a use: a finding; of a store: nothing has come after it; while they are settled */
    uint32_t
        next; /* of a store: another one to the same cell, by its number from 1 on; while they are settled */
};

static const char *const uses[] = {
    [WEIR_USE_BRANCHES] = "branches on it",
    [WEIR_USE_ADDRESSES] = "computes an address from it",
    [WEIR_USE_STORES] = "stores it to global memory",
    [WEIR_USE_PRINTS] = "prints it",
};

/* Whether others use the same: then the work-item joins them. */
static bool joins(struct check_worker *c, const struct later *l) {
    for (size_t i = c->nlater; i-- > 0 && c->nlater - i <= LOOK_BACK;) {
        struct later *known = &c->later[i];
        if (known->origin == l->origin && known->site == l->site && known->to == l->to) {
            known->items |= l->item - known->item < ITEMS ? UINT64_C(1) << (l->item - known->item) : 0;
            return true;
        }
    }
    return false;
}

/* False: there are too many. */
static bool add(struct check_worker *c, const struct later *l) {
    if (c->nlater == c->room_later) {
        size_t room = c->room_later ? 2 * c->room_later : FIRST_ROOM;
        struct later *grown = room <= MOST_LATER ? realloc(c->later, room * sizeof *grown) : NULL;
        if (!grown)
            return false;
        c->later = grown;
        c->room_later = room;
    }
    c->later[c->nlater++] = *l;
    return true;
}

/* Of the interval that it was read in the lower bits are known. */
static bool was_before(const struct check_worker *c, uint32_t origin) {
    return WEIR_ORIGIN_INTERVAL(origin) != (c->abi.interval & WEIR_ORIGIN_INTERVALS);
}

void undefined_used(struct check_worker *c, uint32_t origin, uint32_t item, uint32_t site, uint32_t how) {
    struct later l = {.cell = WEIR_ORIGIN_CELL(origin),
                      .to = UINT64_MAX,
                      .origin = origin,
                      .item = item,
                      .items = 1,
                      .site = site,
                      .how = how,
                      .was_before = was_before(c, origin)};
    if (!joins(c, &l))
        add(c, &l);
}

void undefined_stored(struct check_worker *c, uint32_t origin, uint32_t item, uint64_t p, uint64_t bytes,
                      uint32_t site) {
    uint64_t end = p + bytes, start = c->local->start;
    if (p < start || end > start + c->worker->local_bytes)
        return;
    for (p &= ~UINT64_C(3); p < end; p += 4) {
        uint64_t to = (p - start) / 4;
        struct later l = {.cell = WEIR_ORIGIN_CELL(origin),
                          .to = to,
                          .saved = c->local->writers[to],
                          .origin = origin,
                          .item = item,
                          .items = 1,
                          .site = site,
                          .was_before = was_before(c, origin)};
        c->local->writer_sites[to] = (uint16_t)site; /* until it is written again */
        if (!add(c, &l))
            return;
        c->local->tainted[to] = site; /* for those who read it before the barrier (check.cl) */
        c->abi.tainted = (uint64_t)c->local->tainted;
    }
}

static bool is_changed(const struct check_worker *c, uint64_t cell) {
    const struct shadow *l = c->local;
    return c->abi.tainted && l->tainted[cell] && l->tainted[cell] == l->writer_sites[cell] &&
           l->writers[cell] & WEIR_CELL_ATOMIC && l->writers[cell] >= c->abi.began;
}

bool undefined_changes(struct check_worker *c, uint64_t p, uint32_t item, uint32_t site, bool overwrites) {
    uint64_t cell = (p - c->local->start) / 4;
    if (overwrites || (c->local->writers[cell] >= c->abi.began && !is_changed(c, cell))) {
        if (c->abi.tainted)
            c->local->tainted[cell] = 0;
        return true;
    }
    struct later l = {.cell = cell, .to = cell, .item = item, .items = 1, .site = site, .is_atomic = true};
    if (!is_changed(c, cell) && !add(c, &l))
        return false;
    c->local->tainted[cell] = site;
    c->abi.tainted = (uint64_t)c->local->tainted;
    return true;
}

static bool is_written(const struct check_worker *c, uint64_t cell) {
    return cell < WEIR_ORIGIN_ANY && c->local->writers[cell] >= c->abi.began;
}

/* The value comes from another lane, and not from memory. */
static bool is_of_lane(const struct check_worker *c, const struct later *l) {
    const struct weir_site *s = check_site(c, WEIR_ORIGIN_SITE(l->origin));
    return s && s->what == WEIR_SITE_LANE;
}

static bool is_of(const struct later *l, uint32_t item) {
    return item - l->item < ITEMS && l->items >> (item - l->item) & 1;
}

/* Whether it may be defined by chance: between the last barrier and this one it was read, and somebody has written the cell.
 * What was written before that, or in a later interval than it was read in, the read was too early for; and it was for what its
 * own work-item has written since. But it may have read what one of these stores left there. */
static bool is_defined(const struct check_worker *c, const struct later *l, unsigned chain) {
    if (is_of_lane(c, l) || l->was_before || !is_written(c, l->cell))
        return false;
    uint64_t writer = c->local->writers[l->cell];
    if (!is_of(l, CELL_WHO(writer)))
        return CELL_SERIAL(writer) == CELL_SERIAL(c->abi.base) && CELL_TICK(writer) >= c->barrier_tick;
    for (uint32_t n = c->local->tainted[l->cell]; n; n = c->later[n - 1].next) {
        const struct later *store = &c->later[n - 1];
        if (store->cell != store->to && (chain == LONGEST_CHAIN || is_defined(c, store, chain + 1)))
            return true;
    }
    return false;
}

static void report_lane(struct check_worker *c, const struct later *l) {
    struct finding f = {
        .kind = FINDING_ABSENT_LANE,
        .a = {.site = WEIR_ORIGIN_SITE(l->origin), .does = "gets a value of no work-item", .item = l->item},
        .b = {.site = l->site, .does = uses[l->how], .item = l->item}};
    uint32_t first = l->item % c->row / c->subgroup_size * c->subgroup_size, left = c->row - first,
             size = left < c->subgroup_size ? left : c->subgroup_size, lane = WEIR_ORIGIN_CELL(l->origin);
    if (lane < size)
        snprintf(f.text, sizeof f.text, "lane %u doesn't come there with the others", lane);
    else if (lane < WEIR_ORIGIN_ANY)
        snprintf(f.text, sizeof f.text, "it names lane %u, and the sub-group has %u work-items", lane, size);
    else
        snprintf(f.text, sizeof f.text, "it names a lane before the first");
    snprintf(f.fix, sizeof f.fix,
             "let the lane that it names call it, too, or use the value only where that lane is there");
    finding_report(c, &f);
}

static void report(struct check_worker *c, const struct later *l) {
    if (is_of_lane(c, l)) {
        report_lane(c, l);
        return;
    }
    struct finding f = {
        .kind = FINDING_UNINITIALIZED,
        .a = {.site = WEIR_ORIGIN_SITE(l->origin), .does = "reads what nobody has written", .item = l->item},
        .b = {.site = l->site, .does = uses[l->how], .item = l->item}};
    if (l->cell < WEIR_ORIGIN_ANY)
        f.address = (uint64_t)c->worker->local + 4 * l->cell;
    snprintf(f.fix, sizeof f.fix, "write local memory before it is read: it begins with any contents");
    finding_report(c, &f);
}

static bool is_store(const struct later *l) {
    return l->to != UINT64_MAX;
}

/* Has each tainted cell name the last of its stores. */
static void link_stores(struct check_worker *c, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (is_store(&c->later[i]))
            c->local->tainted[c->later[i].to] = 0;
    for (size_t i = 0; i < n; i++)
        if (is_store(&c->later[i])) {
            c->later[i].next = c->local->tainted[c->later[i].to];
            c->local->tainted[c->later[i].to] = (uint32_t)i + 1;
        }
}

static bool is_last(const struct check_worker *c, const struct later *l) {
    return l->is_atomic ? is_changed(c, l->to)
                        : c->local->writers[l->to] == l->saved && c->local->writer_sites[l->to] == l->site;
}

/* Nobody has written the cell; an atomic that has changed it stays as its reader, for those whom no barrier orders after it. */
static void unwrite(struct check_worker *c, uint64_t cell) {
    struct shadow *s = c->local;
    bool is_ordered = s->readers[cell] < c->abi.base + c->abi.covered[0];
    if (s->writers[cell] & WEIR_CELL_ATOMIC && (is_ordered || s->readers[cell] & WEIR_CELL_ATOMIC)) {
        s->readers[cell] = s->writers[cell];
        s->reader_sites[cell] = s->writer_sites[cell];
    }
    s->writers[cell] = 0;
}

void undefined_settle(struct check_worker *c) {
    size_t n = c->nlater;
    for (size_t i = 0; i < n; i++)
        c->later[i].is_told = is_store(&c->later[i]) && is_last(c, &c->later[i]);
    c->nlater = 0;
    c->abi.tainted = 0;
    link_stores(c, n);
    for (size_t i = 0; i < n; i++) {
        const struct later *l = &c->later[i];
        if (!is_store(l))
            continue;
        bool is_itself = l->cell == l->to; /* which the store has written, and nobody else */
        if (l->is_told && (is_itself || !is_defined(c, l, 0)))
            unwrite(c, l->to);
    }
    for (size_t i = 0; i < n; i++)
        c->later[i].is_told = !is_store(&c->later[i]) && !is_defined(c, &c->later[i], 0);
    for (size_t i = 0; i < n; i++)
        if (is_store(&c->later[i]))
            c->local->tainted[c->later[i].to] = 0;
    for (size_t i = 0; i < n; i++) /* last: a report may stop the group */
        if (c->later[i].is_told)
            report(c, &c->later[i]);
}
