/* order.h: what order.c, ranges.c and runs.c share: commands, and the one lock. */
#ifndef WEIR_ORDER_H
#define WEIR_ORDER_H

#include "check.h"

enum { ORDER_SLOTS = 1024 };

struct set {
    uint64_t words[ORDER_SLOTS / 64];
};
static inline bool set_has(const struct set *s, int slot) {
    return slot >= 0 && s->words[slot / 64] >> (slot % 64) & 1;
}
struct touch { /* an access of memory by a command that is no kernel */
    struct check_rect rect;
    const char *name; /* the call; static */
    bool writes;
};
struct check_command { /* guarded by the lock; the list holds those that have a slot */
    uint32_t refs;
    uint64_t number; /* no other command's, ever */
    int slot;        /* -1: none */
    bool entered, ended, is_gone;
    bool is_map;               /* lasts until its unmap has ended */
    _Atomic bool is_shared;    /* it synchronizes with the host by atomics in shared memory: nobody knows how.
                     May be asked without the lock */
    struct set before, family; /* ordered before it; before its end: its children */
    struct check_command *next_with_set,
        **with_set;                       /* of those whose sets may have members; with_set NULL: none */
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

extern pthread_mutex_t order_lock; /* _locked: the caller has it */
extern struct check_command *order_slots[ORDER_SLOTS];
extern unsigned order_nslots; /* that were ever used */

/* Whether the first one happens before the other. */
bool order_is_before(const struct check_command *, const struct check_command *);
/* Whether one of them happens before the other, or nobody knows. */
bool order_has(const struct check_command *x, const struct check_command *y);
/* The command in words: a call that it makes, or a kernel that it runs; NULL: its own. */
void order_words(const struct check_command *, const char *call, const char *kernel, struct command_words *);
const char *order_does(const struct check_command *, bool writes);

/* ranges.c */
void ranges_fill_locked(const struct check_launch *, const struct check_command *);

/* crowd.c */
uint32_t crowd_join_locked(uint32_t crowd, uint64_t cell, uint16_t site, const struct check_command *by);
bool crowd_next_locked(uint32_t *crowd, uint64_t *cell, uint16_t *site); /* of all */

/* runs.c */
struct order_run *run_add_locked(struct check_command *,
                                 uint64_t n); /* with n numbers; NULL: out of memory */
struct order_run *run_of_locked(uint64_t serial);
/* The other side of a finding: whose cell it is. */
struct party run_party(const struct order_run *, uint64_t cell, uint32_t site, bool wrote,
                       struct command_words *);
/* The lowest number of a cell of somebody who isn't ordered with it; 0: there is nobody. */
uint64_t runs_lowest_locked(const struct check_command *, bool kernels_only);
/* Those of the command (NULL: none), and of the commands in these slots. */
void runs_forget_locked(const struct check_command *, const struct set *slots);

#endif
