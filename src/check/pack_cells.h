/* pack_cells.h: a pack's access, as vector code of VECTOR cells at a time. pack.c includes it once for each processor, between
 * pragmas that say which: what vectors become is decided where a function is defined, not where it is inlined.
 * In: CELLS_512 for AVX-512, which has masks, gathers and scatters; CELLS_256 for AVX2, which has gathers; else loops stand for
 * them. CELLS_OWN: for words of local memory. Their cells are this thread's own, which may write back those of others than its
 * lanes, and nothing but barriers orders them.
 * Vectors are no longer than the processor's: of longer ones GCC compares element by element. Sets of cells are bits. */

#ifdef CELLS_512
#define VECTOR 8
#define IOTA   ((NAME(cells)){0, 1, 2, 3, 4, 5, 6, 7})
#else
#define VECTOR 4
#define IOTA   ((NAME(cells)){0, 1, 2, 3})
#endif
#define ALL ((1u << VECTOR) - 1) /* a set */

typedef uint64_t NAME(cells) __attribute__((vector_size(VECTOR * 8)));
typedef uint64_t NAME(loose) __attribute__((vector_size(VECTOR * 8), aligned(8), may_alias));

#ifdef CELLS_512
#define CELLS(x)             ((NAME(cells))(x))
#define AT_LEAST(a, b)       _mm512_cmpge_epu64_mask((__m512i)(a), (__m512i)(b))
#define DIFFER(a, b, mask)   _mm512_test_epi64_mask((__m512i)((a) ^ (b)), _mm512_set1_epi64((int64_t)(mask)))
#define MEET(a, b)           _mm512_test_epi64_mask((__m512i)(a), (__m512i)(b))
#define CHOOSE(set, yes, no) CELLS(_mm512_mask_blend_epi64((__mmask8)(set), (__m512i)(no), (__m512i)(yes)))
#define LOAD(p, set)         CELLS(_mm512_maskz_loadu_epi64((__mmask8)(set), p))
#define GATHER(p, at, set)                                                                                   \
    CELLS(_mm512_mask_i64gather_epi64(_mm512_setzero_si512(), (__mmask8)(set), (__m512i)(at), p, 8))
#define EXPAND(set, v)         CELLS(_mm512_maskz_expand_epi64((__mmask8)(set), (__m512i)(v)))
#define STORE_SOME(p, set, v)  _mm512_mask_storeu_epi64(p, (__mmask8)(set), (__m512i)(v))
#define STORE_SITES(p, set, s) _mm_mask_storeu_epi16(p, (__mmask8)(set), _mm_set1_epi16((int16_t)(s)))
#else
#define AT_LEAST(a, b)         NAME(bits)((a) >= (b))
#define DIFFER(a, b, mask)     NAME(bits)((((a) ^ (b)) & (mask)) != 0)
#define MEET(a, b)             NAME(bits)(((a) & (b)) != 0)
#define CHOOSE(set, yes, no)   NAME(choose)(set, yes, no)
#define LOAD(p, set)           NAME(load)(p, set)
#define GATHER(p, at, set)     NAME(gather)(p, at, set)
#define STORE_SOME(p, set, v)  NAME(store_some)(p, set, v)
#define STORE_SITES(p, set, s) NAME(store_sites)(p, set, s)

typedef int64_t NAME(choice) __attribute__((vector_size(VECTOR * 8)));

/* All ones for the cells of the set. */
static INLINE NAME(cells) NAME(chosen)(uint32_t set) {
    return (NAME(cells))(((NAME(cells)){1, 2, 4, 8} & set) != 0);
}

static INLINE NAME(cells) NAME(choose)(uint32_t set, NAME(cells) yes, NAME(cells) no) {
    NAME(cells) c = NAME(chosen)(set);
    return (c & yes) | (~c & no);
}

#ifdef CELLS_256
static INLINE uint32_t NAME(bits)(NAME(choice) c) {
    return (uint32_t)_mm256_movemask_pd((__m256d)c);
}

static INLINE NAME(cells) NAME(gather)(const uint64_t *p, NAME(cells) at, uint32_t set) {
    return (NAME(cells))_mm256_mask_i64gather_epi64(_mm256_setzero_si256(), (const long long *)p, (__m256i)at,
                                                    (__m256i)NAME(chosen)(set), 8);
}

static INLINE NAME(cells) NAME(load)(const uint64_t *p, uint32_t set) {
    if (set == ALL)
        return (NAME(cells))(*(const NAME(loose) *)p);
    return (NAME(cells))_mm256_maskload_epi64((const long long *)p, (__m256i)NAME(chosen)(set));
}
#else
static INLINE uint32_t NAME(bits)(NAME(choice) c) {
    uint32_t set = 0;
    c &= (NAME(choice)){1, 2, 4, 8};
    for (unsigned i = 0; i < VECTOR; i++)
        set |= (uint32_t)c[i];
    return set;
}

