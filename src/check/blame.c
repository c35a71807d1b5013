/* blame.c: which barrier lies between two accesses of a group that are in no order.
 *
 * In: an access, and the cell of the other one. Out: a finding that is a missing-fence, and says of the barrier what it lacks; it stays
 * as it is if there is none. */
#include "access.h"

#include <stdio.h>

static const char *fence_for(unsigned space) {
    return space == 2 ? "CLK_IMAGE_MEM_FENCE" : space ? "CLK_GLOBAL_MEM_FENCE" : "CLK_LOCAL_MEM_FENCE";
}

/* Whether what ended an interval is a barrier of both. */
static bool lies_between(const struct access *a, const struct check_event *e, uint64_t cell) {
    uint32_t own = subgroup_of(a->c, a->item), who = CELL_WHO(cell);
    bool same = who < WHO_SOME ? subgroup_of(a->c, who) == own : who == (WHO_SOME | own);
    return (e->kind == EVENT_BARRIER && (!e->whose || CELL_TICK(cell) < e->whose)) ||
           (e->kind == EVENT_SUBGROUP_BARRIER && same && e->whose == own);
}

/* The interval that ended with the barrier that lies between: the first since the other's interval, or, where the cell's last one is
 * the work-item itself, the last before that. `now`: there is none. */
static uint32_t find_barrier(const struct access *a, uint64_t cell) {
    const struct check_worker *c = a->c;
    uint32_t tick = CELL_TICK(cell), now = CELL_TICK(c->abi.now);
    if (check_is_last(cell, a->item, a->subgroups)) {
        while (tick > 0 && c->history[tick - 1].kind != EVENT_BARRIER)
            tick--;
        return tick ? tick - 1 : now;
    }
    while (tick < now && !lies_between(a, &c->history[tick], cell))
        tick++;
    return tick;
}

void blame_barrier(const struct access *a, uint64_t cell, unsigned space, struct finding *f) {
    struct check_worker *c = a->c;
    uint32_t tick = find_barrier(a, cell);
    if (tick >= CELL_TICK(c->abi.now))
        return;
    const struct check_event *e = &c->history[tick];
    const struct weir_site *s = check_site(c, e->site);
    char where[200] = "";
    f->kind = FINDING_MISSING_FENCE;
    if (s && s->line)
        snprintf(where, sizeof where, " at %s:%u:%u", s->file, s->line, s->column);
    if (s && e->kind == EVENT_BARRIER && e->flags & check_flag_of(space)) {
        snprintf(f->text, sizeof f->text, "the barrier%s between them has memory_scope_%s", where,
                 barrier_scope(e->scope));
        snprintf(f->fix, sizeof f->fix, "give the barrier memory_scope_work_group");
        return;
    }
    if (s)
        snprintf(f->text, sizeof f->text, "the barrier%s between them doesn't order %s memory", where,
                 space == 2 ? "image"
                 : space    ? "global"
                            : "local");
    snprintf(f->fix, sizeof f->fix, "add %s to the %s", fence_for(space),
             s && s->object == WEIR_HALF_WAITS ? "flags of both halves of the barrier" : "barrier's flags");
}
