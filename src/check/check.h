/* check.h: the checker's runtime: what finds errors of synchronization and memory while a checked kernel runs.
 *
 * Checked kernels (kc/lower/instrument.c, lib/cl/check.cl) decide the usual case of each access themselves, on cells that
 * lie here, and ask for all else. Nothing here knows OpenCL's API: the runtime (rt/command) tells which memory a launch
 * may access, and learns whether the launch was stopped. */
#ifndef WEIR_CHECK_H
#define WEIR_CHECK_H

#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

#include "abi.h"
#include "base.h"
#include "finding.h"

/* ---- launch.c: a launch, its workers and groups, for the runtime ------------------------------------------------- */

/* Memory that a launch may access: [start, start + size) of an allocation. */
struct check_memory {
    uint64_t start, size;
    uint64_t whole, whole_size; /* the allocation that it is of: a sub-buffer's buffer */
    unsigned argument;          /* 1 + the argument that is this memory, or 0 */
    bool is_exact;  /* the argument may access nothing else: a buffer, not a pointer of the host's */
    bool is_hidden; /* the host can't look at it while kernels run */
    bool
        is_guarded; /* nobody else's are CHECK_GUARD bytes behind the allocation, and what the allocator keeps before it */
    uint64_t texel, row, slice; /* bytes, of an image; else 0 */
};
#define CHECK_GUARD 256 /* behind an allocation while WEIR_CHECK is set (rt: mem_allocate) */
struct check_launch;
/* Copies the table and the names. NULL: out of memory. */
struct check_launch *check_launch_open(const char *kernel, const char *const *arguments, unsigned narguments,
                                       const struct check_memory *, size_t n);
/* Where an argument in local memory lies, in bytes of weir_worker.local; before the first group. */
void check_launch_local(struct check_launch *, unsigned argument, uint64_t offset, uint64_t size);
/* The program's source as the application gave it, for reports; it must live as long. */
void check_launch_source(struct check_launch *, const char *source);
void check_launch_zeroed(struct check_launch *); /* local memory holds zeros when a group begins */
/* For one run of it, whose groups are told from those of all others. NULL: out of memory. */
struct check_launch *check_launch_copy(const struct check_launch *);
void check_launch_close(struct check_launch *); /* NULL is allowed */
/* Runs one work-group of a checked kernel. False: an error stopped it half-way. */
bool check_run_group(struct check_launch *, const struct weir_kernel *, const struct weir_launch *,
                     struct weir_worker *, uint64_t x, uint64_t y, uint64_t z);
bool check_is_used(void);                              /* some kernel was checked */
void check_memory_gone(uint64_t start, uint64_t size); /* freed: its cells go */

/* ---- order.c, ranges.c, runs.c: commands, which happen before which, and what they access ------------------------- */

/* A command, or an event that commands wait for. NULL is allowed everywhere, and does nothing. */
struct check_command;
struct check_command *check_command_new(void); /* one reference; NULL: out of memory */
struct check_command *check_command_hold(struct check_command *);
void check_command_drop(struct check_command *);
/* It is enqueued now, by a call (static) as the place-th command of a queue. */
void check_command_enter(struct check_command *, const char *call, const void *queue, unsigned number,
                         uint64_t place);
void check_command_kernel(struct check_command *,
                          const char *name); /* that it launches; before it is enqueued */
/* A queue whose commands may take `more` ways beside each other was made; negative: has gone. */
void check_queue_ways(int more);
/* `object` lives as long as findings may tell of the command. */
void check_command_keep(struct check_command *, void *object, void (*drop)(void *));
/* What has ended (or what it follows) is ordered before it; before it starts. */
void check_command_follow(struct check_command *, const struct check_command *before);
void check_command_follow_all(struct check_command *, const void *queue); /* what was enqueued there */
void check_command_follow_running(struct check_command *);                /* whose kernel this thread runs */
void check_command_child(struct check_command *,
                         struct check_command *parent); /* follows and ends before it */
void check_command_child_ended(struct check_command *parent, const struct check_command *);
void check_command_released(
    struct check_command *);                    /* a user event: after all that the host has seen so far */
