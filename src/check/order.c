/* order.c: which commands happen before which, and what they access: races between commands.
 *
 * In: commands as they are enqueued, what each waits for, when they end and when the host learns of it; what they access,
 * as ranges of bytes for commands of the runtime, and as cells for checked kernels. Out: inter-command-race, for two that
 * touch the same bytes, one of them writing, without an order between them. What counts as order:
 *   wait lists, queues' order, barriers, children and their parents: `before`, a bit for each command that is ordered before
 *   this one, complete when this one starts, as whatever ends hands its own on;
 *   the host: a command whose end it has learnt of is before all that it enqueues later, or lets go by a user event
 *   (`host_time` against `seen_at`, times of one clock).
 * So a race is found also where the two happen to run one after the other. Two commands meet when the later one starts: it
 * looks at the ranges of the others, and at cells. A kernel meets ranges as cells, which it fills in before it runs. There are
 * as many slots as bits; a command without one (too many under way) is not looked at. */
#include "check.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 1024, WORDS = SLOTS / 64 };

struct set {
    uint64_t words[WORDS];
};
struct touch { /* an access of memory by a command that is no kernel */
    struct check_rect rect;
    const char *name; /* the call; static */
    bool writes;
};
struct check_command { /* guarded by the lock; the list holds those that have a slot */
    uint32_t refs;
    int slot; /* -1: none */
    bool entered, ended, is_gone;
    bool is_map;    /* lasts until its unmap has ended */
    bool is_shared; /* it synchronizes with the host by atomics in shared memory: nobody knows how */
    struct set before, family;            /* ordered before it; before its end: its children */
    uint64_t host_time;                   /* what the host has seen until then is ordered before it */
    uint64_t seen_at;                     /* when the host learnt of its end; 0: not yet */
    struct check_command *unmap, *parent; /* held */
    const char *name;                     /* the call; static. NULL: kernels only */
    char *kernel;
    const void *of_queue;
    unsigned queue;
    uint64_t place, map_start;
    struct touch *touches;
    size_t ntouches;
    struct { /* memory that it may use, as it was enqueued */
        uint64_t start, size;
    } *uses;
    size_t nuses;
    struct kept {
        struct kept *next;
        void *object;
        void (*drop)(void *);
    } *keeps;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct check_command *slots[SLOTS];
static unsigned nslots; /* that were ever used */
static uint64_t now = 1;
static unsigned since_sweep;
static struct order_run **runs; /* by serial */
static size_t nruns, runs_room;

/* ---- sets ---- */

static void join(struct set *to, const struct set *from) {
    for (unsigned i = 0; i < WORDS; i++)
        to->words[i] |= from->words[i];
}

static bool has(const struct set *s, int slot) {
    return slot >= 0 && s->words[slot / 64] >> (slot % 64) & 1;
}

static void add(struct set *s, int slot) {
    if (slot >= 0)
        s->words[slot / 64] |= UINT64_C(1) << (slot % 64);
}

static void cut(struct set *s, int slot) {
    s->words[slot / 64] &= ~(UINT64_C(1) << (slot % 64));
}

/* ---- life ---- */

static void drop_locked(struct check_command *c, struct kept **kept) {
    if (!c || --c->refs)
        return;
    drop_locked(c->unmap, kept);
    drop_locked(c->parent, kept);
    while (c->keeps) {
        struct kept *k = c->keeps;
        c->keeps = k->next;
        k->next = *kept;
        *kept = k;
    }
    free(c->kernel);
    free(c->touches);
    free(c->uses);
    free(c);
}

static void drop_kept(struct kept *k) { /* under no lock */
    while (k) {
        struct kept *next = k->next;
        k->drop(k->object);
        free(k);
        k = next;
    }
}

static void watch_forks(void);

struct check_command *check_command_new(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, watch_forks);
    struct check_command *c = calloc(1, sizeof *c);
    if (!c)
        return NULL;
    c->refs = 1;
    c->slot = -1;
    return c;
}

struct check_command *check_command_hold(struct check_command *c) {
    pthread_mutex_lock(&lock);
    if (c)
        c->refs++;
    pthread_mutex_unlock(&lock);
    return c;
}

