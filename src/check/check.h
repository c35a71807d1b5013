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
    bool is_exact; /* the argument may access nothing else: a buffer, not a pointer of the host's */
};
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

/* ---- inside ------------------------------------------------------------------------------------------------------- */

struct shadow {           /* cells of an allocation */
    uint64_t start, size; /* multiples of 4 */
    uint64_t *writers, *readers;
    uint32_t *sites;
    size_t bytes;
    struct shadow *next;
};

/* Somebody's accesses that are ordered before the one who knows it. */
struct edge_of {
    uint64_t group; /* its serial number */
    uint32_t tick;  /* all of its intervals before this one, and in this one: */
    uint32_t item;  /* what this work-item did */
    uint32_t by;    /* the work-item that knows it, at `since`; later all of its group */
    uint32_t since;
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
    MAX_EDGES = 1024,
    MET = 64
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
    _Atomic bool synchronizes;           /* some work-item has acquired or released */
    pthread_mutex_t lock;                /* guards what follows */
    struct sync_var *vars[SYNC_VARS];
    uint64_t versions;
    struct check_worker *running; /* in a group */
    uint64_t suspects, suspected; /* changes with `running`; as it was when they were asked */
    uint64_t begun;               /* groups */
    _Atomic bool is_stuck;        /* a deadlock was found: all stop */
};

/* A worker while it runs checked groups; `abi` comes first. */
struct check_worker {
    struct weir_check abi;
    struct weir_worker *worker;
    struct check_launch *launch;
    const struct weir_kernel *kernel; /* whose objects are in the table */
    uint64_t launch_key;              /* and of which launch */
    struct weir_object *objects;
    size_t nobjects;
    uint64_t *arrivals; /* WEIR_MAX_ITEMS */
    struct shadow *local;
    const struct weir_launch *geometry;
    uint64_t group[3];
    uint64_t earlier[64];
    unsigned nearlier;
    struct check_event { /* by interval that it ends */
        uint32_t site;
        uint16_t whose; /* sub-group */
        uint8_t kind, flags;
    } history[TICKS];
    uint32_t row, subgroup_size, subgroups_per_row; /* work-items; sub-groups */
    uint64_t (*covered_in)[WEIR_CELL_SPACES];       /* by sub-group: as abi.covered, by its own barriers */
    bool has_subgroup_barriers;                     /* since the last new number of the group */
    struct { /* the first work-items without the rest of their sub-group; abi.apart: which */
        uint32_t first, site;
        uint64_t all;
    } apart;
    struct edges known;
    struct { /* what was acquired lately, so that a loop that spins learns it once */
        uint64_t address, version;
        uint32_t item, tick;
    } seen[64];
    struct watch *watch;              /* what loops that wait have seen; made at the first */
    _Atomic uint64_t rounds, changes; /* of such loops; of what they see, or of what runs */
    uint64_t rounds_before, changes_before, quiet_since; /* the last: ns, 0: something has changed */
    struct {                                             /* who waits now */
        uint64_t address;
        uint32_t site, item;
    } waits;
    struct { /* what a pack is about to store, while its lanes are looked at; width 0: nothing */
        const uint64_t *at, *value, *more; /* by lane */
        uint32_t item, width;              /* of lane 0 */
    } stores;
    struct later *later; /* what is decided at the next barrier: nlater of room_later */
    size_t nlater, room_later;
    struct check_worker *next_running;
    struct met { /* findings that it met lately */
        struct known *known;
        uint64_t launch_key;
        const struct weir_kernel *kernel;
        enum finding_kind kind;
        uint32_t a, b; /* sites */
    } met[MET];
    jmp_buf stop;
};
#define CELL_SERIAL(cell) ((cell) >> WEIR_CELL_GROUP_SHIFT)
#define CELL_TICK(cell)   ((uint32_t)((cell) >> WEIR_CELL_TICK_SHIFT & 0x3fff))
#define CELL_WHO(cell)    ((uint32_t)(((cell) & WEIR_CELL_ITEM) >> WEIR_CELL_ITEM_SHIFT))
#define WHO_MANY          0x1fffu
#define WHO_SOME          0x1000u /* plus the number of a sub-group: several of it */

/* A site whose memory isn't known before it runs: its next access is likely to the same. */
void check_remember(struct check_worker *, uint32_t site, const struct shadow *, uint64_t start,
                    uint64_t size);