void check_command_end(struct check_command *); /* before the host can learn of it */
/* The host knows what the command follows, or, if it has_ended, all of it. */
void check_command_seen(struct check_command *, bool has_ended);
void check_commands_seen(const void *queue); /* all of a queue that have ended; NULL: of all queues */
/* A command that maps lasts until another that unmaps has ended: the host accesses the memory in between. */
void check_command_maps(struct check_command *, uint64_t start, bool is_kept);
void check_command_unmaps(struct check_command *map, struct check_command *);
void check_command_unmaps_at(uint64_t start, struct check_command *);
void check_command_map_gone(struct check_command *); /* once for each that is_kept */
struct check_rect {                                  /* bytes, in rows and slices */
    uint64_t start, bytes, rows, slices, row_pitch, slice_pitch;
    uint64_t whole, whole_size; /* of the allocation, or 0 */
    bool is_host;               /* by a pointer: also where the host has mapped it */
};
/* It runs, and accesses these bytes. */
void check_command_touch(struct check_command *, const char *call, const struct check_rect *, bool writes);
/* A run of a checked kernel, before its first group; check_launch_copy has made it. */
void check_launch_begin(struct check_launch *, struct check_command *, const struct weir_kernel *full,
                        const struct weir_kernel *rest, const struct weir_launch *);
/* Memory that it uses once it runs; what is freed meanwhile is reported at the free. */
void check_command_uses(struct check_command *, uint64_t start, uint64_t size);
void check_command_uses_of(struct check_command *, const struct check_command *part);
/* The block is about to be freed, by a call of the host's or by a command. */
void check_freeing(const char *call, const struct check_command *by, uint64_t start, uint64_t size);

/* ---- freed.c: blocks that were freed ------------------------------------------------------------------------------- */

/* Keeps the block from being used again, for a while, and gives it to free() then. False: it can't. */
bool check_freed(void *start, uint64_t size);
void check_freed_by(const char *call); /* (static) is what frees the thread's next block */

/* ---- inside ------------------------------------------------------------------------------------------------------- */

struct shadow {           /* cells of an allocation */
    uint64_t start, size; /* multiples of 4 */
    uint64_t *writers, *readers;
    uint16_t *writer_sites, *reader_sites;
    uint32_t *tainted;        /* of local memory: see struct weir_check; 0 between intervals */
    uint32_t *crowds;         /* of other memory: who has read it besides the reader's command (crowd.c) */
    uint64_t *written, *read; /* of other memory: by the last group, by bytes of words; see shadow_spread */
    _Atomic(struct under *) under; /* of other memory, by byte; made at its first use */
    size_t bytes;
    struct shadow *next;
};

/* Of a byte: other groups' last accesses of less than a word, in whose place the word's cell has those of other bytes. */
struct under {
    uint64_t writer, reader;
    uint16_t writer_site, reader_site;
};

/* Cells of memory that groups share are entered without a lock: the site first and then the cell, and read the other way
 * around, so that who finds the cell finds its site, or that of a still later access. Vector code (pack_cells.h) has plain
 * accesses: processors of x86 keep both orders, the compiler has to. */
static inline void sites_before_cells(void) {
    __atomic_signal_fence(__ATOMIC_RELEASE);
}
/* A reader enters first and looks at the writer then, so that one of the two finds the other but for the time that the store takes
 * to be seen. */
static inline void enter_before_looking(void) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}
static inline void enter_cell(uint64_t *cell, uint64_t now, uint16_t *site, uint32_t by) {
    __atomic_store_n(site, (uint16_t)by, __ATOMIC_RELAXED);
    __atomic_store_n(cell, now, __ATOMIC_RELEASE);
}
static inline uint64_t read_cell(const uint64_t *cell) { /* before its site */
    return __atomic_load_n(cell, __ATOMIC_ACQUIRE);
}
static inline uint16_t read_site(const uint16_t *site) {
    return __atomic_load_n(site, __ATOMIC_RELAXED);
}

/* Somebody's accesses that are ordered before the one who knows it: those before these intervals. */
struct edge_of {
    uint64_t group; /* whose, its serial number */
    uint32_t own, item, in_subgroup[WEIR_CELL_SPACES], subgroup, all[WEIR_CELL_SPACES]; /* by space */
    uint32_t by; /* the work-item that knows it, at `since`; later those that barriers order after it */
    uint32_t since;
    uint32_t via_subgroup, site; /* of the last release on the way */
    uint64_t via_group;          /* its; 0: of several */
    uint8_t reach;               /* of its scope */
    uint8_t spaces;              /* in which it orders: a bit for each */
    bool too_narrow;             /* a scope doesn't reach here: it orders nothing */
};
struct edges {
    struct edge_of *at;
    size_t n, cap;
    bool all; /* too many: everything is taken to be ordered */
};
struct sync_var { /* an atomic that was released to */
    uint64_t address;
    struct edges released;
    uint64_t version; /* changes with `released` */
    struct sync_var *next;
};
enum {
    SYNC_VARS = 1024,
    TICKS = 0x4000,
    TICKS_BETWEEN = 0x3ff0,
    TICKS_RENUMBER = 0x3000,
    MAX_EDGES = 4096, /* a power of two */
    CHANGED_MOST = 16,
    SETTLE_FROM = 64,
    MET = 64,
    NARROW_SITES = 256
};