void check_command_drop(struct check_command *c) {
    struct kept *kept = NULL;
    if (!c)
        return;
    pthread_mutex_lock(&lock);
    drop_locked(c, &kept);
    pthread_mutex_unlock(&lock);
    drop_kept(kept);
}

static void forget_runs_locked(const struct check_command *c) {
    size_t n = 0;
    for (size_t i = 0; i < nruns; i++)
        if (runs[i]->command == c) {
            free(runs[i]->kernel);
            free(runs[i]);
        } else {
            runs[n++] = runs[i];
        }
    nruns = n;
}

/* Takes its slot away: nobody can be in conflict with it any more, or nobody shall ask. */
static void retire_locked(struct check_command *c, struct kept **kept) {
    for (unsigned i = 0; i < nslots; i++)
        if (slots[i]) {
            cut(&slots[i]->before, c->slot);
            cut(&slots[i]->family, c->slot);
        }
    forget_runs_locked(c);
    slots[c->slot] = NULL;
    c->slot = -1;
    c->is_gone = true;
    drop_locked(c, kept);
}

static bool may_retire(const struct check_command *c, uint64_t oldest) {
    if (c->is_map && !(c->unmap && c->unmap->is_gone))
        return false;
    return c->ended && c->seen_at && c->seen_at <= oldest;
}

/* Whom all that are still to end come after. */
static void sweep_locked(struct kept **kept) {
    uint64_t oldest = now;
    for (unsigned i = 0; i < nslots; i++)
        if (slots[i] && !slots[i]->ended && slots[i]->host_time < oldest)
            oldest = slots[i]->host_time;
    for (unsigned i = 0; i < nslots; i++)
        if (slots[i] && may_retire(slots[i], oldest))
            retire_locked(slots[i], kept);
    since_sweep = 0;
}

/* The oldest that has ended, and what was before it: the host doesn't ask how its commands fare. */
static void force_locked(struct kept **kept) {
    struct check_command *oldest = NULL;
    for (unsigned i = 0; i < nslots; i++)
        if (slots[i] && slots[i]->ended && !(slots[i]->is_map && !slots[i]->unmap) &&
            (!oldest || slots[i]->host_time < oldest->host_time))
            oldest = slots[i];
    if (!oldest)
        return;
    struct set going = oldest->before;
    add(&going, oldest->slot);
    for (unsigned i = 0; i < nslots; i++)
        if (slots[i] && slots[i]->ended && has(&going, (int)i))
            retire_locked(slots[i], kept);
}

static void take_slot_locked(struct check_command *c, struct kept **kept) {
    if (++since_sweep >= 32)
        sweep_locked(kept);
    for (int turn = 0; turn < 2; turn++) {
        for (unsigned i = 0; i < SLOTS; i++)
            if (!slots[i]) {
                slots[i] = c;
                c->slot = (int)i;
                c->refs++;
                nslots = i >= nslots ? i + 1 : nslots;
                return;
            }
        force_locked(kept);
    }
}

static _Atomic int ways;

void check_queue_ways(int more) {
    atomic_fetch_add_explicit(&ways, more, memory_order_relaxed);
}

bool order_is_total(void) {
    return atomic_load_explicit(&ways, memory_order_relaxed) <= 1;
}

void check_command_enter(struct check_command *c, const char *name, const void *of_queue, unsigned queue,
                         uint64_t place) {
    struct kept *kept = NULL;
    if (!c)
        return;
    pthread_mutex_lock(&lock);
    c->name = name;
    c->of_queue = of_queue;
    c->queue = queue;
    c->place = place;
    if (!c->entered)
        take_slot_locked(c, &kept);
    c->entered = true;
    c->host_time = c->parent ? c->parent->host_time : now;
    pthread_mutex_unlock(&lock);
    drop_kept(kept);
}

void check_command_kernel(struct check_command *c, const char *kernel) {
    if (c && !c->kernel)
        c->kernel = strdup(kernel);
}

