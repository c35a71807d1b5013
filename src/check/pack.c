/* pack.c: an access of a pack's work-items: what it is usually, decided at once.
 *
 * In: the lanes' addresses and values, who is on, the site (kc/vector/checks.c). Out: cells filled; what isn't usual goes to
 * access.c, lane by lane. Usual is an access of the memory that the site is known to access, of whole cells or of parts of
 * one, whose last writer (for a store: and reader) is ordered before by a barrier, or is the work-item itself. Where a pack
 * accesses cells in a row, as most do, loops over them become vector code for the processor at hand.
 * The order is: all lanes check, then all lanes fill, then lanes look who else has stored to their cells. */
#include "access.h"

#include <stdlib.h>
#include <string.h>

struct pack {
    struct check_worker *c;
    struct weir_object
        o; /* a copy: looking at a lane that lies elsewhere has the site remember that memory */
    const uint64_t *at, *value, *more; /* by lane; value and more of stores */
    uint64_t mask;
    uint32_t site, width, bytes, item; /* of lane 0 */
    uint64_t part;         /* 0, or all bytes of the word that the access has, of which this is one */
    bool writes, updates;  /* a read before a write */
    bool eight, subgroups; /* lies at multiples of 8; the kernel has barriers of them */
};

#define UNORDERED(cell) (((cell) >= low) & ((cell) - base >= covered))
#define OTHERS(cell)    ((((cell) ^ me) & (WEIR_CELL_GROUP | WEIR_CELL_ITEM)) != 0)

/* ---- lane by lane ---- */

static bool lies_in(const struct pack *p, uint64_t at) {
    uint64_t offset = at - p->o.start, unit = p->eight ? 8 : p->bytes < 4 ? p->bytes : 4;
    return offset < p->o.size && p->o.size - offset >= p->bytes && !(at & (unit - 1));
}

static uint64_t mask_at(const struct pack *p, uint64_t at) {
    return p->part ? p->part : p->bytes < 4 ? ((UINT64_C(1) << p->bytes) - 1) << (at & 3) : 15;
}

static uint64_t *cell_at(const struct pack *p, uint64_t cells, uint64_t at) {
    return (uint64_t *)cells + (at - p->o.start) / 4;
}

static uint16_t *site_at(const struct pack *p, uint64_t sites, uint64_t at) {
    return (uint16_t *)sites + (at - p->o.start) / 4;
}

static unsigned space_of(const struct pack *p) {
    return (unsigned)p->o.space;
}

static uint64_t lane_me(const struct pack *p, uint32_t lane, uint64_t mask) {
    return p->c->abi.now | (uint64_t)(p->item + lane) << WEIR_CELL_ITEM_SHIFT | mask;
}

static void ask_with(const struct pack *p, uint32_t lane, uint32_t what, uint64_t value, uint64_t more) {
    uint32_t kind = p->writes ? WEIR_SITE_WRITE : WEIR_SITE_READ;
    kind |= p->subgroups ? WEIR_CHECK_SUBGROUPS : 0;
    check_access(p->c->worker, p->at[lane], p->bytes, p->site, kind | what, p->item + lane, value, more);
}

static void ask(const struct pack *p, uint32_t lane, uint32_t what) {
    ask_with(p, lane, what, p->writes ? p->value[lane] : 0, p->writes ? p->more[lane] : 0);
}

static bool conflicts(const struct pack *p, uint32_t lane, uint64_t cell, uint64_t me, unsigned space) {
    const struct weir_check *k = &p->c->abi;
    uint64_t low = k->low[space], base = k->base, covered = k->covered[space];
    if (!(UNORDERED(cell) & OTHERS(cell) & ((cell & me & WEIR_CELL_BYTES) != 0)) ||
        check_is_before(p->c, cell))
        return false;
    bool own = !((cell ^ me) & WEIR_CELL_GROUP);
    return !(own && p->subgroups &&
             subgroup_orders(p->c, CELL_WHO(cell), CELL_TICK(cell), p->item + lane, space));
}