/* Of the bytes of a word that several work-items access in an interval, the word's cell knows the last one. Accesses of less
 * than a word are remembered by byte, too, in tables of a fixed size: those of the group that runs, of which later ones
 * push earlier ones out. A byte has one place in each of BYTE_WAYS tables, the latest one of those that share it in the first. */
enum { BYTE_CELLS = 4096, BYTE_WAYS = 4, PLAIN = 16 };
struct byte_cell {
    uint64_t address, writer, reader;
    uint16_t writer_site, reader_site;
};

struct check_launch {
    char *kernel, **arguments;
    const char *source; /* the build's, or NULL */
    unsigned narguments;
    struct check_memory *memory; /* by start */
    size_t nmemory;
    uint64_t *local_offset, *local_size; /* by argument; size 0: none */
    uint64_t key;                        /* cells of this launch are larger */
    bool zeroed;                         /* local memory is, before each group */
    uint64_t low;                        /* those of what isn't ordered with its command, too */
    bool is_alone;                       /* no other command's cells are larger than `low` */
    uint64_t last;                       /* number of its last group */
    bool has_begun;                      /* check_launch_begin was called: a user of shadows */
    struct order_run *run;               /* order.c; NULL: nobody looks at commands */
    const struct weir_kernel
        *code[2]; /* of whole groups; of those at the edges, if theirs is another: sites are
                                          numbers of one of them */
    _Atomic uint32_t narrow
        [NARROW_SITES];   /* of atomics: check_number << 8 | 1 + scope, where that is less than the device */
    pthread_mutex_t lock; /* guards what follows */
    struct sync_var **vars; /* SYNC_VARS; made at the first release */
    uint64_t versions;
    struct beneath *beneath;
    _Atomic bool has_beneath;     /* without the lock: whether to ask */
    struct check_worker *running; /* in a group of a kernel that has loops that wait */
    uint64_t suspects, suspected; /* changes with `running`; as it was when they were asked */
    uint64_t begun;               /* groups */
    _Atomic bool is_stuck;        /* a deadlock was found: all stop */
    _Atomic bool is_busy;         /* some of its groups are of a kernel without such loops */
};

struct before { /* the launch is known to come after what has these cells; size 0: nobody */
    uint64_t first, size;
};

