/* crowd.c: who has read a cell besides the command that the cell tells of.
 *
 * A cell knows its last reader. Where commands in no order read the same, the others are a crowd: a set of runs' reads, which
 * has a number; shadow.crowds has it for each cell. Cells of one buffer mostly have the same crowd, so a crowd is made once, of
 * the one before and a read more, and remembered.
 * In: a reader's cell, before another one takes its place. Out: the cells of a crowd, for those who write.
 * Invariant: a cell whose crowd isn't 0 has the run's first number in it (struct order_run), so that no worker takes it for
 * ordered without a look at the crowd. Numbers of crowds are used again after CROWDS others: what is found to be another's
 * ends the set. All is guarded by order_lock. */
#include "order.h"

enum { CROWDS = 1 << 16, LARGEST = 64, MADE = 1 << 12 };

struct crowd {
    uint32_t number, rest; /* without this read; 0: nobody */
    uint32_t serial, bytes;
    uint16_t site;
};
static struct crowd crowds[CROWDS]; /* by number */
static uint32_t last, made[MADE];   /* by what they are of: some that were made */

static const struct crowd *find_locked(uint32_t number) {
    const struct crowd *x = &crowds[number % CROWDS];
    return number && x->number == number ? x : NULL;
}

static uint32_t make_locked(uint32_t rest, uint32_t serial, uint32_t bytes, uint16_t site) {
    uint32_t *kept = &made[(rest * 31 + serial * 7 + site * 5 + bytes) % MADE];
    const struct crowd *x = find_locked(*kept);
    if (x && x->rest == rest && x->serial == serial && x->site == site && x->bytes == bytes)
        return *kept;
    last += last + 1 ? 1 : 2; /* never 0 */
    crowds[last % CROWDS] = (struct crowd){last, rest, serial, bytes, site};
    return *kept = last;
}

/* Those of the crowd that commands still to come may race with: `by` has taken the place of all that are before it. */
static uint32_t without_old_locked(uint32_t number, const struct check_command *by, unsigned depth) {
    const struct crowd *x = depth < LARGEST ? find_locked(number) : NULL;
    if (!x)
        return 0;
    const struct order_run *r = run_of_locked(x->serial);
    uint32_t rest = without_old_locked(x->rest, by, depth + 1);
    if (!r || order_has(r->command, by))
        return rest;
    return rest == x->rest ? number : make_locked(rest, x->serial, x->bytes, x->site);
}

static bool has_locked(uint32_t number, uint32_t serial, uint32_t bytes) {
    for (const struct crowd *x; (x = find_locked(number)); number = x->rest)
        if (x->serial == serial && (x->bytes & bytes) == bytes)
            return true;
    return false;
}

uint32_t crowd_join_locked(uint32_t crowd, uint64_t cell, uint16_t site, const struct check_command *by) {
    static struct {      /* the last one, as cells side by side are often alike */
        uint64_t of, by; /* by: the command's number, as another one may get its memory */
        uint32_t crowd, to;
        uint16_t site;
    } done;
    const struct order_run *r = run_of_locked(CELL_SERIAL(cell));
    if (!r && !crowd)
        return 0;
    uint64_t serial = r && !r->code[1] ? r->first : CELL_SERIAL(cell); /* groups are one, if their code is */
    uint32_t bytes = (uint32_t)(cell & (WEIR_CELL_BYTES | WEIR_CELL_ATOMIC));
    uint64_t of = serial << 32 | bytes;
    uint64_t number = by ? by->number : 0;
    if (done.of == of && done.by == number && done.crowd == crowd && done.site == site)
        return done.to;
    uint32_t to = without_old_locked(crowd, by, 0);
    if (r && !order_has(r->command, by) && !has_locked(to, (uint32_t)serial, bytes))
        to = make_locked(to, (uint32_t)serial, bytes, site);
    done.of = of;
    done.by = number;
    done.crowd = crowd;
    done.site = site;
    done.to = to;
    return to;
}

uint32_t crowd_join(uint32_t crowd, uint64_t cell, uint16_t site, const struct check_launch *by) {
    if (!by->run)
        return 0;
    pthread_mutex_lock(&order_lock);
    crowd = crowd_join_locked(crowd, cell, site, by->run->command);
    pthread_mutex_unlock(&order_lock);
    return crowd;
}

bool crowd_next_locked(uint32_t *crowd, uint64_t *cell, uint16_t *site) {
    const struct crowd *x = find_locked(*crowd);
    if (!x)
        return false;
    *cell = (uint64_t)x->serial << WEIR_CELL_GROUP_SHIFT | WEIR_CELL_MANY | x->bytes;
    *site = x->site;
    *crowd = x->rest;
    return true;
}

bool crowd_next(uint32_t *crowd, const struct check_launch *l, uint64_t *cell, uint16_t *site) {
    bool found = false;
    pthread_mutex_lock(&order_lock);
    while (!found && l->run && crowd_next_locked(crowd, cell, site)) {
        const struct order_run *r = run_of_locked(CELL_SERIAL(*cell));
        found = r && !order_has(r->command, l->run->command) && !(r->synchronizes && l->run->synchronizes);
    }
    pthread_mutex_unlock(&order_lock);
    return found;
}