/* A reader in no order with the lane, of another command or a group that goes on under another number: the cell isn't lost
 * to another reader, whatever bytes of it they read. */
static bool is_foreign(const struct pack *p, uint32_t lane, uint64_t cell, uint64_t me, unsigned space) {
    return cell - p->c->abi.first >= p->c->abi.cells && CELL_SERIAL(cell) != CELL_SERIAL(p->c->abi.base) &&
           conflicts(p, lane, cell | WEIR_CELL_BYTES, me | WEIR_CELL_BYTES, space);
}

/* A word of which the cell tells of some bytes alone: others may have been there as well (access.c). */
static bool is_part(const struct pack *p, uint32_t lane, uint64_t cell, unsigned space) {
    const struct weir_check *k = &p->c->abi;
    uint64_t low = k->low[space], base = k->base, covered = k->covered[space];
    return p->bytes >= 4 && (cell & WEIR_CELL_BYTES) != WEIR_CELL_BYTES && UNORDERED(cell) &&
           !((cell ^ base) & WEIR_CELL_GROUP) &&
           !(p->subgroups && subgroup_orders(p->c, CELL_WHO(cell), CELL_TICK(cell), p->item + lane, space));
}

static bool is_odd(const struct pack *p, uint32_t lane, unsigned space) {
    uint64_t at = p->at[lane], me = lane_me(p, lane, mask_at(p, at));
    const uint64_t *w = cell_at(p, p->o.writers, at), *r = cell_at(p, p->o.readers, at);
    bool odd = false;
    for (uint32_t i = 0; i * 4 < p->bytes; i++) {
        odd |= conflicts(p, lane, w[i], me, space) || is_part(p, lane, w[i], space);
        odd |= p->writes ? conflicts(p, lane, r[i], me, space) || is_part(p, lane, r[i], space)
                         : is_foreign(p, lane, r[i], me, space);
    }
    return odd;
}

/* Whether others of the group have written the lane's cell in no order with it. */
static bool is_over(const struct pack *p, uint32_t lane, uint64_t cell, uint64_t me, unsigned space) {
    return !((cell ^ me) & WEIR_CELL_GROUP) && conflicts(p, lane, cell, me, space) &&
           !sync_is_ordered(p->c, cell, p->item + lane, space);
}

/* What they have written of what the lane writes. */
enum { PIECE = 16 }; /* bytes; longer accesses are checked one after the other */
struct over {
    uint64_t cells[PIECE / 4]; /* 0: nothing */
};

static struct over written_before(const struct pack *p, uint32_t lane, unsigned space) {
    uint64_t at = p->at[lane], me = lane_me(p, lane, mask_at(p, at));
    const uint64_t *w = cell_at(p, p->o.writers, at);
    struct over over = {{0}};
    for (uint32_t i = 0; i * 4 < p->bytes && p->writes; i++)
        if (is_over(p, lane, w[i], me, space))
            over.cells[i] = w[i] & (me | ~(uint64_t)WEIR_CELL_BYTES);
    return over;
}

static void fill(const struct pack *p, uint32_t lane, unsigned space) {
    const struct weir_check *k = &p->c->abi;
    uint64_t at = p->at[lane], mask = mask_at(p, at), me = lane_me(p, lane, mask);
    uint64_t *w = cell_at(p, p->o.writers, at), *r = cell_at(p, p->o.readers, at);
    uint16_t *site = site_at(p, p->writes ? p->o.sites : p->o.reader_sites, at);
    for (uint32_t i = 0; i * 4 < p->bytes; i++) {
        if (p->writes) {
            enter_cell(&w[i], me, &site[i], p->site);
            continue;
        }
        bool joins = conflicts(p, lane, r[i], me, space), own = !((r[i] ^ me) & WEIR_CELL_GROUP);
        if (is_foreign(p, lane, r[i], me, space)) /* who is set aside */
            continue;
        uint64_t crowd = k->several;
        if (joins && own)
            crowd = k->now | check_several(p->c, r[i], p->item + lane, p->subgroups, space);
        bool stays = joins && (p->updates ||
                               (own && p->bytes >= 4 && check_is_last(crowd, p->item + lane, p->subgroups)));
        enter_cell(&r[i], joins ? crowd | (r[i] & mask) : me, &site[i], stays ? site[i] : p->site);
    }
}