void check_command_keep(struct check_command *c, void *object, void (*drop)(void *)) {
    struct kept *k = c ? malloc(sizeof *k) : NULL;
    if (!k) {
        drop(object);
        return;
    }
    pthread_mutex_lock(&lock);
    *k = (struct kept){c->keeps, object, drop};
    c->keeps = k;
    pthread_mutex_unlock(&lock);
}

/* ---- fork: the new process has nobody who would give locks back, and none of the threads that run commands ---- */

static pthread_mutex_t *const *locks(void) { /* in the order in which they are taken */
    static pthread_mutex_t *list[6];
    list[0] = &lock;
    list[1] = findings_lock();
    list[2] = shadow_lock();
    list[3] = freed_lock();
    list[4] = mapped_lock();
    return list;
}

static void before_fork(void) {
    for (pthread_mutex_t *const *l = locks(); *l; l++)
        pthread_mutex_lock(*l);
}

static void after_fork(void) {
    for (pthread_mutex_t *const *l = locks(); *l; l++)
        pthread_mutex_unlock(*l);
}

static void after_fork_child(void) {
    struct kept *kept = NULL;
    for (unsigned i = 0; i < nslots; i++)
        if (slots[i])
            retire_locked(slots[i], &kept);
    findings_forked();
    after_fork();
    drop_kept(kept);
}

static void watch_forks(void) {
    pthread_atfork(before_fork, after_fork, after_fork_child);
}

/* ---- order ---- */

static void follow_locked(struct check_command *c, const struct check_command *before) {
    join(&c->before, &before->before);
    join(&c->before, &before->family);
    add(&c->before, before->slot);
    if (c->host_time < before->host_time)
        c->host_time = before->host_time;
}

void check_command_follow(struct check_command *c, const struct check_command *before) {
    if (!c || !before)
        return;
    pthread_mutex_lock(&lock);
    follow_locked(c, before);
    pthread_mutex_unlock(&lock);
}

void check_command_follow_all(struct check_command *c, const void *queue) {
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < nslots; i++)
        if (slots[i] && slots[i] != c && slots[i]->of_queue == queue)
            follow_locked(c, slots[i]);
    pthread_mutex_unlock(&lock);
}

static _Thread_local const struct order_run *running; /* of this thread's last group */

void order_runs(const struct check_launch *l) {
    running = l->run;
}

void check_command_follow_running(struct check_command *c) {
    if (running)
        check_command_follow(c, running->command);
}

void check_command_child(struct check_command *child, struct check_command *parent) {
    check_command_follow(child, parent);
    if (!child || !parent)
        return;
    pthread_mutex_lock(&lock);
    if (!child->parent) {
        child->parent = parent;
        parent->refs++;
    }
    pthread_mutex_unlock(&lock);
}

void check_command_child_ended(struct check_command *parent, const struct check_command *child) {
    if (!parent || !child)
        return;
    pthread_mutex_lock(&lock);
    join(&parent->family, &child->before);
    join(&parent->family, &child->family);
    add(&parent->family, child->slot);
    cut(&parent->family, parent->slot >= 0 ? parent->slot : 0);
    pthread_mutex_unlock(&lock);
}

void check_command_released(struct check_command *c) {
    if (!c)
        return;
    pthread_mutex_lock(&lock);
    c->host_time = now;
    pthread_mutex_unlock(&lock);
}

static void see_locked(struct check_command *c) {
    if (!c->seen_at)
        c->seen_at = now;
}

static void see_set_locked(const struct set *s) {
    for (unsigned i = 0; i < nslots; i++)
        if (slots[i] && has(s, (int)i))
            see_locked(slots[i]);
}

void check_command_seen(struct check_command *c, bool has_ended) {
    if (!c)
        return;
    pthread_mutex_lock(&lock);
    now++;
    see_set_locked(&c->before);
    if (has_ended) {
        see_set_locked(&c->family);
        see_locked(c);
    }
    now++;
    pthread_mutex_unlock(&lock);
}

void check_commands_seen(const void *of_queue) {
    pthread_mutex_lock(&lock);
    now++;
    for (unsigned i = 0; i < nslots; i++)
        if (slots[i] && slots[i]->ended && (!of_queue || slots[i]->of_queue == of_queue)) {
            see_set_locked(&slots[i]->before);
            see_set_locked(&slots[i]->family);
            see_locked(slots[i]);
        }
    now++;
    pthread_mutex_unlock(&lock);
}