/* A worker while it runs checked groups; `abi` comes first. */
struct check_worker {
    struct weir_check abi;
    struct weir_worker *worker;
    struct check_launch *launch;
    const struct weir_kernel *kernel; /* whose objects are in the table */
    uint64_t launch_key;              /* and of which launch */
    struct before before[2];          /* cells of other commands that it has met */
    struct weir_object *objects;
    size_t nobjects;
    uint8_t *own; /* by argument (own.c) */
    size_t nown;
    uint64_t *arrivals;             /* WEIR_MAX_ITEMS */
    uint32_t passes;                /* the site of a barrier that all have come to alike */
    bool has_barriers, has_watches; /* the kernel: and loops that wait */
    uint64_t plain[PLAIN];          /* barriers of the kernel that are as most are (barrier.c) */
    struct shadow *local;
    const struct weir_launch *geometry;
    uint64_t group[3];
    uint64_t earlier[64];
    unsigned nearlier;
    struct check_event { /* by interval that it ends */
        uint32_t site;
        uint16_t whose; /* sub-group; of a barrier: what comes from this interval on isn't before it, or 0 */
        uint8_t kind, flags, scope;
    } history[TICKS];
    struct { /* the half of a split barrier that all have come to, until they wait; site 0: none */
        uint32_t site, flags, scope, tick;
    } arrived;
    uint32_t row, subgroup_size, subgroups_per_row,
        subgroups;                            /* work-items, of what packs go through; sub-groups */
    uint32_t subgroup_shift;                  /* of a work-item, to its sub-group; 32: there is none */
    uint64_t (*covered_in)[WEIR_CELL_SPACES]; /* by sub-group: as abi.covered, by its own barriers */
    bool has_subgroup_barriers;               /* since the last new number of the group */
    struct { /* the first work-items without the rest of their sub-group; abi.apart: which */
        uint32_t first, site;
        uint64_t all;
    } apart;
    struct edges known;
    size_t settled;             /* so many of them are worth a look at the next barrier */
    uint32_t barrier_tick;      /* the interval after the last barrier */
    uint64_t met_at;            /* cells of the group below are from before that (check_several) */
    struct fence_state *fences; /* made at the first fence */
    struct {                    /* what was acquired lately, so that a loop that spins learns it once */
        uint64_t address, version;
        uint32_t item, tick;
    } seen[64];
    bool has_seen;
    uint8_t wide_scopes;              /* a bit for each memory_scope that reaches the device */
    struct watch *watch;              /* what loops that wait have seen; made at the first */
    _Atomic uint64_t rounds, changes; /* of such loops; of what they see, or of what runs */
    uint64_t rounds_before, changes_before, quiet_since; /* the last: ns, 0: something has changed */
    struct {                                             /* who waits now */
        uint64_t address;
        _Atomic uint32_t site, item; /* relaxed: others tell of it */
    } waits;
    struct async *async; /* its copies; NULL: it never had any */
    struct pack_stores { /* what a pack is about to store, while its lanes are looked at; width 0: nothing */
        const uint64_t *at, *value, *more; /* by lane */
        uint64_t mask;
        uint32_t item, width, bytes; /* item: of lane 0 */
    } stores;
    struct changed { /* changed.c: a store that its own work-item came over with another value */
        uint64_t address, cell;
        uint16_t site;
    } changed[CHANGED_MOST];
    struct shadow *bytes_in; /* where its last access of less than a word was, of memory that groups share */
    struct byte_cell *byte_cells; /* made at the first access of less than a word */
    struct later *later;          /* what is decided at the next barrier: nlater of room_later */
    size_t nlater, room_later;
    struct check_worker *next_running;
    struct met { /* findings that it met lately */
        struct known *known;
        uint64_t launch_key;
        const struct weir_kernel *kernel;
        enum finding_kind kind;
        uint32_t a, b; /* sites */
    } met[MET];
    unsigned waited; /* stores of other groups that it has waited for (access.c) */
    jmp_buf stop;
};

/* pack.c: the cell of a byte that isn't in the first table, now there; `first`: its place. */
struct byte_cell *check_recall_byte(struct byte_cell *first, uint64_t address);

/* The byte's cell, empty if none is known. Valid until a byte of another word is asked for. */
static inline struct byte_cell *byte_cell_at(struct check_worker *c, uint64_t address) {
    /* a program's arrays often begin where pages do */
    uint64_t turn = (address / BYTE_CELLS) * UINT64_C(0x9e3779b97f4a7c15) >> 58;
    struct byte_cell *b = &c->byte_cells[(address + turn * (BYTE_CELLS / 64)) % BYTE_CELLS];
    return b->address == address ? b : check_recall_byte(b, address);
}
static inline bool check_is_before(const struct check_worker *c, uint64_t cell) {
    return cell - c->before[0].first < c->before[0].size || cell - c->before[1].first < c->before[1].size;
}
#define CELL_SERIAL(cell) ((cell) >> WEIR_CELL_GROUP_SHIFT)
#define CELL_TICK(cell)   ((uint32_t)((cell) >> WEIR_CELL_TICK_SHIFT & 0x3fff))
#define CELL_WHO(cell)    ((uint32_t)(((cell) & WEIR_CELL_ITEM) >> WEIR_CELL_ITEM_SHIFT))
#define WHO_MANY          0x1fffu
#define WHO_ASYNC         0x1ffeu /* an asynchronous copy */
#define WHO_SOME          0x1000u /* plus the number of a sub-group: several of it; or check_is_last */

/* A site whose memory isn't known before it runs: its next access is likely to the same. */
void check_remember(struct check_worker *, uint32_t site, const struct shadow *, uint64_t start,
                    uint64_t size);
const struct check_memory *check_memory_of(const struct check_launch *, uint32_t argument); /* NULL: none */
struct shadow *check_bytes_in(struct check_worker *,
                              uint64_t address); /* of memory that groups share; NULL: none */
