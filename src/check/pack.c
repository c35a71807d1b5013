/* pack.c: an access of a pack's work-items: what it is usually, decided at once.
 *
 * In: the lanes' addresses and values, who is on, the site (kc/vector/checks.c). Out: cells filled; what isn't usual goes to
 * access.c, lane by lane. Usual is an access of the memory that the site is known to access, of whole cells or of parts of
 * one, whose last writer (for a store: and reader) is ordered before by a barrier, or is the work-item itself. Where a pack
 * accesses cells in a row, as most do, loops over them become vector code for the processor at hand.
 * The order is: all lanes check, then all lanes fill, then lanes look who else has stored to their cells. */
#include "check.h"

#include <string.h>

struct pack {
    struct check_worker *c;
    struct weir_object *o;
    const uint64_t *at, *value, *more; /* by lane; value and more of stores */
    uint64_t mask;
    uint32_t site, width, bytes, item; /* of lane 0 */
    bool writes, subgroups;            /* the kernel has barriers of them */
};

#define UNORDERED(cell) (((cell) >= low) & ((cell) - base >= covered))
#define OTHERS(cell)    ((((cell) ^ me) & (WEIR_CELL_GROUP | WEIR_CELL_ITEM)) != 0)

/* ---- lane by lane ---- */

static bool lies_in(const struct pack *p, uint64_t at) {
    uint64_t offset = at - p->o->start, unit = p->bytes < 4 ? p->bytes : 4;
    return offset < p->o->size && p->o->size - offset >= p->bytes && !(at & (unit - 1));
}

static uint64_t mask_at(const struct pack *p, uint64_t at) {
    return p->bytes < 4 ? ((UINT64_C(1) << p->bytes) - 1) << (at & 3) : 15;
}

static uint64_t *cell_at(const struct pack *p, uint64_t cells, uint64_t at) {
    return (uint64_t *)cells + (at - p->o->start) / 4;
}

static uint32_t *site_at(const struct pack *p, uint64_t at) {
    return (uint32_t *)p->o->sites + (at - p->o->start) / 4;
}

static unsigned space_of(const struct pack *p) {
    return (unsigned)p->o->space;
}

static uint64_t lane_me(const struct pack *p, uint32_t lane, uint64_t mask) {
    return p->c->abi.now | (uint64_t)(p->item + lane) << WEIR_CELL_ITEM_SHIFT | mask;
}

static void ask(const struct pack *p, uint32_t lane, uint32_t what) {
    uint32_t kind = p->writes ? WEIR_SITE_WRITE : WEIR_SITE_READ;
    check_access(p->c->worker, p->at[lane], p->bytes, p->site, kind | what, p->item + lane,
                 p->writes ? p->value[lane] : 0, p->writes ? p->more[lane] : 0);
}

static bool conflicts(const struct pack *p, uint64_t cell, uint64_t me, unsigned space) {
    const struct weir_check *k = &p->c->abi;
    uint64_t low = k->low[space], base = k->base, covered = k->covered[space];
    return UNORDERED(cell) & OTHERS(cell) & ((cell & me & WEIR_CELL_BYTES) != 0);
}

static bool is_odd(const struct pack *p, uint32_t lane, unsigned space) {
    uint64_t at = p->at[lane], me = lane_me(p, lane, mask_at(p, at));
    const uint64_t *w = cell_at(p, p->o->writers, at), *r = cell_at(p, p->o->readers, at);
    bool odd = false;
    for (uint32_t i = 0; i * 4 < p->bytes; i++)
        odd |= conflicts(p, w[i], me, space) || (p->writes && conflicts(p, r[i], me, space));
    return odd;
}

static void fill(const struct pack *p, uint32_t lane, unsigned space) {
    const struct weir_check *k = &p->c->abi;
    uint64_t at = p->at[lane], mask = mask_at(p, at), me = lane_me(p, lane, mask);
    uint64_t *w = cell_at(p, p->o->writers, at), *r = cell_at(p, p->o->readers, at);
    uint32_t *site = site_at(p, at);
    for (uint32_t i = 0; i * 4 < p->bytes; i++) {
        if (p->writes) {
            w[i] = me;
            site[i] = (site[i] & 0xffff0000) | p->site;
            continue;
        }
        bool joins = conflicts(p, r[i], me, space), own = !((r[i] ^ me) & WEIR_CELL_GROUP);
        uint64_t crowd = own ? k->now | check_several(p->c, r[i], p->item + lane, p->subgroups) : k->several;
        if (joins && own && p->subgroups)
            joins = !subgroup_orders(p->c, CELL_WHO(r[i]), CELL_TICK(r[i]), p->item + lane, space);
        r[i] = joins ? crowd | (r[i] & mask) : me;
        site[i] = (site[i] & 0xffff) | p->site << 16;
    }
}

