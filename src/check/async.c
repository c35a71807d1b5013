/* async.c: asynchronous copies between their call and wait_group_events (OpenCL C, 6.15.11).
 *
 * In: each work-item's calls (lib/cl/check.cl). Out: findings. A copy reads and writes its ranges as one more work-item of
 * the group, WHO_ASYNC, from its first call on: other accesses of the interval in which it is called are in no order with
 * it, nor are those of later intervals until it is waited for, so after each barrier its cells are filled anew. Copies are
 * compared with one another by their ranges. All work-items of the group must call the same copies with the same arguments,
 * and wait for all of them. */
#include "access.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct copy {
    struct weir_copy args;
    uint32_t from_site, to_site, first; /* the work-item that came first */
    uint64_t waited;                    /* 1 + the interval at whose end; 0: not yet */
    uint32_t wait_site, waiter;         /* the first */
    uint64_t fenced;                    /* the flags of fences behind it */
    bool is_partial;                    /* some never called it */
    uint64_t waiters[WEIR_MAX_ITEMS / 64];
};
struct async {
    struct copy *at;
    size_t n, cap, settled; /* of those before, all have called them, and they are waited for */
    uint32_t called[WEIR_MAX_ITEMS];
};

static uint64_t items_of(const struct check_worker *c) {
    return check_group_size(c, 0) * check_group_size(c, 1) * check_group_size(c, 2);
}

static struct party copy_party(const struct copy *copy, const char *does) {
    return (struct party){.site = copy->to_site, .does = does, .item = copy->first};
}

/* ---- cells ---- */

/* Bytes of a copy's source or destination: `lines` of `bytes` each in each of `planes`. */
struct area {
    uint64_t start, bytes, lines, planes, line, plane;
};

static struct area area_of(const struct copy *copy, bool writes) {
    const struct weir_copy *a = &copy->args;
    struct area r = {.start = writes ? a->to : a->from,
                     .bytes = a->bytes,
                     .lines = a->lines,
                     .planes = a->planes,
                     .line = writes ? a->to_line : a->from_line,
                     .plane = writes ? a->to_plane : a->from_plane};
    return r;
}

/* All lines of one side of the copy. */
static void access_lines(struct check_worker *c, const struct copy *copy, bool writes) {
    struct area r = area_of(copy, writes);
    uint32_t site = writes ? copy->to_site : copy->from_site,
             what = writes ? WEIR_SITE_WRITE : WEIR_SITE_READ;
    uint32_t item = items_of(c) > 1 ? WHO_ASYNC : 0; /* one work-item's calls are in their order */
    if (r.line == r.bytes) {                         /* one after the other */
        r.bytes *= r.lines;
        r.lines = 1;
    }
    for (uint64_t z = 0; z < r.planes; z++)
        for (uint64_t y = 0; y < r.lines; y++)
            check_access(c->worker, r.start + z * r.plane + y * r.line, r.bytes, site,
                         what | WEIR_CHECK_WHOLE, item, 0, 0);
}

static void begin(struct check_worker *c, const struct copy *copy) {
    access_lines(c, copy, false);
    access_lines(c, copy, true);
}

uint32_t async_reads(const struct check_worker *c, uint64_t address) {
    const struct async *s = c->async;
    for (size_t i = s ? s->settled : 0; s && i < s->n; i++) {
        const struct weir_copy *a = &s->at[i].args;
        bool ends = s->at[i].waited && s->at[i].waited <= c->abi.interval; /* before this interval */
        for (uint64_t z = 0; z < a->planes && !ends; z++)
            for (uint64_t y = 0; y < a->lines; y++)
                if (address - (a->from + z * a->from_plane + y * a->from_line) < a->bytes)
                    return s->at[i].from_site;
    }
    return 0;
}

/* ---- copies among themselves ---- */

/* Whether the area has some of the `bytes` bytes at `p`: the first goes to `at`. Lines don't go down. */
static bool has_bytes(const struct area *r, uint64_t p, uint64_t bytes, uint64_t *at) {
    for (uint64_t z = 0; z < r->planes && r->lines; z++) {
        uint64_t first = r->start + z * r->plane, last = r->lines - 1;
        if (p + bytes <= first)
            continue;
        if (r->line && (p + bytes - 1 - first) / r->line < last)
            last = (p + bytes - 1 - first) / r->line;
        first += last * r->line;
        *at = p > first ? p : first;
        if (first + r->bytes > p)
            return true;
    }
    return false;
}

