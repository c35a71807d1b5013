/* An access of a pack is decided alike by all forms of its code: for each processor, and lane by lane. */
#include "../../src/check/pack.c"
#include "unit.h"

#include <stdlib.h>

enum { BYTES = 512, CELLS = BYTES / 4, ITEMS = 64, SITE = 1, OTHER_SITE = 7, MOST_ASKED = 256 };

struct cells {
    uint64_t writers[CELLS], readers[CELLS];
    uint16_t writer_sites[CELLS], reader_sites[CELLS], more[4]; /* as behind all arrays of a shadow */
};
static struct cells cells;
static struct asked {
    uint64_t p, value, more;
    uint32_t what, item;
} asked[MOST_ASKED];
static unsigned nasked;
static struct check_worker checker;
static struct weir_object objects[SITE + 1];
static struct weir_worker worker;

/* What pack.c asks of others. */
void check_access(struct weir_worker *w, uint64_t p, uint64_t bytes, uint32_t site, uint32_t what,
                  uint32_t item, uint64_t value, uint64_t more) {
    assert_true(w == &worker && bytes && site == SITE && nasked < MOST_ASKED);
    assert_true(what & WEIR_CHECK_COLLISION ? value < ITEMS && value != item : (value | more) < 4);
    asked[nasked++] = (struct asked){p, value, more, what, item};
}

bool check_finds(struct check_worker *c, uint32_t site, uint64_t p, uint64_t bytes) {
    return false; /* its object is known */
}

void check_bytes(struct check_worker *c, uint64_t p, uint64_t bytes, uint32_t site, bool writes,
                 uint32_t item, uint64_t value,
                 bool subgroups) { /* beside the cells, which it leaves alone */
    assert_true(c == &checker && p >= objects[SITE].start && bytes < 4 && site == SITE && item < ITEMS);
    assert_true(writes || !value);
}

/* What a pack stores over is told by access.c. */
void changed_keep(struct check_worker *c, const uint64_t *lanes, uint64_t mask, uint32_t code, uint32_t bytes,
                  uint32_t item) {
    (void)c, (void)lanes, (void)mask, (void)code, (void)bytes, (void)item;
}

bool check_has_bytes(struct check_worker *c) {
    if (!c->byte_cells)
        c->byte_cells = calloc((size_t)BYTE_WAYS * BYTE_CELLS, sizeof *c->byte_cells);
    return c->byte_cells;
}

void check_keep_bytes(struct check_worker *c, uint64_t at, uint64_t mask, uint64_t cell, uint16_t site,
                      bool wrote, bool subgroups, unsigned space) { /* beside the cells, too */
    assert_true(c == &checker && at >= objects[SITE].start && space < 2);
}

/* Nobody accesses parts of words in other groups' places here. */
struct shadow *check_bytes_in(struct check_worker *c, uint64_t address) {
    return NULL;
}

struct under *shadow_under(struct shadow *s, uint64_t address, bool make) {
    return NULL;
}

bool subgroup_orders(const struct check_worker *c, uint32_t who, uint32_t tick, uint32_t item,
                     unsigned space) {
    if (!c->has_subgroup_barriers || who >= WHO_ASYNC)
        return false;
    uint32_t own = subgroup_of(c, item), other = who < WHO_SOME ? subgroup_of(c, who) : who - WHO_SOME;
    return own == other && (uint64_t)tick << WEIR_CELL_TICK_SHIFT < c->covered_in[own][space];
}

uint64_t check_several(struct check_worker *c, uint64_t cell, uint32_t item, bool subgroups, unsigned space) {
    if (check_is_last(cell, item, subgroups) || (!subgroups && cell < c->met_at)) {
        c->abi.careful[space != 0] = check_all_own(c);
        return WEIR_CELL_SOME | (uint64_t)item << WEIR_CELL_ITEM_SHIFT;
    }
    uint32_t own = subgroup_of(c, item), who = CELL_WHO(cell);
    bool same = who < WHO_SOME ? subgroup_of(c, who) == own : who == (WHO_SOME | own);
    return subgroups && same ? WEIR_CELL_SOME | (uint64_t)own << WEIR_CELL_ITEM_SHIFT : WEIR_CELL_MANY;
}

