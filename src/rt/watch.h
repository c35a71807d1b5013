/* watch.h: what watches commands and launches when the environment asks for it: a trace, a profile, the checker, the report
 * of faults. The rest of rt.h, which includes it. */
#ifndef WEIR_WATCH_H
#define WEIR_WATCH_H

/* ---- trace.c: WEIR_TRACE ---------------------------------------------------------------------------------------- */

enum trace_kind {
    TRACE_CALL,
    TRACE_BUILD,
    TRACE_PHASE,
    TRACE_COMMAND,
    TRACE_GROUPS,
    TRACE_EDGE,
    TRACE_WRITTEN /* one that the file has */
};
struct trace_record {
    uint8_t kind;
    bool in_ns;          /* times are time_ns's, else trace_clock's */
    uint16_t size;       /* bytes of the record with what follows it: a name, or the rest of a command */
    uint32_t queue;      /* a command's, by its number, or a worker's */
    uint64_t begin, end; /* of an edge: the command it leads to, and that from which */
    uint64_t
        number; /* work-groups, of a command those that are its own; of a build: 1 if it came from the cache; of a call: its name's address */
};
struct trace_groups {
    struct trace_record head;
    const char *name; /* kept, or NULL */
};
struct trace_command { /* filled in by many; `done` says that all of it is there */
    struct trace_record head;
    uint64_t id; /* from 1; 0: it was never submitted, and isn't told of */
    uint64_t bytes, items, queued, submitted;
    cl_command_type type;
    cl_int status;
    _Atomic bool done;
    uint32_t
        worker; /* that ran all its work-groups from its beginning to its end, if it has any: no record of them */
    const char *name; /* kept; NULL: its type tells */
};
extern bool trace_on; /* set before anything runs, never changed */
extern bool trace_has_ticks;
/* Ticks of a clock that costs little, which the trace's end makes nanoseconds. */
static inline uint64_t trace_clock(void) {
    return trace_has_ticks ? __builtin_ia32_rdtsc() : time_ns();
}
/* When the API call that this thread is in began; 0: in none, or a command has run in it. */
extern _Thread_local __attribute__((tls_model("initial-exec"))) uint64_t trace_call_began;
void trace_call(const char *name, uint64_t begin, uint64_t end); /* the name is of static storage */
const char *trace_keep(const char *name); /* the same for as long as the process runs; NULL: no memory */
void trace_groups(unsigned worker, const char *kept, uint64_t begin, uint64_t end, uint64_t groups);
void trace_build(const char *what, const char *kernel, bool hit, const char *phases, uint64_t begin_ns,
                 uint64_t end_ns);
void trace_command(cl_event); /* e->traced, if there is room */
void trace_edge(cl_event to, cl_event from);
void trace_end(cl_event, cl_int status); /* its record may be gone then */
void trace_drop(cl_event);               /* it won't be submitted: the trace has nothing of it */
void trace_rouse(void);                  /* its thread looks whether it is needed */

/* For the event's times. */
static inline uint64_t event_clock(const struct _cl_event *e) {
    return e->in_ticks ? trace_clock() : time_ns();
}
/* They begin, in nanoseconds, if they haven't. */
static inline void event_times_begin(struct _cl_event *e) {
    if (!e->times[0] || e->in_ticks)
        e->times[0] = time_ns();
    e->in_ticks = false;
}

/* ---- interrupt.c ------------------------------------------------------------------------------------------------- */

/* Called, once for each process that has something to write, where a signal ends the process; by a thread of its own. */
void interrupt_finish(void (*finish)(void));
void interrupt_watch(void); /* again, if there is something to finish */
void interrupt_rouse(void); /* its thread looks whether it is needed */

/* ---- watchers.c ---------------------------------------------------------------------------------------------------- */

void watchers_serve(
    void); /* this thread is watched from here on until it ends; before what the watchers' locks guard */
bool watchers_needed(
    void); /* once false, with the lock under which its starters look for it, a watcher ends */

/* ---- profile.c: WEIR_PROFILE ------------------------------------------------------------------------------------ */

extern bool profile_on;   /* set before anything runs, never changed */
void profile_enter(void); /* this thread runs work-groups from here on; nests */
void profile_leave(void);
void profile_object(const struct variant *, const char *report); /* loaded, and now never unloaded */

/* ---- checked.c: WEIR_CHECK ------------------------------------------------------------------------------------------------ */

struct check_launch;
/* For a launch with this argument block; free with check_launch_close. NULL: out of memory. */
struct check_launch *checked_open(cl_kernel, const void *block, void *globals);
/* For a block that a checked kernel enqueues: what that may access, and the literal. NULL: out of memory. */
struct check_launch *checked_child(const struct check_launch *parent, const struct kernel_meta *,
                                   const void *literal, size_t size);

/* ---- checked_order.c: WEIR_CHECK: what commands access, and in which order. Without it nothing happens. ------------------ */

void checked_order(cl_event, bool is_newest); /* with its queue's lock: after those before it */
void checked_enter(cl_event);                 /* at its enqueue, before it waits for anything */
/* A launch's pointers of shared virtual memory. */
void checked_uses(cl_event, cl_kernel, const struct check_launch *);
void checked_begin(struct check_launch *, cl_event as, struct build *, const struct weir_kernel *full,
                   const struct weir_kernel *rest, const struct weir_launch *); /* its run */
/* A command that runs accesses these bytes: of this type, or with a recorded one of this type. */
void checked_copy(cl_event as, cl_command_type, const struct box *, cl_mem a, cl_mem b);
void checked_fill(cl_event as, cl_command_type, const struct box *, cl_mem);
void checked_touch(cl_event as, cl_command_type, const void *, size_t, bool writes);
void checked_map(cl_event, cl_mem, const struct image_piece *, bool writes);
/* A block is freed by a call of the host's (`as` NULL), or by a command. */
void checked_free(const char *call, cl_event as, const void *, size_t);

/* ---- fault.c: WEIR_FAULT ------------------------------------------------------------------------------------------------- */

/* What the calling thread runs, as long as it does. Lives on its stack. */
struct fault_place {
    const struct kernel_meta *kernel;
    const void *args; /* the argument block */
    const cl_mem *mems;
    cl_uint nmems;
    const struct variant *code[2]; /* whose objects may run; NULL: one less */
    const weir_u64 *num_groups;
    volatile uint64_t group; /* linear, x fastest */
    /* fault.c's: */
    const struct fault_place *outer;
    void *stack;
    bool has_stack;
};
void fault_enter(struct fault_place *); /* faults of this thread are reported from here on */
void fault_leave(struct fault_place *);

#endif