/* Whether another lane's store has bytes of this one's, and others there. */
static bool differs(const struct pack *p, uint32_t lane, uint32_t other) {
    uint64_t at = p->at[lane], theirs = p->at[other], from = at > theirs ? at : theirs;
    uint64_t end = (at > theirs ? theirs : at) + p->bytes;
    uint64_t value[2] = {p->value[lane], p->more[lane]}, their_value[2] = {p->value[other], p->more[other]};
    if (from >= end || env_get()->check_options.strict_writes || p->bytes > 16)
        return from < end;
    return memcmp((const char *)value + (from - at), (const char *)their_value + (from - theirs), end - from);
}

/* A later lane that has stored something else to the lane's place; 64: none. A word's cell tells of the last one, which may have
 * stored other bytes of it. */
static uint32_t collides(const struct pack *p, uint32_t lane) {
    if (p->bytes < 4) {
        for (uint64_t m = p->mask & ~UINT64_C(1) << lane; m; m &= m - 1)
            if (differs(p, lane, (uint32_t)__builtin_ctzll(m)))
                return (uint32_t)__builtin_ctzll(m);
        return 64;
    }
    const uint64_t *w = cell_at(p, p->o.writers, p->at[lane]);
    for (uint32_t i = 0; i * 4 < p->bytes; i++) {
        uint32_t last = CELL_WHO(w[i]) - p->item;
        bool own = !((w[i] ^ p->c->abi.now) & WEIR_CELL_GROUP);
        if (own && last < p->width && last != lane && differs(p, lane, last))
            return last;
    }
    return 64;
}

static struct pack pack_of(struct weir_worker *w, uint64_t *lanes, uint64_t mask, uint32_t code,
                           uint32_t bytes, uint32_t item) {
    struct check_worker *c = (struct check_worker *)w->check;
    uint32_t what = code >> WEIR_CODE_WHAT_SHIFT, width = what >> 8 & 0x7f, site = code & 0xffff;
    for (uint32_t i = 1; i < width && what & (WEIR_CHECK_UNIFORM | WEIR_CHECK_ROW); i++)
        lanes[i] = lanes[i - 1] + (what & WEIR_CHECK_UNIFORM ? 0 : bytes);
    return (struct pack){.c = c,
                         .o = c->objects[site],
                         .at = lanes,
                         .value = lanes + width,
                         .more = lanes + 2 * (size_t)width,
                         .mask = mask,
                         .site = site,
                         .width = width,
                         .bytes = bytes,
                         .item = item,
                         .writes = (what & 15) == WEIR_SITE_WRITE,
                         .updates = what & WEIR_CHECK_UPDATES,
                         .eight = what & WEIR_CHECK_EIGHT,
                         .subgroups = what & WEIR_CHECK_SUBGROUPS};
}

/* The lane has stored to bytes that others have stored to: `over` says which (NULL: none), or there is another lane after it. */
static void join_writers(const struct pack *p, uint32_t lane, const struct over *over) {
    uint64_t at = p->at[lane], me = lane_me(p, lane, mask_at(p, at));
    uint64_t *w = cell_at(p, p->o.writers, at);
    for (uint32_t i = 0; i * 4 < p->bytes; i++) {
        uint64_t before = over ? over->cells[i] & WEIR_CELL_BYTES : 0, after = (w[i] ^ me) & WEIR_CELL_ITEM;
        if ((w[i] ^ me) & WEIR_CELL_GROUP || !(w[i] & me & WEIR_CELL_BYTES) || !(before || after))
            continue;
        uint64_t all = after ? w[i] : over->cells[i];
        check_keep_bytes(p->c, at + 4 * i, all, me, (uint16_t)p->site, true, p->subgroups, space_of(p));
        uint64_t now = check_writers(p->c, all, me, p->subgroups, space_of(p));
        if (before && after && /* they need not be of the lanes' sub-group */
            check_several(p->c, over->cells[i], p->item + lane, p->subgroups, space_of(p)) == WEIR_CELL_MANY)
            now |= WEIR_CELL_MANY;
        __atomic_store_n(&w[i], now, __ATOMIC_RELEASE);
    }
}

