/* command_buffer.h: what the files of command buffers share: record.c (the objects, what comes in), replay.c (what an
 * enqueue runs), mutable.c (launches, which can be changed). Nobody else includes it. */
#ifndef WEIR_COMMAND_BUFFER_H
#define WEIR_COMMAND_BUFFER_H

#include "rt.h"

struct dispatch {     /* what a launch was recorded with, and has now */
    cl_kernel kernel; /* held; the application's */
    cl_kernel
        state; /* held: a copy with the launch's arguments, never changed; NULL: the buffer isn't mutable */
    struct sizes sizes;
    cl_mutable_dispatch_fields_khr fields; /* that may be changed */
};
#define MUTABLE_FIELDS                                                                                       \
    (CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR |                           \
     CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR |                                \
     CL_MUTABLE_DISPATCH_EXEC_INFO_KHR)

/* A recorded command. Lives as long as its buffer, whose lock guards `command` and `dispatch`. */
struct _cl_mutable_command_khr {
    struct object object;
    cl_command_buffer_khr buffer;
    cl_command_type type;
    cl_uint queue;       /* in the buffer's list */
    cl_uint ndeps;       /* commands that it waits for */
    cl_uint *deps;       /* their indices, ascending, all below its own */
    cl_uint ndependents; /* commands that wait for it */
    cl_event command;    /* held; never submitted; NULL: a launch with arguments that aren't set yet */
    cl_uint place;       /* in the plan */
    cl_command_properties_khr *properties; /* as given, with the 0; NULL: none were */
    size_t nproperties;
    struct dispatch dispatch; /* of a launch; else all 0 */
};

struct plan;
struct _cl_command_buffer_khr {
    struct object object;
    cl_context context; /* held by the queues */
    cl_uint nqueues;
    cl_command_queue *queues; /* held */
    cl_command_buffer_properties_khr *properties;
    size_t nproperties;
    cl_command_buffer_flags_khr flags;
    cl_mutable_dispatch_asserts_khr asserts;
    bool remapped;        /* then commands of an in-order queue needn't come one after the other */
    pthread_mutex_t lock; /* guards what follows */
    cl_uint ncommands, room;
    struct _cl_mutable_command_khr *
        *commands;      /* what was recorded, in order; sync point n is commands[n - 1] */
    cl_uint *last;      /* per queue: sync point of the newest command; 0: none */
    cl_uint barrier;    /* sync point of the newest barrier; 0: none */
    cl_uint waited_all; /* of the newest that waits for all before it */
    cl_uint unset;      /* launches whose arguments aren't all set */
    struct plan *plan;  /* once finalized */
};

/* ---- record.c ---- */

/* NULL: out of memory. Holds the queues. */
cl_command_buffer_khr buffer_new(cl_uint nqueues, const cl_command_queue *,
                                 const cl_command_buffer_properties_khr *, size_t nproperties);
/* One to be appended; consumes `command` (which may be NULL) and what `dispatch` (NULL: it's no launch) holds. NULL: out of
 * memory, then they are dropped. Not with the lock: with the last reference to an object its callbacks are called. */
cl_mutable_command_khr recorded_new(cl_command_buffer_khr, cl_command_type, cl_event command,
                                    const struct dispatch *, const cl_command_properties_khr *,
                                    size_t nproperties);
/* Adds it, after these others, which are copied; the buffer then owns it. False: out of memory. With the lock, or before
 * anybody else knows the buffer. */
bool buffer_append(cl_command_buffer_khr, cl_mutable_command_khr, cl_uint queue, cl_uint ndeps,
                   const cl_uint *deps);
size_t properties_length(const cl_properties *); /* with the 0; 0 for NULL */
/* Reads a list in which both properties may stand, each once and with these bits; *value stays for one that isn't there.
 * `seen` (false before) tells which are. CL_INVALID_VALUE, reported, for any other list. */
struct bit_property {
    cl_properties name, bits, *value;
};
cl_int bit_properties_read(const char *function, cl_context, const cl_properties *,
                           const struct bit_property known[2], bool seen[2]);
void dispatch_hold(const struct dispatch *);
void dispatch_drop(const struct dispatch *);

/* ---- replay.c ---- */

struct plan *plan_new(cl_command_buffer_khr); /* of all commands; NULL: out of memory */
void plan_drop(struct plan *);                /* NULL is allowed */
/* Replaces commands by what the buffer has now in their places; what runs already runs as it was. False: out of
 * memory. With the buffer's lock. */
bool plan_update_locked(cl_command_buffer_khr);

#endif