static INLINE NAME(cells) NAME(gather)(const uint64_t *p, NAME(cells) at, uint32_t set) {
    NAME(cells) v = {0};
    for (unsigned i = 0; i < VECTOR; i++)
        if (set >> i & 1)
            v[i] = p[at[i]];
    return v;
}

static INLINE NAME(cells) NAME(load)(const uint64_t *p, uint32_t set) {
    if (set == ALL)
        return (NAME(cells))(*(const NAME(loose) *)p);
    return NAME(gather)(p, IOTA, set);
}
#endif

#ifdef CELLS_OWN
/* What reads them soon needn't wait for a store of a part of them. */
static INLINE void NAME(store_some)(uint64_t *p, uint32_t set, NAME(cells) v) {
    *(NAME(loose) *)p = NAME(choose)(set, v, *(NAME(loose) *)p);
}

static INLINE void NAME(store_sites)(uint16_t *p, uint32_t set, uint32_t site) {
    const __m128i bit = _mm_setr_epi16(1, 2, 4, 8, 0, 0, 0, 0);
    __m128i on = _mm_cmpeq_epi16(_mm_and_si128(_mm_set1_epi16((short)set), bit), bit);
    __m128i sites = _mm_blendv_epi8(_mm_loadl_epi64((const __m128i *)p), _mm_set1_epi16((short)site), on);
    _mm_storel_epi64((__m128i *)p, sites);
}
#else
static INLINE void NAME(store_some)(uint64_t *p, uint32_t set, NAME(cells) v) {
    uint64_t one[VECTOR];
    *(NAME(loose) *)one = v;
    for (; set; set &= set - 1)
        p[__builtin_ctz(set)] = one[__builtin_ctz(set)];
}

static INLINE void NAME(store_sites)(uint16_t *p, uint32_t set, uint32_t site) {
    uint64_t four = (site & 0xffff) * UINT64_C(0x0001000100010001);
    if (set == ALL) {
        memcpy(p, &four, sizeof four);
        return;
    }
    for (; set; set &= set - 1)
        p[__builtin_ctz(set)] = (uint16_t)site;
}
#endif
#endif

#define EACH(x) ((NAME(cells)){0} + (x))
#define STORE(p, set, v)                                                                                     \
    do {                                                                                                     \
        if ((set) == ALL) /* what reads it soon needn't wait for a store under a mask */                     \
            *(NAME(loose) *)(p) = (v);                                                                       \
        else                                                                                                 \
            STORE_SOME(p, set, v);                                                                           \
    } while (0)

/* Which of the group's cells are of the pack's sub-group. */
static INLINE uint32_t NAME(of_subgroup)(const struct rules *k, NAME(cells) cell) {
    NAME(cells) who = cell >> WEIR_CELL_ITEM_SHIFT & (WEIR_CELL_ITEM >> WEIR_CELL_ITEM_SHIFT);
    return AT_LEAST(EACH(k->members - 1), who - k->first) | ~DIFFER(who, EACH(k->some), WHO_MANY);
}

static INLINE uint32_t NAME(unordered)(const struct rules *k, NAME(cells) cell) {
    NAME(cells) since = cell - k->base;
    uint32_t set = AT_LEAST(cell, EACH(k->low)) & AT_LEAST(since, EACH(k->covered));
    if (k->subgroups)
        set &= AT_LEAST(since, EACH(k->covered_in)) | ~NAME(of_subgroup)(k, cell);
    if (k->before[0].size) /* never of this thread's own */
        set &= AT_LEAST(cell - k->before[0].first, EACH(k->before[0].size)) &
               AT_LEAST(cell - k->before[1].first, EACH(k->before[1].size));
    return set;
}

/* Of cells that others have accessed in no order with these: */
static INLINE uint32_t NAME(others)(const struct rules *k, NAME(cells) cell, NAME(cells) me) {
    return NAME(unordered)(k, cell) & DIFFER(cell, me, WEIR_CELL_GROUP | WEIR_CELL_ITEM);
}

/* Of words, also those of which the cell tells of some bytes alone, of which others may have accessed the rest. */
static INLINE uint32_t NAME(others_or_parts)(const struct rules *k, NAME(cells) cell, NAME(cells) me) {
    return NAME(unordered)(k, cell) & DIFFER(cell, me, WEIR_CELL_GROUP | WEIR_CELL_ITEM | WEIR_CELL_BYTES);
}

/* Of readers in no order with these: those of other commands, or of groups that go on under another number. */
static INLINE uint32_t NAME(foreign)(const struct rules *k, uint32_t set, NAME(cells) r, NAME(cells) me) {
#ifdef CELLS_OWN
    return 0;
#else
    return set ? set & AT_LEAST(r - k->launch, EACH(k->cells)) & DIFFER(r, me, WEIR_CELL_GROUP) : 0;
#endif
}