uint64_t check_writers(struct check_worker *c, uint64_t cell, uint64_t me, bool subgroups, unsigned space) {
    return c->abi.now | check_several(c, cell, CELL_WHO(me), subgroups, space) |
           (cell & me & WEIR_CELL_BYTES);
}

bool sync_is_ordered(struct check_worker *c, uint64_t cell, uint32_t item, unsigned space) {
    return false;
}

static uint32_t any(uint32_t n) {
    return (uint32_t)rand() % n;
}

/* A cell of an earlier launch, another group of this one, or of another command, or this group; or of nobody. Groups that
 * come later have not been in local memory. */
static uint64_t any_cell(void) {
    const uint64_t groups[] = {1, 3, 5, 5, 5, objects[SITE].space ? 7 : 3};
    uint32_t kind = any(8);
    uint64_t who = kind == 7 ? WHO_MANY : kind == 6 ? WHO_SOME | any(8) : any(ITEMS);
    uint64_t cell = groups[any(6)] << WEIR_CELL_GROUP_SHIFT | (uint64_t)any(4) << WEIR_CELL_TICK_SHIFT |
                    who << WEIR_CELL_ITEM_SHIFT | (any(4) ? WEIR_CELL_BYTES : 1 + any(15));
    return any(8) ? cell : 0;
}

static void any_state(bool is_calm) {
    uint64_t base = UINT64_C(5) << WEIR_CELL_GROUP_SHIFT, key = UINT64_C(2) << WEIR_CELL_GROUP_SHIFT;
    struct weir_check *k = &checker.abi;
    static uint64_t covered_in[ITEMS][WEIR_CELL_SPACES];
    objects[SITE].space = any(2);
    k->base = base;
    k->now = base + (UINT64_C(3) << WEIR_CELL_TICK_SHIFT);
    checker.met_at = base + ((uint64_t)any(4) << WEIR_CELL_TICK_SHIFT);
    k->several = key | WEIR_CELL_MANY;
    k->first = key;
    k->cells = (uint64_t)(5 + any(2)) << WEIR_CELL_GROUP_SHIFT; /* group 7 may be of another command */
    k->low[0] = base;
    k->low[1] = key;
    for (unsigned space = 0; space < 2; space++)
        k->covered[space] = (uint64_t)(is_calm ? 3 : any(4)) << WEIR_CELL_TICK_SHIFT;
    checker.has_subgroup_barriers = any(2);
    for (unsigned i = 0; i < ITEMS; i++)
        for (unsigned space = 0; space < WEIR_CELL_SPACES; space++)
            covered_in[i][space] =
                checker.has_subgroup_barriers ? (uint64_t)any(4) << WEIR_CELL_TICK_SHIFT : 0;
    checker.covered_in = covered_in;
    for (unsigned i = 0; i < CELLS; i++) {
        cells.writers[i] = is_calm && any(50) ? 0 : any_cell();
        cells.readers[i] = is_calm && any(50) ? 0 : any_cell();
        cells.writer_sites[i] = cells.reader_sites[i] = OTHER_SITE;
    }
}

struct a_pack {
    uint64_t lanes[3 * 64], mask;
    uint32_t code, bytes, item;
};

