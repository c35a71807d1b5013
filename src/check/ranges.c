/* ranges.c: what commands access that are no kernels: ranges of bytes; and memory that is freed under them.
 *
 * In: each command's rectangles as it runs, memory that it may use, blocks that are freed. Out: inter-command-race, for two that
 * touch the same bytes, one of them writing, without an order between them (order.c), and use-after-free. Two commands meet
 * when the later one starts: it looks at the ranges of the others, and at cells. A kernel meets ranges as cells, which are
 * filled in before it runs. */
#include "order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rectangles ---- */

static uint64_t rect_end(const struct check_rect *r) {
    return r->start + (r->slices - 1) * r->slice_pitch + (r->rows - 1) * r->row_pitch + r->bytes;
}

/* Whether some byte of [from, to) is the rectangle's; *at: the first of a row that is. */
static bool rect_meets(const struct check_rect *r, uint64_t from, uint64_t to, uint64_t *at) {
    for (uint64_t z = 0; z < r->slices; z++) {
        uint64_t start = r->start + z * r->slice_pitch;
        uint64_t row = r->rows > 1 && r->row_pitch && from > start ? (from - start) / r->row_pitch : 0;
        for (; row < r->rows; row++) {
            uint64_t low = start + row * r->row_pitch;
            if (low >= to)
                break;
            if (from < low + r->bytes) {
                *at = from > low ? from : low;
                return true;
            }
        }
    }
    return false;
}

static bool rects_meet(const struct check_rect *a, const struct check_rect *b, uint64_t *at) {
    if (a->start >= rect_end(b) || b->start >= rect_end(a))
        return false;
    for (uint64_t z = 0; z < a->slices; z++)
        for (uint64_t y = 0; y < a->rows; y++) {
            uint64_t from = a->start + z * a->slice_pitch + y * a->row_pitch;
            if (rect_meets(b, from, from + a->bytes, at))
                return true;
        }
    return false;
}

/* ---- commands' ranges ---- */

static void report_locked(const struct check_command *c, const struct touch *t, const struct party *other,
                          const struct command_words *theirs, uint64_t at) {
    struct command_words name;
    struct finding f = {.kind = FINDING_INTER_COMMAND_RACE, .b = *other};
    order_words(c, t->name, NULL, &name);
    f.a = (struct party){.who = name.text, .key = name.key, .does = order_does(c, t->writes)};
    if (t->rect.whole_size)
        snprintf(f.text, sizeof f.text, "of byte %llu of memory of %llu bytes",
                 (unsigned long long)(at - t->rect.whole), (unsigned long long)t->rect.whole_size);
    snprintf(f.fix, sizeof f.fix, "%s", order_fix(&name, theirs));
    finding_report(NULL, &f);
}

static void meet_ranges_locked(const struct check_command *c, const struct touch *t) {
    for (unsigned i = 0; i < order_nslots; i++) {
        struct check_command *x = order_slots[i];
        if (x && x->is_map && c->is_map)
            continue; /* the host's own */
        for (size_t k = 0; x && x->ntouches && !order_has(x, c) && k < x->ntouches; k++) {
            const struct touch *o = &x->touches[k];
            uint64_t at;
            if (!(o->writes || t->writes) || !rects_meet(&t->rect, &o->rect, &at))
                continue;
            if ((x->is_map && t->rect.is_host) || (c->is_map && o->rect.is_host))
                continue; /* mapped memory is a place to copy from and to */
            struct command_words name;
            order_words(x, o->name, NULL, &name);
            report_locked(
                c, t, &(struct party){.who = name.text, .key = name.key, .does = order_does(x, o->writes)},
                &name, at);
        }
    }
}

static uint64_t mask_of(uint64_t cell, uint64_t from, uint64_t to) {
    uint64_t mask = 15;
    if (cell < from)
        mask &= 15u << (from - cell);
    if (cell + 4 > to)
        mask &= 15u >> (cell + 4 - to);
    return mask;
}

/* True: a finding. */
static bool meet_cell_locked(const struct check_command *c, const struct touch *t, uint64_t cell,
                             const uint16_t *site, bool wrote, uint64_t at) {
    const struct order_run *r = run_of_locked(CELL_SERIAL(cell));
    struct command_words name;
    if (!r || r->name || order_has(r->command, c))
        return false;
    struct party other = run_party(r, cell, __atomic_load_n(site, __ATOMIC_RELAXED), wrote, &name);
    report_locked(c, t, &other, &name, at);
    return true;
}

