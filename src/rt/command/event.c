/* event.c: events as the application sees them: status, callbacks, user events, profiling, waiting.
 *
 * The status only sinks. The end comes under the event's lock; so a callback is either found by a transition
 * or called at once by clSetEventCallback. How commands wait for each other is in command.c.
 */
#define _GNU_SOURCE
#include "check.h"
#include "rt.h"

#include <limits.h>
#include <linux/futex.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

struct callback {
    struct callback *next;
    cl_int type; /* CL_SUBMITTED, CL_RUNNING or CL_COMPLETE */
    void(CL_CALLBACK *notify)(cl_event, cl_int, void *);
    void *user;
};

/* ---- memory: a queue keeps blocks for its commands, for launching should cost no allocation ----------------- */

#if defined(__SANITIZE_ADDRESS__)
enum { BLOCK_BYTES = 0, MOST_BLOCKS = 1 }; /* none fits: uses after the end are seen */
#else
enum { BLOCK_BYTES = 1024, MOST_BLOCKS = 4096 };
#endif

static cl_event block_take(cl_command_queue queue, size_t bytes) {
    pthread_mutex_lock(&queue->lock);
    if (!queue->stock) { /* acquire: what the last user did with the blocks comes before */
        queue->stock = atomic_exchange_explicit(&queue->spare, NULL, memory_order_acquire);
        tsan_acquire();
    }
    cl_event e = queue->stock;
    bool pooled = e || queue->nblocks < MOST_BLOCKS;
    if (e)
        queue->stock = e->ready_next;
    else
        queue->nblocks += pooled;
    pthread_mutex_unlock(&queue->lock);
    if (e)
        memset(e, 0, bytes);
    else
        e = object_alloc(pooled ? BLOCK_BYTES : bytes);
    if (e)
        e->pooled = pooled;
    return e;
}

static void block_give(cl_command_queue queue, cl_event e) {
    object_set_kind(e, 0);
    tsan_release();
    e->ready_next = atomic_load_explicit(&queue->spare, memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&queue->spare, &e->ready_next, e, memory_order_release,
                                                  memory_order_relaxed))
        continue;
}

static void blocks_free(cl_event list) {
    while (list) {
        cl_event e = list;
        list = e->ready_next;
        object_free(e);
    }
}

void event_free_blocks(cl_command_queue queue) {
    blocks_free(queue->stock);
    blocks_free(atomic_load_explicit(&queue->spare, memory_order_acquire));
}

/* ---- life ------------------------------------------------------------------------------------------------- */

static void event_destroy(void *handle) {
    cl_event e = handle;
    if (!e->queue && atomic_load(&e->status) > CL_COMPLETE) {
        /* A user event that nobody can set any more: its successors fail instead of waiting forever. */
        atomic_store(&e->object.held, 2); /* command_finish drops one: this must not run again */
        command_finish(e, CL_INVALID_EVENT);
    }
    if (e->cleanup) /* never submitted */
        e->cleanup(e);
    if (e->traced) /* neither */
        trace_drop(e);
    cl_command_queue queue = e->queue;
    void *holds = queue ? (void *)queue : e->context;
    pthread_mutex_destroy(&e->lock);
    free(e->edges);
    if (e->checked)
        check_command_drop(e->checked);
    if (e->pooled)
        block_give(queue, e);
    else
        object_free(e);
    object_drop(holds);
}

cl_event event_new(cl_context context, cl_command_queue queue, cl_command_type type, size_t payload_size) {
    const size_t head = (sizeof(struct _cl_event) + 15) / 16 * 16;
    if (payload_size > SIZE_MAX - head)
        return NULL;
    bool fits = queue && head + payload_size <= BLOCK_BYTES;
    cl_event e = fits ? block_take(queue, head + payload_size) : object_alloc(head + payload_size);
    if (!e)
        return NULL;
    object_init(e, OBJECT_EVENT, event_destroy);
    e->lock = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER;
    object_hold(queue ? (void *)queue : context); /* the queue holds the context */
    e->context = context;
    e->queue = queue;
    e->device = queue ? queue->device : NULL;
    e->type = type;
    e->payload = (char *)e + head;
    atomic_init(&e->status, CL_QUEUED);
    atomic_init(&e->pending, 1);
    atomic_init(&e->family, 1);
    if (env_get()->check)
        e->checked = check_command_new();
    return e;
}