/* Of readers of this group: before whom others have read the cell, before a barrier (check_several). */
static INLINE uint32_t NAME(last)(const struct rules *k, uint32_t joins, NAME(cells) r, NAME(cells) me) {
    if (k->subgroups || !joins)
        return 0;
    uint32_t set = joins &
                   (~AT_LEAST(r, EACH(k->earlier)) | ~DIFFER(r ^ me, EACH(WEIR_CELL_SOME), WEIR_CELL_ITEM)) &
                   ~DIFFER(r, me, WEIR_CELL_GROUP);
    if (set)
        *k->careful = k->base + (UINT64_C(1) << WEIR_CELL_GROUP_SHIFT);
    return set;
}

/* Who have read cells that others had read before; `last`, of those in no order. */
static INLINE NAME(cells) NAME(crowd)(const struct rules *k, NAME(cells) r, NAME(cells) me, uint32_t last) {
    NAME(cells) many = EACH(k->many);
    if (last)
        many = CHOOSE(last, (me & ~EACH(WEIR_CELL_BYTES)) | EACH(WEIR_CELL_SOME), many);
    if (k->subgroups)
        many =
            CHOOSE(NAME(of_subgroup)(k, r), EACH(k->now | (uint64_t)k->some << WEIR_CELL_ITEM_SHIFT), many);
#ifdef CELLS_OWN
    return many;
#else
    return CHOOSE(DIFFER(r, me, WEIR_CELL_GROUP), EACH(k->several), many);
#endif
}

/* ---- a row: lane i accesses what lies i times its size behind lane 0's; `on` is of the cells' lanes ---- */

#define COMERS(i) ((((EACH(i) + IOTA) >> row->shift) << WEIR_CELL_ITEM_SHIFT) + row->me)

/* Reads VECTOR cells from the i-th on. Those that somebody else has written, or another command has read: that one stays. */
static INLINE uint32_t NAME(read_some)(const struct rules *k, const struct row *row, uint32_t i, uint32_t set,
                                       NAME(cells) me) {
    NAME(cells) r = LOAD(row->readers + i, set);
    uint32_t joins = NAME(others)(k, r, me), foreign = NAME(foreign)(k, joins & set, r, me);
    uint32_t enters = set & ~foreign, last = NAME(last)(k, joins & set, r, me);
    NAME(cells) crowd = NAME(crowd)(k, r, me, last) | (r & WEIR_CELL_BYTES);
    STORE_SITES(row->reader_sites + i, enters & ~(row->updates ? joins : last), row->site);
    sites_before_cells();
    STORE(row->readers + i, enters, CHOOSE(joins, crowd, me));
    enter_before_looking();
    NAME(cells) w = LOAD(row->writers + i, set);
    return (NAME(others_or_parts)(k, w, me) & set) | foreign;
}

/* Those of VECTOR cells that somebody else has accessed. */
static INLINE uint32_t NAME(taken_of)(const struct rules *k, const struct row *row, uint32_t i, uint32_t set,
                                      NAME(cells) me) {
    NAME(cells) w = LOAD(row->writers + i, set), r = LOAD(row->readers + i, set);
    return (NAME(others_or_parts)(k, w, me) | NAME(others_or_parts)(k, r, me)) & set;
}

static INLINE void NAME(write_some)(const struct row *row, uint32_t i, uint32_t set, NAME(cells) me) {
    STORE_SITES(row->writer_sites + i, set, row->site);
    sites_before_cells();
    STORE(row->writers + i, set, me);
}

/* True: a cell is odd, as above. All others are filled. */
static INLINE bool NAME(read_row)(const struct rules *k, const struct row *row) {
    uint32_t odd = 0;
    for (uint32_t i = 0; i < row->n; i += VECTOR)
        odd |= NAME(read_some)(k, row, i, cells_on(row, i) & ALL, COMERS(i));
    return odd;
}

/* True: a cell has been accessed by somebody else; nothing is filled. */
static INLINE bool NAME(write_row)(const struct rules *k, const struct row *row) {
    uint32_t odd = 0;
    for (uint32_t i = 0; i < row->n; i += VECTOR)
        odd |= NAME(taken_of)(k, row, i, cells_on(row, i) & ALL, COMERS(i));
    for (uint32_t i = 0; i < row->n && !odd; i += VECTOR)
        NAME(write_some)(row, i, cells_on(row, i) & ALL, COMERS(i));
    return odd;
}

/* ---- lanes anywhere ---- */

/* The i-th cells of VECTOR lanes. */
struct NAME(some) {
    NAME(cells) at, me; /* numbers of cells; me: with the bytes that are accessed */
    uint32_t set, i;
};

static INLINE struct NAME(some) NAME(some_of)(const struct scattered *s, uint32_t lane, uint32_t cell) {
    struct NAME(some) x = {.set = (uint32_t)(s->mask >> lane) & ALL};
    NAME(cells) offset = LOAD(s->at + lane, x.set) - s->start;
    NAME(cells) bytes = EACH(s->bytes < 4 ? (UINT64_C(1) << s->bytes) - 1 : 15) << (offset & 3);
    x.at = (offset >> 2) + cell;
    x.me = ((EACH(lane) + IOTA) << WEIR_CELL_ITEM_SHIFT) + (s->me | bytes);
    return x;
}

