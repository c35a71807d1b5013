/* access.c: an access that a checked kernel didn't decide by itself.
 *
 * In: address, site, what it is, and for stores the value. Out: findings. Where the kernel has no cells at hand (its site's
 * memory isn't known before it runs, an atomic, a copy) the cells are kept here, too. A conflict is one access that writes
 * and another of the same bytes by another work-item, not both of them atomic, without an order between them:
 *   in one interval between barriers, or after a barrier whose flags leave the memory out, of one work-group;
 *   of different work-groups of a launch.
 * A store of the value that is there already harms nobody. */
#include "access.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Static_assert(CHECK_LOCKSTEP_MOST == WEIR_MAX_ITEMS, "no more work-items are in a row");

/* ---- where ---- */

static bool is_texel(const struct access *a) {
    const struct weir_site *s = check_site(a->c, a->site);
    return s && s->object && a->c->objects[a->site].space == 2;
}

/* The cells at hand for the access, if they are all of those that it has bytes of. */
static inline bool cells_at_hand(const struct access *a, struct shadow *s, unsigned *space) {
    const struct weir_object *o = &a->c->objects[a->site];
    uint64_t first = a->p & ~UINT64_C(3), end = (a->p + a->bytes + 3) & ~UINT64_C(3),
             offset = first - o->start;
    if (offset >= o->size || o->size - offset < end - first)
        return false;
    s->start = o->start;
    s->size = o->size;
    s->writers = (uint64_t *)o->writers;
    s->readers = (uint64_t *)o->readers;
    s->writer_sites = (uint16_t *)o->sites;
    s->reader_sites = (uint16_t *)o->reader_sites;
    *space = (unsigned)o->space;
    return true;
}

/* The cells of the address; false: it has none. *space as in struct weir_check. */
static bool cells_of(const struct access *a, struct shadow *s, unsigned *space) {
    struct check_worker *c = a->c;
    uint64_t start, size;
    if (cells_at_hand(a, s, space))
        return true;
    if (c->local && a->p >= c->local->start && a->p < c->local->start + c->worker->local_bytes) {
        *space = 0;
        *s = *c->local;
        if (bounds_local(c, a->p, &start, &size))
            check_remember(c, a->site, c->local, start, size);
        return true;
    }
    const struct check_memory *m = bounds_is_private(c, a->p) ? NULL : bounds_memory(c->launch, a->p);
    *space = is_texel(a) ? 2 : 1;
    struct shadow *found = m && a->p - m->start < m->size ? shadow_of(m->whole, m->whole_size) : NULL;
    if (!found)
        return false;
    check_remember(c, a->site, found, m->start, m->size);
    *s = *found;
    return true;
}

bool check_finds(struct check_worker *c, uint32_t site, uint64_t p, uint64_t bytes) {
    const struct access a = {.c = c, .p = p, .bytes = bytes, .site = site};
    const struct weir_site *s = check_site(c, site);
    struct shadow cells;
    unsigned space;
    return s && !s->object && !cells_at_hand(&a, &cells, &space) && cells_of(&a, &cells, &space) &&
           cells_at_hand(&a, &cells, &space);
}

/* ---- conflicts ---- */

static bool is_unordered(const struct access *a, uint64_t cell, unsigned space) {
    const struct weir_check *k = &a->c->abi;
    return cell >= k->low[space] && !(cell - k->base < k->covered[space]) && !check_is_before(a->c, cell);
}

/* Whether both run in step, if the program may count on that. */
static bool is_in_step(const struct access *a, uint64_t cell) {
    uint32_t lanes = env_get()->check_options.lockstep, row = a->c->row, who = CELL_WHO(cell);
    if (!lanes || CELL_SERIAL(cell) != CELL_SERIAL(a->c->abi.base))
        return false;
    if (lanes != CHECK_SUBGROUP) /* as other devices count them: over the ends of rows */
        return who >= WHO_SOME || who / lanes == a->item / lanes;
    lanes = a->c->subgroup_size > 1 ? a->c->subgroup_size : cpu_vector_bits() / 32;
    return who >= WHO_SOME || (who / row == a->item / row && who % row / lanes == a->item % row / lanes);
}

static bool conflicts(const struct access *a, uint64_t cell, uint64_t me, unsigned space, uint32_t site) {
    bool own = CELL_SERIAL(cell) == CELL_SERIAL(a->c->abi.base);
    if (!is_unordered(a, cell, space) || !((cell ^ me) & (WEIR_CELL_GROUP | WEIR_CELL_ITEM)) ||
        !(cell & me & WEIR_CELL_BYTES))
        return false;
    if (a->atomic && cell & WEIR_CELL_ATOMIC && sync_includes(a->c, a->scope, cell, site, a->item))
        return false;
    return !(own && subgroup_orders(a->c, CELL_WHO(cell), CELL_TICK(cell), a->item, space)) &&
           !is_in_step(a, cell);
}

/* The byte that the store comes over: of a lane before it in its pack, which the others don't see yet, or of memory. */
static char byte_before(const struct access *a, uint64_t at) {
    const struct pack_stores *s = &a->c->stores;
    uint32_t own = a->item - s->item;
    uint64_t before = own < s->width ? s->mask & ((UINT64_C(1) << own) - 1) : 0;
    for (; before; before &= ~(UINT64_C(1) << (63 - __builtin_clzll(before)))) {
        uint32_t lane = 63 - (uint32_t)__builtin_clzll(before);
        uint64_t in = at - s->at[lane];
        if (in < s->bytes)
            return (char)((in < 8 ? s->value : s->more)[lane] >> in % 8 * 8);
    }
    return *(const char *)at;
}