/* Lanes that have stored, and another of which has stored to the same cell after them; over: by lane, what
 * written_before said, or NULL. */
static void check_meeting(const struct pack *p, uint64_t lanes, const struct over *over) {
    for (uint64_t m = lanes; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(m), other = collides(p, lane);
        if (other < p->width)
            ask_with(p, lane, WEIR_CHECK_COLLISION, p->item + other, p->at[other]);
    }
    for (uint64_t m = lanes; m; m &= m - 1)
        join_writers(p, (uint32_t)__builtin_ctzll(m), over ? &over[__builtin_ctzll(m)] : NULL);
}

/* What the pack is about to store, until width is 0. */
static void note_stores(const struct pack *p) {
    p->c->stores = (struct pack_stores){.at = p->at,
                                        .value = p->value,
                                        .more = p->more,
                                        .mask = p->mask,
                                        .item = p->item,
                                        .width = p->writes ? p->width : 0,
                                        .bytes = p->bytes};
}

/* What isn't usual; filled: the cells are already. */
static void check_lanes(const struct pack *p, bool filled) {
    uint64_t usual = 0;
    struct over over[64];
    unsigned space = space_of(p);
    note_stores(p);
    for (uint64_t m = p->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(m);
        if (!lies_in(p, p->at[lane]))
            ask(p, lane, WEIR_CHECK_WHOLE);
        else if (usual |= UINT64_C(1) << lane, over[lane] = (struct over){{0}}, is_odd(p, lane, space)) {
            over[lane] = written_before(p, lane, space);
            ask(p, lane, 0);
        }
    }
    p->c->stores.width = 0;
    for (uint64_t m = usual; m && !filled; m &= m - 1)
        fill(p, (uint32_t)__builtin_ctzll(m), space);
    check_meeting(p, p->writes ? usual : 0, over);
}

#define COLD static __attribute__((noinline, cold))

COLD void pack_is_odd(struct weir_worker *w, uint64_t *lanes, uint64_t mask, uint32_t code, uint32_t bytes,
                      uint32_t item, bool filled) {
    struct pack p = pack_of(w, lanes, mask, code, bytes, item);
    check_lanes(&p, filled);
}

/* Where a pointer leads isn't known before: if it is other memory than the last time, all lanes are looked at there. */
COLD void pack_is_elsewhere(struct weir_worker *w, uint64_t *lanes, uint64_t mask, uint32_t code,
                            uint32_t bytes, uint32_t item) {
    struct check_worker *c = (struct check_worker *)w->check;
    if (check_finds(c, code & 0xffff, lanes[__builtin_ctzll(mask)], bytes))
        check_pack()(w, lanes, mask, code, bytes, item);
    else
        pack_is_odd(w, lanes, mask, code, bytes, item, false);
}

/* Others of the group have accessed the byte in no order with this: `cell` tells of a writer, or a reader. */
static bool byte_is_taken(const struct pack *p, uint64_t cell, uint64_t me, unsigned space) {
    const struct weir_check *k = &p->c->abi;
    uint64_t low = k->low[space], base = k->base, covered = k->covered[space];
    return !((cell ^ me) & WEIR_CELL_GROUP) & OTHERS(cell) & UNORDERED(cell);
}

