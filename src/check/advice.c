/* advice.c: what to do about a race: the report's last line.
 *
 * In: both sides, the memory, the last barrier. Out: a sentence. A barrier helps where two places are to come one after the
 * other; it doesn't where one statement is at odds with itself, or where work-groups are. */
#include "report.h"

#include <string.h>

static bool is_same_file(const struct weir_site *a, const struct weir_site *b) {
    return !strcmp(a->file, b->file) && !strcmp(a->stack, b->stack);
}

/* `sum[i] += x` has two sites in one place. */
static bool is_one_place(const struct weir_site *a, const struct weir_site *b) {
    return a == b || (a->line && a->line == b->line && a->column == b->column && is_same_file(a, b));
}

/* `d[i] = d[i + 1]`: nothing fits between as it stands. */
static bool is_one_line(const struct weir_site *a, const struct weir_site *b) {
    return a->line && a->line == b->line && a->what != b->what && is_same_file(a, b);
}

static bool is_atomic(const struct weir_site *s) {
    return s->what == WEIR_SITE_ATOMIC;
}

/* Work-items came from the barrier to what stands after it, and around a loop to what stands before it. */
static bool goes_around(const struct report *r) {
    const struct weir_site *a = r->a.site, *b = r->b.site, *barrier = r->barrier;
    uint32_t first = a->line < b->line ? a->line : b->line, second = a->line < b->line ? b->line : a->line;
    return barrier && is_same_file(a, b) && is_same_file(a, barrier) && first < barrier->line &&
           barrier->line < second;
}

static void in_group(struct buf *out, const struct report *r) {
    const struct weir_site *a = r->a.site, *b = r->b.site;
    const char *space = r->memory.space ? r->memory.space : "", *flag = "CLK_GLOBAL_MEM_FENCE";
    if (!strcmp(space, "local"))
        flag = "CLK_LOCAL_MEM_FENCE";
    else if (!strcmp(space, "image"))
        flag = "CLK_IMAGE_MEM_FENCE";
    if (is_atomic(a) != is_atomic(b))
        buf_printf(out, "make the other access atomic, too, or put barrier(%s) between the two", flag);
    else if (is_one_place(a, b) &&
             r->b.party->item >= WHO_SOME) /* of several readers the last place is known */
        buf_printf(out,
                   "use an atomic, give each work-item its own element, or put barrier(%s) between this and "
                   "the other work-items' reads",
                   flag);
    else if (is_one_place(a, b) && a->what != b->what && a->bytes && b->bytes) /* a copy has no size */
        buf_printf(out,
                   "use an atomic (atomic_add, atomic_inc, ...), or give each work-item its own element");
    else if (is_one_place(a, b) && a->what == b->what)
        buf_printf(out, "let one work-item write it, give each its own element, or add up by an atomic");
    else if (is_one_line(a, b))
        buf_printf(
            out,
            "read into a variable first, then barrier(%s), then write; or put it at the end of the loop, "
            "if one of the two is in another round of it",
            flag);
    else if (goes_around(r))
        buf_printf(out,
                   "put barrier(%s) at the end of the loop, too: after line %u, and before line %u comes "
                   "around again",
                   flag, a->line < b->line ? b->line : a->line, a->line < b->line ? a->line : b->line);
    else
        buf_printf(out, "put barrier(%s) between the two, where all work-items of the group come by", flag);
}

static void between_groups(struct buf *out, const struct report *r) {
    const struct weir_site *a = r->a.site, *b = r->b.site;
    if (is_atomic(a) != is_atomic(b))
        buf_printf(out, "make the other access atomic, too, with an order if other memory depends on it");
    else if (is_one_place(a, b) && a->what != b->what)
        buf_printf(out,
                   "use an atomic, or give each work-group its own element and sum up in another kernel");
    else if (is_one_place(a, b))
        buf_printf(out, "let each work-group write its own part: the index is the same in several");
    else
        buf_printf(out, "split the kernel in two, let each work-group stay within its own part, or use "
                        "atomics with acquire and release: no barrier orders work-groups");
}

void advice_find(struct buf *out, const struct report *r) {
    if (!r->a.site || !r->b.site)
        return;
    if (r->kind == FINDING_DATA_RACE)
        in_group(out, r);
    else if (r->kind == FINDING_INTER_GROUP_RACE)
        between_groups(out, r);
}