/* Bytes of the value to be stored that another access of the cell at `address` has as well, against those that are there. */
static bool stores_the_same(const struct access *a, uint64_t address, uint64_t other) {
    bool same = a->has_value && a->bytes <= 16;
    for (uint32_t bytes = other & WEIR_CELL_BYTES; bytes && same; bytes &= bytes - 1) {
        uint64_t at = address + (unsigned)__builtin_ctz(bytes), in = at - a->p;
        same = in >= a->bytes || ((const char *)a->value)[in] == byte_before(a, at);
    }
    return same;
}

/* Whether the cell tells of a part of the store that another lane of the pack is about to do, which memory doesn't show yet. Parts of
 * 16 bytes are looked at one after the other, each for all lanes. */
static bool is_of_this_store(const struct access *a, uint64_t cell, uint32_t site, uint64_t address) {
    const struct pack_stores *s = &a->c->stores;
    const struct weir_site *own = check_site(a->c, a->site);
    uint32_t bytes = own ? own->bytes : 0, who = CELL_WHO(cell);
    bool is_now = site == a->site && !((cell ^ a->c->abi.now) >> WEIR_CELL_TICK_SHIFT);
    for (uint32_t lane = 0; lane < s->width && is_now && bytes > 16; lane++)
        if (s->mask >> lane & 1 && (who >= WHO_SOME || who == s->item + lane) &&
            s->at[lane] - address - 1 < bytes - 16)
            return true;
    return false;
}

/* Any contents, which a store of the same may change as well. */
static bool is_unwritten(const struct access *a, uint64_t writer, unsigned space) {
    return !space && writer < a->c->abi.began;
}

/* Whether another group's store, which has entered its cell, turns out to be of the same value: a thread may have been put aside
 * between the two. Only before a first report, and not for ever: a kernel that has races goes on soon. */
static bool comes_to_the_same(struct access *a, uint64_t cell, const struct finding *f) {
    enum { PATIENCE = 20, MOST = 64 }; /* milliseconds for one, and how many of them a worker waits for */
    bool plain = !a->atomic && !(cell & WEIR_CELL_ATOMIC);
    if (!plain || !a->has_value || finding_is_met(a->c, f) || a->c->waited >= MOST)
        return false;
    a->c->waited++;
    for (unsigned i = 0; i < PATIENCE; i++) {
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
        if (stores_the_same(a, f->address & ~UINT64_C(3), cell))
            return true;
    }
    return false;
}

static void report_conflict(struct access *a, uint64_t cell, uint32_t other_site, bool other_wrote,
                            uint64_t address, unsigned space) {
    struct check_worker *c = a->c;
    struct finding f = {.address = address};
    bool own = CELL_SERIAL(cell) == CELL_SERIAL(c->abi.base);
    struct command_words other, mine;
    uint64_t beneath;
    uint32_t its_site;
    f.a = (struct party){.site = a->site, .does = access_does(a), .item = a->item};
    if (!own && other_wrote && beneath_find(c->launch, address & ~UINT64_C(3), &beneath, &its_site) &&
        beneath == cell)
        other_site = its_site; /* an atomic is about to take its place, and has entered its own */
    if (!own && order_party(c->launch, cell, other_site, other_wrote, &f.b, &other, &mine)) {
        f.kind = FINDING_INTER_COMMAND_RACE;
        f.a.of = mine.text;
        snprintf(f.fix, sizeof f.fix, "%s", order_fix(&mine, &other));
        finding_report(c, &f);
        return;
    }
    f.b = (struct party){.site = other_site,
                         .does = cell & WEIR_CELL_ATOMIC ? "accesses atomically"
                                 : other_wrote           ? "writes"
                                                         : "reads",
                         .serial = own ? 0 : CELL_SERIAL(cell),
                         .item = CELL_WHO(cell)};
    f.kind = own ? FINDING_DATA_RACE : FINDING_INTER_GROUP_RACE;
    if (!own && other_wrote && comes_to_the_same(a, cell, &f))
        return;
    if (own && !a->subgroups && f.b.item >= WHO_SOME && f.b.item < WHO_ASYNC)
        f.b.item = WHO_MANY;
    uint32_t reader = own && !other_wrote && f.b.item == WHO_MANY ? async_reads(c, address) : 0;
    if (reader) /* and work-items, which may */
        f.b = (struct party){.site = reader, .does = "reads", .item = WHO_ASYNC};
    if (a->item == WHO_ASYNC || (own && f.b.item == WHO_ASYNC)) {
        f.a.who = a->item == WHO_ASYNC ? access_copy : NULL;
        f.b.who = f.b.item == WHO_ASYNC ? access_copy : NULL;
        snprintf(f.fix, sizeof f.fix,
                 "a barrier before the copy orders it after what comes before, wait_group_events before what "
                 "comes after");
    }
    if (a->atomic && cell & WEIR_CELL_ATOMIC) {
        snprintf(f.text, sizeof f.text, "both are atomics, but not both have a scope that reaches the other");
        snprintf(f.fix, sizeof f.fix, "use memory_scope_%s", own ? "work_group" : "device");
    } else if (!sync_blame(c, cell, a->item, space, &f) && own) {
        blame_barrier(a, cell, space, &f);
    }
    finding_report(c, &f);
}