/* Lanes whose access isn't of whole cells, or of a part of one, in the memory. */
static INLINE bool NAME(lie_outside)(const struct scattered *s) {
    uint32_t outside = 0;
    for (uint32_t lane = 0; lane < s->width; lane += VECTOR) {
        uint32_t set = (uint32_t)(s->mask >> lane) & ALL;
        NAME(cells) offset = LOAD(s->at + lane, set) - s->start;
        uint32_t beyond = ~AT_LEAST(EACH(s->last), offset);
        outside |= (beyond | MEET(offset, EACH((s->bytes < 4 ? s->bytes : 4) - 1))) & set;
    }
    return outside;
}

/* Whether each lane accesses what lies beyond the lane before, or each what lies before it: no two of them the same bytes. What
 * lanes that are off would access counts, too. */
static INLINE bool NAME(are_apart)(const struct scattered *s) {
    uint32_t rises = 1, falls = 1;
    for (uint32_t lane = 0; lane + 1 < s->width && (rises | falls); lane += VECTOR) {
        uint32_t left = s->width - 1 - lane, set = left < VECTOR ? (1u << left) - 1 : ALL;
        NAME(cells) at = LOAD(s->at + lane, set), next = LOAD(s->at + lane + 1, set), bytes = EACH(s->bytes);
        rises &= !(~AT_LEAST(next, at + bytes) & set);
        falls &= !(~AT_LEAST(at, next + bytes) & set);
    }
    return rises | falls;
}

static INLINE void NAME(enter_cells)(uint64_t *cells, struct NAME(some) x, NAME(cells) now) {
    for (uint32_t set = x.set; set; set &= set - 1)
        cells[x.at[__builtin_ctz(set)]] = now[__builtin_ctz(set)];
}

/* One by one: instructions that scatter are slower, and the last of several lanes must stay. */
static INLINE void NAME(enter)(uint64_t *cells, uint16_t *sites, struct NAME(some) x, NAME(cells) now,
                               uint32_t site) {
    uint64_t at[VECTOR], value[VECTOR];
    *(NAME(loose) *)at = x.at;
    *(NAME(loose) *)value = now;
    for (uint32_t i = 0; i < VECTOR && x.set == ALL; i++)
        enter_cell(&cells[at[i]], value[i], &sites[at[i]], site);
    for (uint32_t set = x.set == ALL ? 0 : x.set; set; set &= set - 1) {
        unsigned i = (unsigned)__builtin_ctz(set);
        enter_cell(&cells[at[i]], value[i], &sites[at[i]], site);
    }
}

/* Cells that another lane of the pack has read, too. */
static INLINE void NAME(join_readers)(const struct rules *k, const struct scattered *s, struct NAME(some) x,
                                      NAME(cells) now) {
    NAME(cells) last = GATHER(s->readers, x.at, x.set);
    uint32_t both = DIFFER(last, now, ~UINT64_C(0)) & MEET(last & now, EACH(WEIR_CELL_BYTES)) &
                    ~DIFFER(last, x.me, WEIR_CELL_GROUP) & x.set;
    if (both) {
        NAME(cells) many = EACH(k->subgroups ? k->now | (uint64_t)k->some << WEIR_CELL_ITEM_SHIFT : k->many);
        x.set = both;
        NAME(enter)(s->readers, s->reader_sites, x, many | (last & WEIR_CELL_BYTES), s->site);
    }
}

/* Which of them others have accessed. */
static INLINE uint32_t NAME(odd_of)(const struct rules *k, const struct scattered *s, NAME(cells) cell,
                                    struct NAME(some) x) {
    if (s->bytes >= 4)
        return NAME(others_or_parts)(k, cell, x.me) & x.set;
    return NAME(others)(k, cell, x.me) & MEET(cell & x.me, EACH(WEIR_CELL_BYTES)) & x.set;
}

