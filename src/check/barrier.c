/* barrier.c: all work-items of a group have come to the end of an interval: did they come to the same barrier?
 *
 * In: where each work-item waits (struct weir_check.arrivals), as lib/cl/check.cl has left it: iterations of the loops
 * around the barrier, flags, scope, interval, site; or where all do, if the compiler knows that (kc/wg/arrivals.c). Out:
 * the next interval, with what the barrier's flags order; or a finding, and the group is stopped: a barrier that not all
 * come to has no meaning (OpenCL C, 6.15.8). */
#include "check.h"

#include <stdio.h>
#include <string.h>

enum { SUBGROUP = 4 }; /* a scope */
#define ARRIVAL_SITE(a)     ((uint32_t)((a) & 0xffff))
#define ARRIVAL_INTERVAL(a) ((uint32_t)((a) >> 16 & 0x3ff))
#define ARRIVAL_SCOPE(a)    ((uint32_t)((a) >> 26 & 7))
#define ARRIVAL_FLAGS(a)    ((uint32_t)((a) >> 29 & 7))
#define ARRIVAL_BARRIER     UINT64_C(0xfc00ffff) /* flags, scope, site */

const char *barrier_flags(uint32_t flags) {
    static const char *const names[] = {"no flags",
                                        "CLK_LOCAL_MEM_FENCE",
                                        "CLK_GLOBAL_MEM_FENCE",
                                        "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE",
                                        "CLK_IMAGE_MEM_FENCE",
                                        "CLK_LOCAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE",
                                        "CLK_GLOBAL_MEM_FENCE | CLK_IMAGE_MEM_FENCE",
                                        "all flags"};
    return names[flags & 7];
}

const char *barrier_scope(uint32_t scope) {
    static const char *const names[] = {"work_item", "work_group", "device",  "all_svm_devices",
                                        "sub_group", "another",    "another", "another"};
    return names[scope & 7];
}

static bool has_arrived(const struct check_worker *c, uint64_t arrival) {
    return arrival && ARRIVAL_INTERVAL(arrival) == (c->abi.interval & 0x3ff);
}

void barrier_describe(struct finding *f, uint32_t flags, uint32_t other_flags, uint32_t scope,
                      uint32_t other_scope, const char *whose) {
    if (flags != other_flags) {
        f->kind = FINDING_BARRIER_FLAGS;
        f->b.does = "waits at it with other flags";
        snprintf(f->text, sizeof f->text, "%s against %s", barrier_flags(flags), barrier_flags(other_flags));
        snprintf(f->fix, sizeof f->fix, "give all work-items of the %s the same flags", whose);
    } else {
        f->kind = FINDING_BARRIER_SCOPE;
        f->b.does = "waits at it with another scope";
        snprintf(f->text, sizeof f->text, "memory_scope_%s against memory_scope_%s", barrier_scope(scope),
                 barrier_scope(other_scope));
        snprintf(f->fix, sizeof f->fix, "give all work-items of the %s the same scope", whose);
    }
}

uint32_t barrier_waits_at(const struct check_worker *c, uint32_t item) {
    return has_arrived(c, c->arrivals[item]) ? ARRIVAL_SITE(c->arrivals[item]) : 0;
}

static bool names_item(const struct check_worker *c, uint32_t site) {
    const struct weir_site *s = check_site(c, site);
    return s && s->object == WEIR_NAMES_ITEM;
}

static bool is_function(const struct check_worker *c, uint32_t site) {
    const struct weir_site *s = check_site(c, site);
    return s && (s->object == WEIR_NAMES_ITEM || s->object == WEIR_GROUP_FUNCTION);
}

void barrier_names(struct check_worker *c, uint64_t item, uint64_t ids, uint32_t site, uint32_t by) {
    struct finding f = {
        .kind = FINDING_BARRIER_DIVERGENCE,
        .a = {.site = site, .does = "names a work-item for work_group_broadcast", .item = by}};
    uint64_t id[3] = {item >> 10 * (ids - 1) & 1023, ids > 1 ? item >> 10 * (ids - 2) & 1023 : 0,
                      ids > 2 ? item & 1023 : 0};
    unsigned d = 0;
    while (d < 2 && id[d] < check_group_size(c, d))
        d++;
    snprintf(f.text, sizeof f.text, "local id %llu in dimension %u, where the work-group has %llu work-items",
             (unsigned long long)id[d], d, (unsigned long long)check_group_size(c, d));
    snprintf(f.fix, sizeof f.fix, "compare the id with get_local_size(%u)", d);
    finding_report(c, &f);
}

