/* spans.c: what an access of many words in a row is usually, decided for all of them at once.
 *
 * In: an access of whole words by one work-item, or a copy, and their cells. Out: true if each of the cells has a last writer, and
 * for a store a last reader, that a barrier orders before, or that is of an earlier launch; then the access is entered. Else cells
 * are looked at one by one (access.c), which may have to come over what was entered here. Asynchronous copies are the most of it. */
#include "access.h"

/* A sum instead of an exit, and plain loads (check.h: sites_before_cells): the loop becomes vector code. */
static bool are_usual(const struct access *a, const uint64_t *cells, uint64_t n, uint64_t me,
                      unsigned space) {
    const struct weir_check *k = &a->c->abi;
    uint64_t low = k->low[space], base = k->base, covered = k->covered[space], odd = 0;
    for (uint64_t i = 0; i < n; i++)
        odd += (cells[i] >= low) & (cells[i] - base >= covered) &
               (((cells[i] ^ me) & (WEIR_CELL_GROUP | WEIR_CELL_ITEM | WEIR_CELL_BYTES)) != 0);
    return !odd;
}

static void enter(uint64_t *cells, uint16_t *sites, uint64_t n, uint64_t me, uint32_t site) {
    for (uint64_t i = 0; i < n; i++)
        sites[i] = (uint16_t)site;
    sites_before_cells();
    for (uint64_t i = 0; i < n; i++)
        cells[i] = me;
}

bool span_is_usual(const struct access *a, const struct shadow *s, unsigned space) {
    enum { LEAST = 32 }; /* bytes; fewer aren't worth the look */
    uint64_t offset = a->p - s->start, first = offset / 4, n = a->bytes / 4;
    uint64_t me = a->c->abi.now | (uint64_t)a->item << WEIR_CELL_ITEM_SHIFT | WEIR_CELL_BYTES;
    if (a->atomic || a->bytes < LEAST || (a->p | a->bytes) & 3 || offset >= s->size ||
        s->size - offset < a->bytes || !are_usual(a, s->readers + first, n, me, space))
        return false;
    if ((a->writes || !space) && !are_usual(a, s->writers + first, n, me, space))
        return false;
    if (a->writes) {
        enter(s->writers + first, s->writer_sites + first, n, me, a->site);
        return true;
    }
    enter(s->readers + first, s->reader_sites + first, n, me, a->site);
    enter_before_looking();
    return !space || are_usual(a, s->writers + first, n, me, space);
}