static INLINE bool NAME(read_scattered)(const struct rules *k, const struct scattered *s) {
    uint32_t odd = 0;
    bool apart = NAME(are_apart)(s);
    for (uint32_t lane = 0; lane < s->width; lane += VECTOR)
        for (uint32_t cell = 0; cell * 4 < s->bytes; cell++) {
            struct NAME(some) x = NAME(some_of)(s, lane, cell), all = x;
            NAME(cells) r = GATHER(s->readers, x.at, x.set);
            uint32_t others = NAME(others)(k, r, x.me),
                     joins = others & MEET(r & x.me, EACH(WEIR_CELL_BYTES));
            uint32_t last = NAME(last)(k, joins & x.set, r, x.me);
            NAME(cells) crowd = NAME(crowd)(k, r, x.me, last) | (r & x.me & WEIR_CELL_BYTES);
            NAME(cells) now = CHOOSE(joins, crowd, x.me);
            uint32_t foreign = NAME(foreign)(k, others & x.set, r, x.me);
            odd |= foreign;
            x.set &= ~foreign;
            struct NAME(some) first = x, later = x;
            later.set &= s->updates ? joins : s->bytes < 4 ? 0 : last;
            first.set &= ~later.set;
            NAME(enter)(s->readers, s->reader_sites, first, now, s->site);
            NAME(enter_cells)(s->readers, later, now);
            if (!apart)
                NAME(join_readers)(k, s, x, now);
            enter_before_looking();
            odd |= NAME(odd_of)(k, s, GATHER(s->writers, x.at, all.set), all);
        }
    return odd;
}

/* True: a cell has been accessed by somebody else; nothing is filled. *meet: the lanes another of which has stored to
 * their cells after them. */
static INLINE bool NAME(write_scattered)(const struct rules *k, const struct scattered *s, uint64_t *meet) {
    uint32_t odd = 0;
    for (uint32_t lane = 0; lane < s->width; lane += VECTOR)
        for (uint32_t cell = 0; cell * 4 < s->bytes; cell++) {
            struct NAME(some) x = NAME(some_of)(s, lane, cell);
            NAME(cells) w = GATHER(s->writers, x.at, x.set), r = GATHER(s->readers, x.at, x.set);
            odd |= NAME(odd_of)(k, s, w, x) | NAME(odd_of)(k, s, r, x);
        }
    if (odd)
        return true;
    for (uint32_t lane = 0; lane < s->width; lane += VECTOR)
        for (uint32_t cell = 0; cell * 4 < s->bytes; cell++) {
            struct NAME(some) x = NAME(some_of)(s, lane, cell);
            NAME(enter)(s->writers, s->writer_sites, x, x.me, s->site);
        }
    *meet = 0;
    for (uint32_t lane = 0; lane < s->width && !NAME(are_apart)(s); lane += VECTOR)
        for (uint32_t cell = 0; cell * 4 < s->bytes; cell++) {
            struct NAME(some) x = NAME(some_of)(s, lane, cell);
            uint32_t lost = DIFFER(GATHER(s->writers, x.at, x.set), x.me, WEIR_CELL_ITEM) & x.set;
            *meet |= (uint64_t)lost << lane;
        }
    return false;
}

/* ---- lanes that ascend within 64 cells: a row of these with gaps ---- */

#ifdef CELLS_512
struct NAME(gaps) {
    uint64_t all, on; /* cells of lanes; of those that are on */
};

/* Whether they are words, close enough together: three cells for each lane, of up to 64. Cells are counted from lane 0's, which
 * must be there, though the lane be off. */
static INLINE bool NAME(may_have_gaps)(const struct scattered *s) {
    uint32_t cells = 3 * s->width < 64 ? 3 * s->width : 64;
    uint64_t first = s->at[0] - s->start;
    return s->bytes == 4 && !(s->width % VECTOR) && s->at[s->width - 1] - s->at[0] < 4 * cells &&
           first <= s->last && !(first & 3);
}

/* Whether each lane's word lies behind that of the lane before; those of lanes that are off, too. */
static INLINE bool NAME(find_gaps)(const struct scattered *s, struct NAME(gaps) * g) {
    NAME(cells) at = LOAD(s->at, ALL), all = {0}, on = {0};
    uint32_t falls = 0;
    for (uint32_t lane = 0; lane < s->width; lane += VECTOR) {
        bool last = lane + VECTOR == s->width;
        NAME(cells) next = last ? at : LOAD(s->at + lane + VECTOR, ALL);
        NAME(cells) behind = CELLS(_mm512_alignr_epi64((__m512i)next, (__m512i)at, 1));
        falls |= ~AT_LEAST(behind, at + 4) & (last ? ALL >> 1 : ALL);
        NAME(cells) cell = EACH(1) << ((at - s->at[0]) >> 2);
        all |= cell;
        on |= CHOOSE(s->mask >> lane & ALL, cell, EACH(0));
        at = next;
    }
    g->all = (uint64_t)_mm512_reduce_or_epi64((__m512i)all);
    g->on = (uint64_t)_mm512_reduce_or_epi64((__m512i)on);
    return !falls;
}

/* Who access VECTOR cells from the i-th on. */
static INLINE NAME(cells)
    NAME(comers_in_gaps)(const struct row *row, const struct NAME(gaps) * g, uint32_t i) {
    uint64_t before = (uint64_t)__builtin_popcountll(g->all & ((UINT64_C(1) << i) - 1));
    NAME(cells) lane = EACH(before) + IOTA;
    return EXPAND(g->all >> i & ALL, lane << WEIR_CELL_ITEM_SHIFT) + row->me;
}