/* Whether a later lane has stored something else to the lane's place. */
static bool collides(const struct pack *p, uint32_t lane) {
    uint64_t at = p->at[lane], me = lane_me(p, lane, mask_at(p, at));
    const uint64_t *w = cell_at(p, p->o->writers, at);
    for (uint32_t i = 0; i * 4 < p->bytes; i++) {
        uint32_t last = CELL_WHO(w[i]) - p->item;
        if (!((w[i] ^ me) & WEIR_CELL_ITEM) || !(w[i] & me & WEIR_CELL_BYTES) ||
            (w[i] ^ me) & WEIR_CELL_GROUP || last >= p->width)
            continue;
        if (check_options()->strict_writes || p->at[last] != at || p->value[last] != p->value[lane] ||
            (p->bytes > 8 && p->more[last] != p->more[lane]))
            return true;
    }
    return false;
}

static __attribute__((noinline)) void each_lane(struct pack *p, bool filled) {
    uint64_t usual = 0;
    unsigned space = space_of(p);
    p->c->stores.at = p->at;
    p->c->stores.value = p->value;
    p->c->stores.more = p->more;
    p->c->stores.item = p->item;
    p->c->stores.width = p->writes ? p->width : 0;
    for (uint64_t m = p->mask; m; m &= m - 1) {
        uint32_t lane = (uint32_t)__builtin_ctzll(m);
        if (!lies_in(p, p->at[lane]))
            ask(p, lane, WEIR_CHECK_WHOLE);
        else if (usual |= UINT64_C(1) << lane, is_odd(p, lane, space))
            ask(p, lane, 0);
    }
    p->c->stores.width = 0;
    for (uint64_t m = usual; m && !filled; m &= m - 1)
        fill(p, (uint32_t)__builtin_ctzll(m), space);
    for (uint64_t m = p->writes ? usual : 0; m & (m - 1); m &= m - 1) { /* the last lane has its own */
        uint32_t lane = (uint32_t)__builtin_ctzll(m);
        if (collides(p, lane))
            ask(p, lane, WEIR_CHECK_COLLISION);
    }
}

/* ---- rows: cells that lie side by side ---- */

enum { VECTOR = 8 }; /* cells */
struct row {
    uint64_t *writers, *readers;
    uint32_t *sites;
    uint64_t me, low, base, covered, several, many; /* me: of the first cell */
    uint32_t n, shift;                              /* cells; of a cell's number, to a lane's */
    uint32_t site;
};

#define NAME(name) name
#include "pack_rows.h"
#undef NAME
static struct {
    bool (*read)(const struct row *, uint32_t *done), (*look_at)(const struct row *, uint32_t *done);
    void (*write)(const struct row *, uint32_t *done);
} rows = {read_row, look_at_row, write_row};

#ifdef __x86_64__
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
#define NAME(name) name##_v3
#include "pack_rows.h"
#undef NAME
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4,prefer-vector-width=512")
#define NAME(name) name##_v4
#include "pack_rows.h"
#undef NAME
#pragma GCC pop_options
#endif

void check_pack_prepare(void) {
#ifdef __x86_64__
    if (__builtin_cpu_supports("x86-64-v4")) {
        rows.read = read_row_v4;
        rows.look_at = look_at_row_v4;
        rows.write = write_row_v4;
    } else if (__builtin_cpu_supports("x86-64-v3")) {
        rows.read = read_row_v3;
        rows.look_at = look_at_row_v3;
        rows.write = write_row_v3;
    }
#endif
}

static uint64_t comer(const struct row *row, uint32_t i) {
    return row->me + ((uint64_t)(i >> row->shift) << WEIR_CELL_ITEM_SHIFT);
}

/* True: a cell has been written by somebody else. */
static bool read_cells(const struct row *row) {
    uint64_t low = row->low, base = row->base, covered = row->covered;
    uint32_t i = 0;
    bool odd = row->n >= VECTOR && rows.read(row, &i);
    for (; i < row->n; i++) {
        uint64_t me = comer(row, i), w = row->writers[i], r = row->readers[i];
        odd |= UNORDERED(w) & OTHERS(w);
        uint64_t crowd = ((r ^ me) & WEIR_CELL_GROUP ? row->several : row->many) | (r & WEIR_CELL_BYTES);
        row->readers[i] = UNORDERED(r) & OTHERS(r) ? crowd : me;
        row->sites[i] = (row->sites[i] & 0xffff) | row->site << 16;
    }
    return odd;
}