static void describe(const struct check_worker *c, struct finding *f, uint64_t first, uint64_t other) {
    if (!has_arrived(c, other)) {
        f->kind = FINDING_BARRIER_DIVERGENCE;
        f->b.does = "has ended, and never comes to it";
        f->b.site = 0;
        snprintf(f->fix, sizeof f->fix,
                 "let all work-items of the group come to the %s: none may return before it, or pass by the "
                 "branch or loop that it is in",
                 is_function(c, ARRIVAL_SITE(first)) ? "call" : "barrier");
    } else if (ARRIVAL_SITE(first) != ARRIVAL_SITE(other)) {
        f->kind = FINDING_BARRIER_DIVERGENCE;
        f->b.does = is_function(c, ARRIVAL_SITE(other)) ? "calls a function of the work-group"
                                                        : "waits at another barrier";
        snprintf(f->fix, sizeof f->fix, "make one %s of the two, where all work-items of the group come by",
                 is_function(c, ARRIVAL_SITE(first)) ? "call" : "barrier");
    } else if (first >> 32 != other >> 32 && names_item(c, ARRIVAL_SITE(first))) {
        f->kind = FINDING_BARRIER_DIVERGENCE;
        f->a.does = "names a work-item for work_group_broadcast";
        f->b.does = "names another one, or calls it in another iteration";
        snprintf(f->fix, sizeof f->fix, "let all work-items of the group name the same one");
    } else if (first >> 32 != other >> 32) {
        f->kind = FINDING_BARRIER_DIVERGENCE;
        f->b.does = is_function(c, ARRIVAL_SITE(first)) ? "calls it in another iteration"
                                                        : "waits at it in another iteration";
        snprintf(f->fix, sizeof f->fix,
                 "let all work-items go through the loop equally often, those that have nothing to do, too");
    } else {
        barrier_describe(f, ARRIVAL_FLAGS(first), ARRIVAL_FLAGS(other), ARRIVAL_SCOPE(first),
                         ARRIVAL_SCOPE(other), "group");
    }
}

/* The intervals are numbered in 14 bits: the group goes on under another number, and knows its earlier ones. */
static void renumber(struct check_worker *c) {
    if (c->nearlier < sizeof c->earlier / sizeof *c->earlier)
        c->earlier[c->nearlier++] = CELL_SERIAL(c->abi.base);
    uint64_t serial;
    order_renumbered(c->launch, &serial);
    c->abi.base = c->abi.now = serial << WEIR_CELL_GROUP_SHIFT;
    check_group_note(c);
    memset(c->abi.covered, 0, sizeof c->abi.covered);
    c->arrived.tick = 0;
    c->abi.low[0] = c->abi.base;
    subgroup_begin(c);
    sync_renumber(c);
}

void check_tick(struct check_worker *c, uint32_t site, enum check_event_kind kind, uint32_t flags,
                uint32_t whose) {
    uint32_t tick = CELL_TICK(c->abi.now);
    bool is_barrier = kind == EVENT_BARRIER || kind == EVENT_ARRIVAL;
    if (!is_barrier && tick >= TICKS_BETWEEN) /* the rest of the numbers is for those */
        return;
    c->history[tick] = (struct check_event){
        .site = site, .kind = (uint8_t)kind, .flags = (uint8_t)flags, .whose = (uint16_t)whose};
    c->abi.now += UINT64_C(1) << WEIR_CELL_TICK_SHIFT;
}