/* As read_row. */
static INLINE bool NAME(read_gaps)(const struct rules *k, const struct row *row,
                                   const struct NAME(gaps) * g) {
    uint32_t odd = 0;
    for (uint32_t i = 0; i < 64 && g->on >> i; i += VECTOR)
        odd |= NAME(read_some)(k, row, i, g->on >> i & ALL, NAME(comers_in_gaps)(row, g, i));
    return odd;
}

/* As write_row. */
static INLINE bool NAME(write_gaps)(const struct rules *k, const struct row *row,
                                    const struct NAME(gaps) * g) {
    uint32_t odd = 0;
    for (uint32_t i = 0; i < 64 && g->on >> i; i += VECTOR)
        odd |= NAME(taken_of)(k, row, i, g->on >> i & ALL, NAME(comers_in_gaps)(row, g, i));
    for (uint32_t i = 0; i < 64 && g->on >> i && !odd; i += VECTOR)
        NAME(write_some)(row, i, g->on >> i & ALL, NAME(comers_in_gaps)(row, g, i));
    return odd;
}
#endif

/* ---- a pack ---- */

/* The lanes that are on access a row, as do the ones between them. */
static INLINE bool NAME(is_row)(const uint64_t *at, uint64_t mask, uint32_t first, uint32_t bytes,
                                uint32_t width) {
    uint32_t wrong = 0;
    for (uint32_t lane = 0; lane < width; lane += VECTOR) {
        uint32_t set = (uint32_t)(mask >> lane) & ALL;
        NAME(cells) number = EACH((uint64_t)lane - first) + IOTA;
        wrong |= DIFFER(LOAD(at + lane, set), number * bytes + at[first], ~UINT64_C(0)) & set;
    }
    return !wrong;
}

static INLINE struct rules NAME(rules_of_all)(const struct check_worker *c, const struct weir_object *o) {
    const struct weir_check *abi = &c->abi;
#ifdef CELLS_OWN
    return (struct rules){.low = abi->base + abi->covered[0],
                          .base = abi->base,
                          .now = abi->now,
                          .many = abi->now | WEIR_CELL_MANY,
                          .earlier = c->met_at,
                          .careful = (uint64_t *)&abi->careful[0]};
#endif
    return (struct rules){.before = {c->before[0], c->before[1]},
                          .low = abi->low[o->space],
                          .base = abi->base,
                          .covered = abi->covered[o->space],
                          .now = abi->now,
                          .many = abi->now | WEIR_CELL_MANY,
                          .several = abi->several,
                          .earlier = c->met_at,
                          .careful = (uint64_t *)&abi->careful[o->space != 0],
                          .launch = abi->first,
                          .cells = abi->cells};
}

/* Also in kernels with barriers of sub-groups. */
static INLINE struct rules NAME(rules_of)(const struct check_worker *c, const struct weir_object *o,
                                          uint32_t what, uint32_t item) {
    struct rules k = NAME(rules_of_all)(c, o);
    if (what & WEIR_CHECK_SUBGROUPS)
        rules_of_subgroup(&k, c, item, o->space);
    return k;
}

/* `me`: the first lane, without bytes. */
static INLINE struct row NAME(row_of)(const struct weir_object *o, uint64_t offset, uint64_t size,
                                      uint32_t bytes, uint32_t code, uint64_t me) {
    return (struct row){.writers = (uint64_t *)o->writers + offset / 4,
                        .readers = (uint64_t *)o->readers + offset / 4,
                        .writer_sites = (uint16_t *)o->sites + offset / 4,
                        .reader_sites = (uint16_t *)o->reader_sites + offset / 4,
                        .me = me | WEIR_CELL_BYTES,
                        .n = (uint32_t)(size / 4),
                        .shift = (uint32_t)__builtin_ctz(bytes / 4),
                        .updates = code >> WEIR_CODE_WHAT_SHIFT & WEIR_CHECK_UPDATES,
                        .site = code & 0xffff};
}

