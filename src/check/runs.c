/* runs.c: whose a cell is: the numbers of runs, of kernels and of other commands.
 *
 * In: runs as they begin, and numbers out of cells. Out: the launch's bounds of what it needs to look at, and of two numbers
 * whether their commands are in an order (order.c), and what they are called. A run has numbers for its groups; a group whose
 * intervals were numbered anew has another run of one. */
#include "order.h"

#include <stdlib.h>
#include <string.h>

static struct order_run **runs; /* by serial */
static size_t nruns, runs_room;

struct order_run *run_add_locked(struct check_command *c, uint64_t n) {
    struct order_run *r = calloc(1, sizeof *r);
    if (r && nruns == runs_room) {
        size_t room = runs_room ? 2 * runs_room : 64;
        void *more = realloc(runs, room * sizeof *runs);
        if (!more) {
            free(r);
            return NULL;
        }
        runs = more;
        runs_room = room;
    }
    if (!r)
        return NULL;
    r->command = c;
    r->first = check_serials(n); /* under the lock: the table stays in order */
    r->last = r->first + n - 1;
    runs[nruns++] = r;
    return r;
}

/* The place of the run that has the number, or of the next one. */
static size_t find_locked(uint64_t serial) {
    size_t low = 0, high = nruns;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (runs[middle]->last < serial)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

struct order_run *run_of_locked(uint64_t serial) {
    size_t at = find_locked(serial);
    return at < nruns && runs[at]->first <= serial ? runs[at] : NULL;
}

/* The cells of the run that has the number, but for those that may have a crowd; or of all that are forgotten around it. */
static struct before cells_locked(const struct order_run *r, uint64_t serial) {
    size_t at = find_locked(serial);
    uint64_t first = r ? r->first + 1 : at ? runs[at - 1]->last + 1 : 0;
    uint64_t end = r ? r->last + 1 : at < nruns ? runs[at]->first : serial + 1;
    return (struct before){first << WEIR_CELL_GROUP_SHIFT, (end - first) << WEIR_CELL_GROUP_SHIFT};
}

static const struct weir_site *site_of(const struct order_run *r, uint32_t site, uint64_t serial) {
    const struct weir_kernel *k = r->code[0];
    uint64_t group = serial - r->first - 1;
    if (!k || serial == r->first || r->of)
        return k && !r->code[1] && site < k->nsites ? &k->sites[site] : NULL;
    if (r->code[1]) {
        const weir_u64 *n = r->geometry.num_groups;
        uint64_t id[3] = {group % n[0], group / n[0] % n[1], group / n[0] / n[1]};
        for (int d = 0; d < 3; d++)
            if (id[d] + 1 == n[d] && r->geometry.global_size[d] % r->geometry.local_size[d])
                k = r->code[1];
    }
    return site && site < k->nsites ? &k->sites[site] : NULL;
}

static void name_run(const struct order_run *r, struct command_words *w) {
    order_words(r->command, r->name, r->kernel, w);
}

/* The other side of a finding: whose cell it is. */
struct party run_party(const struct order_run *r, uint64_t cell, uint32_t site, bool wrote,
                       struct command_words *w) {
    name_run(r, w);
    return (struct party){.who = w->text,
                          .key = w->key,
                          .at = site_of(r, site, CELL_SERIAL(cell)),
                          .does = cell & WEIR_CELL_ATOMIC ? "accesses atomically"
                                                          : order_does(r->command, wrote)};
}

void runs_forget_locked(const struct check_command *c, const struct set *slots) {
    size_t n = 0;
    for (size_t i = 0; i < nruns; i++)
        if (runs[i]->command == c || set_has(slots, runs[i]->command->slot)) {
            free(runs[i]->kernel);
            free(runs[i]);
        } else {
            runs[n++] = runs[i];
        }
    nruns = n;
}

/* The lowest number of a cell of somebody who isn't ordered with it; 0: there is nobody. */
uint64_t runs_lowest_locked(const struct check_command *c, bool kernels_only) {
    for (size_t i = 0; i < nruns; i++)
        if (!(kernels_only && runs[i]->name) && !order_has(runs[i]->command, c))
            return runs[i]->first;
    return 0;
}

/* ---- kernels ---- */

/* Whether all other commands that have cells are ordered before it. */
static bool is_alone_locked(const struct check_command *c) {
    for (size_t i = 0; i < nruns; i++)
        if (runs[i]->command != c && !order_has(runs[i]->command, c))
            return false;
    return true;
}

void check_launch_begin(struct check_launch *l, struct check_command *c, const struct weir_kernel *full,
                        const struct weir_kernel *rest, const struct weir_launch *geometry) {
    const weir_u64 *n = geometry->num_groups;
    size_t left = 0;
    struct freed freed;
    shadow_enter();
    l->has_begun = true;
    for (size_t i = 0; i < l->nmemory; i++) /* since the enqueue: what still points there is told so */
        if (l->memory[i].is_exact || !freed_find(l->memory[i].start, l->memory[i].size, &freed))
            l->memory[left++] = l->memory[i];
    l->nmemory = left;
    pthread_mutex_lock(&order_lock);
    uint64_t numbers = n[0] * n[1] * n[2] + 1;
    struct order_run *r = c ? run_add_locked(c, numbers) : NULL;
    uint64_t first = r ? r->first : check_serials(numbers);
    l->last = first + numbers - 1;
    l->key = l->low = first << WEIR_CELL_GROUP_SHIFT;
    l->is_alone = true;
    l->code[0] = full;
    l->code[1] = rest == full ? NULL : rest;
    if (r) {
        r->kernel = strdup(l->kernel);
        r->code[0] = full;
        r->code[1] = l->code[1];
        r->geometry = *geometry;
        l->run = r;
        ranges_fill_locked(l, c);
        uint64_t low = runs_lowest_locked(c, false);
        l->is_alone = is_alone_locked(c);
        l->low = low && low < r->first ? low << WEIR_CELL_GROUP_SHIFT : l->key;
    }
    pthread_mutex_unlock(&order_lock);
}

/* Its group goes on under another number. */
void order_renumbered(struct check_launch *l, uint64_t *serial) {
    pthread_mutex_lock(&order_lock);
    struct order_run *r = l->run ? run_add_locked(l->run->command, 2) : NULL;
    if (r) {
        r->code[0] = l->run->code[0];
        r->code[1] = l->run->code[1];
        r->geometry = l->run->geometry;
        r->kernel = l->run->kernel ? strdup(l->run->kernel) : NULL;
        r->of = l->run->first;
    }
    *serial = r ? r->last : check_serials(1);
    pthread_mutex_unlock(&order_lock);
}

void order_synchronizes(struct check_launch *l, bool with_host) {
    if (!l->run || (atomic_load_explicit(&l->run->synchronizes, memory_order_relaxed) &&
                    (!with_host || atomic_load_explicit(&l->run->command->is_shared, memory_order_relaxed))))
        return;
    pthread_mutex_lock(&order_lock);
    atomic_store_explicit(&l->run->synchronizes, true, memory_order_relaxed);
    if (with_host)
        atomic_store_explicit(&l->run->command->is_shared, true, memory_order_relaxed);
    pthread_mutex_unlock(&order_lock);
}

static bool is_own_locked(const struct check_launch *l, const struct order_run *r) {
    return r == l->run || r->of == l->run->first;
}

enum order_relation order_relation(struct check_launch *l, uint64_t serial, struct before *before) {
    if (serial > CELL_SERIAL(l->key) && serial <= l->last)
        return ORDER_OWN;
    bool is_key =
        serial == CELL_SERIAL(l->key); /* several readers, some of which may have been another command's */
    if (!l->run)
        return is_key ? ORDER_OWN : ORDER_BEFORE;
    if (is_key && !l->is_alone)
        return ORDER_BEFORE;
    pthread_mutex_lock(&order_lock);
    const struct order_run *r = run_of_locked(serial);
    enum order_relation relation = ORDER_BEFORE; /* the command is forgotten */
    if (r == l->run)
        relation = runs_lowest_locked(r->command, false) ? ORDER_BEFORE : ORDER_OWN;
    else if (r && is_own_locked(l, r))
        relation = ORDER_OWN;
    else if (r && !(r->synchronizes && l->run->synchronizes) && !order_has(r->command, l->run->command))
        relation = ORDER_NONE;
    if (r != l->run && relation == ORDER_BEFORE && !(r && serial == r->first))
        *before = cells_locked(r, serial);
    pthread_mutex_unlock(&order_lock);
    return relation;
}

bool order_party(struct check_launch *l, uint64_t cell, uint32_t site, bool wrote, struct party *other,
                 struct command_words *words, struct command_words *own) {
    pthread_mutex_lock(&order_lock);
    const struct order_run *r = run_of_locked(CELL_SERIAL(cell));
    bool foreign = r && l->run && !is_own_locked(l, r);
    if (foreign) {
        *other = run_party(r, cell, site, wrote, words);
        name_run(l->run, own);
    }
    pthread_mutex_unlock(&order_lock);
    return foreign;
}
