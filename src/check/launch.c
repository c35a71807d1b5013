/* launch.c: a checked launch: its memory, its workers, its groups.
 *
 * In: what the runtime knows of the launch. Out: each worker's state (struct weir_check) and table of objects, filled before
 * a group runs; a group that check_stop ends returns early, and the next one runs on its worker as if nothing had been. */
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

uint64_t check_serials(uint64_t n) {
    static _Atomic uint64_t last;
    return atomic_fetch_add(&last, n) + 1;
}

static _Atomic bool is_used;

bool check_is_used(void) {
    return atomic_load_explicit(&is_used, memory_order_relaxed);
}

static int by_start(const void *a, const void *b) {
    const struct check_memory *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

/* In SPIR-V and blocks it may have none. */
static char *name_or_number(const char *name, unsigned i) {
    char number[16];
    snprintf(number, sizeof number, "#%u", i + 1);
    return strdup(name && *name ? name : number);
}

struct check_launch *check_launch_open(const char *kernel, const char *const *arguments, unsigned narguments,
                                       const struct check_memory *memory, size_t n) {
    struct check_launch *l = calloc(1, sizeof *l);
    if (!l)
        return NULL;
    pthread_mutex_init(&l->lock, NULL);
    atomic_store_explicit(&is_used, true, memory_order_relaxed);
    suppressed_read();
    suppressed_note("kernel", kernel);
    l->kernel = strdup(kernel);
    l->arguments = calloc(narguments + 1, sizeof *l->arguments);
    l->local_offset = calloc(2 * ((size_t)narguments + 1), sizeof *l->local_offset);
    l->memory = malloc((n + 1) * sizeof *memory);
    if (!l->kernel || !l->arguments || !l->local_offset || !l->memory) {
        check_launch_close(l);
        return NULL;
    }
    l->local_size = l->local_offset + narguments + 1;
    l->narguments = narguments;
    for (unsigned i = 0; i < narguments; i++)
        l->arguments[i] = name_or_number(arguments[i], i);
    if (n)
        memcpy(l->memory, memory, n * sizeof *memory);
    qsort(l->memory, n, sizeof *memory, by_start);
    l->nmemory = n;
    l->key = l->low = check_serials(1) << WEIR_CELL_GROUP_SHIFT;
    l->is_alone = true;
    return l;
}

struct check_launch *check_launch_copy(const struct check_launch *l) {
    struct check_launch *copy =
        check_launch_open(l->kernel, (const char *const *)l->arguments, l->narguments, l->memory, l->nmemory);
    for (unsigned i = 0; copy && i < l->narguments; i++)
        check_launch_local(copy, i, l->local_offset[i], l->local_size[i]);
    if (copy)
        check_launch_source(copy, l->source);
    return copy;
}

void check_launch_zeroed(struct check_launch *l) {
    l->zeroed = true;
}

void check_launch_local(struct check_launch *l, unsigned argument, uint64_t offset, uint64_t size) {
    l->local_offset[argument] = offset;
    l->local_size[argument] = size;
}

void check_launch_source(struct check_launch *l, const char *source) {
    l->source = source;
}

void check_launch_close(struct check_launch *l) {
    if (!l)
        return;
    if (l->has_begun)
        shadow_leave();
    findings_flush();
    sync_forget(l);
    beneath_forget(l);
    for (unsigned i = 0; l->arguments && i < l->narguments; i++)
        free(l->arguments[i]);
    pthread_mutex_destroy(&l->lock);
    free(l->arguments);
    free(l->local_offset);
    free(l->memory);
    free(l->kernel);
    free(l);
}

/* ---- workers ---- */

static struct check_worker *worker_of(struct weir_worker *w) {
    struct check_worker *c = (struct check_worker *)w->check;
    if (c)
        return c;
    c = calloc(1, sizeof *c);
    uint64_t *arrivals = aligned_alloc(64, WEIR_MAX_ITEMS * sizeof *arrivals); /* for vectors of them */
    uint64_t (*covered_in)[WEIR_CELL_SPACES] = calloc(WEIR_MAX_ITEMS, sizeof *covered_in);
    if (!c || !arrivals || !covered_in) {
        free(c);
        free(arrivals);
        free(covered_in);
        return NULL;
    }
    memset(arrivals, 0, WEIR_MAX_ITEMS * sizeof *arrivals);
    c->covered_in = covered_in;
    c->abi.subgroups = (uint64_t)covered_in;
    c->worker = w;
    c->arrivals = arrivals;
    c->abi.arrivals = (uint64_t)arrivals;
    for (uint32_t scope = 0; scope < 8; scope++)
        c->wide_scopes |= (uint8_t)(sync_reaches_device(scope) << scope);
    c->abi.access = (uint64_t)(uintptr_t)check_access;
    c->abi.meet = check_meet();
    c->abi.pass = check_pass;
    c->abi.pack = (uint64_t)(uintptr_t)check_pack();
    w->check = &c->abi;
    return c;
}

/* The part [start, start + size) of the cells' memory, where both begin at cells. */
static void set_object(struct weir_object *o, const struct shadow *s, uint64_t start, uint64_t size,
                       unsigned space) {
    uint64_t from = start - (s ? s->start : 0);
    if (!s || from % 4 || from + size > s->size)
        return;
    *o = (struct weir_object){.start = start,
                              .size = size,
                              .writers = (uint64_t)s->writers + from * 2,
                              .readers = (uint64_t)s->readers + from * 2,
                              .sites = (uint64_t)s->writer_sites + from / 2,
                              .space = space,
                              .reader_sites = (uint64_t)s->reader_sites + from / 2};
}

const struct check_memory *check_memory_of(const struct check_launch *l, uint32_t argument) {
    for (size_t i = 0; i < l->nmemory; i++)
        if (l->memory[i].argument == argument + 1)
            return &l->memory[i];
    return NULL;
}

static void find_object(struct check_worker *c, const struct weir_site *site, struct weir_object *o) {
    struct check_launch *l = c->launch;
    bool quiet = site->quiet;
    uint64_t local = (uint64_t)c->worker->local;
    uint32_t n = (site->object & ~WEIR_SITE_PLACE) - 1;
    if (site->object & WEIR_SITE_PLACE) {
        const struct weir_place *p = &c->kernel->places[n];
        set_object(o, c->local, local + p->offset, p->bytes, 0);
    } else if (site->object && n < l->narguments && l->local_size[n]) {
        set_object(o, c->local, local + l->local_offset[n], l->local_size[n], 0);
        o->quiet = quiet ? o->size : 0;
    } else if (site->object) {
        const struct check_memory *m = check_memory_of(l, n);
        if (m)
            set_object(o, shadow_of(m->whole, m->whole_size), m->start, m->size, m->texel ? 2 : 1);
        o->quiet = m && quiet && own_argument(c, n) ? m->size : 0;
    }
}

void check_remember(struct check_worker *c, uint32_t site, const struct shadow *s, uint64_t start,
                    uint64_t size) {
    if (site && site < c->kernel->nsites && !c->kernel->sites[site].object)
        set_object(&c->objects[site], s, start, size, s != c->local);
}

struct shadow *check_bytes_in(struct check_worker *c, uint64_t address) {
    if (!c->bytes_in || address - c->bytes_in->start >= c->bytes_in->size)
        c->bytes_in = shadow_at(address, 1);
    return c->bytes_in;
}

/* Fills the table of objects for the kernel, unless it is there; false: out of memory. */
static bool prepare(struct check_worker *c, struct check_launch *l, const struct weir_kernel *k) {
    if (c->kernel == k && c->launch_key == l->key && c->local->start == (uint64_t)c->worker->local)
        return true;
    c->launch = l;
    c->kernel = k;
    c->launch_key = l->key;
    c->bytes_in = NULL;
    memset(c->before, 0, sizeof c->before);
    if (!c->local || c->local->start != (uint64_t)c->worker->local ||
        c->local->size < c->worker->local_bytes) {
        shadow_free(c->local);
        c->local = shadow_new((uint64_t)c->worker->local, c->worker->local_bytes + 4);
    }
    if (c->nobjects < k->nsites) {
        free(c->objects);
        c->objects = malloc(k->nsites * sizeof *c->objects);
        c->nobjects = c->objects ? k->nsites : 0;
    }
    if (!c->local || c->nobjects < k->nsites) {
        c->kernel = NULL; /* nothing is there for the next group either */
        return false;
    }
    if (k->nsites) /* else there may be no objects at all */
        memset(c->objects, 0, k->nsites * sizeof *c->objects);
    own_prepare(c);
    c->has_barriers = c->has_watches = false;
    memset(c->plain, 0, sizeof c->plain);
    for (uint64_t i = 0; i < k->nsites; i++) {
        c->has_barriers |= k->sites[i].what == WEIR_SITE_BARRIER;
        c->has_watches |= k->sites[i].what == WEIR_SITE_WATCH;
        find_object(c, &k->sites[i], &c->objects[i]);
    }
    c->worker->objects = c->objects;
    return true;
}

_Noreturn void check_stop(struct check_worker *c) {
    undefined_settle(c);
    longjmp(c->stop, 1);
}

/* The place of the group's code; 2: the group isn't known. */
static unsigned code_of(const struct check_worker *c, uint64_t serial) {
    const struct check_launch *l = c->launch;
    uint64_t group[3];
    if (!l->code[1] || serial == CELL_SERIAL(c->abi.base))
        return c->kernel == l->code[1];
    if (!check_group_of(c, serial, group))
        return 2;
    unsigned at = 0;
    for (unsigned d = 0; d < 3; d++)
        at |= check_group_extent(c->geometry, group, d) < c->geometry->local_size[d];
    return at;
}

static const struct weir_site *site_in(const struct weir_kernel *k, uint32_t site) {
    return k && site && site < k->nsites ? &k->sites[site] : NULL;
}

const struct weir_site *check_site(const struct check_worker *c, uint32_t site) {
    return site_in(c->kernel, site);
}

static bool is_same_place(const struct weir_site *a, const struct weir_site *b) {
    return a && b && a->what == b->what && a->line == b->line && a->column == b->column &&
           !strcmp(a->file, b->file) && !strcmp(a->stack, b->stack);
}

const struct weir_site *check_site_of(const struct check_worker *c, uint64_t serial, uint32_t site) {
    const struct check_launch *l = c->launch;
    unsigned at = code_of(c, serial);
    if (!l->code[1])
        return check_site(c, site);
    const struct weir_site *s = site_in(l->code[at & 1], site);
    return at < 2 || is_same_place(s, site_in(l->code[1], site)) ? s : NULL;
}

uint32_t check_number(const struct check_worker *c, uint64_t serial, uint32_t site) {
    return (site & 0xffff) | (code_of(c, serial) & 1) << 16;
}

uint64_t check_group_extent(const struct weir_launch *g, const uint64_t group[3], unsigned d) {
    uint64_t left = g->global_size[d] - group[d] * g->local_size[d];
    return left < g->local_size[d] ? left : g->local_size[d];
}

uint64_t check_group_size(const struct check_worker *c, unsigned d) {
    return check_group_extent(c->geometry, c->group, d);
}

/* A run has numbers for its groups, x fastest, after its own. */
static uint64_t group_number(const struct check_launch *l, const struct weir_launch *geometry, uint64_t x,
                             uint64_t y, uint64_t z) {
    const weir_u64 *n = geometry->num_groups;
    return CELL_SERIAL(l->key) + 1 + x + n[0] * (y + n[1] * z);
}

/* The groups that got another number lately: the number's lower half is its place, the rest of the word the group,
 * linear. */
enum { GROUPS_KEPT = 1 << 16 };
static _Atomic uint64_t numbered[GROUPS_KEPT];

void check_group_note(const struct check_worker *c) {
    const weir_u64 *n = c->geometry->num_groups;
    uint64_t serial = CELL_SERIAL(c->abi.base);
    uint64_t linear = c->group[0] + n[0] * (c->group[1] + n[1] * c->group[2]);
    if (linear <= UINT32_MAX)
        atomic_store_explicit(&numbered[serial % GROUPS_KEPT], serial << 32 | linear, memory_order_relaxed);
}

bool check_group_of(const struct check_worker *c, uint64_t serial, uint64_t group[3]) {
    const weir_u64 *n = c->geometry->num_groups;
    uint64_t word = atomic_load_explicit(&numbered[serial % GROUPS_KEPT], memory_order_relaxed);
    uint64_t linear = serial - group_number(c->launch, c->geometry, 0, 0, 0), all = n[0] * n[1] * n[2];
    if (linear >= all && word >> 32 == (serial & UINT32_MAX) && serial > CELL_SERIAL(c->launch->key))
        linear = word & UINT32_MAX;
    if (linear >= all)
        return false;
    group[0] = linear % n[0];
    group[1] = linear / n[0] % n[1];
    group[2] = linear / n[0] / n[1];
    return true;
}

static void run_to_end(const struct weir_kernel *k, const struct weir_launch *geometry, struct weir_worker *w,
                       uint64_t x, uint64_t y, uint64_t z) {
    k->run(geometry, w, x, y, z);
    subgroup_ends((struct check_worker *)w->check, NULL);
    undefined_settle((struct check_worker *)w->check);
    async_end((struct check_worker *)w->check);
}

bool check_run_group(struct check_launch *l, const struct weir_kernel *k, const struct weir_launch *geometry,
                     struct weir_worker *w, uint64_t x, uint64_t y, uint64_t z) {
    struct check_worker *c = worker_of(w);
    if (!c)
        return false;
    c->geometry = geometry;
    if (!prepare(c, l, k))
        return false;
    order_runs(l);
    uint64_t base = group_number(l, geometry, x, y, z) << WEIR_CELL_GROUP_SHIFT;
    c->group[0] = x;
    c->group[1] = y;
    c->group[2] = z;
    if (c->nearlier || base <= c->abi.base) /* the group before ended with a number that isn't smaller */
        shadow_clear(c->local);
    c->nearlier = 0;
    c->abi.base = c->abi.now = base;
    c->abi.began = l->zeroed ? 0 : base;
    c->abi.local_cells = (uint64_t)c->local->writers;
    c->abi.local_sites = (uint64_t)c->local->writer_sites;
    memset(c->abi.covered, 0, sizeof c->abi.covered);
    c->abi.low[0] = base;
    c->abi.low[1] = c->abi.low[2] = l->low;
    c->abi.several = l->key | WEIR_CELL_MANY;
    c->abi.first = l->key;
    c->abi.cells = (l->last + 1 - CELL_SERIAL(l->key)) << WEIR_CELL_GROUP_SHIFT;
    c->abi.interval = c->abi.apart = 0;
    c->abi.tainted = 0;
    c->nlater = c->stores.width = 0;
    async_begin(c);
    const size_t here[] = {check_group_size(c, 0), check_group_size(c, 1), check_group_size(c, 2)};
    struct group_rows rows = meta_group_rows(here, k->flags & WEIR_ONE_ROW);
    c->row = (uint32_t)rows.length;
    c->subgroup_size = k->width;
    c->subgroup_shift = (uint32_t)__builtin_ctz(c->subgroup_size);
    if (c->subgroup_size != 1u << c->subgroup_shift || c->row % c->subgroup_size)
        c->subgroup_shift = 32;
    c->abi.subgroups = c->subgroup_shift < 32 ? (uint64_t)c->covered_in : 0;
    c->subgroups_per_row = (uint32_t)meta_packs_of_row(rows, k->width);
    c->subgroups = c->subgroups_per_row * (uint32_t)rows.count;
    subgroup_begin(c);
    sync_begin(c);
    c->arrived.site = 0;
    const weir_u64 *size = geometry->local_size;
    if (c->has_barriers)
        memset(c->arrivals, 0, size[0] * size[1] * size[2] * sizeof *c->arrivals);
    if (atomic_load_explicit(&l->is_stuck, memory_order_relaxed))
        return false;
    deadlock_enter(c);
    if (setjmp(c->stop)) {
        deadlock_leave((struct check_worker *)w->check);
        return false;
    }
    run_to_end(k, geometry, w, x, y, z);
    deadlock_leave((struct check_worker *)w->check);
    return true;
}