/* By itself, so that rows don't have to keep its registers. */
static __attribute__((noinline)) void NAME(check_scattered)(struct weir_worker *worker, uint64_t *lanes,
                                                            uint64_t mask, uint32_t code, uint32_t bytes,
                                                            uint32_t item) {
    const struct check_worker *c = (const struct check_worker *)worker->check;
    uint32_t what = code >> WEIR_CODE_WHAT_SHIFT, width = what >> 8 & 0x7f, site = code & 0xffff;
    const struct weir_object *o = &c->objects[site];
    bool writes = (what & 15) == WEIR_SITE_WRITE;
    struct rules k = NAME(rules_of)(c, o, what, item);
    uint64_t step = what & WEIR_CHECK_UNIFORM ? 0 : bytes, meet;
    for (uint32_t i = 1; i < width && what & (WEIR_CHECK_UNIFORM | WEIR_CHECK_ROW); i++)
        lanes[i] = lanes[i - 1] + step;
    struct scattered s = {.writers = (uint64_t *)o->writers,
                          .readers = (uint64_t *)o->readers,
                          .writer_sites = (uint16_t *)o->sites,
                          .reader_sites = (uint16_t *)o->reader_sites,
                          .at = lanes,
                          .mask = mask,
                          .start = o->start,
                          .last = o->size - bytes,
                          .me = c->abi.now + ((uint64_t)item << WEIR_CELL_ITEM_SHIFT),
                          .bytes = bytes,
                          .width = width,
                          .updates = what & WEIR_CHECK_UPDATES,
                          .site = site};
    if (o->size < bytes || NAME(lie_outside)(&s)) {
        pack_is_elsewhere(worker, lanes, mask, code, bytes, item);
        return;
    }
#ifdef CELLS_512
    struct NAME(gaps) gaps;
    if (NAME(may_have_gaps)(&s) && NAME(find_gaps)(&s, &gaps)) {
        struct row row = NAME(row_of)(o, lanes[0] - o->start, 0, bytes, code, s.me);
        if (writes ? NAME(write_gaps)(&k, &row, &gaps) : NAME(read_gaps)(&k, &row, &gaps))
            pack_is_odd(worker, lanes, mask, code, bytes, item, !writes);
        return;
    }
#endif
    if (!writes && NAME(read_scattered)(&k, &s))
        pack_is_odd(worker, lanes, mask, code, bytes, item, true);
    else if (writes && NAME(write_scattered)(&k, &s, &meet))
        pack_is_odd(worker, lanes, mask, code, bytes, item, false);
    else if (writes && meet)
        pack_meets(worker, lanes, mask, code, bytes, item, meet);
}

static __attribute__((noinline)) void NAME(check_any)(struct weir_worker *worker, uint64_t *lanes,
                                                      uint64_t mask, uint32_t code, uint32_t bytes,
                                                      uint32_t item) {
    const struct check_worker *c = (const struct check_worker *)worker->check;
    uint32_t what = code >> WEIR_CODE_WHAT_SHIFT, width = what >> 8 & 0x7f, site = code & 0xffff;
    const struct weir_object *o = &c->objects[site];
    if (!mask)
        return;
    if (bytes < 4)
        pack_of_bytes(worker, lanes, mask, code, bytes, item);
    uint32_t first = (uint32_t)__builtin_ctzll(mask), n = 64 - (uint32_t)__builtin_clzll(mask) - first;
    bool one = what & WEIR_CHECK_UNIFORM && n > 1, in_row = what & WEIR_CHECK_ROW || n == 1;
    bool writes = (what & 15) == WEIR_SITE_WRITE;
    if (writes && (what & WEIR_CHECK_UNIFORM || width == 1))
        changed_keep((struct check_worker *)worker->check, lanes, mask, code, bytes, item);
    uint64_t at = what & WEIR_CHECK_UNIFORM ? lanes[0]
                  : what & WEIR_CHECK_ROW   ? lanes[0] + (uint64_t)first * bytes
                                            : lanes[first];
    uint64_t me = c->abi.now + ((uint64_t)(item + first) << WEIR_CELL_ITEM_SHIFT);
    struct rules k = NAME(rules_of)(c, o, what, item);
    uint64_t offset = at - o->start, size = (uint64_t)(one ? 1 : n) * bytes;
    bool inside = offset < o->size && o->size - offset >= size;
    if (inside && one && !writes && !(at & ((bytes < 4 ? bytes : 4) - 1))) {
        if (read_one(&k, o, offset, bytes, code, me))
            pack_is_odd(worker, lanes, mask, code, bytes, item, true);
        return;
    }
    if (inside && !one && !((bytes | at) & 3) && (in_row || NAME(is_row)(lanes, mask, first, bytes, width))) {
        struct row row = NAME(row_of)(o, offset, size, bytes, code, me);
        row.on = mask >> first;
        if (writes ? NAME(write_row)(&k, &row) : NAME(read_row)(&k, &row))
            pack_is_odd(worker, lanes, mask, code, bytes, item, !writes);
        return;
    }
    NAME(check_scattered)(worker, lanes, mask, code, bytes, item);
}

/* What most accesses are, without a detour: all lanes in a row of memory, and all reading one place. */
static INLINE bool NAME(find_whole_row)(const struct check_worker *c, const uint64_t *lanes, uint32_t code,
                                        uint32_t bytes, uint32_t item, struct row *row) {
    const struct weir_object *o = &c->objects[code & 0xffff];
    uint64_t offset = lanes[0] - o->start, size = (uint64_t)(code >> WEIR_CODE_WIDTH_SHIFT & 0x7f) * bytes;
    if ((offset | bytes) & 3 || offset >= o->size || o->size - offset < size)
        return false;
    uint64_t me = c->abi.now + ((uint64_t)item << WEIR_CELL_ITEM_SHIFT);
    *row = NAME(row_of)(o, offset, size, bytes, code, me);
    row->is_full = true;
    return true;
}