/* A half without the other one, which all work-items come to. */
static void report_half(struct check_worker *c, uint32_t site, uint32_t before, const char *does,
                        const char *text) {
    struct finding f = {.kind = FINDING_BARRIER_DIVERGENCE, .a = {.site = site, .does = does}};
    const struct weir_site *s = before ? check_site(c, before) : NULL;
    if (s)
        snprintf(f.text, sizeof f.text, "%s at %s:%u:%u", text, s->file, s->line, s->column);
    else
        snprintf(f.text, sizeof f.text, "%s", text);
    snprintf(f.fix, sizeof f.fix,
             "let each intel_work_group_barrier_arrive be followed by one intel_work_group_barrier_wait");
    finding_report(c, &f);
}

static void pass_arrival(struct check_worker *c, uint32_t site, uint32_t flags, uint32_t scope) {
    if (c->arrived.site)
        report_half(c, site, c->arrived.site, "arrives at a barrier", "nobody has waited since the arrival");
    check_tick(c, site, EVENT_ARRIVAL, flags, 0);
    c->abi.interval++;
    c->arrived.site = site;
    c->arrived.flags = flags;
    c->arrived.scope = scope;
    c->arrived.tick = CELL_TICK(c->abi.now);
}

/* The narrower of the two; those that don't reach the group are the narrowest. */
static uint32_t narrower(uint32_t x, uint32_t y) {
    if (check_is_narrow(x) || check_is_narrow(y))
        return x == 0 || y == 0 ? 0 : 4;
    return x < y ? x : y;
}

/* What is ordered is all before the present interval, of a split barrier all before its arrival. */
static void cover(struct check_worker *c, uint64_t until, uint32_t flags, uint32_t scope) {
    uint32_t groups = scope == SUBGROUP ? c->subgroups : 0;
    for (unsigned space = 0; space < WEIR_CELL_SPACES; space++) {
        if (!(flags & check_flag_of(space)))
            continue;
        if (!check_is_narrow(scope) && c->abi.covered[space] < until)
            c->abi.covered[space] = until;
        for (uint32_t i = 0; i < groups; i++)
            c->covered_in[i][space] = until;
    }
    c->has_subgroup_barriers |= (scope == SUBGROUP);
}

/* Where it is kept that the barrier is a whole one and reaches the group, as those do that have its arrival: */
static inline uint64_t *plain_at(struct check_worker *c, uint64_t arrival) {
    return &c->plain[ARRIVAL_SITE(arrival) % PLAIN];
}

static void pass_barrier(struct check_worker *c, uint32_t site, uint32_t flags, uint32_t scope) {
    const struct weir_site *s = check_site(c, site);
    bool waits = s && s->object == WEIR_HALF_WAITS;
    uint32_t arrived = waits ? c->arrived.tick : 0, now = CELL_TICK(c->abi.now);
    if (waits && !c->arrived.site)
        report_half(c, site, 0, "waits at a barrier", "nobody has arrived at one before");
    if (waits && c->arrived.site) {
        flags &= c->arrived.flags;
        scope = narrower(scope, c->arrived.scope);
        c->arrived.site = 0;
    }
    check_tick(c, site, EVENT_BARRIER, flags, arrived);
    c->history[now].scope = (uint8_t)scope;
    c->abi.interval++;
    cover(c, arrived ? (uint64_t)arrived << WEIR_CELL_TICK_SHIFT : c->abi.now - c->abi.base, flags, scope);
    sync_meet(c);
    if (CELL_TICK(c->abi.now) >= TICKS_RENUMBER)
        renumber(c);
    if (!waits && !check_is_narrow(scope))
        *plain_at(c, site) = site | (uint64_t)(flags & 7) << 29 | (uint64_t)(scope & 7) << 26;
}

/* All wait at the same barrier. */
static void pass(struct check_worker *c, uint64_t arrival) {
    undefined_settle(c);
    async_meet(c);
    const struct weir_site *s = check_site(c, ARRIVAL_SITE(arrival));
    if (s && s->object == WEIR_HALF_ARRIVES)
        pass_arrival(c, ARRIVAL_SITE(arrival), ARRIVAL_FLAGS(arrival), ARRIVAL_SCOPE(arrival));
    else
        pass_barrier(c, ARRIVAL_SITE(arrival), ARRIVAL_FLAGS(arrival), ARRIVAL_SCOPE(arrival));
    async_go_on(c);
}