void check_command_end(struct check_command *c) {
    if (!c)
        return;
    pthread_mutex_lock(&lock);
    c->ended = true;
    if (c->is_shared)
        see_locked(c);
    if (c->slot < 0)
        forget_runs_locked(c);
    pthread_mutex_unlock(&lock);
}

void check_command_maps(struct check_command *map, uint64_t start, bool is_kept) {
    if (!map)
        return;
    pthread_mutex_lock(&lock);
    map->is_map = true;
    map->map_start = start;
    map->refs += is_kept;
    pthread_mutex_unlock(&lock);
}

static void unmap_locked(struct check_command *map, struct check_command *unmap) {
    if (map && unmap && !map->unmap) {
        map->unmap = unmap;
        unmap->refs++;
    }
}

void check_command_unmaps(struct check_command *map, struct check_command *unmap) {
    pthread_mutex_lock(&lock);
    unmap_locked(map, unmap);
    pthread_mutex_unlock(&lock);
}

void check_command_unmaps_at(uint64_t start, struct check_command *unmap) {
    struct check_command *map = NULL;
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < nslots && !map; i++)
        if (slots[i] && slots[i]->is_map && !slots[i]->unmap && slots[i]->map_start == start)
            map = slots[i];
    unmap_locked(map, unmap);
    pthread_mutex_unlock(&lock);
}

void check_command_map_gone(struct check_command *map) {
    struct kept *kept = NULL;
    if (!map)
        return;
    pthread_mutex_lock(&lock);
    map->is_map = map->unmap;
    drop_locked(map, &kept);
    pthread_mutex_unlock(&lock);
    drop_kept(kept);
}

static bool is_before(const struct check_command *x, const struct check_command *y) {
    if (x->is_map) {
        if (!x->unmap)
            return false;
        x = x->unmap;
        if (x == y || x->slot < 0)
            return true;
    }
    return has(&y->before, x->slot) || (x->seen_at && x->seen_at <= y->host_time);
}

static bool is_ordered(const struct check_command *x, const struct check_command *y) {
    return x == y || x->slot < 0 || y->slot < 0 || x->is_shared || y->is_shared || is_before(x, y) ||
           is_before(y, x);
}

/* ---- words ---- */

static const char *suffix(uint64_t n) {
    static const char *const of[] = {"th", "st", "nd", "rd"};
    return n % 100 / 10 == 1 || n % 10 > 3 ? "th" : of[n % 10];
}

static void describe(const struct check_command *c, const char *call, const char *kernel,
                     struct command_words *w) {
    const struct check_command *root = c;
    const char *shown = kernel ? NULL : call ? call : c->name;
    char what[200];
    while (root->parent)
        root = root->parent;
    if (kernel || (!call && c->kernel))
        snprintf(what, sizeof what, "kernel %s", kernel ? kernel : c->kernel);
    else
        snprintf(what, sizeof what, "%s", shown ? shown : "a command");
    bool is_block = root != c && root->kernel;
    const char *within =
        root->name && shown != root->name && (root != c || !root->kernel) ? root->name : NULL;
    snprintf(w->key, sizeof w->key, "%s%s%s%s", what,
             is_block ? ", which kernel "
             : within ? " in "
                      : "",
             is_block ? root->kernel
             : within ? within
                      : "",
             is_block ? " enqueues" : "");
    snprintf(w->text, sizeof w->text, "%s, the %llu%s command of queue %u", w->key,
             (unsigned long long)root->place, suffix(root->place), root->queue);
}

const char order_fix[] =
    "let the later command wait for the earlier one's event, or the host before it enqueues it";

static const char *does(const struct check_command *c, bool writes) {
    if (c->is_map)
        return writes ? "lets the host write until it is unmapped"
                      : "lets the host read until it is unmapped";
    return writes ? "writes" : "reads";
}

/* ---- rectangles ---- */

