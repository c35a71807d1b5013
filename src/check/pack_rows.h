/* pack_rows.h: cells that lie side by side, as vector code. pack.c includes it once for each processor, between pragmas
 * that say which: what vectors become is decided where a function is defined, not where it is inlined. */

typedef uint64_t NAME(cells) __attribute__((vector_size(VECTOR * 8), aligned(8)));
typedef int64_t NAME(choice) __attribute__((vector_size(VECTOR * 8)));
typedef int64_t NAME(half) __attribute__((vector_size(VECTOR * 4)));
typedef uint32_t NAME(sites) __attribute__((vector_size(VECTOR * 4), aligned(4)));
#define CELLS(p)           (*(NAME(cells) *)(p))
#define SITES(p)           (*(NAME(sites) *)(p))
#define CHOOSE(c, yes, no) (((NAME(cells))(c) & (yes)) | (~(NAME(cells))(c) & (no)))

static inline bool NAME(any)(const NAME(choice) * v) {
    const NAME(half) *part = (const NAME(half) *)v;
    NAME(half) x = part[0] | part[1];
    return (x[0] | x[1]) | (x[2] | x[3]);
}

/* Who comes to the cells from the i-th on. */
#define COMERS(i)                                                                                            \
    (((((NAME(cells)){0, 1, 2, 3, 4, 5, 6, 7} + (i)) >> row->shift) << WEIR_CELL_ITEM_SHIFT) + row->me)

/* True: a cell has been written by somebody else. The rest, less than a vector of cells, is the caller's, from *done on. */
static bool NAME(read_row)(const struct row *row, uint32_t *done) {
    uint64_t low = row->low, base = row->base, covered = row->covered;
    uint32_t i = 0;
    NAME(choice) odd = {0};
    for (; i + VECTOR <= row->n; i += VECTOR) {
        NAME(cells) me = COMERS(i), w = CELLS(&row->writers[i]), r = CELLS(&row->readers[i]);
        odd |= UNORDERED(w) & OTHERS(w);
        NAME(choice) others = ((r ^ me) & WEIR_CELL_GROUP) != 0;
        NAME(cells) crowd = CHOOSE(others, (NAME(cells)){0} + row->several, (NAME(cells)){0} + row->many);
        CELLS(&row->readers[i]) = CHOOSE(UNORDERED(r) & OTHERS(r), crowd | (r & WEIR_CELL_BYTES), me);
        SITES(&row->sites[i]) = (SITES(&row->sites[i]) & 0xffff) | row->site << 16;
    }
    *done = i;
    return NAME(any)(&odd);
}

/* True: a cell has been accessed by somebody else. */
static bool NAME(look_at_row)(const struct row *row, uint32_t *done) {
    uint64_t low = row->low, base = row->base, covered = row->covered;
    uint32_t i = 0;
    NAME(choice) odd = {0};
    for (; i + VECTOR <= row->n; i += VECTOR) {
        NAME(cells) me = COMERS(i), w = CELLS(&row->writers[i]), r = CELLS(&row->readers[i]);
        odd |= (UNORDERED(w) & OTHERS(w)) | (UNORDERED(r) & OTHERS(r));
    }
    *done = i;
    return NAME(any)(&odd);
}

static void NAME(write_row)(const struct row *row, uint32_t *done) {
    uint32_t i = 0;
    for (; i + VECTOR <= row->n; i += VECTOR) {
        CELLS(&row->writers[i]) = COMERS(i);
        SITES(&row->sites[i]) = (SITES(&row->sites[i]) & 0xffff0000) | row->site;
    }
    *done = i;
}

#undef CELLS
#undef SITES
#undef CHOOSE
#undef COMERS