/* Whether the cell's access comes after the command, whose touch is filled in for a launch: the launch meets the later one, too. */
static bool is_later_locked(const struct check_command *c, uint64_t cell) {
    const struct order_run *r = cell ? run_of_locked(CELL_SERIAL(cell)) : NULL;
    return r && r->command != c && order_is_before(c, r->command);
}

/* Enters the touch into a cell, for kernels that run now or later, and looks at who was there before: in this order, as a
 * kernel that runs enters itself meanwhile, and looks too. *low: the lowest number that is worth a look; 0: none. */
static void enter_cell_locked(const struct check_command *c, const struct touch *t, struct shadow *s,
                              size_t n, uint64_t me, uint64_t at, uint64_t *low) {
    uint64_t *own = t->writes ? &s->writers[n] : &s->readers[n],
             *others = t->writes ? &s->readers[n] : &s->writers[n];
    if (t->writes && !*low && is_later_locked(c, *own))
        return;
    uint64_t before = __atomic_exchange_n(own, me, __ATOMIC_SEQ_CST),
             other = __atomic_load_n(others, __ATOMIC_SEQ_CST);
    bool same = before & me & WEIR_CELL_BYTES, meets = other & me & WEIR_CELL_BYTES;
    uint32_t crowd = s->crowds[n];
    if (!t->writes && (before || crowd) &&
        (s->crowds[n] =
             crowd_join_locked(crowd, before, s->reader_sites[n], c))) /* whom others may race with */
        *own = me - (UINT64_C(1) << WEIR_CELL_GROUP_SHIFT);
    if (*low && t->writes && same && CELL_SERIAL(before) >= *low &&
        meet_cell_locked(c, t, before, &s->writer_sites[n], true, at))
        *low = 0;
    if (*low && meets && CELL_SERIAL(other) >= *low &&
        meet_cell_locked(c, t, other, t->writes ? &s->reader_sites[n] : &s->writer_sites[n], !t->writes, at))
        *low = 0;
    uint64_t reader;
    for (uint16_t site; *low && t->writes && crowd_next_locked(&crowd, &reader, &site);)
        if (reader & me & WEIR_CELL_BYTES && meet_cell_locked(c, t, reader, &site, false, at))
            *low = 0;
}

/* All cells of a touch. */
static void enter_locked(struct check_command *c, const struct touch *t, struct shadow *s, uint64_t low) {
    const struct check_rect *r = &t->rect;
    struct order_run *run = run_add_locked(c, 2);
    if (!run)
        return;
    run->name = t->name;
    uint64_t me = run->last << WEIR_CELL_GROUP_SHIFT | WEIR_CELL_MANY;
    for (uint64_t row = 0; row < r->rows * r->slices; row++) {
        uint64_t from = r->start + row / r->rows * r->slice_pitch + row % r->rows * r->row_pitch;
        for (uint64_t p = from & ~UINT64_C(3); p < from + r->bytes; p += 4)
            if (p >= s->start && p < s->start + s->size)
                enter_cell_locked(c, t, s, (p - s->start) / 4, me | mask_of(p, from, from + r->bytes),
                                  p > from ? p : from, &low);
    }
}

void check_command_touch(struct check_command *c, const char *name, const struct check_rect *rect,
                         bool writes) {
    if (!c || !rect->bytes || !rect->rows || !rect->slices)
        return;
    pthread_mutex_lock(&order_lock);
    void *more = c->slot >= 0 ? realloc(c->touches, (c->ntouches + 1) * sizeof *c->touches) : NULL;
    if (more) {
        c->touches = more;
        struct touch *t = &c->touches[c->ntouches++];
        *t = (struct touch){*rect, name, writes};
        meet_ranges_locked(c, t);
        uint64_t low = runs_lowest_locked(c, true);
        struct shadow *s = NULL;
        shadow_enter();
        if (low && rect->whole_size) /* a kernel that runs may be about to access it first */
            s = shadow_of(rect->whole, rect->whole_size);
        else if (low)
            s = shadow_at(rect->start, rect_end(rect) - rect->start);
        if (s)
            enter_locked(c, t, s, low);
        shadow_leave();
    }
    pthread_mutex_unlock(&order_lock);
}