static bool is_own(const struct check_worker *c, uint64_t cell) {
    return CELL_SERIAL(cell) == CELL_SERIAL(c->abi.base);
}

static unsigned first_byte(uint64_t cell) {
    return (unsigned)__builtin_ctzll(cell & WEIR_CELL_BYTES);
}

/* Whether a plain access of the atomic's own work-item, or reads of several, stay in their cell: no barrier has ordered them
 * since, and more is in conflict with them than with the atomic. */
static bool outweighs(const struct access *a, uint64_t cell, uint64_t me, unsigned space) {
    const struct check_worker *c = a->c;
    uint32_t who = CELL_WHO(cell);
    bool of_many = !a->writes && (who == WHO_MANY || (who >= WHO_SOME && who < WHO_ASYNC && !a->subgroups));
    return !(cell & WEIR_CELL_ATOMIC) && cell - c->abi.base >= c->abi.covered[space] && is_own(c, cell) &&
           (of_many || !((cell ^ me) & WEIR_CELL_ITEM)) && !((cell ^ me) & WEIR_CELL_BYTES) &&
           !subgroup_orders(c, CELL_WHO(cell), CELL_TICK(cell), a->item, space);
}

/* What an atomic that writes leaves of a cell with the writer `w`. What several do in one interval is nobody's own. */
static uint64_t atomic_over(const struct access *a, uint64_t w, uint32_t site, uint64_t address, uint64_t me,
                            unsigned space) {
    bool now = !((w ^ me) >> WEIR_CELL_TICK_SHIFT), own = !((w ^ me) & WEIR_CELL_ITEM);
    if (w & WEIR_CELL_ATOMIC) {
        if (!now || own)
            return me;
        bool reaches = space ? sync_is_wide(a->c, a->site) && sync_reaches_device(a->scope)
                             : sync_reaches_group(a->scope);
        return reaches ? (me & ~WEIR_CELL_ITEM) | check_several(a->c, w, a->item, a->subgroups, space) : me;
    }
    if (outweighs(a, w, me, space))
        return w;
    if (space && w > a->c->launch->key)
        beneath_keep(a->c->launch, address, w, site);
    return me;
}

/* Whether another group's atomic came over a plain store that isn't ordered with this one. */
static void check_beneath(struct access *a, uint64_t w, uint64_t address, uint64_t me, unsigned space) {
    uint64_t cell;
    uint32_t site;
    if (space && w & WEIR_CELL_ATOMIC && CELL_SERIAL(w) != CELL_SERIAL(me) &&
        beneath_find(a->c->launch, address, &cell, &site) && conflicts(a, cell, me, space, site) &&
        !sync_is_ordered(a->c, cell, a->item, space))
        report_conflict(a, cell, site, true, address + first_byte(cell & me), space);
}

/* Whether others than the cell's reader have read it, in no order with this, which writes. */
static bool check_crowd(struct access *a, uint64_t address, uint64_t me, unsigned space) {
    struct shadow *s = space && !order_is_total() ? shadow_at(address, 4) : NULL;
    uint32_t crowd = s ? s->crowds[(address - s->start) / 4] : 0;
    bool found = false;
    uint64_t r;
    for (uint16_t reader; crowd_next(&crowd, a->c->launch, &r, &reader); found = true)
        if (conflicts(a, r, me, space, reader) && !stores_the_same(a, address, r))
            report_conflict(a, r, reader, false, address + first_byte(r & me), space);
    return found;
}

/* A read of what another command has read: the cell tells of this launch from now on, and the other one goes into the crowd, if
 * nothing orders it before. */
static void join_crowd(const struct access *a, const struct shadow *s, uint64_t address, uint64_t me,
                       unsigned space) {
    uint64_t n = (address - s->start) / 4, r = read_cell(&s->readers[n]);
    bool before = sync_is_ordered(a->c, r, a->item, space);
    struct shadow *whole = shadow_at(address, 4);
    uint32_t *crowd = whole ? &whole->crowds[(address - whole->start) / 4] : NULL;
    if (crowd)
        *crowd = crowd_join(*crowd, before ? 0 : r, read_site(&s->reader_sites[n]), a->c->launch);
    bool alone = crowd ? !*crowd : before;
    enter_cell(&s->readers[n], alone ? me : a->c->abi.several | ((r | me) & WEIR_CELL_BYTES),
               &s->reader_sites[n], a->site);
}

/* The cell is another command's, or of a group that goes on under another number. */
static bool is_of_others(const struct access *a, uint64_t cell) {
    return cell - a->c->abi.first >= a->c->abi.cells && CELL_SERIAL(cell) != CELL_SERIAL(a->c->abi.base);
}

/* A reader in no order with this, of another command or a group that goes on under another number. */
static bool is_foreign(const struct access *a, uint64_t cell, unsigned space) {
    return is_of_others(a, cell) && is_unordered(a, cell, space);
}