static uint64_t rect_end(const struct check_rect *r) {
    return r->start + (r->slices - 1) * r->slice_pitch + (r->rows - 1) * r->row_pitch + r->bytes;
}

/* Whether some byte of [from, to) is the rectangle's; *at: the first of a row that is. */
static bool rect_meets(const struct check_rect *r, uint64_t from, uint64_t to, uint64_t *at) {
    for (uint64_t z = 0; z < r->slices; z++) {
        uint64_t start = r->start + z * r->slice_pitch;
        uint64_t row = r->rows > 1 && r->row_pitch && from > start ? (from - start) / r->row_pitch : 0;
        for (; row < r->rows; row++) {
            uint64_t low = start + row * r->row_pitch;
            if (low >= to)
                break;
            if (from < low + r->bytes) {
                *at = from > low ? from : low;
                return true;
            }
        }
    }
    return false;
}

static bool rects_meet(const struct check_rect *a, const struct check_rect *b, uint64_t *at) {
    if (a->start >= rect_end(b) || b->start >= rect_end(a))
        return false;
    for (uint64_t z = 0; z < a->slices; z++)
        for (uint64_t y = 0; y < a->rows; y++) {
            uint64_t from = a->start + z * a->slice_pitch + y * a->row_pitch;
            if (rect_meets(b, from, from + a->bytes, at))
                return true;
        }
    return false;
}

/* ---- runs: whose cells are whose ---- */

static struct order_run *run_add_locked(struct check_command *c, uint64_t n) {
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

static struct order_run *run_of_locked(uint64_t serial) {
    size_t low = 0, high = nruns;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (runs[middle]->last < serial)
            low = middle + 1;
        else
            high = middle;
    }
    return low < nruns && runs[low]->first <= serial ? runs[low] : NULL;
}

static const struct weir_site *site_of(const struct order_run *r, uint32_t site, uint64_t serial) {
    const struct weir_kernel *k = r->code[0];
    uint64_t group = serial - r->first - 1;
    if (!k || serial == r->first)
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
    describe(r->command, r->name, r->kernel, w);
}

/* The other side of a finding: whose cell it is. */
static struct party party_of(const struct order_run *r, uint64_t cell, uint32_t site, bool wrote,
                             struct command_words *w) {
    name_run(r, w);
    return (struct party){.who = w->text,
                          .key = w->key,
                          .at = site_of(r, site, CELL_SERIAL(cell)),
                          .does = cell & WEIR_CELL_ATOMIC ? "accesses atomically" : does(r->command, wrote)};
}

/* ---- commands' ranges ---- */

static void report_locked(const struct check_command *c, const struct touch *t, const struct party *other,
                          uint64_t at) {
    struct command_words name;
    struct finding f = {.kind = FINDING_INTER_COMMAND_RACE, .b = *other};
    describe(c, t->name, NULL, &name);
    f.a = (struct party){.who = name.text, .key = name.key, .does = does(c, t->writes)};
    if (t->rect.whole_size)
        snprintf(f.text, sizeof f.text, "of byte %llu of memory of %llu bytes",
                 (unsigned long long)(at - t->rect.whole), (unsigned long long)t->rect.whole_size);
    snprintf(f.fix, sizeof f.fix, "%s", order_fix);
    finding_report(NULL, &f);
}

static void meet_ranges_locked(const struct check_command *c, const struct touch *t) {
    for (unsigned i = 0; i < nslots; i++) {
        struct check_command *x = slots[i];
        if (x && x->is_map && c->is_map)
            continue; /* the host's own */
        for (size_t k = 0; x && x->ntouches && !is_ordered(x, c) && k < x->ntouches; k++) {
            const struct touch *o = &x->touches[k];
            uint64_t at;
            if (!(o->writes || t->writes) || !rects_meet(&t->rect, &o->rect, &at))
                continue;
            if ((x->is_map && t->rect.is_host) || (c->is_map && o->rect.is_host))
                continue; /* mapped memory is a place to copy from and to */
            struct command_words name;
            describe(x, o->name, NULL, &name);
            report_locked(c, t,
                          &(struct party){.who = name.text, .key = name.key, .does = does(x, o->writes)}, at);
        }
    }
}

