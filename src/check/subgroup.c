/* subgroup.c: barriers and functions of a sub-group: did all of its work-items come to the same one, and what does that
 * order?
 *
 * In: which work-items of a sub-group, all lanes of one pack, stand at a barrier or function of it (lib/cl/check.cl). Out:
 * findings, and the next interval. The pack's code runs the work-items that are together; that some are missing is
 * seen at once, but not where they are. So the others go on until the missing ones come somewhere, and are stopped there; what
 * else happens on the way comes of the first error, and isn't reported. */
#include "check.h"

#include <stdio.h>
#include <string.h>

enum { WORK_ITEM = 0 }; /* a scope */

/* Where a barrier whose flags leave the memory out lies between, it tells who the last one is: in what that one does then it is
 * the barrier's flags that are missing, and in what the others do the barrier. */
uint64_t check_several(struct check_worker *c, uint64_t cell, uint32_t item, bool subgroups, unsigned space) {
    uint32_t who = CELL_WHO(cell);
    if (check_is_last(cell, item, subgroups) ||
        (!subgroups && who != WHO_ASYNC && item < WHO_ASYNC - WHO_SOME && cell < c->met_at)) {
        c->abi.careful[space != 0] = check_all_own(c);
        return WEIR_CELL_SOME | (uint64_t)item << WEIR_CELL_ITEM_SHIFT;
    }
    uint32_t own = subgroup_of(c, item);
    bool same = who < WHO_SOME ? subgroup_of(c, who) == own : who == (WHO_SOME | own);
    return subgroups && same ? WEIR_CELL_SOME | (uint64_t)own << WEIR_CELL_ITEM_SHIFT : WEIR_CELL_MANY;
}

uint64_t check_writers(struct check_worker *c, uint64_t cell, uint64_t me, bool subgroups, unsigned space) {
    uint64_t some = check_several(c, cell, CELL_WHO(me), subgroups, space);
    return c->abi.now | some | (cell & me & WEIR_CELL_BYTES);
}

void subgroup_begin(struct check_worker *c) {
    if (c->has_subgroup_barriers)
        memset(c->covered_in, 0, WEIR_MAX_ITEMS * sizeof *c->covered_in);
    c->has_subgroup_barriers = false;
}

bool subgroup_orders(const struct check_worker *c, uint32_t who, uint32_t tick, uint32_t item,
                     unsigned space) {
    if (!c->has_subgroup_barriers || who >= WHO_ASYNC || item >= WHO_SOME)
        return false;
    uint32_t own = subgroup_of(c, item), other = who < WHO_SOME ? subgroup_of(c, who) : who - WHO_SOME;
    return own == other && (uint64_t)tick << WEIR_CELL_TICK_SHIFT < c->covered_in[own][space];
}

static void stop_with(struct check_worker *c, struct finding *f) {
    c->abi.apart = 0;
    finding_report(c, f);
    check_stop(c);
}

static const char *does_first(const struct check_worker *c, uint32_t site) {
    const struct weir_site *s = check_site(c, site);
    return s && s->what == WEIR_SITE_BARRIER ? "waits at the barrier of its sub-group"
                                             : "calls a function of its sub-group";
}

/* The first of the work-items that are missing at `apart`. */
static uint32_t first_missing(const struct check_worker *c) {
    return c->apart.first + (uint32_t)__builtin_ctzll(c->apart.all & ~c->abi.apart);
}

/* A missing work-item is at `site`; 0: has ended. */
static void report_missing(struct check_worker *c, uint32_t missing, uint32_t site, const char *does) {
    struct finding f = {.kind = FINDING_SUBGROUP_DIVERGENCE,
                        .a = {.site = c->apart.site,
                              .does = does_first(c, c->apart.site),
                              .item = c->apart.first + (uint32_t)__builtin_ctzll(c->abi.apart)},
                        .b = {.site = site, .does = does, .item = missing}};
    snprintf(f.fix, sizeof f.fix, "let all work-items of the sub-group come to it%s",
             check_site(c, c->apart.site) && check_site(c, c->apart.site)->what == WEIR_SITE_BARRIER
                 ? ""
                 : ", or use a sub_group_non_uniform_ function");
    stop_with(c, &f);
}