/* Whether the work-item of the group that has stored the same had stored something else before. */
static void check_changed(struct access *a, uint64_t address, uint64_t me, unsigned space) {
    const struct changed *was = changed_at(a->c, address);
    if (was && is_own(a->c, was->cell) && conflicts(a, was->cell, me, space, was->site) &&
        !sync_is_ordered(a->c, was->cell, a->item, space))
        report_conflict(a, was->cell, was->site, true, address + first_byte(was->cell & me), space);
}

/* Another group's access that the cell tells of now, and didn't when it was `before`. */
static void check_newcomer(struct access *a, uint64_t now, uint64_t before, uint32_t site, bool wrote,
                           uint64_t address, uint64_t me, unsigned space) {
    if (now != before && CELL_SERIAL(now) != CELL_SERIAL(me) && conflicts(a, now, me, space, site) &&
        !sync_is_ordered(a->c, now, a->item, space) && !stores_the_same(a, address, now))
        report_conflict(a, now, site, wrote, address + first_byte(now & me), space);
}

/* Enters `now` for an atomic, which isn't done yet, in memory that groups share, and looks at accesses of other groups that
 * were entered since the cells were `w` and `r`, of these sites: two groups that look at the same time, each before the other
 * one enters, would both find nothing. `last` is the site of what its cell had. It exchanges the cell, for the other one may
 * have entered, and even ended, before this one, which was put aside, takes its place. Nothing that is ordered behind the
 * atomic can be there so soon. */
static void enter_atomic(struct access *a, const struct shadow *s, uint64_t address, uint64_t me,
                         unsigned space, uint64_t w, uint32_t last, uint64_t r, uint64_t now) {
    uint64_t n = (address - s->start) / 4, *cell = a->writes ? &s->writers[n] : &s->readers[n];
    uint16_t *site = a->writes ? &s->writer_sites[n] : &s->reader_sites[n];
    uint32_t by = now == (a->writes ? w : r) ? last : a->site;
    uint32_t site_before = __atomic_exchange_n(site, (uint16_t)by, __ATOMIC_RELAXED);
    uint64_t before = __atomic_exchange_n(cell, now, __ATOMIC_SEQ_CST);
    if (a->writes) /* its site was entered before this one, or after that */
        check_newcomer(a, before, w, site_before != last ? site_before : read_site(site), true, address, me,
                       space);
    uint64_t now_w = read_cell(&s->writers[n]), now_r = read_cell(&s->readers[n]);
    uint32_t now_writer = read_site(&s->writer_sites[n]), now_reader = read_site(&s->reader_sites[n]);
    if (now_w != before)
        check_newcomer(a, now_w, w, now_writer, true, address, me, space);
    if (a->writes)
        check_newcomer(a, now_r, r, now_reader, false, address, me, space);
}

/* One cell of the access. */
static void check_cell(struct access *a, const struct shadow *s, uint64_t address, uint64_t me,
                       unsigned space, bool fill) {
    uint64_t n = (address - s->start) / 4, w = read_cell(&s->writers[n]), r = read_cell(&s->readers[n]);
    uint32_t writer = read_site(&s->writer_sites[n]), reader = read_site(&s->reader_sites[n]);
    bool meets = conflicts(a, w, me, space, writer) && !sync_is_ordered(a->c, w, a->item, space);
    if (meets && !stores_the_same(a, address, w) && !is_of_this_store(a, w, writer, address))
        report_conflict(a, w, writer, true, address + first_byte(w & me), space);
    else if (meets && a->writes)
        check_changed(a, address, me, space);
    bool joins = conflicts(a, r, me, space, reader);
    bool before = a->writes && joins && sync_is_ordered(a->c, r, a->item, space);
    if (a->writes && joins && !before && (is_unwritten(a, w, space) || !stores_the_same(a, address, r)))
        report_conflict(a, r, reader, false, address + first_byte(r & me), space);
    if (a->writes && joins && !check_crowd(a, address, me, space) && before && is_of_others(a, r))
        __atomic_store_n(&s->readers[n], 0,
                         __ATOMIC_RELAXED); /* who comes after this comes after the readers */
    if (a->atomic)
        check_beneath(a, w, address, me, space);
    if (space && !a->writes && !a->atomic && is_foreign(a, r, space)) {
        join_crowd(a, s, address, me, space);
        return;
    }
    if (!fill)
        return;
    if (a->writes) {
        bool overwrites = !(a->how & WEIR_ATOMIC_READS) || a->how & WEIR_ATOMIC_OVERWRITES;
        if (!space && a->atomic && !undefined_changes(a->c, address, a->item, a->site, overwrites)) {
            uint64_t also = atomic_over(a, r, reader, address, me, space);
            enter_cell(&s->readers[n], also, &s->reader_sites[n], also == r ? reader : a->site);
            return; /* changed, and as undefined as before */
        }
        bool also = meets && !a->atomic && is_own(a->c, w);
        if (also)
            check_keep_bytes(a->c, address, w, me, (uint16_t)a->site, true, a->subgroups, space);
        uint64_t now = a->atomic ? atomic_over(a, w, writer, address, me, space)
                       : also    ? check_writers(a->c, w, me, a->subgroups, space)
                                 : me;
        if (a->atomic && space)
            enter_atomic(a, s, address, me, space, w, writer, r, now);
        else
            enter_cell(&s->writers[n], now, &s->writer_sites[n], now == w ? writer : a->site);
        return;
    }
    uint64_t now = a->atomic && outweighs(a, r, me, space) ? r : me;
    if (a->atomic) {
        if (space)
            enter_atomic(a, s, address, me, space, w, reader, r, now);
        else
            enter_cell(&s->readers[n], now, &s->reader_sites[n], now == r ? reader : a->site);
        return;
    }
    bool stays = false; /* the place, of others */
    if (joins && !(r & WEIR_CELL_ATOMIC)) {
        bool same_group = !((r ^ me) & WEIR_CELL_GROUP);
        uint64_t some = same_group ? check_several(a->c, r, a->item, a->subgroups, space) : 0;
        me = (same_group ? a->c->abi.now | some : a->c->abi.several) | (r & me & WEIR_CELL_BYTES);
        stays = same_group && check_is_last(me, a->item, a->subgroups);
    }
    enter_cell(&s->readers[n], me, &s->reader_sites[n], stays ? reader : a->site);
}

