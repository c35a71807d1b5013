/* command.c: the event graph. A command waits for its wait list and for its queue's order; when the last of
 * those ends it goes to the scheduler, or, with nothing to run, ends itself.
 *
 * References: the graph holds a command from command_submit to the end of command_finish. Before it lets go, the command
 * leaves its queue, which needs no reference to its newest command or barrier therefore. Edges live in the waiting
 * command, whose predecessors needn't be held: they are looked at only before they end.
 */
#include "check.h"
#include "rt.h"

#include <stdlib.h>

cl_int command_check(const char *function, cl_command_queue queue, cl_uint nwait, const cl_event *wait) {
    if (!object_is(queue, OBJECT_QUEUE))
        return handle_fail(NULL, function, CL_INVALID_COMMAND_QUEUE, "command queue", queue);
    cl_int error = context_alive(function, queue->context);
    if (error)
        return error;
    if (queue->properties & CL_QUEUE_ON_DEVICE)
        return api_fail(queue->context, function, CL_INVALID_COMMAND_QUEUE,
                        "the queue is on the device: only kernels enqueue there");
    if ((nwait == 0) != (wait == NULL))
        return api_fail(queue->context, function, CL_INVALID_EVENT_WAIT_LIST, "%u events at %p", nwait,
                        (const void *)wait);
    for (cl_uint i = 0; i < nwait; i++)
        if (!object_is(wait[i], OBJECT_EVENT))
            return api_fail(queue->context, function, CL_INVALID_EVENT_WAIT_LIST,
                            "event_wait_list[%u] is not an event", i);
    for (cl_uint i = 0; i < nwait; i++)
        if (wait[i]->context != queue->context)
            return api_fail(queue->context, function, CL_INVALID_CONTEXT,
                            "event_wait_list[%u] is of another context than the queue", i);
    return CL_SUCCESS;
}

cl_event command_new(cl_command_queue queue, cl_command_type type, size_t payload_size) {
    cl_event e = event_new(queue->context, queue, type, payload_size);
    if (e && queue->is_timed) {
        e->in_ticks = !(queue->properties & CL_QUEUE_PROFILING_ENABLE);
        e->times[0] = e->in_ticks && trace_call_began ? trace_call_began : event_clock(e);
        if (trace_on)
            trace_command(e);
    }
    return e;
}

cl_int command_no_memory(const char *function, cl_command_queue queue) {
    return api_fail(queue->context, function, CL_OUT_OF_HOST_MEMORY, "no memory for a command");
}

/* ---- entering the graph -------------------------------------------------------------------------------------- */

void depend(cl_event e, cl_event before, struct edge *edge, bool listed) {
    edge->waiter = e;
    edge->listed = listed;
    pthread_mutex_lock(&before->lock);
    cl_int status = atomic_load(&before->status);
    if (status > CL_COMPLETE) {
        atomic_fetch_add_explicit(&e->pending, 1, memory_order_relaxed);
        edge->next = before->dependents;
        before->dependents = edge;
    }
    pthread_mutex_unlock(&before->lock);
    if (e->checked && status <= CL_COMPLETE)
        check_command_follow(e->checked, before->checked);
    if (listed && status < 0)
        atomic_store_explicit(&e->wait_error, status, memory_order_relaxed);
}

/* A marker or barrier without a wait list: after everything that is live, in whose place it then stands: who
 * waits for all waits for it, and chains of markers cost one edge each. */
static bool depend_on_live_locked(cl_event e) {
    size_t n = 0, i = 0;
    for (cl_event live = e->queue->live; live; live = live->live_next)
        n++;
    if (n && !(e->edges = calloc(n, sizeof *e->edges)))
        return false;
    for (cl_event live = e->queue->live; live; live = live->live_next)
        depend(e, live, &e->edges[i++], false);
    while (e->queue->live) {
        cl_event live = e->queue->live;
        e->queue->live = live->live_next;
        live->live_next = NULL;
        live->live_prev = NULL;
    }
    return true;
}

/* Puts `e` at the end of its queue; false: out of memory. */
static bool enter_queue(cl_event e) {
    cl_command_queue q = e->queue;
    bool in_order = !(q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE), ok = true;
    _Atomic(cl_event) *slot = in_order ? &q->last : &q->barrier;
    pthread_mutex_lock(&q->lock);
    cl_event before = atomic_load_explicit(slot, memory_order_relaxed);
    if (e->waits_all && !in_order)
        ok = depend_on_live_locked(e);
    else if (before)
        depend(e, before, &e->order, false);
    if (ok && (in_order || e->type == CL_COMMAND_BARRIER))
        atomic_store_explicit(slot, e, memory_order_release); /* whoever sees this may free `before` */
    if (ok && !in_order) {
        e->live_next = q->live;
        e->live_prev = &q->live;
        if (q->live)
            q->live->live_prev = &e->live_next;
        q->live = e;
    }
    if (ok && e->checked)
        checked_order(e, in_order || e->type == CL_COMMAND_BARRIER);
    if (ok)
        e->position = ++q->positions;
    pthread_mutex_unlock(&q->lock);
    return ok;
}