static struct a_pack any_pack(void) {
    struct a_pack a = {.bytes = 1u << any(5)};
    uint32_t width = 1u << any(6), how = any(5), writes = any(2) ? WEIR_SITE_WRITE : WEIR_SITE_READ;
    uint64_t start = objects[SITE].start, room = BYTES / a.bytes;
    uint32_t what = writes | (any(4) ? 0 : WEIR_CHECK_SUBGROUPS) | (how == 0 ? WEIR_CHECK_UNIFORM : 0) |
                    (how == 1 ? WEIR_CHECK_ROW : 0);
    a.code = SITE | what << WEIR_CODE_WHAT_SHIFT | width << WEIR_CODE_WIDTH_SHIFT;
    a.item = any(ITEMS / width) * width;
    a.mask = ~UINT64_C(0) >> (64 - width);
    if (any(2))
        a.mask &= (uint64_t)rand() << any(32) | (uint64_t)rand() >> any(16);
    uint64_t first = any((uint32_t)room), around = any(3) ? room : 4, ahead = 0;
    uint32_t gaps = 1 + any(4);
    bool begins_before = !any(8); /* where the first lanes are off, it isn't accessed */
    if (begins_before) {
        first = -(uint64_t)any(4);
        a.mask &= ~UINT64_C(0) << any(4);
    }
    for (uint32_t i = 0; i < width; i++, ahead += how == 4 ? 1 + any(gaps) : 1) {
        uint64_t n = how == 3 ? first + any((uint32_t)around) : first + ahead;
        a.lanes[i] =
            start + (how == 3 ? n % room : n) * a.bytes + (any(a.mask >> i & 1 ? 100 : 2) ? 0 : any(4));
        a.lanes[width + i] = any(2);
        a.lanes[2 * width + i] = 0;
    }
    checker.subgroup_size = width;
    checker.subgroup_shift = width & (width - 1) || any(2) ? 32 : (uint32_t)__builtin_ctz(width);
    checker.row = ITEMS;
    checker.subgroups_per_row = ITEMS / width;
    return a;
}

static void restart(const struct cells *before) {
    cells = *before;
    nasked = 0;
}

static int by_item(const void *a, const void *b) {
    const struct asked *x = a, *y = b;
    return x->what != y->what ? (int)x->what - (int)y->what : (int)x->item - (int)y->item;
}

/* Of bytes in one cell the last reader is remembered, or that there were several; which bytes of those, too. */
static uint64_t essence(uint64_t cell) {
    return CELL_WHO(cell) >= WHO_SOME ? cell & ~WEIR_CELL_BYTES : cell;
}

static void is_alike(check_pack_fn *form, bool is_calm) {
    any_state(is_calm);
    const struct a_pack a = any_pack();
    const struct cells before = cells;
    struct a_pack copy = a;
    restart(&before);
    if (a.mask)
        pack_is_odd(&worker, copy.lanes, a.mask, a.code, a.bytes, a.item, false);
    const struct cells want = cells;
    struct asked want_asked[MOST_ASKED];
    unsigned want_nasked = nasked;
    memcpy(want_asked, asked, sizeof asked);
    qsort(want_asked, want_nasked, sizeof *asked, by_item);
    restart(&before);
    copy = a;
    form(&worker, copy.lanes, a.mask, a.code, a.bytes, a.item);
    qsort(asked, nasked, sizeof *asked, by_item);
    assert_int_equal(nasked, want_nasked);
    for (unsigned i = 0; i < nasked; i++)
        assert_memory_equal(&asked[i], &want_asked[i], sizeof *asked);
    for (unsigned i = 0; i < CELLS; i++) {
        assert_true(cells.writers[i] == want.writers[i]);
        assert_int_equal(cells.writer_sites[i], want.writer_sites[i]);
        if (a.bytes >= 4)
            assert_true(essence(cells.readers[i]) == essence(want.readers[i]));
        if (!(a.code >> WEIR_CODE_WHAT_SHIFT &
              WEIR_CHECK_UNIFORM)) /* such a read may find its cells as they will be */
            assert_int_equal(cells.reader_sites[i], want.reader_sites[i]);
    }
}

static void are_alike(check_pack_fn *form) {
    objects[SITE] = (struct weir_object){.start = 0x10000,
                                         .size = BYTES,
                                         .writers = (uint64_t)cells.writers,
                                         .readers = (uint64_t)cells.readers,
                                         .sites = (uint64_t)cells.writer_sites,
                                         .reader_sites = (uint64_t)cells.reader_sites};
    checker.objects = objects;
    checker.worker = &worker;
    worker.check = &checker.abi;
    srand(1);
    for (unsigned i = 0; i < 30000; i++)
        is_alike(form, i % 2);
}

TEST(a_pack_is_decided_on_any_processor_as_its_lanes_are_one_by_one) {
    are_alike(check_pack_any);
}

#ifdef __x86_64__
TEST(with_vectors_of_256_bits) {
    if (__builtin_cpu_supports("x86-64-v3"))
        are_alike(check_pack_256);
}

TEST(with_vectors_of_512_bits) {
    if (__builtin_cpu_supports("x86-64-v4"))
        are_alike(check_pack_v4);
}
#endif