/* ---- bytes of words ---- */

/* Of one byte: what other groups have done whose word others have accessed since. */
static void check_under(struct access *a, uint64_t me, unsigned space) {
    struct shadow *s = space ? check_bytes_in(a->c, a->p) : NULL;
    const struct under *u = s ? shadow_under(s, a->p, false) : NULL;
    uint64_t at = a->p & ~UINT64_C(3);
    if (!u)
        return;
    check_newcomer(a, read_cell(&u->writer), 0, read_site(&u->writer_site), true, at, me, space);
    if (a->writes)
        check_newcomer(a, read_cell(&u->reader), 0, read_site(&u->reader_site), false, at, me, space);
}

/* One byte of an access of less than a word; what the word's cell knows is told by the others. A read is entered. */
static void check_byte(struct access *a, const struct shadow *word, unsigned space) {
    struct byte_cell *b = byte_cell_at(a->c, a->p);
    uint64_t n = (a->p - word->start) / 4, at = a->p & ~UINT64_C(3);
    uint64_t me = a->c->abi.now | (uint64_t)a->item << WEIR_CELL_ITEM_SHIFT | UINT64_C(1) << (a->p & 3);
    struct shadow one = {.start = at,
                         .size = 4,
                         .writers = &b->writer,
                         .readers = &b->reader,
                         .writer_sites = &b->writer_site,
                         .reader_sites = &b->reader_site};
    b->writer = is_own(a->c, b->writer) ? b->writer : 0;
    b->reader = is_own(a->c, b->reader) ? b->reader : 0;
    uint64_t writer = b->writer, reader = b->reader, w = read_cell(&word->writers[n]),
             r = read_cell(&word->readers[n]);
    bool told = w & me & WEIR_CELL_BYTES && !((w ^ writer) & ~(uint64_t)WEIR_CELL_BYTES);
    bool seen = r & me & WEIR_CELL_BYTES && !((r ^ reader) & ~(uint64_t)WEIR_CELL_BYTES);
    if (told || !writer)
        b->writer = w & ~(uint64_t)WEIR_CELL_BYTES; /* whether the word was written at all */
    if (seen && a->writes)
        b->reader = 0;
    check_cell(a, &one, at, me, space, !a->writes);
    check_under(a, me, space);
    b->writer = writer;
    b->reader = a->writes ? reader : b->reader;
}

bool check_has_bytes(struct check_worker *c) {
    if (!c->byte_cells)
        c->byte_cells = calloc((size_t)BYTE_WAYS * BYTE_CELLS, sizeof *c->byte_cells);
    return c->byte_cells;
}

void check_keep_bytes(struct check_worker *c, uint64_t at, uint64_t mask, uint64_t cell, uint16_t site,
                      bool wrote, bool subgroups, unsigned space) {
    struct access a = {.c = c};
    uint64_t bytes = cell & WEIR_CELL_BYTES & ~mask;
    if (!bytes || !is_own(c, cell) || !is_unordered(&a, cell, space) || !check_has_bytes(c))
        return;
    for (; bytes; bytes &= bytes - 1) {
        struct byte_cell *b = byte_cell_at(c, (at & ~UINT64_C(3)) + (unsigned)__builtin_ctzll(bytes));
        uint64_t now = (cell & ~(uint64_t)WEIR_CELL_BYTES) | (bytes & -bytes);
        bool joins = !wrote && is_own(c, b->reader) && (b->reader ^ now) & WEIR_CELL_ITEM &&
                     is_unordered(&a, b->reader, space);
        if (joins)
            now =
                c->abi.now | check_several(c, b->reader, CELL_WHO(cell), subgroups, space) | (bytes & -bytes);
        *(wrote ? &b->writer : &b->reader) = now;
        *(wrote ? &b->writer_site : &b->reader_site) = site;
    }
}

/* Of the bytes of a word that the access has, the one at `p`. */
static struct access byte_of(const struct access *a, uint64_t p) {
    struct access one = *a;
    one.p = p;
    one.bytes = 1;
    one.value[0] = a->has_value ? ((const unsigned char *)a->value)[p - a->p] : 0;
    return one;
}

/* A copy's value isn't given, and of others up to 16 bytes. */
static bool is_plain_store(const struct access *a) {
    return a->kind == WEIR_SITE_WRITE && a->bytes <= 16 && check_site(a->c, a->site) &&
           check_site(a->c, a->site)->bytes;
}