static void leave_queue(cl_event e) {
    cl_command_queue q = e->queue;
    bool in_order = !(q->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
    _Atomic(cl_event) *slot = in_order ? &q->last : &q->barrier;
    /* It was put there once, by this thread or before this command became ready: who isn't there won't be again. */
    if (in_order && atomic_load_explicit(slot, memory_order_acquire) != e)
        return;
    pthread_mutex_lock(&q->lock);
    if (atomic_load_explicit(slot, memory_order_relaxed) == e)
        atomic_store_explicit(slot, NULL, memory_order_relaxed);
    if (e->live_prev) {
        *e->live_prev = e->live_next;
        if (e->live_next)
            e->live_next->live_prev = e->live_prev;
    }
    pthread_mutex_unlock(&q->lock);
}

/* One predecessor less; true when it was the last. */
static bool is_ready_after_one(cl_event e) {
    /* Release: what the predecessor wrote; acquire, by whoever is last: what all of them wrote. Who sees that it's the last
     * needn't say so: nobody else looks any more. */
    return atomic_load_explicit(&e->pending, memory_order_acquire) == 1 ||
           atomic_fetch_sub_explicit(&e->pending, 1, memory_order_acq_rel) == 1;
}

static bool has_work(cl_event e) {
    return e->run && !atomic_load_explicit(&e->wait_error, memory_order_relaxed) &&
           !atomic_load_explicit(&e->context->terminated, memory_order_relaxed);
}

static cl_int end_status(cl_event e) {
    cl_int error = atomic_load_explicit(&e->wait_error, memory_order_relaxed);
    if (!error)
        return atomic_load_explicit(&e->family_error, memory_order_relaxed);
    return e->parent ? error : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST; /* of a part, its parent tells */
}

/* ---- contexts that can be terminated ------------------------------------------------------------------------------ */

static void enter_context(cl_event e) {
    cl_context c = e->context;
    pthread_mutex_lock(&c->lock);
    e->of_context = c->live;
    e->of_context_prev = &c->live;
    if (c->live)
        c->live->of_context_prev = &e->of_context;
    c->live = e;
    pthread_mutex_unlock(&c->lock);
}

static void leave_context_locked(cl_event e) {
    if (!e->of_context_prev)
        return;
    *e->of_context_prev = e->of_context;
    if (e->of_context)
        e->of_context->of_context_prev = e->of_context_prev;
    e->of_context_prev = NULL;
}

static void leave_context(cl_event e) {
    pthread_mutex_lock(&e->context->lock);
    leave_context_locked(e);
    pthread_mutex_unlock(&e->context->lock);
}

/* With the context's lock, which keeps the command from ending. */
static cl_event *promises_of(cl_event e, cl_uint *n) {
    *n = 0;
    return e->type == CL_COMMAND_SEMAPHORE_WAIT_KHR ? semaphore_promises(e, n) : NULL;
}

static void cut(cl_event e, cl_event *promises, cl_uint n) {
    event_cut(e, CL_CONTEXT_TERMINATED_KHR);
    semaphore_break(promises, n, CL_CONTEXT_TERMINATED_KHR);
}

void commands_cut(cl_context context) {
    cl_event e;
    do {
        cl_event *promises = NULL;
        cl_uint n = 0;
        pthread_mutex_lock(&context->lock);
        if ((e = context->live)) {
            leave_context_locked(e);
            object_hold(e);
            promises = promises_of(e, &n);
        }
        pthread_mutex_unlock(&context->lock);
        if (e)
            cut(e, promises, n);
        object_drop(e);
    } while (e);
}

/* ---- submitting ------------------------------------------------------------------------------------------------- */

cl_int command_submit(cl_event e, cl_uint nwait, const cl_event *wait, bool blocking, cl_event *event) {
    struct edge *listed = NULL;
    sched_look_back();
    tsan_release();
    if (e->checked)
        checked_enter(e);
    if (nwait && !(listed = e->edges)) /* some have them already, so as not to fail here */
        listed = e->edges = calloc(nwait, sizeof *e->edges);
    e->waits_all = !nwait && (e->type == CL_COMMAND_MARKER || e->type == CL_COMMAND_BARRIER);
    if ((nwait && !listed) || !enter_queue(e)) {
        object_drop(e);
        return CL_OUT_OF_HOST_MEMORY;
    }
    for (cl_uint i = 0; i < nwait; i++) {
        depend(e, wait[i], &listed[i], true);
        if (e->trace_id)
            trace_edge(e, wait[i]);
    }
    if (e->times[0])
        e->times[1] = event_clock(e);
    atomic_store_explicit(&e->status, CL_SUBMITTED, memory_order_release);
    if (e->context->terminable)
        enter_context(e);
    if (atomic_load(&e->context->terminated)) { /* since the check: maybe nobody else cuts it */
        cl_uint n;
        cl_event *promises = promises_of(e, &n);
        cut(e, promises, n);
    }
    if (blocking)
        object_hold(e);
    if (event) {
        object_hold(e); /* the graph's */
        *event = e;     /* before it can run: a callback may look at it */
    } else {
        /* The API's reference becomes the graph's. */
        atomic_store_explicit(&e->object.refs, 0, memory_order_relaxed);
    }
    if (is_ready_after_one(e)) {
        if (has_work(e))
            sched_ready(e, false);
        else
            command_finish(e, end_status(e));
    }
    if (!blocking)
        return CL_SUCCESS;
    cl_int status = event_wait(e);
    object_drop(e);
    return status < 0 ? status : CL_SUCCESS;
}

cl_int order_check(const char *function, cl_command_queue queue, struct enqueue_order o) {
    return o.recording ? CL_SUCCESS /* by record_begin */
                       : command_check(function, queue, o.nwait, o.wait);
}

cl_int order_command(const char *function, cl_event e, struct enqueue_order o) {
    cl_command_queue queue = e->queue; /* the caller's, who has a reference */
    if (o.recording)
        return record_add(function, o.recording, e);
    cl_int error = command_submit(e, o.nwait, o.wait, o.blocking, o.event);
    return error == CL_OUT_OF_HOST_MEMORY ? command_no_memory(function, queue) : error;
}

/* ---- leaving it ------------------------------------------------------------------------------------------------ */

/* One of the command's family has ended; true when it was the last. Until then the command can't go away. */
static bool leave_family(cl_event e, cl_int status) {
    if (status < 0)
        atomic_store_explicit(&e->family_error, status, memory_order_relaxed);
    /* As in is_ready_after_one: who comes last sees what all have written. */
    return atomic_fetch_sub_explicit(&e->family, 1, memory_order_acq_rel) == 1;
}

/* Ends one command. Successors with work go to the scheduler; the others, ready to end as well, to *idle. */
static void finish_one(cl_event e, cl_int status, cl_event **idle_end) {
    struct callback *callbacks;
    if (e->context->terminable)
        leave_context(e);
    if (e->cleanup) {
        void (*cleanup)(cl_event) = e->cleanup;
        e->cleanup = NULL;
        cleanup(e); /* before anybody can see the end, and then release what the payload still held */
    }
    if (e->times[0]) {
        bool has_all = e->times[2] && e->times[3] && e->in_ticks; /* a trace has no use for the last one */
        cl_ulong now = has_all ? e->times[3] : event_clock(e);
        for (int i = 2; i < 5; i++)
            if (!e->times[i])
                e->times[i] = now;
        if (e->traced)
            trace_end(e, status);
    }
    if (e->checked)
        check_command_end(e->checked); /* before the host can know */
    struct edge *edge = event_end(e, status, &callbacks);
    status = atomic_load_explicit(&e->status, memory_order_relaxed);
    if (e->queue)
        leave_queue(e);
    while (edge) {
        struct edge *next = edge->next; /* the edge dies with its waiter */
        cl_event waiter = edge->waiter;
        if (e->checked)
            check_command_follow(waiter->checked, e->checked);
        if (edge->listed && status < 0)
            atomic_store_explicit(&waiter->wait_error, status, memory_order_relaxed);
        if (is_ready_after_one(waiter)) {
            if (has_work(waiter)) {
                sched_ready(waiter, true);
            } else {
                waiter->ready_next = NULL;
                **idle_end = waiter;
                *idle_end = &waiter->ready_next;
            }
        }
        edge = next;
    }
    if (callbacks) {
        sched_settle();
        event_notify(e, callbacks, status);
    }
    cl_event parent = e->parent;
    if (parent && e->checked)
        check_command_child_ended(parent->checked, e->checked);
    object_drop(e);
    if (parent && leave_family(parent, status)) {
        parent->ready_next = NULL;
        **idle_end = parent;
        *idle_end = &parent->ready_next;
    }
}

void command_finish(cl_event e, cl_int status) {
    /* A loop, not a recursion: chains of markers may be long. */
    cl_event idle = NULL, *end = &idle;
    finish_one(e, status, &end);
    while (idle) {
        cl_event next = idle;
        idle = next->ready_next;
        if (!idle)
            end = &idle;
        finish_one(next, end_status(next), &end);
    }
}

/* ---- parts of commands ------------------------------------------------------------------------------------------- */

void command_adopt(cl_event parent, cl_event part) {
    part->parent = parent;
    check_command_child(part->checked, parent->checked);
    atomic_fetch_add_explicit(&parent->family, 1, memory_order_relaxed);
}

void command_disown(cl_event parent) {
    atomic_fetch_sub_explicit(&parent->family, 1, memory_order_relaxed);
}

cl_event gate_new(cl_context context) {
    cl_event gate = event_new(context, NULL, 0, 0); /* no user event: nobody sets its status */
    if (gate)
        atomic_store_explicit(&gate->object.refs, 0, memory_order_relaxed); /* the graph's alone */
    return gate;
}

cl_event command_gate(cl_event e) {
    pthread_mutex_lock(&e->lock);
    if (!e->gate)
        e->gate = gate_new(e->context);
    cl_event gate = e->gate;
    pthread_mutex_unlock(&e->lock);
    return gate;
}

void command_ran(cl_event e, cl_int status) {
    /* Acquire: only the command itself adds parts, and it has none left. */
    if (atomic_load_explicit(&e->family, memory_order_acquire) == 1 && !e->gate) {
        cl_int theirs = atomic_load_explicit(&e->family_error, memory_order_relaxed);
        command_finish(e, status ? status : theirs);
        return;
    }
    cl_event gate = e->gate;
    sched_flush(e->device); /* parts needn't wait for the watch */
    if (gate) {
        check_command_follow(gate->checked, e->checked);
        command_finish(gate, CL_COMPLETE);
    }
    if (leave_family(e, status))
        command_finish(e, end_status(e));
}

/* ---- markers and barriers --------------------------------------------------------------------------------------- */

static cl_int enqueue_sync(const char *function, cl_command_queue queue, cl_command_type type, cl_uint nwait,
                           const cl_event *wait, cl_event *event) {
    return transfer_nothing(function, queue, type, (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int clCommandBarrierWithWaitListKHR(WEIR_RECORD_FIRST, WEIR_RECORD_LAST) {
    struct recording r;
    cl_int error = record_begin(__func__, &r, false, RECORD_ARGS);
    if (error)
        return error;
    cl_event e = command_new(r.queue, CL_COMMAND_BARRIER, 0);
    return e ? record_add(__func__, &r, e) : command_no_memory(__func__, r.queue);
}

WEIR_API cl_int clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint nwait, const cl_event *wait,
                                            cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);
    return error ? error : enqueue_sync(__func__, queue, CL_COMMAND_MARKER, nwait, wait, event);
}

WEIR_API cl_int clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint nwait, const cl_event *wait,
                                             cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);
    return error ? error : enqueue_sync(__func__, queue, CL_COMMAND_BARRIER, nwait, wait, event);
}

