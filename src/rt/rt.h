/* rt.h: the runtime's objects and what its files offer each other. Sections by file;
 * docs/architecture.md has the flow, docs/runtime.md the rest. No LLVM here (invariant 1 of docs/architecture.md).
 *
 * Locks that are held together, the first one taken first:
 *   program -> build
 *   queue -> event
 *   binding (of affinity domains) -> scheduler -> event -> events that wait for it
 * That of objects' memory is taken last, under any.
 * All others (context, command buffer, semaphore, kernel, memory object, launch, weirc's process, printf's output) are held
 * alone. fork holds binding's, the scheduler's, that of weirc's process and that of objects' memory; nobody else holds that of
 * weirc's process together with another one.
 * User callbacks run under no lock.
 */
#ifndef WEIR_RT_H
#define WEIR_RT_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#define CL_USE_DEPRECATED_OPENCL_2_1_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include "cl_new.h"

#include <CL/cl_icd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "abi.h"
#include "base.h"

#define WEIR_API __attribute__((visibility("default")))

/* ---- object.c: what every API object begins with ------------------------------------------------------ */

enum object_kind { /* distinctive values: a wild pointer should not look like an object */
                   OBJECT_PLATFORM = 0x57a10001,
                   OBJECT_DEVICE,
                   OBJECT_CONTEXT,
                   OBJECT_QUEUE,
                   OBJECT_EVENT,
                   OBJECT_DEVICE_EVENT, /* of a kernel: none of the application's */
                   OBJECT_MEM,
                   OBJECT_SAMPLER,
                   OBJECT_PROGRAM,
                   OBJECT_KERNEL,
                   OBJECT_COMMAND_BUFFER,
                   OBJECT_RECORDED,
                   OBJECT_SEMAPHORE,
};
/* First member of each API object. `dispatch` must come first: the ICD loader calls through it.
 * Two counts: `refs` is what the API shows and changes, `held` counts internal references (commands in
 * flight, children); all API references together hold one of `held`. The object is destroyed when `held`
 * reaches 0; until then its handle is valid: queries of what holds it give it to the application again. */
struct object {
    const cl_icd_dispatch *dispatch;
    _Atomic uint32_t kind; /* relaxed: whoever has a handle may look at it, also one of what is gone */
    _Atomic uint32_t refs, held;
    void (*destroy)(void *); /* frees the object; runs on whatever thread drops the last reference */
};
void object_init(void *, enum object_kind, void (*destroy)(void *)); /* refs 1, held 1 */
void object_set_kind(void *, enum object_kind);                      /* 0: it is none any more */
bool object_is(const void *, enum object_kind);                      /* non-NULL, of this kind and alive */
cl_int object_retain(void *, enum object_kind, cl_int invalid);  /* API: clRetain*; `invalid` if not one */
cl_int object_release(void *, enum object_kind, cl_int invalid); /* API: clRelease* */
void object_hold(void *);                                        /* internal reference */
bool object_hold_alive(void *); /* the same, unless the object is being destroyed; its memory must be there */
void object_drop(void *);       /* NULL is allowed */

/* ---- object_memory.c: where objects lie ---------------------------------------------------------------- */
void *object_alloc(size_t);  /* zeroed, for one object with what follows it; NULL: no memory */
void object_free(void *);    /* NULL is allowed */
extern struct object_range { /* of addresses */
    uintptr_t begin;
    _Atomic size_t size; /* it only grows */
} object_range;
/* Whether it may be looked at whether this is an object, whatever a program takes for a handle. */
static inline bool object_is_readable(const void *p) {
    return (uintptr_t)p - object_range.begin <
               atomic_load_explicit(&object_range.size, memory_order_relaxed) &&
           (uintptr_t)p % _Alignof(struct object) == 0;
}

/* ---- icd.c: the dispatch table, extension function addresses ------------------------------------------ */
struct icd_dispatch {
    cl_icd_dispatch headers;
#ifndef CL_API_SUFFIX__VERSION_3_1 /* headers older than 3.1, whose table ends too early */
    void *clGetKernelSuggestedLocalWorkSize;
#endif
};
extern const struct icd_dispatch weir_dispatch;
extern const cl_icd_dispatch *icd_table; /* of new objects: that, or one that traces calls */
void icd_trace(void);                    /* before there are objects */

/* ---- info.c: answers of clGet*Info ---------------------------------------------------------------------- */

/* Where an answer goes: the last three arguments of every clGet*Info. */
struct info_out {
    size_t size;
    void *value;
    size_t *size_ret;
};
/* Each returns CL_SUCCESS, or CL_INVALID_VALUE if `size` is too small for a non-NULL `value`. */
cl_int info_bytes(struct info_out, const void *bytes, size_t n);
cl_int info_string(struct info_out, const char *);
cl_int info_uint(struct info_out, cl_uint);
cl_int info_ulong(struct info_out, cl_ulong);
cl_int info_size(struct info_out, size_t);
cl_int info_pointer(struct info_out, const void *);
size_t
    info_wanted(struct info_out); /* bytes of the answer that has just not fitted there; 0: it wasn't that */
#define INFO_OUT ((struct info_out){param_value_size, param_value, param_value_size_ret})

/* ---- error reporting: error.c, way_out.c ------------------------------------------------------------------ */