/* The lowest number of a cell of somebody who isn't ordered with it; 0: there is nobody. */
static uint64_t lowest_locked(const struct check_command *c, bool kernels_only) {
    for (size_t i = 0; i < nruns; i++)
        if (!(kernels_only && runs[i]->name) && !is_ordered(runs[i]->command, c))
            return runs[i]->first;
    return 0;
}

static uint64_t mask_of(uint64_t cell, uint64_t from, uint64_t to) {
    uint64_t mask = 15;
    if (cell < from)
        mask &= 15u << (from - cell);
    if (cell + 4 > to)
        mask &= 15u >> (cell + 4 - to);
    return mask;
}

/* True: a finding. */
static bool meet_cell_locked(const struct check_command *c, const struct touch *t, struct shadow *s, size_t n,
                             uint64_t mask, bool writers, uint64_t at) {
    uint64_t cell = __atomic_load_n(writers ? &s->writers[n] : &s->readers[n], __ATOMIC_RELAXED);
    const struct order_run *r = cell & mask & WEIR_CELL_BYTES ? run_of_locked(CELL_SERIAL(cell)) : NULL;
    struct command_words name;
    if (!r || r->name || is_ordered(r->command, c))
        return false;
    uint32_t site = __atomic_load_n(writers ? &s->writer_sites[n] : &s->reader_sites[n], __ATOMIC_RELAXED);
    struct party other = party_of(r, cell, site, writers, &name);
    report_locked(c, t, &other, at);
    return true;
}

static void meet_cells_locked(const struct check_command *c, const struct touch *t, uint64_t low) {
    const struct check_rect *r = &t->rect;
    struct shadow *s = shadow_at(r->start, rect_end(r) - r->start);
    bool found = !s;
    for (uint64_t row = 0; !found && row < r->rows * r->slices; row++) {
        uint64_t from = r->start + row / r->rows * r->slice_pitch + row % r->rows * r->row_pitch;
        for (uint64_t p = from & ~UINT64_C(3); !found && p < from + r->bytes; p += 4) {
            size_t n = (p - s->start) / 4;
            uint64_t mask = mask_of(p, from, from + r->bytes), at = p > from ? p : from;
            if (CELL_SERIAL(s->writers[n]) >= low)
                found = meet_cell_locked(c, t, s, n, mask, true, at);
            if (t->writes && !found && CELL_SERIAL(s->readers[n]) >= low)
                found = meet_cell_locked(c, t, s, n, mask, false, at);
        }
    }
}

/* Fills the cells in, for kernels that run now or later. */
static void paint_locked(struct check_command *c, struct touch *t, struct shadow *s) {
    const struct check_rect *r = &t->rect;
    struct order_run *run = run_add_locked(c, 1);
    if (!run)
        return;
    run->name = t->name;
    for (uint64_t row = 0; row < r->rows * r->slices; row++) {
        uint64_t from = r->start + row / r->rows * r->slice_pitch + row % r->rows * r->row_pitch;
        for (uint64_t p = from & ~UINT64_C(3); p < from + r->bytes; p += 4) {
            size_t n = (p - s->start) / 4;
            if (p < s->start || p >= s->start + s->size)
                continue;
            uint64_t cell =
                run->first << WEIR_CELL_GROUP_SHIFT | WEIR_CELL_MANY | mask_of(p, from, from + r->bytes);
            __atomic_store_n(t->writes ? &s->writers[n] : &s->readers[n], cell, __ATOMIC_RELAXED);
        }
    }
}

void check_command_touch(struct check_command *c, const char *name, const struct check_rect *rect,
                         bool writes) {
    if (!c || !rect->bytes || !rect->rows || !rect->slices)
        return;
    pthread_mutex_lock(&lock);
    void *more = c->slot >= 0 ? realloc(c->touches, (c->ntouches + 1) * sizeof *c->touches) : NULL;
    if (more) {
        c->touches = more;
        struct touch *t = &c->touches[c->ntouches++];
        *t = (struct touch){*rect, name, writes};
        meet_ranges_locked(c, t);
        uint64_t low = lowest_locked(c, true);
        struct shadow *s = NULL;
        if (low && rect->whole_size) /* a kernel that runs may be about to access it first */
            s = shadow_of(rect->whole, rect->whole_size);
        else if (low)
            s = shadow_at(rect->start, rect_end(rect) - rect->start);
        if (s) {
            meet_cells_locked(c, t, low);
            paint_locked(c, t, s);
        }
    }
    pthread_mutex_unlock(&lock);
}