static bool overlap(struct area a, struct area b, uint64_t *at) {
    for (uint64_t z = 0; z < a.planes; z++)
        for (uint64_t y = 0; y < a.lines; y++)
            if (has_bytes(&b, a.start + z * a.plane + y * a.line, a.bytes, at))
                return true;
    return false;
}

/* Whether a fence (cl_khr_async_work_group_copy_fence) orders what the other copy does at `at` before what follows. */
static bool is_fenced(const struct check_worker *c, const struct copy *other, uint64_t at) {
    enum { LOCAL = 1, GLOBAL = 2 };
    bool is_local = at - (uint64_t)c->worker->local < c->worker->local_bytes;
    return other->fenced & (is_local ? LOCAL : GLOBAL);
}

static struct party side_party(const struct copy *copy, bool writes) {
    return (struct party){.who = access_copy,
                          .site = writes ? copy->to_site : copy->from_site,
                          .does = writes ? "writes" : "reads",
                          .item = WHO_ASYNC};
}

/* Those that nobody has waited for run beside this one, in no order: cells don't tell one from another. */
static void find_overlapping(struct check_worker *c, const struct async *s, const struct copy *copy) {
    static const bool writes[][2] = {{true, true}, {true, false}, {false, true}};
    for (size_t i = s->settled; i < s->n; i++)
        for (unsigned k = 0; k < 3 && !s->at[i].waited; k++) {
            uint64_t at;
            const struct copy *other = &s->at[i];
            bool mine = writes[k][0], its = writes[k][1];
            if (!overlap(area_of(copy, mine), area_of(other, its), &at) || is_fenced(c, other, at))
                continue;
            struct finding f = {.kind = FINDING_DATA_RACE, .address = at};
            f.a = side_party(copy, mine);
            f.b = side_party(other, its);
            snprintf(
                f.fix, sizeof f.fix,
                "call wait_group_events for the one before the other begins, or async_work_group_copy_fence "
                "between them, with the flag of that memory");
            finding_report(c, &f);
            break;
        }
}

/* ---- calls ---- */

static struct async *async_of(struct check_worker *c) {
    if (!c->async)
        c->async = calloc(1, sizeof *c->async);
    return c->async;
}

static bool is_same(const struct copy *x, const struct weir_copy *args, uint32_t to_site) {
    return x->to_site == to_site && !memcmp(&x->args, args, offsetof(struct weir_copy, event));
}

static void report_difference(struct check_worker *c, const struct copy *first, const struct copy *other) {
    bool elsewhere = first->to_site != other->to_site;
    struct finding f = {
        .kind = FINDING_BARRIER_DIVERGENCE,
        .a = copy_party(first, "starts a copy"),
        .b = copy_party(other, elsewhere ? "starts another one" : "starts it with other arguments")};
    snprintf(f.fix, sizeof f.fix, "let all work-items of the group call it, with the same arguments");
    finding_report(c, &f);
}

/* The first work-item that comes to it; false: out of memory. */
static bool start(struct check_worker *c, struct async *s, const struct copy *copy) {
    if (s->n == s->cap) {
        size_t cap = s->cap ? 2 * s->cap : 16;
        struct copy *grown = realloc(s->at, cap * sizeof *grown);
        if (!grown)
            return false;
        s->at = grown;
        s->cap = cap;
    }
    find_overlapping(c, s, copy);
    s->at[s->n] = *copy;
    if (!copy->args.event)
        s->at[s->n].args.event = s->n + 1;
    s->n++;
    begin(c, copy);
    return true;
}