static bool may_access(const struct check_launch *l, const struct check_rect *r,
                       const struct check_memory **m) {
    for (size_t i = 0; i < l->nmemory; i++)
        if (l->memory[i].start < rect_end(r) && r->start < l->memory[i].start + l->memory[i].size) {
            *m = &l->memory[i];
            return true;
        }
    return false;
}

/* Fills in the cells of what others access in no order with a launch that begins. */
void ranges_fill_locked(const struct check_launch *l, const struct check_command *c) {
    for (unsigned i = 0; i < order_nslots; i++)
        for (size_t k = 0; order_slots[i] && k < order_slots[i]->ntouches && !order_has(order_slots[i], c);
             k++) {
            const struct check_memory *m;
            struct shadow *s = may_access(l, &order_slots[i]->touches[k].rect, &m)
                                   ? shadow_of(m->whole, m->whole_size)
                                   : NULL;
            if (s)
                enter_locked(order_slots[i], &order_slots[i]->touches[k], s, 0);
        }
}

/* ---- freed memory ---- */

void check_command_uses(struct check_command *c, uint64_t start, uint64_t size) {
    if (!c || !size)
        return;
    pthread_mutex_lock(&order_lock);
    void *more = realloc(c->uses, (c->nuses + 1) * sizeof *c->uses);
    if (more) {
        c->uses = more;
        c->uses[c->nuses].start = start;
        c->uses[c->nuses++].size = size;
    }
    pthread_mutex_unlock(&order_lock);
}

void check_command_uses_of(struct check_command *c, const struct check_command *part) {
    for (size_t i = 0; c && part && i < part->nuses; i++) /* those of a recorded command stay as they are */
        check_command_uses(c, part->uses[i].start, part->uses[i].size);
}

static struct command_words call_words(const char *call) {
    struct command_words w;
    snprintf(w.text, sizeof w.text, "%s", call);
    snprintf(w.key, sizeof w.key, "%s", call);
    return w;
}

static bool uses_locked(const struct check_command *c, uint64_t start, uint64_t size) {
    bool found = false;
    for (size_t i = 0; i < c->nuses && !found; i++)
        found = c->uses[i].start < start + size && start < c->uses[i].start + c->uses[i].size;
    for (size_t i = 0; i < c->ntouches && !found; i++)
        found = c->touches[i].rect.start < start + size && start < rect_end(&c->touches[i].rect);
    return found;
}

void check_freeing(const char *call, const struct check_command *by, uint64_t start, uint64_t size) {
    check_freed_by(call);
    pthread_mutex_lock(&order_lock);
    for (unsigned i = 0; i < order_nslots; i++) {
        struct check_command *c = order_slots[i];
        if (!c || c->is_map || c->is_shared || (by ? order_has(c, by) : c->seen_at != 0) ||
            !uses_locked(c, start, size))
            continue;
        struct command_words name, free_name;
        order_words(c, NULL, NULL, &name);
        if (by)
            order_words(by, NULL, NULL, &free_name);
        else
            free_name = call_words(call);
        struct finding f = {
            .kind = FINDING_USE_AFTER_FREE,
            .a = {.who = free_name.text, .key = free_name.key, .does = "frees it"},
            .b = {.who = name.text, .key = name.key, .does = "uses it, and nothing says that it has ended"}};
        snprintf(f.text, sizeof f.text, "a block of %llu bytes", (unsigned long long)size);
        snprintf(f.fix, sizeof f.fix, "wait for the command before the block is freed");
        finding_report(NULL, &f);
    }
    pthread_mutex_unlock(&order_lock);
}

void order_memory_gone(uint64_t start, uint64_t size) {
    pthread_mutex_lock(&order_lock);
    for (unsigned i = 0; i < order_nslots; i++) {
        struct check_command *c = order_slots[i];
        size_t n = 0;
        for (size_t k = 0; c && k < c->ntouches; k++)
            if (c->touches[k].rect.start >= start + size || rect_end(&c->touches[k].rect) <= start)
                c->touches[n++] = c->touches[k];
        if (!c)
            continue;
        c->ntouches = n;
        if (c->is_map && c->map_start - start < size) /* mapped or not */
            c->is_map = false;
    }
    pthread_mutex_unlock(&order_lock);
}