uint64_t check_serials(uint64_t n); /* n new numbers for groups and launches, from 1 on: the first */
_Noreturn void check_stop(struct check_worker *);
uint64_t check_group_size(const struct check_worker *, unsigned d); /* the last ones may be smaller */
uint64_t check_group_extent(const struct weir_launch *, const uint64_t group[3], unsigned d);
void check_group_note(const struct check_worker *); /* that it has a new number */
/* Which group of the launch has the number; false: it isn't known any more. */
bool check_group_of(const struct check_worker *, uint64_t serial, uint64_t group[3]);
const struct weir_site *check_site(const struct check_worker *, uint32_t site);
/* Of the launch's group that has the number, whose code may be another. NULL: it isn't known which. */
const struct weir_site *check_site_of(const struct check_worker *, uint64_t serial, uint32_t site);
/* The site as one among those of both codes. */
uint32_t check_number(const struct check_worker *, uint64_t serial, uint32_t site);

/* where.c: how many times as large the variable is in memory as in the program; its type there, and whether it is an argument. */
uint64_t where_times(const struct weir_place *, bool *is_argument, const char **type);

/* shadow.c */
struct shadow *shadow_of(uint64_t start, uint64_t size); /* made at its first use; NULL: out of memory */
pthread_mutex_t *shadow_lock(void);
struct shadow *shadow_new(uint64_t start, uint64_t size);
void shadow_free(struct shadow *);
void shadow_clear(struct shadow *);                                       /* nobody has accessed it */
struct under *shadow_under(struct shadow *, uint64_t address, bool make); /* NULL: there is none */
/* What the group of the cell has done in the word by accesses of less than it, as a cell: all bytes, the last interval, and the
 * work-item, or WEIR_CELL_MANY. 0 if another group was the last that did such a thing. */
static inline uint64_t shadow_spread(const struct shadow *s, uint64_t address, uint64_t cell, bool wrote) {
    uint64_t spread = (wrote ? s->written : s->read)[(address - s->start) / 4];
    return (spread ^ cell) & WEIR_CELL_GROUP ? 0 : spread;
}
static inline uint64_t spread_of(uint64_t before, uint64_t cell) {
    if (!(before & WEIR_CELL_BYTES) || (before ^ cell) & WEIR_CELL_GROUP)
        return cell;
    return cell | (before & WEIR_CELL_BYTES) | ((before ^ cell) & WEIR_CELL_ITEM ? WEIR_CELL_MANY : 0);
}
static inline void shadow_spread_add(struct shadow *s, uint64_t address, uint64_t cell, bool wrote) {
    uint64_t *spread = &(wrote ? s->written : s->read)[(address - s->start) / 4];
    *spread = spread_of(*spread, cell);
}
struct shadow *shadow_at(uint64_t start, uint64_t size); /* that holds all of it; NULL: there is none yet */
/* Around the use of what shadow_of and shadow_at give: meanwhile others may free the memory, and the cells stay mapped. */
void shadow_enter(void);
void shadow_leave(void);

/* access.c: struct weir_check.access */
extern const char *const check_space_names[]; /* WEIR_PLACE_* in words */
void check_access(struct weir_worker *, uint64_t p, uint64_t bytes, uint32_t site, uint32_t what,
                  uint32_t item, uint64_t value, uint64_t more);
/* Whether the site, which may lead anywhere, does so to other memory than the last time; from now on its object is that. */
bool check_finds(struct check_worker *, uint32_t site, uint64_t p, uint64_t bytes);
bool check_has_bytes(struct check_worker *); /* makes byte_cells; false: no memory */
/* Of the cell of the word at `at`, which is about to tell of `mask` alone, the other bytes. */
void check_keep_bytes(struct check_worker *, uint64_t at, uint64_t mask, uint64_t cell, uint16_t site,
                      bool wrote, bool subgroups, unsigned space);
/* An access of less than a word, whose bytes others may have accessed. */
void check_bytes(struct check_worker *, uint64_t p, uint64_t bytes, uint32_t site, bool writes, uint32_t item,
                 uint64_t value, bool subgroups);

/* own.c: buffers whose bytes each are one work-item's in a launch, or are only read */
void own_prepare(struct check_worker *); /* for its kernel and launch */
bool own_argument(const struct check_worker *, uint32_t argument);

/* pack.c: struct weir_check.pack */
typedef void check_pack_fn(struct weir_worker *, uint64_t *lanes, uint64_t mask, uint32_t code,
                           uint32_t bytes, uint32_t item);