/* The cell is of another group, in no order with this. */
static bool is_strange(const struct pack *p, uint64_t cell, unsigned space) {
    const struct weir_check *k = &p->c->abi;
    return cell >= k->low[space] && (cell ^ k->base) & WEIR_CELL_GROUP && !check_is_before(p->c, cell);
}

/* What another group has accessed bytes of the word by, but those that the cell tells this access of: the cell will be of this
 * one. Of several work-items that have accessed bytes that the cell doesn't tell of it isn't known which has which. */
static void keep_under(struct shadow *s, uint64_t at, uint64_t mask, uint64_t cell, uint16_t site,
                       bool wrote) {
    uint64_t spread = shadow_spread(s, at, cell, wrote);
    uint32_t last = cell & WEIR_CELL_BYTES, all = spread & WEIR_CELL_BYTES;
    for (uint32_t bytes = (last & ~(uint32_t)mask) | (all & ~last); bytes; bytes &= bytes - 1) {
        uint32_t byte = bytes & -bytes;
        struct under *u = shadow_under(s, (at & ~UINT64_C(3)) + (unsigned)__builtin_ctz(bytes), true);
        uint64_t own = ((byte & last ? cell : spread) & ~(uint64_t)WEIR_CELL_BYTES) | byte;
        if (u && wrote)
            enter_cell(&u->writer, own, &u->writer_site, site);
        else if (u)
            enter_cell(&u->reader, own, &u->reader_site, site);
    }
}

static void look_under(const struct pack *p, struct shadow *s, uint64_t at, bool wrote, unsigned space) {
    uint64_t cell = read_cell(cell_at(p, wrote ? p->o.writers : p->o.readers, at));
    uint16_t site = read_site(site_at(p, wrote ? p->o.sites : p->o.reader_sites, at));
    if (is_strange(p, cell, space))
        keep_under(s, at, mask_at(p, at), cell, site, wrote);
}

/* Whether other groups have accessed bytes of the lane's, besides what the word's cell knows. */
static bool has_under(const struct pack *p, uint32_t lane, unsigned space) {
    uint64_t at = p->at[lane];
    struct shadow *s = space ? check_bytes_in(p->c, at) : NULL;
    bool found = false;
    if (!s)
        return false;
    look_under(p, s, at, true, space);
    look_under(p, s, at, false, space);
    struct under *u = shadow_under(s, at, false);
    for (uint32_t i = 0; u && i < p->bytes; i++)
        found |= is_strange(p, u[i].writer, space) || (p->writes && is_strange(p, u[i].reader, space));
    return found;
}

/* The lane has written them. */
static void forget_under(const struct pack *p, uint32_t lane) {
    struct under *u = shadow_under(check_bytes_in(p->c, p->at[lane]), p->at[lane], false);
    for (uint32_t i = 0; i < p->bytes; i++)
        u[i].writer = u[i].reader = 0;
}

/* What the cell of the word at `at` tells of others than the bytes of `mask`. */
static void keep_bytes(const struct pack *p, uint64_t at, uint64_t mask, bool wrote, unsigned space) {
    const struct weir_check *k = &p->c->abi;
    uint64_t low = k->low[space], base = k->base, covered = k->covered[space];
    uint64_t cell = read_cell(cell_at(p, wrote ? p->o.writers : p->o.readers, at));
    if (!(cell & WEIR_CELL_BYTES & ~mask) || (cell ^ base) & WEIR_CELL_GROUP || !UNORDERED(cell))
        return;
    uint16_t site = read_site(site_at(p, wrote ? p->o.sites : p->o.reader_sites, at));
    check_keep_bytes(p->c, at, mask, cell, site, wrote, p->subgroups, space);
}