/* ---- kernels ---- */

static bool may_access(const struct check_launch *l, const struct check_rect *r,
                       const struct check_memory **m) {
    for (size_t i = 0; i < l->nmemory; i++)
        if (l->memory[i].start < rect_end(r) && r->start < l->memory[i].start + l->memory[i].size) {
            *m = &l->memory[i];
            return true;
        }
    return false;
}

void check_launch_begin(struct check_launch *l, struct check_command *c, const struct weir_kernel *full,
                        const struct weir_kernel *rest, const struct weir_launch *geometry) {
    const weir_u64 *n = geometry->num_groups;
    size_t left = 0;
    struct freed freed;
    for (size_t i = 0; i < l->nmemory; i++) /* since the enqueue: what still points there is told so */
        if (l->memory[i].is_exact || !freed_find(l->memory[i].start, l->memory[i].size, &freed))
            l->memory[left++] = l->memory[i];
    l->nmemory = left;
    pthread_mutex_lock(&lock);
    uint64_t numbers = n[0] * n[1] * n[2] + 1;
    struct order_run *r = c ? run_add_locked(c, numbers) : NULL;
    uint64_t first = r ? r->first : check_serials(numbers);
    l->last = first + numbers - 1;
    l->key = l->low = first << WEIR_CELL_GROUP_SHIFT;
    if (r) {
        r->kernel = strdup(l->kernel);
        r->code[0] = full;
        r->code[1] = rest;
        r->geometry = *geometry;
        l->run = r;
        for (unsigned i = 0; i < nslots; i++)
            for (size_t k = 0; slots[i] && k < slots[i]->ntouches && !is_ordered(slots[i], c); k++) {
                const struct check_memory *m;
                struct shadow *s =
                    may_access(l, &slots[i]->touches[k].rect, &m) ? shadow_of(m->whole, m->whole_size) : NULL;
                if (s)
                    paint_locked(slots[i], &slots[i]->touches[k], s);
            }
        uint64_t low = lowest_locked(c, false);
        l->low = low && low < r->first ? low << WEIR_CELL_GROUP_SHIFT : l->key;
    }
    pthread_mutex_unlock(&lock);
}

/* Its group goes on under another number. */
void order_renumbered(struct check_launch *l, uint64_t *serial) {
    pthread_mutex_lock(&lock);
    struct order_run *r = l->run ? run_add_locked(l->run->command, 1) : NULL;
    if (r) {
        r->code[0] = l->run->code[0];
        r->code[1] = l->run->code[1];
        r->geometry = l->run->geometry;
        r->kernel = l->run->kernel ? strdup(l->run->kernel) : NULL;
        r->of = l->run->first;
    }
    *serial = r ? r->first : check_serials(1);
    pthread_mutex_unlock(&lock);
}

void order_synchronizes(struct check_launch *l, bool with_host) {
    if (!l->run || (l->run->synchronizes && (!with_host || l->run->command->is_shared)))
        return;
    pthread_mutex_lock(&lock);
    l->run->synchronizes = true;
    l->run->command->is_shared |= with_host;
    pthread_mutex_unlock(&lock);
}

static bool is_own_locked(const struct check_launch *l, const struct order_run *r) {
    return r == l->run || r->of == l->run->first;
}