/* A work-item calls a copy: its arguments are at `args`, and the event that it gets goes there. */
void async_copy(struct check_worker *c, uint64_t args, uint32_t to_site, uint32_t from_site, uint32_t item) {
    struct async *s = async_of(c);
    struct weir_copy *given = (struct weir_copy *)(uintptr_t)args;
    if (!s)
        return;
    uint32_t k = s->called[item]++;
    if (k >= s->n || !is_same(&s->at[k], given, to_site)) {
        struct copy copy = {.args = *given, .from_site = from_site, .to_site = to_site, .first = item};
        if (k < s->n) {
            report_difference(c, &s->at[k], &copy);
        } else if (!start(c, s, &copy)) {
            s->called[item]--;
            return;
        }
    }
    given->event = s->at[k].args.event;
}

/* The work-item's copies until now come before its later ones. */
static void fence(struct async *s, uint64_t flags, uint32_t item) {
    for (size_t i = s ? s->settled : 0; s && i < s->called[item]; i++)
        s->at[i].fenced |= flags;
}

void async_wait(struct check_worker *c, uint64_t event, uint32_t site, uint32_t item) {
    struct async *s = c->async;
    if (event & WEIR_ASYNC_FENCE) {
        fence(s, event, item);
        return;
    }
    for (size_t i = s ? s->settled : 0; s && i < s->n; i++) {
        struct copy *copy = &s->at[i];
        if (copy->args.event != event)
            continue;
        if (!copy->waited) {
            copy->waited = c->abi.interval + 1;
            copy->wait_site = site;
            copy->waiter = item;
        }
        copy->waiters[item / 64] |= UINT64_C(1) << item % 64;
    }
}

/* Work-items that don't wait for what others wait for. */
static void find_impatient(struct check_worker *c, const struct copy *copy, uint64_t items) {
    uint32_t i = 0;
    while (i < items && copy->waiters[i / 64] >> i % 64 & 1)
        i++;
    if (!copy->waited || copy->is_partial || i == items)
        return;
    struct finding f = {.kind = FINDING_BARRIER_DIVERGENCE,
                        .a = {.site = copy->wait_site, .does = "waits for a copy", .item = copy->waiter},
                        .b = {.does = "doesn't wait for it", .item = i}};
    snprintf(f.fix, sizeof f.fix,
             "let all work-items of the group call wait_group_events, with the same events");
    finding_report(c, &f);
}

/* Work-items that don't call what others do. */
static void find_missing(struct check_worker *c, struct async *s, uint64_t items) {
    for (uint64_t i = 0; i < items; i++) {
        if (s->called[i] < s->n) {
            struct finding f = {.kind = FINDING_BARRIER_DIVERGENCE,
                                .a = copy_party(&s->at[s->called[i]], "starts a copy"),
                                .b = {.does = "doesn't", .item = (uint32_t)i}};
            snprintf(f.fix, sizeof f.fix, "let all work-items of the group call it, with the same arguments");
            finding_report(c, &f);
        }
        for (; s->called[i] < s->n; s->called[i]++)
            s->at[s->called[i]].is_partial = true;
    }
}

void async_meet(struct check_worker *c) {
    struct async *s = c->async;
    if (s && s->n > s->settled)
        find_missing(c, s, items_of(c));
    for (size_t i = s ? s->settled : 0; s && i < s->n; i++)
        find_impatient(c, &s->at[i], items_of(c));
}

void async_go_on(struct check_worker *c) {
    struct async *s = c->async;
    for (size_t i = s ? s->settled : 0; s && i < s->n; i++)
        if (!s->at[i].waited)
            begin(c, &s->at[i]);
    while (s && s->settled < s->n && s->at[s->settled].waited)
        s->settled++;
}

void async_end(struct check_worker *c) {
    struct async *s = c->async;
    async_meet(c);
    for (size_t i = s ? s->settled : 0; s && i < s->n; i++) {
        if (!s->at[i].waited) {
            struct finding f = {
                .kind = FINDING_DATA_RACE,
                .a = copy_party(&s->at[i], "starts a copy, and the kernel ends without waiting for it")};
            snprintf(f.fix, sizeof f.fix, "pass its event to wait_group_events");
            finding_report(c, &f);
        }
    }
}

void async_begin(struct check_worker *c) {
    if (c->async && c->async->n) {
        c->async->n = c->async->settled = 0;
        memset(c->async->called, 0, sizeof c->async->called);
    }
}