void subgroup_ends(struct check_worker *c, uint32_t (*waits_at)(const struct check_worker *, uint32_t item)) {
    if (!c->abi.apart)
        return;
    uint32_t missing = first_missing(c), site = waits_at ? waits_at(c, missing) : 0;
    report_missing(c, missing, site, site ? "waits at another barrier" : "has ended, and never comes to it");
}

/* Some work-items are at a place while others of their sub-group are missing at another one. */
static void look_for_missing(struct check_worker *c, uint32_t first, uint64_t here, uint32_t site) {
    uint64_t found = here & ~c->abi.apart;
    if (first != c->apart.first || !found)
        return;
    report_missing(c, first + (uint32_t)__builtin_ctzll(found), site,
                   site == c->apart.site ? "comes to it at another time" : "comes to another place");
}

static void check_arguments(struct check_worker *c, uint32_t site, uint32_t first, uint32_t item,
                            uint64_t value, uint64_t other) {
    uint32_t mine = value & 0xff, theirs = value >> 8 & 0xff;
    if (other >= 64)
        return;
    struct finding f = {.kind = (mine ^ theirs) & 7 ? FINDING_BARRIER_FLAGS : FINDING_BARRIER_SCOPE,
                        .a = {.site = site, .does = does_first(c, site), .item = item},
                        .b = {.site = site, .item = first + (uint32_t)other}};
    barrier_describe(&f, mine & 7, theirs & 7, mine >> 3, theirs >> 3, "sub-group");
    stop_with(c, &f);
}

static void pass_barrier(struct check_worker *c, uint32_t site, uint32_t item, uint32_t flags,
                         uint32_t scope) {
    uint32_t own = subgroup_of(c, item);
    uint32_t before = CELL_TICK(c->abi.now);
    check_tick(c, site, EVENT_SUBGROUP_BARRIER, flags, own);
    uint32_t now = CELL_TICK(c->abi.now);
    now += now == before; /* out of numbers: it covers what is being done, too */
    c->has_subgroup_barriers = true;
    for (unsigned space = 0; space < WEIR_CELL_SPACES && scope != WORK_ITEM; space++)
        if (flags & check_flag_of(space))
            c->covered_in[own][space] = (uint64_t)now << WEIR_CELL_TICK_SHIFT;
}

void check_subgroup(struct check_worker *c, uint64_t here, uint32_t size, uint32_t site, uint32_t kind,
                    uint32_t item, uint64_t value, uint64_t other) {
    uint32_t first = item - (uint32_t)__builtin_ctzll(here);
    uint64_t all = ~UINT64_C(0) >> (64 - size);
    if (c->abi.apart)
        look_for_missing(c, first, here, site);
    if (here != all) {
        if (!c->abi.apart) {
            c->apart.first = first;
            c->apart.site = site;
            c->apart.all = all;
            c->abi.apart = here;
        }
        return;
    }
    check_arguments(c, site, first, item, value, other);
    if (kind == WEIR_SITE_BARRIER)
        pass_barrier(c, site, item, value & 7, value >> 3 & 7);
}

void subgroup_broadcast(struct check_worker *c, uint32_t size, uint32_t site, uint32_t item, uint64_t lane,
                        uint64_t other) {
    struct finding f = {.kind = FINDING_SUBGROUP_DIVERGENCE,
                        .a = {.site = site, .does = does_first(c, site), .item = item}};
    if (other < 64) { /* lanes of a sub-group are work-items in a row */
        f.b = (struct party){.site = site,
                             .does = "names another lane",
                             .item = item - item % c->row % c->subgroup_size + (uint32_t)other};
        snprintf(f.fix, sizeof f.fix,
                 "let all work-items of the sub-group name the same lane, or use sub_group_shuffle");
    } else {
        snprintf(f.text, sizeof f.text, "it names lane %llu, and the sub-group has %u work-items",
                 (unsigned long long)lane, size);
        snprintf(f.fix, sizeof f.fix, "compare the lane with get_sub_group_size()");
    }
    finding_report(c, &f);
}