/* A part of a word that no pack has looked at: the access lies across its ends, or its memory isn't known before. */
static void check_part(const struct access *a, const struct shadow *word, uint64_t at, uint64_t mask,
                       unsigned space) {
    for (uint64_t bytes = mask; bytes && check_has_bytes(a->c); bytes &= bytes - 1) {
        struct access one = byte_of(a, at + (unsigned)__builtin_ctzll(bytes));
        pack_byte(&one, word, space, mask);
    }
}

/* The bytes of a word that its cell doesn't tell of. */
static uint32_t untold_bytes(const struct access *a, uint64_t cell, unsigned space) {
    return is_unordered(a, cell, space) ? ~cell & WEIR_CELL_BYTES : 0;
}

/* A whole word: others may have accessed bytes of it, and then the cell's work-item the rest. */
static void check_word(const struct access *a, const struct shadow *word, uint64_t at, unsigned space) {
    uint64_t n = (at - word->start) / 4;
    uint32_t bytes = untold_bytes(a, read_cell(&word->writers[n]), space);
    bytes |= a->writes ? untold_bytes(a, read_cell(&word->readers[n]), space) : 0;
    if (!bytes || !check_has_bytes(a->c))
        return;
    pack_keep_under(a->c, word, at, space);
    for (; bytes; bytes &= bytes - 1) {
        struct access one = byte_of(a, at + (unsigned)__builtin_ctz(bytes));
        check_byte(&one, word, space);
    }
}

void check_bytes(struct check_worker *c, uint64_t p, uint64_t bytes, uint32_t site, bool writes,
                 uint32_t item, uint64_t value, bool subgroups) {
    struct access a = {
        .c = c, .p = p, .bytes = bytes, .site = site, .item = item, .writes = writes, .subgroups = subgroups};
    unsigned space = 0;
    struct shadow word;
    if (!cells_of(&a, &word, &space))
        return;
    a.bytes = 1;
    a.kind = writes ? WEIR_SITE_WRITE : WEIR_SITE_READ;
    a.has_value = writes && !env_get()->check_options.strict_writes;
    for (; bytes--; a.p++, value >>= 8) {
        a.value[0] = value & 0xff;
        check_byte(&a, &word, space);
    }
}

/* Another lane of the pack, `item`, has stored something else after this one, at `p`. */
static void check_collision(struct access *a, uint64_t item, uint64_t p) {
    uint64_t cell = a->c->abi.now | item << WEIR_CELL_ITEM_SHIFT;
    if (!is_in_step(a, cell))
        report_conflict(a, cell, a->site, true, p > a->p ? p : a->p, 0);
}

static void check_cells(struct access *a, bool fill) {
    unsigned space = 0;
    uint64_t end = a->p + a->bytes;
    struct shadow s;
    if (!cells_of(a, &s, &space) || (fill && span_is_usual(a, &s, space)))
        return;
    for (uint64_t address = a->p & ~UINT64_C(3); address < end; address += 4) {
        uint64_t mask = 15;
        if (address + 4 > s.start + s.size)
            return; /* the memory next to it is another's */
        if (address < a->p)
            mask &= 15 << (a->p - address);
        if (address + 4 > end)
            mask &= 15 >> (address + 4 - end);
        uint64_t me = a->c->abi.now | (uint64_t)a->item << WEIR_CELL_ITEM_SHIFT | (mask & 15) |
                      (a->atomic ? WEIR_CELL_ATOMIC : 0);
        if (mask == 15)
            check_word(a, &s, address, space);
        else if (fill && !a->atomic && (!a->writes || is_plain_store(a)))
            check_part(a, &s, address, mask, space);
        check_cell(a, &s, address, me, space, fill);
    }
}

/* Kernels that run at the same time, and the host, may synchronize by atomics. */
static void note_synchronizing(const struct access *a) {
    uint64_t local = (uint64_t)a->c->worker->local;
    if (a->p - local < a->c->worker->local_bytes || bounds_is_private(a->c, a->p))
        return;
    const struct check_memory *m = bounds_memory(a->c->launch, a->p);
    order_synchronizes(a->c->launch, !m || !m->is_hidden);
}

/* What an atomic does, WEIR_ATOMIC_*: the low bits, but the order that the program names comes first. */
static uint32_t how_of(uint64_t value) {
    uint32_t how = value & 0xff, order = value >> 8 & 0xff,
             both = WEIR_ATOMIC_ACQUIRES | WEIR_ATOMIC_RELEASES;
    if (order == WEIR_ORDER_UNKNOWN)
        return how;
    how &= ~both;
    return how | (order == 2 ? WEIR_ATOMIC_ACQUIRES : order == 3 ? WEIR_ATOMIC_RELEASES : order ? both : 0);
}

/* Whether the cell's last access does no harm to an atomic of device scope. */
static bool is_harmless(const struct access *a, uint64_t cell, uint64_t me, uint32_t site, unsigned space) {
    return !is_unordered(a, cell, space) || !((cell ^ me) & (WEIR_CELL_GROUP | WEIR_CELL_ITEM)) ||
           (cell & WEIR_CELL_ATOMIC && sync_is_wide(a->c, site));
}