WEIR_API cl_int clEnqueueMarker(cl_command_queue queue, cl_event *event) {
    cl_int error = command_check(__func__, queue, 0, NULL);
    if (!error && !event)
        error = API_FAIL(queue->context, CL_INVALID_VALUE, "event is NULL");
    return error ? error : enqueue_sync(__func__, queue, CL_COMMAND_MARKER, 0, NULL, event);
}

WEIR_API cl_int clEnqueueBarrier(cl_command_queue queue) {
    cl_int error = command_check(__func__, queue, 0, NULL);
    return error ? error : enqueue_sync(__func__, queue, CL_COMMAND_BARRIER, 0, NULL, NULL);
}

/* OpenCL 1.0's wait: commands enqueued later wait for these events, which is a barrier with a wait list. */
WEIR_API cl_int clEnqueueWaitForEvents(cl_command_queue queue, cl_uint num_events,
                                       const cl_event *event_list) {
    if (!object_is(queue, OBJECT_QUEUE))
        return HANDLE_FAIL(CL_INVALID_COMMAND_QUEUE, "command queue", queue);
    if (num_events == 0 || !event_list)
        return API_FAIL(queue->context, CL_INVALID_VALUE, "%u events at %p", num_events,
                        (const void *)event_list);
    for (cl_uint i = 0; i < num_events; i++)
        if (!object_is(event_list[i], OBJECT_EVENT))
            return API_FAIL(queue->context, CL_INVALID_EVENT, "event_list[%u] is not an event", i);
    cl_int error = command_check(__func__, queue, num_events, event_list);
    return error ? error : enqueue_sync(__func__, queue, CL_COMMAND_BARRIER, num_events, event_list, NULL);
}