/* ---- transitions ------------------------------------------------------------------------------------------ */

/* Takes the callbacks for `status` and those before it off the list: in the order of the statuses, for one status the oldest
 * first. */
static struct callback *callbacks_take_locked(cl_event e, cl_int status) {
    struct callback *all = atomic_load_explicit(&e->callbacks, memory_order_relaxed), *taken = NULL,
                    **link = &all;
    while (*link) {
        struct callback *c = *link;
        if (c->type >= status) {
            struct callback **place = &taken; /* the list has the newest first */
            while (*place && (*place)->type > c->type)
                place = &(*place)->next;
            *link = c->next;
            c->next = *place;
            *place = c;
        } else
            link = &c->next;
    }
    if (taken)
        atomic_store_explicit(&e->callbacks, all, memory_order_relaxed);
    return taken;
}

void event_notify(cl_event e, struct callback *list, cl_int status) {
    no_lock_is_held(__func__);
    if (!list)
        return;
    tsan_acquire();
    if (e->checked)
        check_command_seen(e->checked, status <= CL_COMPLETE); /* by what is called */
    /* The handle stays valid inside the callbacks, even if the application has released it already. */
    uint32_t none = 0;
    bool lent = atomic_compare_exchange_strong(&e->object.refs, &none, 1);
    if (lent)
        object_hold(e);
    while (list) {
        struct callback *c = list;
        list = c->next;
        c->notify(e, status < 0 ? status : c->type, c->user);
        free(c);
    }
    if (lent)
        object_release(e, e->object.kind, CL_INVALID_EVENT);
}

void event_advance(cl_event e, cl_int status) {
    cl_int before = atomic_load_explicit(&e->status, memory_order_relaxed);
    while (before > status) /* else it was cut */
        if (atomic_compare_exchange_weak(&e->status, &before, status))
            break;
    /* Sequentially consistent: a callback is there before its setter looks at the status. One of us sees the other. */
    if (before <= status || !atomic_load(&e->callbacks))
        return;
    pthread_mutex_lock(&e->lock);
    struct callback *callbacks = callbacks_take_locked(e, status);
    pthread_mutex_unlock(&e->lock);
    event_notify(e, callbacks, status);
}