/* Whether a plain store of this launch is the cell's last writer, or may be beneath. */
static bool is_over_store(const struct access *a, uint64_t cell, unsigned space) {
    const struct check_launch *l = a->c->launch;
    return space &&
           (!(cell & WEIR_CELL_ATOMIC) ? cell > l->key
                                       : CELL_SERIAL(cell) != CELL_SERIAL(a->c->abi.base) &&
                                             atomic_load_explicit(&l->has_beneath, memory_order_relaxed));
}

/* An atomic that orders nothing, and races with nobody: enters it. False: it isn't one for sure. */
static bool is_usual_atomic(struct access *a) {
    struct check_worker *c = a->c;
    uint64_t me = c->abi.now | (uint64_t)a->item << WEIR_CELL_ITEM_SHIFT | WEIR_CELL_ATOMIC | WEIR_CELL_BYTES;
    uint64_t w[2], r[2];
    uint16_t writer[2];
    unsigned space = 0;
    struct shadow s;
    if (a->how & (WEIR_ATOMIC_ACQUIRES | WEIR_ATOMIC_RELEASES | WEIR_ATOMIC_FENCED) ||
        (a->bytes != 4 && a->bytes != 8) || a->p & (a->bytes - 1) || !cells_at_hand(a, &s, &space) ||
        !sync_is_wide(c, a->site) || !sync_reaches_device(a->scope))
        return false;
    if (!space && c->abi.tainted)
        return false;
    uint64_t n = (a->p - s.start) / 4, cells = a->bytes / 4;
    for (uint32_t i = 0; i < cells; i++) {
        w[i] = read_cell(&s.writers[n + i]);
        r[i] = read_cell(&s.readers[n + i]);
        writer[i] = read_site(&s.writer_sites[n + i]);
        if (!is_harmless(a, w[i], me, writer[i], space) || (!space && w[i] < c->abi.began) ||
            is_over_store(a, w[i], space) ||
            (a->writes && !is_harmless(a, r[i], me, read_site(&s.reader_sites[n + i]), space)))
            return false;
    }
    for (uint32_t i = 0; i < cells; i++) {
        uint64_t at = a->p + 4 * i, now = me;
        if (a->writes && (now = atomic_over(a, w[i], writer[i], at, me, space)) == w[i])
            continue;
        if (!a->writes && outweighs(a, r[i], me, space))
            continue;
        if (space)
            enter_atomic(a, &s, at, me, space, w[i], writer[i], r[i], now);
        else
            enter_cell(a->writes ? &s.writers[n + i] : &s.readers[n + i], now,
                       a->writes ? &s.writer_sites[n + i] : &s.reader_sites[n + i], a->site);
    }
    return true;
}

/* An atomic that reads alone a word of local memory with this writer: as is_usual_atomic. */
static inline bool is_usual_local_read(const struct check_worker *c, uint64_t w, uint32_t writer, uint64_t *r,
                                       uint16_t *reader, uint64_t me, uint32_t site) {
    uint64_t fresh = c->abi.base + c->abi.covered[0], who = WEIR_CELL_GROUP | WEIR_CELL_ITEM;
    if (w < c->abi.began ||
        (w >= fresh && (w ^ me) & who && !(w & WEIR_CELL_ATOMIC && sync_is_wide(c, writer))))
        return false;
    bool stays = *r >= fresh && !(*r & WEIR_CELL_ATOMIC) && !(~*r & WEIR_CELL_BYTES) &&
                 ((CELL_WHO(*r) >= WHO_SOME && CELL_WHO(*r) != WHO_ASYNC) ||
                  !((*r ^ me) & WEIR_CELL_ITEM)); /* outweighs */
    if (!stays)
        enter_cell(r, me | WEIR_CELL_ATOMIC | WEIR_CELL_BYTES, reader, site);
    return true;
}

/* The same of a word of local memory, which is this thread's own: whether its last writer, and reader, are ordered before, or
 * are atomics that reach the work-item. Counters of work-groups are, and there are as many of these as of work-items. */
static inline bool is_usual_local_atomic(struct check_worker *c, uint64_t p, uint32_t site, uint32_t item,
                                         uint64_t value) {
    const struct weir_object *o = &c->objects[site];
    uint64_t offset = p - o->start, me = c->abi.now | (uint64_t)item << WEIR_CELL_ITEM_SHIFT;
    uint32_t how = how_of(value);
    if (o->space || p & 3 || offset >= o->size || o->size - offset < 4 || c->abi.tainted ||
        how & (WEIR_ATOMIC_ACQUIRES | WEIR_ATOMIC_RELEASES | WEIR_ATOMIC_FENCED | WEIR_ATOMIC_SUBGROUPS) ||
        !sync_is_wide(c, site) || !(c->wide_scopes >> (value >> 16 & 7) & 1))
        return false;
    uint64_t *w = (uint64_t *)o->writers + offset / 4, *readers = (uint64_t *)o->readers + offset / 4;
    uint16_t *writer = (uint16_t *)o->sites + offset / 4,
             *reader_site = (uint16_t *)o->reader_sites + offset / 4;
    if (!(how & WEIR_ATOMIC_WRITES))
        return is_usual_local_read(c, *w, *writer, readers, reader_site, me, site);
    uint64_t r = *readers;
    uint16_t reader = *reader_site;
    uint64_t fresh = c->abi.base + c->abi.covered[0], who = WEIR_CELL_GROUP | WEIR_CELL_ITEM;
    if (*w < c->abi.began || (*w >= fresh && !(*w & WEIR_CELL_ATOMIC && sync_is_wide(c, *writer))) ||
        (r >= fresh && (r ^ me) & who && !(r & WEIR_CELL_ATOMIC && sync_is_wide(c, reader))))
        return false;
    bool also = !((*w ^ me) >> WEIR_CELL_TICK_SHIFT) && (*w ^ me) & WEIR_CELL_ITEM;
    enter_cell(w, me | WEIR_CELL_ATOMIC | WEIR_CELL_BYTES | (also ? WEIR_CELL_MANY : 0), writer, site);
    return true;
}