/* The same of each lane's word; those of lanes side by side that lie in one word at once, less what all of them have. */
static void keep_words(const struct pack *p, unsigned space) {
    for (uint64_t m = p->mask; m;) {
        uint64_t at = p->at[__builtin_ctzll(m)], mask = 15;
        if (!lies_in(p, at)) {
            m &= m - 1;
            continue;
        }
        for (; m && !((p->at[__builtin_ctzll(m)] ^ at) & ~UINT64_C(3)); m &= m - 1)
            if (lies_in(p, p->at[__builtin_ctzll(m)]))
                mask &= mask_at(p, p->at[__builtin_ctzll(m)]);
        keep_bytes(p, at, mask, true, space);
        keep_bytes(p, at, mask, false, space);
    }
}

/* The lane reads a byte. */
static void enter_reader(const struct pack *p, uint32_t lane, uint64_t at, uint64_t me, unsigned space) {
    struct byte_cell *b = byte_cell_at(p->c, at);
    uint64_t byte = UINT64_C(1) << (at & 3);
    if (byte_is_taken(p, b->reader, me, space) && conflicts(p, lane, b->reader, me | byte, space))
        me = p->c->abi.now | check_several(p->c, b->reader, p->item + lane, p->subgroups, space);
    b->reader = me | byte;
    if (!check_is_last(me, p->item + lane, p->subgroups)) /* else it is others' */
        b->reader_site = (uint16_t)p->site;
}

struct byte_cell *check_recall_byte(struct byte_cell *first, uint64_t address) {
    size_t way = 0;
    while (way < BYTE_WAYS - 1 && first[way * BYTE_CELLS].address != address)
        way++;
    struct byte_cell found = first[way * BYTE_CELLS];
    if (found.address != address)
        found = (struct byte_cell){.address = address};
    for (; way > 0; way--)
        first[way * BYTE_CELLS] = first[(way - 1) * BYTE_CELLS];
    *first = found;
    return first;
}

static void check_lane_of_bytes(const struct pack *p, uint32_t lane, unsigned space) {
    uint64_t me = lane_me(p, lane, 0), at = p->at[lane];
    bool over = has_under(p, lane, space), odd = over;
    for (uint32_t i = 0; i < p->bytes; i++) {
        const struct byte_cell *b = byte_cell_at(p->c, at + i);
        odd |=
            byte_is_taken(p, b->writer, me, space) || (p->writes && byte_is_taken(p, b->reader, me, space));
    }
    if (odd)
        check_bytes(p->c, at, p->bytes, p->site, p->writes, p->item + lane, p->writes ? p->value[lane] : 0,
                    p->subgroups);
    if (over && p->writes)
        forget_under(p, lane);
    for (uint32_t i = 0; i < p->bytes && !odd && !p->writes; i++)
        enter_reader(p, lane, at + i, me, space);
}

/* Looks at the bytes that the lanes access, and what the words' cells know of others, which these are about to lose. */
static void look_at_bytes(const struct pack *p, unsigned space) {
    keep_words(p, space);
    for (uint64_t m = p->mask; m; m &= m - 1)
        if (lies_in(p, p->at[__builtin_ctzll(m)]))
            check_lane_of_bytes(p, (uint32_t)__builtin_ctzll(m), space);
}

static void enter_bytes(const struct pack *p, unsigned space) {
    for (uint64_t m = p->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(m);
        uint64_t start = p->at[lane];
        if (!lies_in(p, start))
            continue;
        struct shadow *shared = space ? check_bytes_in(p->c, start) : NULL;
        uint64_t last = read_cell(cell_at(p, p->writes ? p->o.writers : p->o.readers, start));
        if (shared)
            shadow_spread_add(shared, start, spread_of(last, lane_me(p, lane, mask_at(p, start))), p->writes);
        for (uint64_t at = start; p->writes && at < start + p->bytes; at++) {
            struct byte_cell *b = byte_cell_at(p->c, at);
            uint64_t me = lane_me(p, lane, UINT64_C(1) << (at & 3));
            b->writer = is_over(p, lane, b->writer, me, space)
                            ? check_writers(p->c, b->writer, me, p->subgroups, space)
                            : me;
            b->writer_site = (uint16_t)p->site;
        }
    }
}