void event_cut(cl_event e, cl_int status) {
    struct callback *callbacks = NULL;
    pthread_mutex_lock(&e->lock);
    bool cut = atomic_load(&e->status) > CL_COMPLETE;
    if (cut) {
        atomic_store(&e->status, status);
        callbacks = callbacks_take_locked(e, CL_COMPLETE);
    }
    pthread_mutex_unlock(&e->lock);
    if (cut && atomic_load(&e->waiters))
        syscall(SYS_futex, &e->status, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    event_notify(e, callbacks, status);
}

static void write_times(cl_event e, weir_u64 *two) {
    two[0] = e->times[3] - e->times[2];
    two[1] = e->times[4] - e->times[2];
}

void event_capture(cl_event e, weir_u64 *two) {
    pthread_mutex_lock(&e->lock);
    if (atomic_load(&e->status) <= CL_COMPLETE)
        write_times(e, two);
    else
        e->capture = two;
    pthread_mutex_unlock(&e->lock);
}

struct edge *event_end(cl_event e, cl_int status, struct callback **callbacks) {
    struct edge *taken = NULL;
    tsan_release();
    pthread_mutex_lock(&e->lock);
    if (e->capture)
        write_times(e, e->capture);
    /* Sequentially consistent, here and for `waiters`: one of waker and waiter sees the other. What was cut stays so. */
    if (atomic_load_explicit(&e->status, memory_order_relaxed) > CL_COMPLETE)
        atomic_store(&e->status, status);
    *callbacks = callbacks_take_locked(e, status < 0 ? CL_COMPLETE : status);
    while (e->dependents) {
        struct edge *edge = e->dependents;
        e->dependents = edge->next;
        edge->next = taken;
        taken = edge;
    }
    pthread_mutex_unlock(&e->lock);
    if (atomic_load(&e->waiters))
        syscall(SYS_futex, &e->status, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
    return taken;
}

cl_int event_wait(cl_event e) {
    sched_wait(e);
    tsan_acquire();
    if (e->checked)
        check_command_seen(e->checked, true);
    return atomic_load_explicit(&e->status, memory_order_acquire);
}

/* ---- API --------------------------------------------------------------------------------------------------- */

WEIR_API cl_int clWaitForEvents(cl_uint num_events, const cl_event *event_list) {
    if (num_events == 0 || !event_list)
        return API_FAIL(NULL, CL_INVALID_VALUE, "%u events at %p", num_events, (const void *)event_list);
    for (cl_uint i = 0; i < num_events; i++)
        if (!object_is(event_list[i], OBJECT_EVENT))
            return API_FAIL(NULL, CL_INVALID_EVENT, "event_list[%u] is not an event", i);
    cl_context context = event_list[0]->context;
    for (cl_uint i = 1; i < num_events; i++)
        if (event_list[i]->context != context)
            return API_FAIL(context, CL_INVALID_CONTEXT, "event_list[%u] is of another context", i);
    bool failed = false;
    for (cl_uint i = 0; i < num_events; i++) {
        /* One that the application has released ends while others are waited for. */
        if (!object_hold_alive(event_list[i]))
            return API_FAIL(context, CL_INVALID_EVENT, "event_list[%u] has been released", i);
        failed |= event_wait(event_list[i]) < 0;
        object_drop(event_list[i]);
    }
    return failed ? API_FAIL(context, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command failed")
                  : CL_SUCCESS;
}

/* Handles of kernels' events mean nothing to the application. */
static cl_int fail_device_event(const char *function, cl_event e) {
    return api_fail(e->context, function, CL_INVALID_OPERATION, "the event is of a kernel that enqueued");
}

WEIR_API cl_int clRetainEvent(cl_event event) {
    if (object_is(event, OBJECT_DEVICE_EVENT))
        return fail_device_event(__func__, event);
    cl_int error = object_retain(event, OBJECT_EVENT, CL_INVALID_EVENT);
    return error ? HANDLE_FAIL(error, "event", event) : CL_SUCCESS;
}

WEIR_API cl_int clReleaseEvent(cl_event event) {
    if (object_is(event, OBJECT_DEVICE_EVENT))
        return fail_device_event(__func__, event);
    cl_int error = object_release(event, OBJECT_EVENT, CL_INVALID_EVENT);
    return error ? HANDLE_FAIL(error, "event", event) : CL_SUCCESS;
}

WEIR_API cl_event clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
    cl_int error = context_check(__func__, context);
    cl_event e = NULL;
    if (!error && !(e = event_new(context, NULL, CL_COMMAND_USER, 0)))
        error = API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for an event");
    if (e)
        atomic_store(&e->status, CL_SUBMITTED);
    if (errcode_ret)
        *errcode_ret = error;
    return e;
}

WEIR_API cl_int clSetUserEventStatus(cl_event event, cl_int execution_status) {
    if (!object_is(event, OBJECT_EVENT) || event->type != CL_COMMAND_USER)
        return HANDLE_FAIL(CL_INVALID_EVENT, "user event", event);
    if (execution_status > CL_COMPLETE)
        return API_FAIL(event->context, CL_INVALID_VALUE, "status %d is neither CL_COMPLETE nor negative",
                        execution_status);
    if (!atomic_exchange(&event->pending, 0)) /* whoever takes the 1 sets the status */
        return API_FAIL(event->context, CL_INVALID_OPERATION, "the status was set before");
    object_hold(event); /* command_finish's */
    check_command_released(event->checked);
    command_finish(event, execution_status);
    return CL_SUCCESS;
}

WEIR_API cl_int clSetEventCallback(cl_event event, cl_int command_exec_callback_type,
                                   void(CL_CALLBACK *pfn_notify)(cl_event, cl_int, void *), void *user_data) {
    if (!object_is(event, OBJECT_EVENT))
        return HANDLE_FAIL(CL_INVALID_EVENT, "event", event);
    if (!pfn_notify || command_exec_callback_type < CL_COMPLETE || command_exec_callback_type > CL_SUBMITTED)
        return API_FAIL(event->context, CL_INVALID_VALUE, "callback %s for status %d",
                        pfn_notify ? "given" : "NULL", command_exec_callback_type);
    struct callback *c = malloc(sizeof *c);
    if (!c)
        return API_FAIL(event->context, CL_OUT_OF_HOST_MEMORY, "no memory for a callback");
    *c = (struct callback){.type = command_exec_callback_type, .notify = pfn_notify, .user = user_data};
    pthread_mutex_lock(&event->lock);
    c->next = atomic_load_explicit(&event->callbacks, memory_order_relaxed);
    atomic_store(&event->callbacks, c);
    cl_int status = atomic_load(&event->status);
    struct callback *late = callbacks_take_locked(event, status < 0 ? CL_COMPLETE : status);
    pthread_mutex_unlock(&event->lock);
    event_notify(event, late, status);
    return CL_SUCCESS;
}

static cl_int event_status(cl_event e, struct info_out out) {
    sched_look_back();
    cl_int status = atomic_load_explicit(&e->status, memory_order_acquire);
    tsan_acquire();
    if (status <= CL_RUNNING)
        check_command_seen(e->checked, status <= CL_COMPLETE);
    return info_uint(out, (cl_uint)status);
}

static cl_int event_info(cl_event e, cl_event_info name, struct info_out out) {
    switch (name) {
    case CL_EVENT_COMMAND_QUEUE:
        return info_pointer(out, e->of_queues ? NULL : e->queue);
    case CL_EVENT_CONTEXT:
        return info_pointer(out, e->context);
    case CL_EVENT_COMMAND_TYPE:
        return info_uint(out, e->type);
    case CL_EVENT_COMMAND_EXECUTION_STATUS:
        /* Acquire: who sees CL_COMPLETE here also sees what the command wrote. */
        return event_status(e, out);
    case CL_EVENT_REFERENCE_COUNT:
        return info_uint(out, atomic_load(&e->object.refs));
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int clGetEventInfo(cl_event event, cl_event_info param_name, size_t param_value_size,
                               void *param_value, size_t *param_value_size_ret) {
    if (!object_is(event, OBJECT_EVENT))
        return HANDLE_FAIL(CL_INVALID_EVENT, "event", event);
    cl_int error = event_info(event, param_name, INFO_OUT);
    return error ? INFO_FAIL(event->context, error) : CL_SUCCESS;
}

WEIR_API cl_int clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name, size_t param_value_size,
                                        void *param_value, size_t *param_value_size_ret) {
    if (!object_is(event, OBJECT_EVENT))
        return HANDLE_FAIL(CL_INVALID_EVENT, "event", event);
    if (!event->times[0] || event->in_ticks)
        return API_FAIL(event->context, CL_PROFILING_INFO_NOT_AVAILABLE, "the queue doesn't profile");
    if (atomic_load_explicit(&event->status, memory_order_acquire) != CL_COMPLETE)
        return API_FAIL(event->context, CL_PROFILING_INFO_NOT_AVAILABLE, "the command isn't complete");
    check_command_seen(event->checked, true);
    if (param_name < CL_PROFILING_COMMAND_QUEUED || param_name > CL_PROFILING_COMMAND_COMPLETE)
        return INFO_FAIL(event->context, CL_INVALID_VALUE);
    cl_int error = info_ulong(INFO_OUT, event->times[param_name - CL_PROFILING_COMMAND_QUEUED]);
    return error ? INFO_FAIL(event->context, error) : CL_SUCCESS;
}