check_pack_fn *check_pack(void); /* for this processor */

/* barrier.c: struct weir_check.meet */
typedef void check_meet_fn(struct weir_worker *, uint64_t items);
check_meet_fn *check_meet(void);                      /* for this processor */
void check_pass(struct weir_worker *, uint64_t what); /* all work-items have come to the same barrier */
/* Ends an interval within two barriers of the work-group. */
enum check_event_kind { EVENT_BARRIER, EVENT_SUBGROUP_BARRIER, EVENT_RELEASE, EVENT_ARRIVAL };
void check_tick(struct check_worker *, uint32_t site, enum check_event_kind, uint32_t flags, uint32_t whose);
static inline uint32_t check_flag_of(unsigned space) {
    return space == 2 ? WEIR_FENCE_IMAGE : space ? WEIR_FENCE_GLOBAL : WEIR_FENCE_LOCAL;
}

/* What a scope is too narrow for, of a barrier of the work-group. */
static inline bool check_is_narrow(uint32_t scope) {
    return scope == 0 || scope == 4; /* work_item, sub_group */
}

/* A work-item names one (10 bits for each of its ids) that the group doesn't have. */
void barrier_names(struct check_worker *, uint64_t item, uint64_t ids, uint32_t site, uint32_t by);
const char *barrier_scope(uint32_t scope);                             /* as in memory_scope_... */
const char *barrier_flags(uint32_t flags);                             /* as the program writes them */
uint32_t barrier_waits_at(const struct check_worker *, uint32_t item); /* a site, or 0 */
/* Says of a finding at a barrier of the `whose` which flags or scopes differ. */
struct finding;
void barrier_describe(struct finding *, uint32_t flags, uint32_t other_flags, uint32_t scope,
                      uint32_t other_scope, const char *whose);

static inline uint64_t check_all_own(const struct check_worker *c) { /* cells of the group are below */
    return c->abi.base + (UINT64_C(1) << WEIR_CELL_GROUP_SHIFT);
}
/* All work-items have come to a barrier, and this interval begins; tick 0: the group does. */
static inline void check_has_met(struct check_worker *c, uint32_t tick) {
    const weir_u64 *n = c->geometry->local_size;
    bool is_large = n[0] * n[1] * n[2] > WHO_ASYNC - WHO_SOME; /* the last work-items have no WHO_SOME */
    uint64_t passed = (uint64_t)tick << WEIR_CELL_TICK_SHIFT;
    c->barrier_tick = tick;
    c->met_at = c->abi.base + (is_large ? 0 : passed);
    for (unsigned other = 0; other < 2; other++)
        if (!tick || c->abi.covered[other] >= passed || c->abi.careful[other] != check_all_own(c))
            c->abi.careful[other] = c->met_at;
}
/* Whether a cell of the group tells of the work-item and, before a barrier, of others. */
static inline bool check_is_last(uint64_t cell, uint32_t item, bool subgroups) {
    return !subgroups && CELL_WHO(cell) == (WHO_SOME | item) && item < WHO_ASYNC - WHO_SOME;
}

/* subgroup.c */
/* Who has accessed a cell of this group that `item`, in no order, accesses now, too; `subgroups`: the kernel has barriers of them. */
uint64_t check_several(struct check_worker *, uint64_t cell, uint32_t item, bool subgroups, unsigned space);
/* What a plain store leaves of a cell of this group whose writer is another work-item, in no order with it: if both store the same,
 * neither takes the other's place, for who stores something else later races with one of them. */
uint64_t check_writers(struct check_worker *, uint64_t cell, uint64_t me, bool subgroups, unsigned space);
void check_subgroup(struct check_worker *, uint64_t here, uint32_t size, uint32_t site, uint32_t kind,
                    uint32_t item, uint64_t value, uint64_t other);
/* `item`, the first of a sub-group of `size`, and one that names another lane (64: none) broadcast from `lane`. */
void subgroup_broadcast(struct check_worker *, uint32_t size, uint32_t site, uint32_t item, uint64_t lane,
                        uint64_t other);
/* Its number; its first work-item; how many it has. Where rows are multiples of its size, a power of 2, as in nearly all groups,
 * without a division. */