/* What isn't an access itself. */
static void check_other(struct check_worker *c, uint64_t p, uint64_t bytes, uint32_t site, uint32_t what,
                        uint32_t item, uint64_t value, uint64_t more) {
    switch (what & 15) {
    case WEIR_SITE_COPY:
        async_copy(c, p, site, (uint32_t)value, item);
        break;
    case WEIR_SITE_LANE:
        subgroup_broadcast(c, (uint32_t)p, site, item, value, more);
        break;
    case WEIR_SITE_TEXEL:
        check_texel(c, p, value, (const struct weir_image *)(uintptr_t)more, (uint32_t)bytes, site, item);
        break;
    case WEIR_SITE_WAIT:
        async_wait(c, p, site, item);
        break;
    case WEIR_SITE_EXTENT:
        bounds_check_extent(c, p, bytes, site, item);
    case WEIR_SITE_USE:
        undefined_used(c, (uint32_t)p, item, site, (uint32_t)value);
        break;
    case WEIR_SITE_UNWRITE:
        undefined_stored(c, (uint32_t)value, item, p, bytes, site);
        break;
    case WEIR_SITE_FENCE:
        sync_fence(c, item, how_of(value & 0xff00), value & 0xff, value >> 16 & 0xff, site);
        break;
    case WEIR_SITE_CALL:
        bounds_check_call(c, p, site, item);
    case WEIR_SITE_NAMED:
        barrier_names(c, p, value, site, item);
        break;
    case WEIR_SITE_WATCH:
        check_watch(c, p, site, item, what >> 8, value);
        break;
    default:
        check_subgroup(c, p, (uint32_t)bytes, site, what & 15, item, value, more);
    }
}

static __attribute__((noinline)) void check_any(struct weir_worker *w, uint64_t p, uint64_t bytes,
                                                uint32_t site, uint32_t what, uint32_t item, uint64_t value,
                                                uint64_t more) {
    struct check_worker *c = (struct check_worker *)w->check;
    if ((what & 15) > WEIR_SITE_ATOMIC) {
        check_other(c, p, bytes, site, what, item, value, more);
        return;
    }
    struct access a = {.c = c,
                       .p = p,
                       .bytes = bytes,
                       .site = site,
                       .kind = what & 15,
                       .item = item,
                       .value = {value, more}};
    a.atomic = a.kind == WEIR_SITE_ATOMIC;
    a.how = a.atomic ? how_of(value) : 0;
    a.subgroups = what & WEIR_CHECK_SUBGROUPS || a.how & WEIR_ATOMIC_SUBGROUPS || c->has_subgroup_barriers;
    a.scope = a.atomic ? value >> 16 & 0xff : 0;
    a.writes = a.kind == WEIR_SITE_WRITE || a.how & WEIR_ATOMIC_WRITES;
    a.has_value = is_plain_store(&a) && !env_get()->check_options.strict_writes;
    if (!bytes || (a.atomic && what & WEIR_CHECK_WHOLE && is_usual_atomic(&a)))
        return;
    if (what & WEIR_CHECK_COLLISION) {
        check_collision(&a, value, more);
        return;
    }
    if (a.how & (WEIR_ATOMIC_ACQUIRES | WEIR_ATOMIC_RELEASES | WEIR_ATOMIC_FENCED))
        note_synchronizing(&a);
    if (a.atomic && !(what & WEIR_CHECK_WHOLE)) {
        sync_atomic(c, p, item, a.how, a.scope, site, true);
        return;
    }
    if (a.atomic)
        sync_note_scope(c, site, a.scope);
    if (what & WEIR_CHECK_WHOLE) {
        bounds_check(&a);
        bounds_check_alignment(&a);
    }
    check_cells(&a, what & WEIR_CHECK_WHOLE);
    if (a.how & (WEIR_ATOMIC_RELEASES | WEIR_ATOMIC_FENCED))
        sync_atomic(c, p, item, a.how, a.scope, site, false);
}

/* The usual atomic in local memory is decided here, where no register need be kept for more. */
void check_access(struct weir_worker *w, uint64_t p, uint64_t bytes, uint32_t site, uint32_t what,
                  uint32_t item, uint64_t value, uint64_t more) {
    struct check_worker *c = (struct check_worker *)w->check;
    if (what != (WEIR_SITE_ATOMIC | WEIR_CHECK_WHOLE) || bytes != 4 ||
        !is_usual_local_atomic(c, p, site, item, value))
        check_any(w, p, bytes, site, what, item, value, more);
}