/* All have come; differ: the bits in which what they have left isn't the same. */
static void all_have_come(struct weir_worker *w, uint64_t items, uint64_t differ) {
    struct check_worker *c = (struct check_worker *)w->check;
    const uint64_t *arrivals = c->arrivals;
    uint64_t low = 0;
    while (differ && low < items && !has_arrived(c, arrivals[low]))
        low++;
    if (low == items || !has_arrived(c, arrivals[low]))
        return;
    subgroup_ends(c, barrier_waits_at);
    uint64_t first = arrivals[low];
    if (differ) {
        uint64_t other = 0;
        while (arrivals[other] == first)
            other++;
        struct finding f = {.a = {.site = ARRIVAL_SITE(first),
                                  .does = is_function(c, ARRIVAL_SITE(first))
                                              ? "calls a function of the work-group"
                                              : "waits at the barrier",
                                  .item = (uint32_t)low},
                            .b = {.site = ARRIVAL_SITE(arrivals[other]), .item = (uint32_t)other}};
        describe(c, &f, first, arrivals[other]);
        finding_report(c, &f);
        check_stop(c);
    }
    pass(c, first);
}

/* Passes a barrier that the group, or one before, has passed already, if that is all there is to do: nobody's half of a
 * split barrier is open, no sub-group is apart, no copy runs, nothing is to be decided or settled. It does what
 * all_have_come would do then. */
static inline __attribute__((always_inline)) bool pass_again(struct check_worker *c, uint64_t first) {
    uint32_t tick = CELL_TICK(c->abi.now), flags = ARRIVAL_FLAGS(first);
    if ((first & ARRIVAL_BARRIER) != *plain_at(c, first) || c->abi.apart || c->nlater || c->async ||
        c->arrived.site || c->known.n >= c->settled || tick + 1 >= TICKS_RENUMBER)
        return false;
    c->history[tick] = (struct check_event){.site = ARRIVAL_SITE(first),
                                            .kind = EVENT_BARRIER,
                                            .flags = (uint8_t)flags,
                                            .scope = (uint8_t)ARRIVAL_SCOPE(first)};
    c->abi.now += UINT64_C(1) << WEIR_CELL_TICK_SHIFT;
    c->abi.interval++;
    for (unsigned space = 0; space < WEIR_CELL_SPACES; space++)
        if (flags & check_flag_of(space))
            c->abi.covered[space] = c->abi.now - c->abi.base;
    check_has_met(c, tick + 1);
    return true;
}

/* By processor, as vector code, for this is what a barrier costs. */
#define MEET(name, ...)                                                                                      \
    static __attribute__((optimize("O3") __VA_ARGS__)) void name(struct weir_worker *w, uint64_t items) {    \
        struct check_worker *c = (struct check_worker *)w->check;                                            \
        const uint64_t *arrivals = c->arrivals;                                                              \
        uint64_t first = arrivals[0], differ = 0;                                                            \
        for (uint64_t i = 0; i < items; i++)                                                                 \
            differ |= arrivals[i] ^ first;                                                                   \
        if (differ || !has_arrived(c, first) || !pass_again(c, first))                                       \
            all_have_come(w, items, differ);                                                                 \
    }
MEET(meet_any)
#ifdef __x86_64__
MEET(meet_v3, , target("arch=x86-64-v3"))
MEET(meet_v4, , target("arch=x86-64-v4,prefer-vector-width=512"))
#endif

static uint32_t passes_at(const struct check_worker *c, uint32_t item) {
    (void)item;
    return c->passes;
}

void check_pass(struct weir_worker *w, uint64_t what) {
    struct check_worker *c = (struct check_worker *)w->check;
    if (pass_again(c, what))
        return;
    c->passes = ARRIVAL_SITE(what);
    subgroup_ends(c, passes_at);
    pass(c, what);
}

check_meet_fn *check_meet(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("x86-64-v4"))
        return meet_v4;
    if (__builtin_cpu_supports("x86-64-v3"))
        return meet_v3;
#endif
    return meet_any;
}