enum order_relation order_relation(struct check_launch *l, uint64_t serial) {
    if (serial > CELL_SERIAL(l->key) && serial <= l->last)
        return ORDER_OWN;
    if (!l->run)
        return serial == CELL_SERIAL(l->key) ? ORDER_OWN : ORDER_BEFORE;
    pthread_mutex_lock(&lock);
    const struct order_run *r = run_of_locked(serial);
    enum order_relation relation = ORDER_BEFORE; /* the command is forgotten */
    if (r == l->run) /* several readers, of which some may have been another command's */
        relation = lowest_locked(r->command, false) ? ORDER_BEFORE : ORDER_OWN;
    else if (r && is_own_locked(l, r))
        relation = ORDER_OWN;
    else if (r && !(r->synchronizes && l->run->synchronizes) && !is_ordered(r->command, l->run->command))
        relation = ORDER_NONE;
    pthread_mutex_unlock(&lock);
    return relation;
}

bool order_party(struct check_launch *l, uint64_t cell, uint32_t site, bool wrote, struct party *other,
                 struct command_words *words, struct command_words *own) {
    pthread_mutex_lock(&lock);
    const struct order_run *r = run_of_locked(CELL_SERIAL(cell));
    bool foreign = r && l->run && !is_own_locked(l, r);
    if (foreign) {
        *other = party_of(r, cell, site, wrote, words);
        name_run(l->run, own);
    }
    pthread_mutex_unlock(&lock);
    return foreign;
}

/* ---- freed memory ---- */

void check_command_uses(struct check_command *c, uint64_t start, uint64_t size) {
    if (!c || !size)
        return;
    pthread_mutex_lock(&lock);
    void *more = realloc(c->uses, (c->nuses + 1) * sizeof *c->uses);
    if (more) {
        c->uses = more;
        c->uses[c->nuses].start = start;
        c->uses[c->nuses++].size = size;
    }
    pthread_mutex_unlock(&lock);
}

void check_command_uses_of(struct check_command *c, const struct check_command *part) {
    for (size_t i = 0; c && part && i < part->nuses; i++) /* those of a recorded command stay as they are */
        check_command_uses(c, part->uses[i].start, part->uses[i].size);
}

static struct command_words call_words(const char *call) {
    struct command_words w;
    snprintf(w.text, sizeof w.text, "%s", call);
    snprintf(w.key, sizeof w.key, "%s", call);
    return w;
}

static bool uses_locked(const struct check_command *c, uint64_t start, uint64_t size) {
    bool found = false;
    for (size_t i = 0; i < c->nuses && !found; i++)
        found = c->uses[i].start < start + size && start < c->uses[i].start + c->uses[i].size;
    for (size_t i = 0; i < c->ntouches && !found; i++)
        found = c->touches[i].rect.start < start + size && start < rect_end(&c->touches[i].rect);
    return found;
}

void check_freeing(const char *call, const struct check_command *by, uint64_t start, uint64_t size) {
    check_freed_by(call);
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < nslots; i++) {
        struct check_command *c = slots[i];
        if (!c || c->is_map || c->is_shared || (by ? is_ordered(c, by) : c->seen_at != 0) ||
            !uses_locked(c, start, size))
            continue;
        struct command_words name, free_name;
        describe(c, NULL, NULL, &name);
        if (by)
            describe(by, NULL, NULL, &free_name);
        else
            free_name = call_words(call);
        struct finding f = {
            .kind = FINDING_USE_AFTER_FREE,
            .a = {.who = free_name.text, .key = free_name.key, .does = "frees it"},
            .b = {.who = name.text, .key = name.key, .does = "uses it, and nothing says that it has ended"}};
        snprintf(f.text, sizeof f.text, "a block of %llu bytes", (unsigned long long)size);
        snprintf(f.fix, sizeof f.fix, "wait for the command before the block is freed");
        finding_report(NULL, &f);
    }
    pthread_mutex_unlock(&lock);
}

void order_memory_gone(uint64_t start, uint64_t size) {
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < nslots; i++) {
        struct check_command *c = slots[i];
        size_t n = 0;
        for (size_t k = 0; c && k < c->ntouches; k++)
            if (c->touches[k].rect.start >= start + size || rect_end(&c->touches[k].rect) <= start)
                c->touches[n++] = c->touches[k];
        if (!c)
            continue;
        c->ntouches = n;
        if (c->is_map && c->map_start - start < size) /* mapped or not */
            c->is_map = false;
    }
    pthread_mutex_unlock(&lock);
}