/* True: a cell has been accessed by somebody else; nothing is filled. */
static bool write_cells(const struct row *row) {
    uint64_t low = row->low, base = row->base, covered = row->covered;
    uint32_t i = 0;
    bool odd = row->n >= VECTOR && rows.look_at(row, &i);
    for (; i < row->n; i++) {
        uint64_t me = comer(row, i), w = row->writers[i], r = row->readers[i];
        odd |= (UNORDERED(w) & OTHERS(w)) | (UNORDERED(r) & OTHERS(r));
    }
    if (odd)
        return true;
    i = 0;
    if (row->n >= VECTOR)
        rows.write(row, &i);
    for (; i < row->n; i++) {
        row->writers[i] = comer(row, i);
        row->sites[i] = (row->sites[i] & 0xffff0000) | row->site;
    }
    return false;
}

/* All lanes read one place; true: perhaps some lane has written it. */
static bool read_one(const struct row *row) {
    uint64_t low = row->low, base = row->base, covered = row->covered, me = row->me, odd = 0;
    for (uint32_t i = 0; i < row->n; i++) {
        uint64_t w = row->writers[i], r = row->readers[i];
        bool others = UNORDERED(r) & (((r ^ me) & WEIR_CELL_GROUP) != 0);
        uint64_t now = (others ? row->several : row->many) | WEIR_CELL_BYTES;
        odd |= UNORDERED(w);
        if (now == r)
            continue;
        row->readers[i] = now;
        row->sites[i] = (row->sites[i] & 0xffff) | row->site << 16;
    }
    return odd;
}

/* ---- a pack ---- */

/* The lanes that are on are neighbours and access neighbours. */
static bool is_row(const struct pack *p, uint32_t what, uint32_t first, uint32_t n) {
    uint64_t on = p->mask >> first, wrong = (p->bytes & 3) | (on & (on + 1)), at = p->at[first];
    for (uint32_t i = 1; i < n && !(what & WEIR_CHECK_ROW); i++)
        wrong |= p->at[first + i] - (at += p->bytes);
    return !wrong;
}

/* Whether the usual case was it, and its cells are filled; *filled: they are in any case. */
static bool is_usual(const struct pack *p, uint32_t what, bool *filled) {
    uint32_t first = (uint32_t)__builtin_ctzll(p->mask), n = (uint32_t)__builtin_popcountll(p->mask);
    bool one = what & WEIR_CHECK_UNIFORM && n > 1;
    uint64_t at = what & WEIR_CHECK_UNIFORM ? p->at[0]
                  : what & WEIR_CHECK_ROW   ? p->at[0] + (uint64_t)first * p->bytes
                                            : p->at[first];
    uint64_t offset = at - p->o->start, bytes = (uint64_t)(one ? 1 : n) * p->bytes;
    if (p->subgroups) /* they order more than the loops know */
        return false;
    if (offset >= p->o->size || p->o->size - offset < bytes || at & 3)
        return false;
    if (one ? p->bytes & 3 || p->writes : !is_row(p, what, first, n))
        return false;
    const struct weir_check *k = &p->c->abi;
    unsigned space = space_of(p);
    struct row row = {.writers = cell_at(p, p->o->writers, at),
                      .readers = cell_at(p, p->o->readers, at),
                      .sites = site_at(p, at),
                      .me = lane_me(p, first, WEIR_CELL_BYTES),
                      .low = k->low[space],
                      .base = k->base,
                      .covered = k->covered[space],
                      .several = k->several,
                      .many = k->now | WEIR_CELL_MANY,
                      .n = (uint32_t)(bytes / 4),
                      .shift = (uint32_t)__builtin_ctz(p->bytes / 4),
                      .site = p->site};
    if (p->writes)
        return !write_cells(&row);
    *filled = true;
    return !(one ? read_one(&row) : read_cells(&row));
}

void check_pack(struct weir_worker *w, uint64_t *lanes, uint64_t mask, uint32_t code, uint32_t bytes,
                uint32_t item) {
    struct check_worker *c = (struct check_worker *)w->check;
    uint32_t what = code >> WEIR_CODE_WHAT_SHIFT, width = what >> 8 & 0x7f, site = code & 0xffff;
    struct pack p = {.c = c,
                     .o = &c->objects[site],
                     .at = lanes,
                     .value = lanes + width,
                     .more = lanes + 2 * (size_t)width,
                     .mask = mask,
                     .site = site,
                     .width = width,
                     .bytes = bytes,
                     .item = item,
                     .writes = (what & 15) == WEIR_SITE_WRITE,
                     .subgroups = what & WEIR_CHECK_SUBGROUPS};
    bool filled = false;
    if (!mask || is_usual(&p, what, &filled))
        return;
    uint64_t step = what & WEIR_CHECK_UNIFORM ? 0 : bytes;
    for (uint32_t i = 1; i < width && what & (WEIR_CHECK_UNIFORM | WEIR_CHECK_ROW); i++)
        lanes[i] = lanes[i - 1] + step;
    each_lane(&p, filled);
}