uint64_t check_serial(void); /* a new number for a group or a launch, from 1 on */
_Noreturn void check_stop(struct check_worker *);
uint64_t check_group_size(const struct check_worker *, unsigned d); /* the last ones may be smaller */
uint64_t check_group_extent(const struct weir_launch *, const uint64_t group[3], unsigned d);
void check_group_note(const struct check_worker *); /* that it has a new number */
/* Which group of the launch has the number; false: it isn't known any more. */
bool check_group_of(const struct check_worker *, uint64_t serial, uint64_t group[3]);
const struct weir_site *check_site(const struct check_worker *, uint32_t site);

/* shadow.c */
struct shadow *shadow_of(uint64_t start, uint64_t size); /* made at its first use; NULL: out of memory */
struct shadow *shadow_new(uint64_t start, uint64_t size);
void shadow_free(struct shadow *);

/* access.c: struct weir_check.access */
extern const char *const check_space_names[]; /* WEIR_PLACE_* in words */
void check_access(struct weir_worker *, uint64_t p, uint64_t bytes, uint32_t site, uint32_t what,
                  uint32_t item, uint64_t value, uint64_t more);

/* Who has read a cell of this group that `item` reads now, too; `subgroups`: the kernel has barriers of them. */
uint64_t check_several(const struct check_worker *, uint64_t cell, uint32_t item, bool subgroups);

/* pack.c: struct weir_check.pack */
void check_pack_prepare(void);
void check_pack(struct weir_worker *, uint64_t *lanes, uint64_t mask, uint32_t code, uint32_t bytes,
                uint32_t item);

/* barrier.c: struct weir_check.meet */
void check_meet(struct weir_worker *, uint64_t items);
/* Ends an interval within two barriers of the work-group. */
enum check_event_kind { EVENT_BARRIER, EVENT_SUBGROUP_BARRIER };
void check_tick(struct check_worker *, uint32_t site, enum check_event_kind, uint32_t flags, uint32_t whose);
static inline uint32_t check_flag_of(unsigned space) {
    return space ? WEIR_FENCE_GLOBAL | WEIR_FENCE_IMAGE : WEIR_FENCE_LOCAL;
}

const char *barrier_flags(uint32_t flags);                             /* as the program writes them */
uint32_t barrier_waits_at(const struct check_worker *, uint32_t item); /* a site, or 0 */
/* Says of a finding at a barrier of the `whose` which flags or scopes differ. */
struct finding;
void barrier_describe(struct finding *, uint32_t flags, uint32_t other_flags, uint32_t scope,
                      uint32_t other_scope, const char *whose);

/* subgroup.c */
void check_subgroup(struct check_worker *, uint64_t here, uint32_t size, uint32_t site, uint32_t kind,
                    uint32_t item, uint64_t value, uint64_t other);
uint32_t subgroup_of(const struct check_worker *, uint32_t item);
/* Whether a barrier of the sub-group lies between what `who` did and the work-item's present. */
bool subgroup_orders(const struct check_worker *, uint32_t who, uint32_t tick, uint32_t item, unsigned space);
/* Work-items come to a barrier of the work-group (`arrivals`), or to their end: reports a sub-group of which some wait. */
void subgroup_ends(struct check_worker *, uint32_t (*waits_at)(const struct check_worker *, uint32_t item));
void subgroup_begin(struct check_worker *); /* of a group, or of new numbers of intervals */

/* sync.c: what is ordered by atomics */
void sync_atomic(struct check_worker *, uint64_t address, uint32_t item, uint32_t how);
/* Whether what the cell tells is ordered before the work-item's present. */
bool sync_is_ordered(const struct check_worker *, uint64_t cell, uint32_t item);
void sync_forget(struct check_launch *);
void edges_free(struct edges *);

/* deadlock.c */
void deadlock_enter(struct check_worker *); /* a group begins */
void deadlock_leave(struct check_worker *); /* has ended, or was stopped */
void check_watch(struct check_worker *, uint64_t p, uint32_t site, uint32_t item, uint32_t what,
                 uint64_t value);

/* undefined.c: local memory that nobody in the group has written */
void undefined_used(struct check_worker *, uint32_t origin, uint32_t item, uint32_t site, uint32_t how);
void undefined_stored(struct check_worker *, uint32_t origin, uint64_t p, uint64_t bytes);
void undefined_settle(struct check_worker *); /* all work-items have come to a barrier, or ended */

/* findings.c */
struct party {                  /* one side of a finding */
    const char *who;            /* a command: in these words. NULL: a work-item of the worker's launch */
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
/* Reports it, once for each pair of sites; counts the others. Without a worker both sides are commands. */
void finding_report(struct check_worker *, const struct finding *);
void findings_flush(void);

#endif