/* Of accesses of less than a word, before their cells. */
static __attribute__((noinline)) void pack_of_bytes(struct weir_worker *w, uint64_t *lanes, uint64_t mask,
                                                    uint32_t code, uint32_t bytes, uint32_t item) {
    struct pack p = pack_of(w, lanes, mask, code, bytes, item);
    if (!check_has_bytes(p.c))
        return;
    note_stores(&p);
    look_at_bytes(&p, space_of(&p));
    p.c->stores.width = 0;
    enter_bytes(&p, space_of(&p));
}

static struct weir_object object_of(const struct shadow *word, unsigned space) {
    return (struct weir_object){.start = word->start,
                                .size = word->size,
                                .writers = (uint64_t)word->writers,
                                .readers = (uint64_t)word->readers,
                                .sites = (uint64_t)word->writer_sites,
                                .reader_sites = (uint64_t)word->reader_sites,
                                .space = space};
}

void pack_byte(const struct access *one, const struct shadow *word, unsigned space, uint64_t part) {
    struct pack p = {.c = one->c,
                     .o = object_of(word, space),
                     .at = &one->p,
                     .value = one->value,
                     .more = one->value,
                     .mask = 1,
                     .site = one->site,
                     .width = 1,
                     .bytes = 1,
                     .part = part,
                     .item = one->item,
                     .writes = one->writes,
                     .subgroups = one->subgroups};
    look_at_bytes(&p, space);
    enter_bytes(&p, space);
}

void pack_keep_under(struct check_worker *c, const struct shadow *word, uint64_t at, unsigned space) {
    struct shadow *s = space ? check_bytes_in(c, at) : NULL;
    struct pack p = {.c = c, .o = object_of(word, space), .bytes = 4};
    if (s) {
        look_under(&p, s, at, true, space);
        look_under(&p, s, at, false, space);
    }
}

COLD void pack_meets(struct weir_worker *w, uint64_t *lanes, uint64_t mask, uint32_t code, uint32_t bytes,
                     uint32_t item, uint64_t meet) {
    struct pack p = pack_of(w, lanes, mask, code, bytes, item);
    check_meeting(&p, meet, NULL);
}

/* ---- all lanes at once ---- */

#define INLINE inline __attribute__((always_inline))

struct rules { /* what is ordered before, and what is entered */
    uint64_t low, base, covered, now, many, several, earlier;
    uint64_t *careful;      /* struct weir_check's, of the memory */
    uint64_t launch, cells; /* those of this launch */
    struct before before[2];
    bool subgroups; /* the kernel has barriers of them: */
    uint64_t first, members, some, covered_in;
};

/* All lanes are of one. */
static INLINE void rules_of_subgroup(struct rules *k, const struct check_worker *c, uint32_t item,
                                     uint64_t space) {
    uint32_t own = subgroup_of(c, item);
    k->subgroups = true;
    k->first = subgroup_first(c, item);
    k->members = subgroup_size_of(c, item);
    k->some = WHO_SOME | own;
    k->covered_in = c->has_subgroup_barriers ? c->covered_in[own][space] : 0;
}

static INLINE bool is_of_subgroup(const struct rules *k, uint64_t cell) {
    return k->subgroups && (CELL_WHO(cell) - k->first < k->members || CELL_WHO(cell) == k->some);
}

static INLINE bool is_unordered(const struct rules *k, uint64_t cell) {
    uint64_t since = cell - k->base;
    return cell >= k->low && since >= k->covered && !(since < k->covered_in && is_of_subgroup(k, cell)) &&
           cell - k->before[0].first >= k->before[0].size && cell - k->before[1].first >= k->before[1].size;
}

