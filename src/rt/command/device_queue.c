/* device_queue.c: what kernels call to enqueue kernels (OpenCL C 6.15.21), through struct weir_calls of abi.h.
 *
 * In: calls of work-items, on the threads that run them. Out: commands in the event graph like all others, of a
 * queue on the device. A command that a kernel enqueues is a part of the kernel's command, which ends after all of its
 * parts (command.c). No call waits: they run when some thread is free, at the latest after the kernel, so that
 * one worker is enough. Handles in kernels are cl_event and cl_command_queue; what isn't valid is refused by what
 * object_is can see.
 */
#include "check.h"
#include "rt.h"

#include <stdlib.h>
#include <string.h>

enum { NO_WAIT, WAIT_KERNEL, WAIT_WORK_GROUP }; /* CLK_ENQUEUE_FLAGS_* */

static struct worker *worker_of(struct weir_worker *w) {
    return (struct worker *)w; /* its first member */
}

static const struct run *run_of(struct weir_worker *w) {
    return worker_of(w)->run;
}

static cl_event event_of(weir_u64 handle) {
    cl_event e = (cl_event)(uintptr_t)handle;
    return object_is(e, OBJECT_DEVICE_EVENT) ? e : NULL;
}

static cl_int check(cl_event parent, const struct weir_enqueue *q, cl_command_queue queue) {
    const weir_u64 *wait = (const weir_u64 *)q->wait;
    if (!queue_is_on_device(queue) || queue->context != parent->context)
        return CLK_INVALID_QUEUE;
    if ((q->nwait == 0) != (wait == NULL))
        return CLK_INVALID_EVENT_WAIT_LIST;
    for (weir_u32 i = 0; i < q->nwait; i++) {
        cl_event e = event_of(wait[i]);
        if (!e || e->context != parent->context)
            return CLK_INVALID_EVENT_WAIT_LIST;
    }
    return CLK_SUCCESS;
}

/* Enters a command into the graph, which takes it in any case. `gate`: one more event that it waits for, or NULL. */
static cl_int submit(cl_event e, const struct weir_enqueue *q, cl_event gate) {
    cl_event few[8], *wait = few, event = NULL;
    cl_uint n = q->nwait;
    if (n >= sizeof few / sizeof *few && !(wait = malloc((n + 1) * sizeof *wait))) {
        object_drop(e);
        return CLK_OUT_OF_RESOURCES;
    }
    if (n)
        memcpy(wait, (const void *)q->wait, n * sizeof *wait);
    if (gate)
        wait[n++] = gate;
    if (q->event)
        event_times_begin(e); /* capture_event_profiling_info may ask */
    object_set_kind(e, OBJECT_DEVICE_EVENT);
    cl_int error = command_submit(e, n, n ? wait : NULL, false, q->event ? &event : NULL);
    if (!error && q->event)
        memcpy((void *)q->event, &event, sizeof event);
    if (wait != few)
        free(wait);
    return error ? CLK_OUT_OF_RESOURCES : CLK_SUCCESS;
}

/* What the flags say that the new command waits for; NULL: no memory. */
static cl_event gate_of(struct worker *w, weir_u32 flags) {
    cl_event parent = launch_event(w->run);
    if (flags == WAIT_KERNEL)
        return command_gate(parent);
    if (!w->gate)
        w->gate = gate_new(parent->context);
    return w->gate;
}

static cl_int enqueue_block(struct worker *w, cl_command_queue queue, const struct weir_enqueue *q) {
    const struct run *run = w->run;
    cl_event parent = launch_event(run), gate = NULL;
    cl_int code = q->flags <= WAIT_WORK_GROUP ? CLK_SUCCESS : CLK_ENQUEUE_FAILURE;
    cl_event e = code ? NULL : launch_block(run, queue, q, &code);
    if (!e)
        return code;
    if (q->flags != NO_WAIT && !(gate = gate_of(w, q->flags))) {
        object_drop(e);
        return CLK_OUT_OF_RESOURCES;
    }
    command_adopt(parent, e);
    code = submit(e, q, gate);
    if (code)
        command_disown(parent); /* it is gone */
    return code;
}

/* No part: the kernel needn't wait for what others wait for anyway. */
static cl_int enqueue_marker(cl_command_queue queue, const struct weir_enqueue *q) {
    if (!q->nwait)
        return CLK_INVALID_EVENT_WAIT_LIST;
    if (!q->event)
        return CLK_SUCCESS; /* it could tell nobody */
    cl_event e = command_new(queue, CL_COMMAND_MARKER, 0);
    return e ? submit(e, q, NULL) : CLK_EVENT_ALLOCATION_FAILURE;
}

static int device_enqueue(struct weir_worker *w, const struct weir_enqueue *q) {
    const struct run *run = run_of(w);
    cl_command_queue queue = (cl_command_queue)(uintptr_t)q->queue;
    cl_int code = check(launch_event(run), q, queue);
    if (!code)
        code = q->name ? enqueue_block(worker_of(w), queue, q) : enqueue_marker(queue, q);
    return code && !launch_kernel(run)->debug ? CLK_ENQUEUE_FAILURE : code;
}

/* ---- events ---- */

static weir_u64 device_create_event(struct weir_worker *w) {
    cl_event e = event_new(launch_event(run_of(w))->context, NULL, CL_COMMAND_USER, 0);
    if (!e)
        return 0;
    object_set_kind(e, OBJECT_DEVICE_EVENT);
    atomic_store(&e->status, CL_SUBMITTED);
    return (uintptr_t)e;
}

static void device_set_event(weir_u64 handle, int status) {
    cl_event e = event_of(handle);
    if (!e || e->type != CL_COMMAND_USER || status > CL_COMPLETE || !atomic_exchange(&e->pending, 0))
        return;
    object_hold(e); /* command_finish's */
    if (e->checked)
        check_command_follow_running(e->checked);
    command_finish(e, status);
}

static void device_retain_event(weir_u64 handle) {
    if (event_of(handle))
        object_retain(event_of(handle), OBJECT_DEVICE_EVENT, CL_INVALID_EVENT);
}

static void device_release_event(weir_u64 handle) {
    if (event_of(handle))
        object_release(event_of(handle), OBJECT_DEVICE_EVENT, CL_INVALID_EVENT);
}

static void device_capture_times(weir_u64 handle, weir_u64 *two) {
    cl_event e = event_of(handle);
    if (e && e->queue && two)
        event_capture(e, two);
}

static weir_u32 device_ask(struct weir_worker *w, const char *kernel, weir_u32 question,
                           const struct weir_range *range) {
    return launch_ask(run_of(w), kernel, question, range);
}

const struct weir_calls device_calls = {.enqueue = device_enqueue,
                                        .create_event = device_create_event,
                                        .set_event = device_set_event,
                                        .retain_event = device_retain_event,
                                        .release_event = device_release_event,
                                        .capture_times = device_capture_times,
                                        .ask = device_ask};