static INLINE void NAME(check_row)(struct weir_worker *worker, uint64_t *lanes, uint64_t mask, uint32_t code,
                                   uint32_t bytes, uint32_t item, bool writes) {
    const struct check_worker *c = (const struct check_worker *)worker->check;
    struct rules k = NAME(rules_of_all)(c, &c->objects[code & 0xffff]);
    struct row row;
    if (!NAME(find_whole_row)(c, lanes, code, bytes, item, &row))
        NAME(check_any)(worker, lanes, mask, code, bytes, item);
    else if (writes ? NAME(write_row)(&k, &row) : NAME(read_row)(&k, &row))
        pack_is_odd(worker, lanes, mask, code, bytes, item, !writes);
}

static __attribute__((noinline)) void NAME(check_row_read)(struct weir_worker *worker, uint64_t *lanes,
                                                           uint64_t mask, uint32_t code, uint32_t bytes,
                                                           uint32_t item) {
    NAME(check_row)(worker, lanes, mask, code, bytes, item, false);
}

static __attribute__((noinline)) void NAME(check_row_write)(struct weir_worker *worker, uint64_t *lanes,
                                                            uint64_t mask, uint32_t code, uint32_t bytes,
                                                            uint32_t item) {
    NAME(check_row)(worker, lanes, mask, code, bytes, item, true);
}

static __attribute__((noinline)) void NAME(check_one_read)(struct weir_worker *worker, uint64_t *lanes,
                                                           uint64_t mask, uint32_t code, uint32_t bytes,
                                                           uint32_t item) {
    const struct check_worker *c = (const struct check_worker *)worker->check;
    const struct weir_object *o = &c->objects[code & 0xffff];
    struct rules k = NAME(rules_of_all)(c, o);
    uint64_t offset = lanes[0] - o->start;
    if ((offset | bytes) & 3 || offset >= o->size || o->size - offset < bytes)
        NAME(check_any)(worker, lanes, mask, code, bytes, item);
    else if (read_one(&k, o, offset, bytes, code, c->abi.now))
        pack_is_odd(worker, lanes, mask, code, bytes, item, true);
}

/* Of numbers of 8 bytes: whether one that is accessed lies elsewhere than at a multiple of 8. */
static INLINE bool NAME(lie_askew)(const uint64_t *lanes, uint64_t mask, uint32_t what) {
    if (what & (WEIR_CHECK_ROW | WEIR_CHECK_UNIFORM))
        return mask && lanes[0] & 7;
    uint32_t askew = 0;
    for (uint32_t lane = 0; lane < (what >> 8 & 0x7f); lane += VECTOR) {
        uint32_t set = (uint32_t)(mask >> lane) & ALL;
        askew |= MEET(LOAD(lanes + lane, set), EACH(7)) & set;
    }
    return askew;
}

static void NAME(check_pack)(struct weir_worker *worker, uint64_t *lanes, uint64_t mask, uint32_t code,
                             uint32_t bytes, uint32_t item) {
    uint32_t what = code >> WEIR_CODE_WHAT_SHIFT, width = what >> 8 & 0x7f;
    uint32_t kind = what & (WEIR_CHECK_ROW | WEIR_CHECK_UNIFORM | WEIR_CHECK_SUBGROUPS | 15);
    if (what & WEIR_CHECK_EIGHT && NAME(lie_askew)(lanes, mask, what))
        pack_is_odd(worker, lanes, mask, code, bytes, item, false);
    else if (mask != ~UINT64_C(0) >> (64 - width) || width % VECTOR)
        NAME(check_any)(worker, lanes, mask, code, bytes, item);
    else if (kind == (WEIR_CHECK_ROW | WEIR_SITE_READ))
        NAME(check_row_read)(worker, lanes, mask, code, bytes, item);
    else if (kind == (WEIR_CHECK_ROW | WEIR_SITE_WRITE))
        NAME(check_row_write)(worker, lanes, mask, code, bytes, item);
    else if (kind == (WEIR_CHECK_UNIFORM | WEIR_SITE_READ))
        NAME(check_one_read)(worker, lanes, mask, code, bytes, item);
    else if (kind == WEIR_SITE_READ && NAME(is_row)(lanes, mask, 0, bytes, width))
        NAME(check_row_read)(worker, lanes, mask, code, bytes, item);
    else if (kind == WEIR_SITE_WRITE && NAME(is_row)(lanes, mask, 0, bytes, width))
        NAME(check_row_write)(worker, lanes, mask, code, bytes, item);
    else
        NAME(check_any)(worker, lanes, mask, code, bytes, item);
}

#undef CELLS
#undef AT_LEAST
#undef DIFFER
#undef MEET
#undef CHOOSE
#undef LOAD
#undef GATHER
#undef STORE_SOME
#undef EXPAND
#undef STORE_SITES
#undef EACH
#undef STORE
#undef COMERS
#undef VECTOR
#undef IOTA
#undef ALL