/* All lanes read one place; true: perhaps some lane has written it. `me` is the first one's, without bytes. */
static INLINE bool read_one(const struct rules *k, const struct weir_object *o, uint64_t offset,
                            uint32_t bytes, uint32_t code, uint64_t me) {
    const uint64_t *w = (const uint64_t *)o->writers + offset / 4;
    uint64_t *r = (uint64_t *)o->readers + offset / 4;
    uint64_t mask = bytes < 4 ? ((UINT64_C(1) << bytes) - 1) << (offset & 3) : 15;
    bool odd = false;
    for (uint32_t i = 0; i * 4 < bytes; i++) {
        bool unordered = is_unordered(k, r[i]), own = !((r[i] ^ me) & WEIR_CELL_GROUP);
        uint64_t now = k->subgroups ? k->now | k->some << WEIR_CELL_ITEM_SHIFT : k->many;
        if (unordered && !own && r[i] - k->launch >= k->cells) {
            odd = true;
            continue;
        }
        unordered &= (r[i] & mask) != 0;
        if (unordered && !own)
            now = k->several;
        else if (unordered && k->subgroups && !is_of_subgroup(k, r[i]))
            now = k->many;
        uint16_t *site = (uint16_t *)o->reader_sites + offset / 4 + i;
        bool stays = unordered && code >> WEIR_CODE_WHAT_SHIFT & WEIR_CHECK_UPDATES;
        if (r[i] != (now | mask))
            enter_cell(&r[i], now | mask, site, stays ? *site : code);
        enter_before_looking();
        uint64_t writer = read_cell(&w[i]);
        odd |= is_unordered(k, writer) && writer & mask;
    }
    return odd;
}

struct row { /* cells that lie side by side */
    uint64_t *writers, *readers;
    uint16_t *writer_sites, *reader_sites;
    uint64_t me, on;         /* of the first cell; which lanes */
    uint32_t n, shift, site; /* cells; of a cell's number, to a lane's */
    bool is_full;            /* all of whole vectors of cells are on */
    bool updates;            /* a read before a write: other readers' sites stay */
};

/* Which of the 8 cells from the i-th on, if they are as many. */
static INLINE uint32_t cells_on(const struct row *row, uint32_t i) {
    if (row->is_full)
        return 0xff;
    uint32_t on = (uint32_t)(row->on >> (i >> row->shift)) & 0xff;
    if (row->shift == 1) {
        on &= 0xf;
        on = (on | on << 2) & 0x33;
        on = (on | on << 1) & 0x55;
        return (on | on << 1) & 0xff;
    }
    return row->shift ? (on & 1) * 0xf | (on >> 1 & 1) * 0xf0 : on;
}

struct scattered { /* cells anywhere in an object */
    uint64_t *writers, *readers;
    uint16_t *writer_sites, *reader_sites;
    const uint64_t *at;
    uint64_t mask, start, last, me; /* me: lane 0, without bytes; last: offset that an access may have */
    uint32_t bytes, width, site;
    bool updates;
};

#define NAME(name) name##_any
#include "pack_cells.h"
#undef NAME

#ifdef __x86_64__
#include <immintrin.h>
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
#define CELLS_256
#define CELLS_OWN
#define NAME(name) name##_own
#include "pack_cells.h"
#undef NAME
#undef CELLS_OWN
#define NAME(name) name##_v3
#include "pack_cells.h"
#undef NAME
#undef CELLS_256
static void check_pack_256(struct weir_worker *w, uint64_t *lanes, uint64_t mask, uint32_t code,
                           uint32_t bytes, uint32_t item) {
    const struct check_worker *c = (const struct check_worker *)w->check;
    bool is_own = !c->objects[code & 0xffff].space;
    (is_own ? check_pack_own : check_pack_v3)(w, lanes, mask, code, bytes, item);
}
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4,prefer-vector-width=512")
#define NAME(name) name##_v4
#define CELLS_512
#include "pack_cells.h"
#undef CELLS_512
#undef NAME
#pragma GCC pop_options
#endif

check_pack_fn *check_pack(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("x86-64-v4"))
        return check_pack_v4;
    if (__builtin_cpu_supports("x86-64-v3"))
        return check_pack_256;
#endif
    return check_pack_any;
}