static inline uint32_t subgroup_of(const struct check_worker *c, uint32_t item) {
    if (c->subgroup_shift < 32)
        return item >> c->subgroup_shift;
    return item / c->row * c->subgroups_per_row + item % c->row / c->subgroup_size;
}
static inline uint32_t subgroup_first(const struct check_worker *c, uint32_t item) {
    if (c->subgroup_shift < 32)
        return item >> c->subgroup_shift << c->subgroup_shift;
    return item - item % c->row % c->subgroup_size;
}
static inline uint32_t subgroup_size_of(const struct check_worker *c, uint32_t item) {
    uint32_t left = c->subgroup_shift < 32 ? c->subgroup_size : c->row - subgroup_first(c, item) % c->row;
    return left < c->subgroup_size ? left : c->subgroup_size;
}
/* Whether a barrier of the sub-group lies between what `who` did and the work-item's present. */
bool subgroup_orders(const struct check_worker *, uint32_t who, uint32_t tick, uint32_t item, unsigned space);
/* Work-items come to a barrier of the work-group (`arrivals`), or to their end: reports a sub-group of which some wait. */
void subgroup_ends(struct check_worker *, uint32_t (*waits_at)(const struct check_worker *, uint32_t item));
void subgroup_begin(struct check_worker *); /* of a group, or of new numbers of intervals */

/* sync.c: what is ordered by atomics and fences. how: WEIR_ATOMIC_*; scope: memory_scope or WEIR_SCOPE_LEGACY. */
void sync_begin(struct check_worker *); /* of a group */
void sync_renumber(struct check_worker *);
void sync_meet(struct check_worker *); /* all work-items have passed a barrier */
void sync_atomic(struct check_worker *, uint64_t address, uint32_t item, uint32_t how, uint32_t scope,
                 uint32_t site, bool was_run);
void sync_fence(struct check_worker *, uint32_t item, uint32_t how, uint32_t flags, uint32_t scope,
                uint32_t site);
/* Whether what the cell tells is ordered before the work-item's present. */
bool sync_is_ordered(struct check_worker *, uint64_t cell, uint32_t item, unsigned space);
/* Says what would order it but for its scope or flags. False: nothing. */
bool sync_blame(const struct check_worker *, uint64_t cell, uint32_t item, unsigned space, struct finding *);
/* Two atomics are a race, too, if one's scope doesn't reach the other. */
void sync_note_scope(struct check_worker *, uint32_t site, uint32_t scope);
bool sync_reaches_device(uint32_t scope);
bool sync_reaches_group(uint32_t scope);
static inline bool sync_is_wide(const struct check_worker *c,
                                uint32_t site) { /* its scopes, so far, in any code */
    return !atomic_load_explicit(&c->launch->narrow[site % NARROW_SITES], memory_order_relaxed);
}
bool sync_includes(const struct check_worker *, uint32_t scope, uint64_t cell, uint32_t other_site,
                   uint32_t item);
const char *sync_scope_name(uint32_t scope);
void sync_forget(struct check_launch *);
void edges_free(struct edges *);

/* beneath.c: plain stores that atomics of their group came over */
void beneath_keep(struct check_launch *, uint64_t address, uint64_t cell, uint32_t site);
bool beneath_find(struct check_launch *, uint64_t address, uint64_t *cell, uint32_t *site);
void beneath_forget(struct check_launch *);

/* crowd.c: readers of commands in no order. A crowd has a number; 0: nobody. */
/* With the cell's reader besides, without what comes before the launch `by`, which takes the reader's place. */
uint32_t crowd_join(uint32_t crowd, uint64_t cell, uint16_t site, const struct check_launch *by);
/* Takes one out that is in no order with the launch: its cell and site. False: there is none left. */
bool crowd_next(uint32_t *crowd, const struct check_launch *, uint64_t *cell, uint16_t *site);

/* deadlock.c */
void deadlock_enter(struct check_worker *); /* a group begins */
void deadlock_leave(struct check_worker *); /* has ended, or was stopped */
void check_watch(struct check_worker *, uint64_t p, uint32_t site, uint32_t item, uint32_t what,
                 uint64_t value);

/* texel.c: coordinates outside an image, and how they are (bytes: WEIR_TEXEL_*) */
void check_texel(struct check_worker *, uint64_t xy, uint64_t z_lod, const struct weir_image *, uint32_t how,
                 uint32_t site, uint32_t item);