/* Reports an API error in a sentence and returns `code`: to WEIR_LOG as "clFoo: message (CL_CODE); way out", and to
 * the context's notify callback if there is a context (NULL: none). Callable from any thread, under no
 * lock. The function's name is `function`: use API_FAIL. */
cl_int api_fail(cl_context, const char *function, cl_int code, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
#define API_FAIL(context, code, ...) api_fail(context, __func__, code, __VA_ARGS__)
/* The handle is no `what` ("event"), as object_is() found; names what it is instead. */
cl_int handle_fail(cl_context, const char *function, cl_int code, const char *what, const void *handle);
/* What a handle that isn't one of the wanted kind is instead, ", but ..."; "" if nobody knows. It may be any pointer that
 * object_is() was asked about. */
const char *handle_instead(const void *handle);
#define HANDLE_FAIL(code, what, handle) handle_fail(NULL, __func__, code, what, handle)
/* A clGet*Info has failed with `code`: the query is unknown, or the room too small. */
cl_int info_fail(cl_context, const char *function, cl_int code, cl_uint param_name, struct info_out);
#define INFO_FAIL(context, code) info_fail(context, __func__, code, param_name, INFO_OUT)
const char *way_out(cl_int code, const char *sentence); /* what to do about it; NULL: nothing is known */
const char *error_name(cl_int code);                    /* "CL_INVALID_VALUE"; never NULL */

/* ---- platform.c, device.c ------------------------------------------------------------------------------- */

struct _cl_platform_id {
    struct object object;
};
extern struct _cl_platform_id weir_platform; /* the only one; made at the first API call */
/* Answers CL_*_EXTENSIONS or, `with_version`, CL_*_EXTENSIONS_WITH_VERSION. */
cl_int extension_info(struct info_out, bool with_version);

/* The root device (static, never freed) or a sub-device. */
struct _cl_device_id {
    struct object object;
    cl_device_id parent; /* NULL: the root */
    cl_uint compute_units;
    cl_uint first_worker; /* sub-devices: workers [first_worker, first_worker + compute_units) */
    cl_device_partition_property *partition; /* as created, with the 0s; sub-devices only */
    cl_uint npartition;
    struct scheduler *scheduler; /* of the root; shared by its sub-devices */
    bool is_bound;               /* an affinity domain: its workers stay on its processors */
    cl_device_id next_bound;     /* binding.c's list */
};
#define WEIR_LOCAL_BYTES  (512 * 1024) /* CL_DEVICE_LOCAL_MEM_SIZE */
#define WEIR_PRINTF_BYTES (16 << 20)   /* CL_DEVICE_PRINTF_BUFFER_SIZE: of one work-group */
#define WEIR_MEM_ALIGN    128          /* bytes; CL_DEVICE_MEM_BASE_ADDR_ALIGN is 8 times that */
cl_device_id device_root(void);
/* The same device, or a sub-device of it at any depth. */
bool device_is_part_of(cl_device_id, cl_device_id whole);
bool device_is_bound(cl_device_id); /* it or a device that it's a part of is an affinity domain */
cl_device_affinity_domain device_domains(cl_device_id); /* CL_DEVICE_PARTITION_AFFINITY_DOMAIN */
/* Answers what is asked about SPIR-V; false: it is something else. */
bool spirv_info(cl_device_info, struct info_out, cl_int *error);

/* ---- context.c -------------------------------------------------------------------------------------------- */

struct destructor { /* clSetContextDestructorCallback, clSetMemObjectDestructorCallback: newest first */
    struct destructor *next;
    void (*notify)(void *object, void *user); /* cast to the API's type */
    void *user;
};
struct svm_block; /* svm.c */
struct _cl_context {
    struct object object;
    cl_uint ndevices;
    cl_device_id *devices;
    cl_context_properties *properties; /* as created, 0-terminated; NULL: none were given */
    size_t nproperties;                /* with the 0 */
    void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
    void *notify_user;
    bool terminable;                         /* CL_CONTEXT_TERMINATE_KHR */
    cl_context_memory_initialize_khr zeroes; /* CL_CONTEXT_MEMORY_INITIALIZE_KHR */
    _Atomic bool terminated;
    pthread_mutex_t lock; /* guards what follows */
    struct destructor *destructors;
    struct _cl_event *live;          /* if terminable: commands that haven't ended */
    unsigned nqueues;                /* made so far */
    struct svm_block *svm;           /* shared allocations: of clSVMAlloc, and of unified shared memory */
    cl_command_queue default_queues; /* on devices, one per device; not held */
    cl_command_queue queues;         /* all that aren't gone; each leaves when it is destroyed */
};
/* What functions that create objects or enqueue commands check first, reported: CL_INVALID_CONTEXT,
 * CL_CONTEXT_TERMINATED_KHR; of a valid context only the latter. */
cl_int context_check(const char *function, cl_context);
cl_int context_alive(const char *function, cl_context);
/* A valid device of the context, or a sub-device of one: that may be used wherever its parent may. */
bool context_has_device(cl_context, cl_device_id);

/* ---- queue.c ---------------------------------------------------------------------------------------------- */

struct _cl_command_queue {
    struct object object;
    cl_context context;
    cl_device_id device;
    cl_command_queue_properties properties;
    bool is_timed;                     /* its commands take the time: it profiles, or a trace is written */
    cl_queue_properties *created_with; /* 0-terminated; NULL: made by clCreateCommandQueue or with NULL */
    size_t ncreated_with;
    cl_queue_priority_khr priority; /* a CL_QUEUE_PRIORITY_*: smaller ones go first */
    cl_command_queue next, *link;   /* among the context's, under its lock */
    pthread_mutex_t lock;           /* guards what follows */
    _Atomic(cl_event) last;         /* in-order: the newest command that hasn't ended, or NULL */
    _Atomic(cl_event) barrier;      /* out-of-order: the newest such barrier, or NULL */
    struct _cl_event
        *live;          /* out-of-order: unfinished commands since the last that waited for all, and that */
    uint64_t positions; /* commands entered so far */
    unsigned number;    /* among the context's queues, from 1: for people */
    struct check_command
        *checked;            /* WEIR_CHECK: of the newest command (barrier, if out of order), held; or NULL */
    _Atomic uint64_t calls;  /* that enqueued; counted under WEIR_CHECK alone */
    struct _cl_event *stock; /* event.c: blocks of commands that are gone, to be used again */
    unsigned nblocks;        /* of those, also in use */
    _Atomic(struct _cl_event *) spare; /* under no lock: blocks on their way to `stock` */
    cl_uint size;                      /* on the device: CL_QUEUE_SIZE */
    _Atomic size_t used;               /* of it, by commands that haven't ended */
    cl_command_queue next_default;     /* context's list */
    bool is_default;                   /* in it; both guarded by the context's lock */
};
#define WEIR_QUEUE_BYTES     (64 << 20)  /* CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE */
#define WEIR_MAX_QUEUE_BYTES (256 << 20) /* CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE */
/* The default queue on the device, held; NULL: there is none. */
cl_command_queue queue_default(cl_context, cl_device_id);
bool queue_is_on_device(cl_command_queue); /* valid and one that kernels enqueue to */

/* Waits for all commands that the context's queues have now. */
cl_int queue_finish_all(cl_context);

/* ---- event.c, command.c, command_type.c: the event graph ------------------------------------------------ */

/* A command and its event are one object. States only sink: CL_QUEUED > CL_SUBMITTED > CL_RUNNING >
 * CL_COMPLETE (0) or a negative error. A command becomes ready when all commands it waits for are
 * complete; if one of them failed it ends with CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST and does
 * not run (explicit wait lists only: in-order predecessors that failed do not stop their successors). */
struct edge { /* who waits for an event; lives in the waiting one */
    struct edge *next;
    cl_event waiter;
    bool listed; /* in the waiter's explicit wait list: a failure is passed on */
};
struct callback; /* event.c */
struct _cl_event {
    struct object object;
    cl_context context;     /* held, by the queue if there is one */
    cl_command_queue queue; /* held; NULL: user event */
    cl_device_id device;    /* that it runs on: mostly the queue's */
    cl_command_type type;
    _Atomic cl_int status;
    cl_ulong times[5];    /* QUEUED, SUBMIT, START, END, COMPLETE; ns; queues with profiling, or a trace */
    pthread_mutex_t lock; /* guards the lists; waiting for completion is the scheduler's */
    struct edge *dependents;
    _Atomic(struct callback *) callbacks;
    _Atomic uint32_t pending;                 /* unfinished predecessors, plus one until submitted */
    _Atomic cl_int wait_error;                /* first negative status among the explicit wait list */
    struct _cl_event *live_next, **live_prev; /* out-of-order queue's list */
    struct edge order;                        /* after the queue's predecessor or barrier */
    struct edge *edges;                       /* after the wait list, or all that was live */
    bool waits_all;                           /* marker or barrier without a wait list */
    uint64_t position;                        /* in its queue, from 1 */
    _Atomic uint32_t waiters;                 /* threads parked on `status` */
    struct _cl_event *ready_next;             /* scheduler's list */
    uint64_t ticket;                          /* scheduler's: order of becoming ready */
    uint64_t expected; /* ns that it will run, by earlier ones of its kind; 0: not known */
    /* Runs the command on the calling thread (and others through sched_range), as the event that is given; returns 0 or
     * a negative error. NULL: nothing to do (markers, barriers, user events). A command buffer runs its commands, as parts
     * of it, again and again, also on several threads at once: what it can record leaves its payload as it is. */
    cl_int (*run)(void *payload, cl_event as);
    void (*cleanup)(cl_event); /* drops what the payload holds, right after completion; may be NULL */
    void *payload;             /* the command's own data, allocated with the event */
    bool pooled;               /* goes back to its queue */
    bool of_queues;            /* of several: the application is told of none */
    struct _cl_event *of_context, **of_context_prev; /* the context's list */
    /* A command that runs may have parts, which are commands: those that its kernel enqueues, chains of a command buffer.
     * It ends after all of them. */
    cl_event parent;               /* the command that this is a part of: it can't end before */
    cl_event gate;                 /* ends when this has run, before its parts have; guarded by `lock` */
    _Atomic uint32_t family;       /* 1 until it has run, and its unfinished parts */
    _Atomic cl_int family_error;   /* an error of theirs */
    struct check_command *checked; /* WEIR_CHECK: its place in the order of commands (held); else NULL */
    bool is_internal;              /* none of the application's calls */
    struct trace_command *traced;  /* WEIR_TRACE: its record, until it has ended; NULL: it has none */
    uint64_t trace_id;             /* 0: it isn't in the trace */
    bool in_ticks;                 /* its times are trace_clock's: nobody else will see them */
    weir_u64 *capture;             /* gets how long it ran, without and with parts; guarded by `lock` */
};

/* Common checks of every clEnqueue*: queue valid, wait list well-formed (CL_INVALID_EVENT_WAIT_LIST) and
 * of the queue's context (CL_INVALID_CONTEXT). Returns CL_SUCCESS or the error, reported. */
cl_int command_check(const char *function, cl_command_queue, cl_uint nwait, const cl_event *wait);
/* Makes a command with a zeroed payload of `payload_size` bytes; NULL: out of host memory. The caller
 * fills the payload, run and cleanup, then submits, or gives up with object_drop(event). */
cl_event command_new(cl_command_queue, cl_command_type, size_t payload_size);
cl_int command_no_memory(const char *function, cl_command_queue); /* CL_OUT_OF_HOST_MEMORY, reported */
/* Enters the command into the graph after its wait list and queue order. Consumes the caller's
 * reference, or passes it to *event if `event` is not NULL. With `blocking`, waits for the end and
 * returns CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST or the command's error if it failed. A payload's
 * resources are released by `cleanup` in any case. */
cl_int command_submit(cl_event, cl_uint nwait, const cl_event *wait, bool blocking, cl_event *event);
void command_finish(cl_event,
                    cl_int status); /* completes it and releases successors; used by user events too */
/* The command itself has ended: it finishes now, or with the last of its parts. */
void command_ran(cl_event, cl_int status);
void command_adopt(cl_event parent, cl_event part); /* before it is submitted, while the parent runs */
void command_disown(cl_event parent);               /* of one that could not be submitted */
/* Events that commands can wait for, each ended once by command_finish: a new one; the one that ends when this command,
 * which runs, has run. Not held. NULL: no memory. */
cl_event gate_new(cl_context);
cl_event command_gate(cl_event);
/* The common last arguments of the enqueue functions; or, with `recording`, the command goes into a command buffer. */
struct recording;
struct enqueue_order {
    cl_uint nwait;
    const cl_event *wait;
    bool blocking;
    cl_event *event;
    const struct recording *recording;
};
cl_int order_check(const char *function, cl_command_queue, struct enqueue_order); /* as command_check */
/* Enqueues or records the command, which is consumed. Reports it where memory is too short for that. */
cl_int order_command(const char *function, cl_event, struct enqueue_order);
void depend(cl_event, cl_event before, struct edge *, bool listed); /* waits for it, unless that has ended */
/* For people, of any type: "NDRANGE_KERNEL", and the call that enqueues such commands, "clEnqueueNDRangeKernel". */
const char *command_name(cl_command_type);
const char *command_call(cl_command_type);
/* A zeroed event with status CL_QUEUED and one reference, holding context and queue (NULL: user event), and
 * its payload after it; NULL: out of memory. */
cl_event event_new(cl_context, cl_command_queue, cl_command_type, size_t payload_size);
void event_free_blocks(cl_command_queue); /* when the queue is destroyed */
/* Shows the application the end of a command before that has come. */
void event_cut(cl_event, cl_int status);
void commands_cut(cl_context); /* all of the context: with CL_CONTEXT_TERMINATED_KHR */
/* What a wait for semaphores waits for, *n events: held, to be freed. NULL: out of memory. */
cl_event *semaphore_promises(cl_event, cl_uint *n);
void semaphore_break(cl_event *promises, cl_uint n, cl_int status); /* ends, drops and frees them */
void event_advance(cl_event, cl_int status); /* to CL_SUBMITTED or CL_RUNNING: publishes and calls back */
/* Publishes the final status, wakes waiting threads and hands out who waited: edges in the order in which they
 * came, and callbacks for event_notify, which calls and frees them. */
struct edge *event_end(cl_event, cl_int status, struct callback **);
void event_notify(cl_event, struct callback *, cl_int status);
/* Writes ns that the command runs, alone and with children, when it ends. */
void event_capture(cl_event, weir_u64 *two);
cl_int event_wait(cl_event); /* helps the scheduler while waiting; returns the final status */

/* ---- ndrange.c: sizes ---------------------------------------------------------------------------------------- */

struct sizes { /* of one NDRange; unused dimensions are 1 */
    cl_uint dim;
    size_t offset[3], global[3], local[3];
    bool empty;  /* no work-items at all */
    bool chosen; /* the local size, by us */
    bool large;  /* global ids beyond what vectorized code computes with */
    /* Of sizes that aren't empty: */
    size_t groups[3];
    bool partial[3], is_partial; /* the last work-group of the dimension, some work-groups are smaller */
};
/* Dimensions, offsets and global sizes; without errors *sizes holds them, and ones else. */
cl_int ndrange_check_global(const char *function, cl_context, cl_uint dim, const size_t *offset,
                            const size_t *global, struct sizes *);
/* After it: local sizes, or NULL to choose them: reqd_work_group_size, the hint, or what fills vectors and workers. */
cl_int ndrange_check_local(const char *function, cl_program, const struct kernel_meta *, const size_t *local,
                           struct sizes *);

/* ---- launch.c: NDRanges ------------------------------------------------------------------------------------ */

/* All that clEnqueueNDRangeKernel checks besides queue and wait list; the sizes as they will be. *unset, if not NULL,
 * tells whether arguments aren't set, which else is an error. */
cl_int launch_check(const char *function, cl_command_queue, cl_kernel, cl_uint dim, const size_t *offset,
                    const size_t *global, const size_t *local, struct sizes *, bool *unset);
/* A command for the queue, with the kernel's arguments as they are now. After launch_check. */
cl_int launch_make(const char *function, cl_command_queue, cl_kernel, const struct sizes *, cl_command_type,
                   cl_event *made);

/* ---- record.c, replay.c, mutable.c: command buffers ---------------------------------------------------------- */

struct recording { /* a command on its way into a command buffer */
    cl_command_buffer_khr buffer;
    cl_command_queue queue; /* of the buffer's list */
    cl_uint nsync;
    const cl_sync_point_khr *sync;
    cl_sync_point_khr *sync_point;
    cl_mutable_command_khr *handle;
    const cl_command_properties_khr *properties;
    const struct dispatch *dispatch; /* of a launch */
};
/* What each clCommand*KHR checks first. Only launches have handles and properties. Reported. */
cl_int record_begin(const char *function, struct recording *, bool is_launch, cl_command_buffer_khr,
                    cl_command_queue, const cl_command_properties_khr *, cl_uint nsync,
                    const cl_sync_point_khr *, cl_sync_point_khr *, cl_mutable_command_khr *);
#define RECORD_ARGS                                                                                          \
    command_buffer, command_queue, properties, num_sync_points_in_wait_list, sync_point_wait_list,           \
        sync_point, mutable_handle
/* Adds the command to the buffer; consumes it in any case. */
cl_int record_add(const char *function, const struct recording *, cl_event);

/* ---- held_locks.c ----------------------------------------------------------------------------------------- */

/* Where user callbacks are called, or may be: ends the process if this thread holds a lock, in builds that count them. */
#ifdef WEIR_DEBUG_LOCKS
void no_lock_is_held(const char *function);
#else
static inline void no_lock_is_held(const char *function) {
}
#endif

/* ---- sched.c, range.c, mailbox.c, worker.c: worker threads ----------------------------------------------- */

/* A program that is built with ThreadSanitizer sees the copies that this library makes for it, as all calls of memcpy, but not
 * the atomics and futexes that order them. So it is told: what a thread did before tsan_release comes before what another
 * does after tsan_acquire. One place for all: races between an application's own threads that both call Weir may stay
 * unseen, none is made up. */
#if defined(__SANITIZE_THREAD__) /* this library's own races are what is looked for */
static inline void tsan_release(void) {
}
static inline void tsan_acquire(void) {
}
#else
extern void __tsan_acquire(void *) __attribute__((weak, visibility("default")));
extern void __tsan_release(void *) __attribute__((weak, visibility("default")));
extern char tsan_place;
static inline void tsan_release(void) {
    if (__tsan_release)
        __tsan_release(&tsan_place);
}
static inline void tsan_acquire(void) {
    if (__tsan_acquire)
        __tsan_acquire(&tsan_place);
}
#endif

/* Kernels, printf's texts and colours expect the default floating-point environment; the application's threads may have
 * another, which they keep, and so may be told of exceptions by signals. The C library's printf asks the x87 unit which way
 * to round. */
struct float_mode {
    unsigned sse;
    bool is_odd;     /* the x87 unit's control word */
    unsigned x87[7]; /* all of it, where that is odd: what a kernel does must raise no signal later */
};
static inline struct float_mode float_mode_enter(void) {
    struct float_mode before = {0};
#if defined(__x86_64__)
    static const unsigned short x87 = 0x37f;
    unsigned short now;
    before.sse = __builtin_ia32_stmxcsr();
    __builtin_ia32_ldmxcsr(0x1f80);
    __asm__ volatile("fnstcw %0" : "=m"(now));
    before.is_odd = now != x87;
    if (before.is_odd) {
        __asm__ volatile("fnstenv %0" : "=m"(before.x87));
        __asm__ volatile("fldcw %0" : : "m"(x87));
    }
#endif
    return before;
}
static inline void float_mode_leave(struct float_mode before) {
#if defined(__x86_64__)
    __builtin_ia32_ldmxcsr(before.sse);
    if (before.is_odd)
        __asm__ volatile("fldenv %0" : : "m"(before.x87));
#endif
}

/* One per executing thread (workers, and host threads while they wait). Its ABI part comes first. */
struct worker {
    struct weir_worker abi;
    unsigned index;
    const struct run *run;     /* of the work-groups that it runs (launch.c) */
    struct buf printf_out;     /* records of the current command */
    struct fault_place *fault; /* WEIR_FAULT: told of the work-group; else NULL */
    cl_event gate;             /* ends with the work-group that it runs; NULL: nobody waits for it */
    struct worker *next;       /* sched.c: spare ones */
    struct worker *older;      /* made before this one; all of them are listed so, for forks */
    cl_event command;          /* that it runs; set under the scheduler's lock */
    const void *thread;        /* that runs it as this worker */
};
struct scheduler *sched_new(unsigned workers); /* starts no thread yet; never NULL, never freed */
/* Hands a command whose predecessors are all complete to the workers of its queue's device. Not `urgent`, as
 * from an enqueue: the application is about to wait or flush; work starts by itself a moment later. */
void sched_ready(cl_event, bool urgent);
void sched_flush(cl_device_id); /* what is ready starts now */
void sched_settle(void);        /* before user code runs on this thread: others take what it left */
/* In a forked child, before it enqueues, waits or looks: commands that threads of its parent were running at the fork end with
 * an error, for these threads are none of the child's. */
extern _Atomic(cl_event) sched_lost;
void sched_end_lost(void);
static inline void sched_look_back(void) {
    if (atomic_load_explicit(&sched_lost, memory_order_relaxed))
        sched_end_lost();
}
/* Waits for the end of a command. Meanwhile this thread runs that command or what must come before it in
 * its queue, and nothing else: work of others might itself wait for this thread. */
void sched_wait(cl_event);
/* Runs fn(arg, worker, begin, end) over disjoint chunks that cover [0, n) on the device's workers and on
 * the calling thread, which is itself a worker; returns when all are done. Nonzero from fn stops the
 * handing out and is returned. Memory effects of all chunks are visible to the caller afterwards.
 * any_order: each thread begins with the chunks of its own part of the range; else lower ones are handed out first.
 * *cost: nanoseconds per item, of this kind of work so far, for the number of threads; 0: not known yet. */
cl_int sched_range(cl_device_id, cl_int (*fn)(void *arg, struct worker *, uint64_t begin, uint64_t end),
                   void *arg, uint64_t n, bool any_order, _Atomic float *cost);
/* Makes room for at least this much local memory and context on this worker; false: out of memory. */
bool worker_reserve(struct worker *, size_t local_bytes, size_t context_bytes);
struct worker *worker_new(unsigned index); /* worker.c; NULL: out of memory; never freed */
struct worker *worker_newest(void);
/* Starts a thread that takes none of the application's signals, only those of its own faults (for a handler of the
 * application's). Stack 0: the usual size. Returns pthread_create's error. */
int worker_thread(pthread_t *, size_t stack_bytes, void *(*main)(void *), void *arg);
void worker_enter(struct worker *); /* the calling thread is now this worker: its stack */

/* ---- topology.c, binding.c: affinity domains ------------------------------------------------------------------- */

enum { TOPOLOGY_DOMAINS = 5 }; /* NUMA, L4, L3, L2, L1 */
struct topology_cpu {
    int number;                   /* the system's */
    int domain[TOPOLOGY_DOMAINS]; /* which one it is in; -1: none */
};
/* The processors that this process may use, neighbours sharing most; the i-th is worker i's. */
const struct topology_cpu *topology_get(size_t *n);
/* Fills in the domains of processors with these numbers, and orders them. */
void topology_read(const char *sysfs, struct topology_cpu *, size_t n);
/* How many processors each domain has, in order; returns how many domains there are, 0 if some are in none. Room for n. */
size_t topology_split(const struct topology_cpu *, size_t n, unsigned domain, cl_uint *sizes);
unsigned topology_domain(cl_device_affinity_domain bit); /* TOPOLOGY_DOMAINS: not one of them */
cl_device_affinity_domain topology_bit(unsigned domain);
void sched_bind(cl_device_id); /* its workers stay on its processors until sched_unbind */
void sched_unbind(cl_device_id);

/* ---- limit.c: the device's memory ------------------------------------------------------------------------------- */

cl_ulong device_global_bytes(
    void); /* CL_DEVICE_GLOBAL_MEM_SIZE: what this process may use, less what the host needs */
cl_ulong device_max_alloc(void); /* CL_DEVICE_MAX_MEM_ALLOC_SIZE */
/* Counts an allocation of that many bytes; false: all of them would exceed device_global_bytes. */
bool limit_take(size_t size);
void limit_give(size_t size);

/* ---- mem.c: buffers and sub-buffers, what all memory objects share ---------------------------------------------- */

struct image;
struct mapping; /* map.c */
struct _cl_mem {
    struct object object;
    cl_context context; /* held */
    cl_mem_object_type type;
    cl_mem_flags flags; /* with what is inherited from `parent` */
    size_t size;
    unsigned char *data; /* host address of the first byte: what kernels get */
    void *host_ptr;      /* as given with CL_MEM_USE_HOST_PTR, else NULL */
    cl_mem parent;       /* held; of sub-buffers, and of images that show another object's memory */
    struct image *image; /* images: the rest of it; else NULL */
    size_t offset;       /* sub-buffers: in the parent, bytes */
    cl_mem_properties *properties;
    size_t nproperties;
    bool has_address;     /* CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT: the application may ask for it */
    bool owns_data;       /* mem_free(data, size) at the end */
    pthread_mutex_t lock; /* guards what follows */
    struct mapping *mappings;
    cl_uint map_count;
    struct destructor *destructors;
};
#define MEM_KERNEL_FLAGS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define MEM_HOST_FLAGS   (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)
#define MEM_DATA_FLAGS   (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)
/* No bits but `allowed`, and of each group of exclusive ones at most one. */
bool mem_flags_are_valid(cl_mem_flags flags, cl_mem_flags allowed);
cl_int mem_flags_fail(const char *function, cl_context, cl_mem_flags); /* they aren't */
/* Whether a sub-buffer or an image may ask for `flags` of a parent with `has`. */
bool mem_flags_may_narrow(cl_mem_flags has, cl_mem_flags flags);
cl_mem_flags mem_flags_inherited(cl_mem_flags parent, cl_mem_flags flags);
/* A memory object without data and with one reference; NULL: out of memory. */
cl_mem mem_new(cl_context, cl_mem_object_type, cl_mem_flags, size_t size);
bool mem_is_buffer(cl_mem); /* valid and a buffer or sub-buffer */
/* CL_INVALID_MEM_OBJECT unless the object `is_one` of `what`, as "a buffer"; CL_INVALID_CONTEXT. Reported. */
cl_int mem_check_object(const char *function, cl_command_queue, cl_mem, const char *what, bool is_one);
/* What every command on a buffer checks, after command_check: CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT, then
 * CL_INVALID_VALUE if [offset, offset + size) isn't inside. Reported. */
cl_int mem_check(const char *function, cl_command_queue, cl_mem, size_t offset, size_t size);
/* CL_INVALID_OPERATION, reported, if the host may not read (or write) the object by its CL_MEM_HOST_* flags. */
cl_int mem_check_host(const char *function, cl_mem, bool reads, bool writes);
/* At least WEIR_MEM_ALIGN-aligned memory, large blocks in huge pages. NULL: none left, or the device's memory would
 * be exceeded. Release with mem_free, which allows NULL. */
void *mem_allocate(size_t size, size_t align);
void mem_free(void *, size_t size);

/* ---- pipe.c ------------------------------------------------------------------------------------------------------ */

#define WEIR_MAX_PACKET    (1 << 20) /* CL_DEVICE_PIPE_MAX_PACKET_SIZE, bytes */
#define WEIR_MAX_PIPE_ARGS 64        /* CL_DEVICE_MAX_PIPE_ARGS */
bool mem_is_pipe(cl_mem);            /* valid and a pipe: `data` is its struct weir_pipe */

/* ---- image_format.c ---------------------------------------------------------------------------------------- */

bool image_type_is_valid(cl_mem_object_type);
/* For messages: "CL_RGBA of CL_FLOAT", "CL_MEM_OBJECT_IMAGE2D"; numbers where the specification has no name. */
struct format_text {
    char at[64];
} image_format_text(const cl_image_format *);
struct format_text image_type_text(cl_mem_object_type);
/* Whether order and type are the specification's and go together; not all that do are supported. */
bool image_format_is_valid(const cl_image_format *);
enum { IMAGE_READ = 1, IMAGE_WRITE = 2 }; /* by kernels */
/* What kernels may do with an image of this type and format; 0: not supported. */
unsigned image_format_access(const cl_image_format *, cl_mem_object_type);
uint32_t image_format_bytes(const cl_image_format *); /* of a texel, a power of two; supported formats only */
#define IMAGE_MAX_TEXEL 16
union image_color { /* red, green, blue, alpha */
    float f[4];
    int32_t i[4];
    uint32_t u[4];
};
void image_format_encode(const cl_image_format *, union image_color, void *texel);

/* ---- image.c: images --------------------------------------------------------------------------------------- */

#define WEIR_IMAGE_2D     16384     /* texels of a 2D image; WEIR_MAX_LEVELS are enough for it */
#define WEIR_IMAGE_3D     2048      /* of a 3D image */
#define WEIR_IMAGE_LAYERS 2048      /* of an array */
#define WEIR_IMAGE_ALIGN  1         /* texels: CL_DEVICE_IMAGE_PITCH_ALIGNMENT, _BASE_ADDRESS_ALIGNMENT */
size_t image_max_buffer_size(void); /* CL_DEVICE_IMAGE_MAX_BUFFER_SIZE: texels of a 1D image buffer */
struct image {
    struct weir_image kernel; /* what kernels get the address of */
    cl_image_format format;
    cl_image_desc desc; /* for queries: pitches filled in, 0 what the type doesn't have */
};
bool mem_is_image(cl_mem); /* valid and an image */
/* A part of a level of an image, in memory. */
struct image_piece {
    unsigned level;
    size_t origin[3], region[3]; /* texels, rows or layers, slices or layers: as the API has them */
    unsigned char *start;
    size_t pitch[2]; /* from row to row, and from slice to slice */
};
/* CL_INVALID_VALUE or CL_INVALID_MIP_LEVEL, reported, unless origin (with the level) and region are in the image. */
cl_int image_piece(const char *function, cl_mem image, const size_t *origin, const size_t *region,
                   struct image_piece *);
bool image_pieces_overlap(const struct image_piece *, const struct image_piece *); /* of one object */

/* ---- sampler.c ------------------------------------------------------------------------------------------------ */

struct _cl_sampler { /* immutable */
    struct object object;
    cl_context context; /* held */
    uint64_t value;     /* what kernels get: WEIR_SAMPLER_* */
    cl_bool normalized;
    cl_addressing_mode address;
    cl_filter_mode filter, mip_filter;
    float lod_min, lod_max;
    cl_sampler_properties *properties; /* as created, with the final 0; NULL: none were given */
    size_t nproperties;
};

/* ---- map.c, transfer.c ------------------------------------------------------------------------------------------ */

bool map_flags_are_valid(cl_map_flags);
void map_forget(cl_mem); /* frees the records of mappings that were never unmapped */
/* Bytes that are copied, or filled: region[2] slices of region[1] rows of region[0] bytes. */
struct box {
    unsigned char *dst;
    const unsigned char *src;          /* copies */
    size_t region[3];                  /* bytes, rows, slices */
    size_t dst_pitch[2], src_pitch[2]; /* of a row, of a slice; bytes */
};
/* Enqueues the copy, or the fill with a pattern as for transfer_fill; the command holds `a` and `b` (NULL: none). */
cl_int transfer_enqueue_copy(const char *function, cl_command_queue, cl_command_type, const struct box *,
                             cl_mem a, cl_mem b, struct enqueue_order);
cl_int transfer_enqueue_fill(const char *function, cl_command_queue, cl_command_type, const struct box *,
                             cl_mem, const void *pattern, size_t pattern_size, struct enqueue_order);
/* Runs on the device's workers if `size` bytes are worth it: dst[0, size) = src; the ranges may overlap. */
cl_int transfer_copy(cl_device_id, void *dst, const void *src, size_t size);
/* dst[0, size) = the pattern, repeated; size is a multiple of pattern_size, a power of two up to 128. */
cl_int transfer_fill(cl_device_id, void *dst, size_t size, const void *pattern, size_t pattern_size);
/* CL_INVALID_VALUE, reported, unless the pattern is one and offset and size are multiples of its size. */
cl_int transfer_check_pattern(const char *function, cl_context, const void *pattern, size_t pattern_size,
                              size_t offset, size_t size);
/* Enqueues a command that does nothing but take its place in the order (memory is shared with the host). */
cl_int transfer_nothing(const char *function, cl_command_queue, cl_command_type, struct enqueue_order);

/* ---- svm.c ------------------------------------------------------------------------------------------------------ */

/* Fine-grain system SVM: any host pointer is valid. What we allocate is remembered for the queries. */
struct svm_range {
    unsigned char *start;
    size_t size;
    bool is_fine;        /* of clSVMAlloc: fine-grained */
    cl_uint usm;         /* a CL_MEM_TYPE_*_INTEL; 0: of clSVMAlloc */
    cl_device_id device; /* USM: held, or NULL */
    cl_mem_alloc_flags_intel flags;
};
/* The block of clSVMAlloc that holds `p`: its start and size; false: none (plain host memory). */
bool svm_find(cl_context, const void *p, void **start, size_t *size);
size_t svm_count(cl_context);                                     /* blocks of clSVMAlloc */
bool svm_nth(cl_context, size_t i, void **start, size_t *size);   /* false: there are fewer */
bool svm_range_of(cl_context, const void *p, struct svm_range *); /* of either kind */
bool svm_remember(cl_context, const struct svm_range *);          /* false: no memory */
/* Takes the range that starts at `p` out of the books; false: there is none of this kind. */
bool svm_forget(cl_context, const void *p, bool usm, struct svm_range *);
void svm_free_range(const struct svm_range *);
void svm_release(cl_context); /* frees what nobody freed; when the context is destroyed */
/* The commands of SVM and of unified shared memory, which differ in their names only. */
cl_int svm_memcpy(const char *function, cl_command_type, cl_command_queue, void *dst, const void *src,
                  size_t size, struct enqueue_order);
cl_int svm_fill(const char *function, cl_command_type, cl_command_queue, void *dst, const void *pattern,
                size_t pattern_size, size_t size, struct enqueue_order);
cl_int svm_check_migration(const char *function, cl_context, cl_mem_migration_flags);

#include "program.h"

/* ---- launch.c, device_queue.c: kernels that enqueue kernels ------------------------------------------------------------ */

enum { /* what enqueue_kernel and enqueue_marker give: OpenCL C's numbers */
       CLK_SUCCESS = 0,
       CLK_OUT_OF_RESOURCES = -5,
       CLK_INVALID_ARG_SIZE = -51,
       CLK_INVALID_EVENT_WAIT_LIST = -57,
       CLK_EVENT_ALLOCATION_FAILURE = -100,
       CLK_ENQUEUE_FAILURE = -101,
       CLK_INVALID_QUEUE = -102,
       CLK_INVALID_NDRANGE = -160,
       CLK_DEVICE_QUEUE_FULL = -161
};
extern const struct weir_calls device_calls; /* for struct weir_worker */
/* Makes the command for a block that the kernel enqueues, with a copy of what the call points to. NULL: *code is one of
 * those above. */
cl_event launch_block(const struct run *, cl_command_queue, const struct weir_enqueue *, cl_int *code);
cl_event launch_event(const struct run *); /* the command that runs */
const struct kernel_meta *launch_kernel(const struct run *);
weir_u32 launch_ask(const struct run *, const char *kernel, weir_u32 question, const struct weir_range *);

/* ---- printf.c -------------------------------------------------------------------------------------------------------------- */

/* Formats records that kernels left (see abi.h) to stdout, in order. Malformed formats or arguments that
 * don't match are printed as far as they make sense; nothing a kernel leaves can crash the process. */
void printf_flush(const void *records, size_t n);
void *printf_reserve(struct weir_worker *, weir_u32 bytes); /* for struct weir_worker */

#include "watch.h"

#endif