/* async.c: asynchronous copies */
void async_copy(struct check_worker *, uint64_t args, uint32_t to_site, uint32_t from_site, uint32_t item);
void async_wait(struct check_worker *, uint64_t event, uint32_t site, uint32_t item);
/* The site of a copy that reads the address and isn't waited for, or 0. */
uint32_t async_reads(const struct check_worker *, uint64_t address);
void async_begin(struct check_worker *); /* a group begins */
void async_meet(struct check_worker *);  /* all work-items have come to a barrier, */
void async_go_on(struct check_worker *); /* and go on */
void async_end(struct check_worker *);   /* all work-items have ended */

/* undefined.c: local memory that nobody in the group has written */
void undefined_used(struct check_worker *, uint32_t origin, uint32_t item, uint32_t site, uint32_t how);
void undefined_stored(struct check_worker *, uint32_t origin, uint32_t item, uint64_t p, uint64_t bytes,
                      uint32_t site);
/* An atomic in local memory, at `p`, a multiple of 4, is about to be its cell's writer. If nobody has written it, but such atomics, it
 * stays unwritten, unless this one overwrites it. False: that can't be kept. */
bool undefined_changes(struct check_worker *, uint64_t p, uint32_t item, uint32_t site, bool overwrites);
void undefined_settle(struct check_worker *); /* all work-items have come to a barrier, or ended */

/* freed.c */
struct freed { /* a block that was freed */
    uint64_t start, size;
    uint64_t number;  /* of all that were freed, from 1 on */
    const char *call; /* that freed it; NULL: none in particular */
};
pthread_mutex_t *freed_lock(void);
bool freed_find(uint64_t address, uint64_t bytes, struct freed *);

/* mapped.c */
pthread_mutex_t *mapped_lock(void);
bool mapped_has(uint64_t address, uint64_t bytes, bool writes); /* there is such memory */

/* runs.c: numbers of cells are those of runs: of a kernel (the launch's own number and one for each group), or of another
 * command (one). Entries live as long as their command may be in a finding. */
struct order_run {
    uint64_t first,
        last; /* the first one: readers of several groups, and those that have a crowd beside them */
    struct check_command *command;
    const char *name; /* of a command; NULL: a kernel */
    char *kernel;
    const struct weir_kernel *code[2]; /* of whole groups and of those at the edges, or NULL */
    struct weir_launch geometry;
    uint64_t of;               /* a group of the run with this number goes on here */
    _Atomic bool synchronizes; /* by atomics in global memory; may be asked without the lock */
};
struct command_words { /* a command, for people: all of it; the same of all its kind */
    char text[360], key[240];
    bool is_map;
};
/* What to do about a race of two commands. */
const char *order_fix(const struct command_words *, const struct command_words *);
enum order_relation { ORDER_OWN, ORDER_BEFORE, ORDER_NONE }; /* the launch's own; ordered with it; neither */
enum order_relation order_relation(struct check_launch *, uint64_t serial,
                                   struct before *); /* set if it is another command's, before this */
void order_renumbered(struct check_launch *, uint64_t *serial);
void order_synchronizes(struct check_launch *, bool with_host);
bool order_is_total(void); /* commands run one after the other: there is one queue, which keeps their order */
void order_runs(const struct check_launch *); /* a group of it, on this thread */
void order_memory_gone(uint64_t start, uint64_t size);
/* Whose the cell is, and the words for that and for the launch; false: it is none of another command. */
struct party;
bool order_party(struct check_launch *, uint64_t cell, uint32_t site, bool wrote, struct party *,
                 struct command_words *, struct command_words *own);

/* findings.c */
struct party { /* one side of a finding */
    const char *
        who; /* a command: in these words, and in those that all of its kind share (`key`). NULL: a work-item of the worker's launch */
    const char *key;
    const char *of;             /* a command that the work-item is of, in words, or NULL */
    const struct weir_site *at; /* of another kernel; NULL: as `site` says */
    uint32_t site;
    const char *does; /* "writes"; NULL: there is no such side */
    uint64_t serial;  /* of its group; 0: this one's */
    uint32_t item;    /* linear in its group; WHO_MANY: several */
};
struct finding {
    enum finding_kind kind;
    struct party a, b;
    uint64_t address; /* of memory; 0: none */
    char text[400];   /* more, a sentence */
    char fix[200];
};
/* Whether the worker has reported it already, lately. */
bool finding_is_met(struct check_worker *, const struct finding *);
/* Reports it, once for each pair of sites; counts the others. Without a worker both sides are commands. */
void finding_report(struct check_worker *, const struct finding *);
void findings_flush(void);
pthread_mutex_t *findings_lock(void);
void findings_forked(void); /* in the new process */

#endif
