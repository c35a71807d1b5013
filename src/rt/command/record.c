/* record.c: command buffers: cl_khr_command_buffer's objects, and how commands get into them.
 *
 * In: commands, checked and made as for an enqueue (struct order), that are kept here instead of going into the event
 * graph. Out: a list of commands and, for each, which of those before it must end first: what its sync points, its
 * queue's order and barriers say. replay.c runs them.
 */
#include "command_buffer.h"

#include <stdlib.h>
#include <string.h>

/* ---- life -------------------------------------------------------------------------------------------------- */

void dispatch_hold(const struct dispatch *d) {
    if (d->kernel)
        object_hold(d->kernel);
    if (d->state)
        object_hold(d->state);
}

void dispatch_drop(const struct dispatch *d) {
    object_drop(d->kernel);
    object_drop(d->state);
}

static void recorded_destroy(void *handle) {
    cl_mutable_command_khr m = handle;
    object_drop(m->command);
    dispatch_drop(&m->dispatch);
    free(m->deps);
    free(m->properties);
    object_free(m);
}

static void buffer_destroy(void *handle) {
    cl_command_buffer_khr b = handle;
    plan_drop(b->plan);
    for (cl_uint i = 0; i < b->ncommands; i++)
        object_drop(b->commands[i]);
    free(b->commands);
    for (cl_uint i = 0; i < b->nqueues; i++)
        object_drop(b->queues[i]);
    free(b->queues);
    free(b->last);
    free(b->properties);
    pthread_mutex_destroy(&b->lock);
    object_free(b);
}

size_t properties_length(const cl_properties *list) {
    size_t n = 0;
    while (list && list[n])
        n += 2;
    return list ? n + 1 : 0;
}

/* A copy; NULL: out of memory, or there is nothing to copy. */
static void *copy_of(const void *bytes, size_t n) {
    void *copy = n ? malloc(n) : NULL;
    return copy ? memcpy(copy, bytes, n) : NULL;
}

cl_command_buffer_khr buffer_new(cl_uint nqueues, const cl_command_queue *queues,
                                 const cl_command_buffer_properties_khr *properties, size_t nproperties) {
    cl_command_buffer_khr b = object_alloc(sizeof *b);
    if (!b)
        return NULL;
    object_init(b, OBJECT_COMMAND_BUFFER, buffer_destroy);
    pthread_mutex_init(&b->lock, NULL);
    b->queues = copy_of(queues, nqueues * sizeof *queues);
    b->last = calloc(nqueues, sizeof *b->last);
    b->properties = copy_of(properties, nproperties * sizeof *properties);
    b->nproperties = nproperties;
    if (!b->queues || !b->last || (nproperties && !b->properties)) {
        object_drop(b);
        return NULL;
    }
    for (; b->nqueues < nqueues; b->nqueues++)
        object_hold(queues[b->nqueues]);
    b->context = queues[0]->context;
    return b;
}

/* Room for one more. */
static bool reserve(cl_command_buffer_khr b) {
    if (b->ncommands < b->room)
        return true;
    cl_uint room = b->room ? 2 * b->room : 16;
    void *more = room > b->room ? realloc(b->commands, room * sizeof *b->commands) : NULL;
    if (!more)
        return false;
    b->commands = more;
    b->room = room;
    return true;
}

cl_mutable_command_khr recorded_new(cl_command_buffer_khr b, cl_command_type type, cl_event command,
                                    const struct dispatch *dispatch,
                                    const cl_command_properties_khr *properties, size_t nproperties) {
    cl_mutable_command_khr m = object_alloc(sizeof *m);
    if (!m) {
        object_drop(command);
        if (dispatch)
            dispatch_drop(dispatch);
        return NULL;
    }
    object_init(m, OBJECT_RECORDED, recorded_destroy);
    m->buffer = b;
    m->type = type;
    m->command = command;
    if (dispatch)
        m->dispatch = *dispatch;
    m->properties = copy_of(properties, nproperties * sizeof *properties);
    m->nproperties = nproperties;
    if (nproperties && !m->properties) {
        object_drop(m);
        return NULL;
    }
    return m;
}

bool buffer_append(cl_command_buffer_khr b, cl_mutable_command_khr m, cl_uint queue, cl_uint ndeps,
                   const cl_uint *deps) {
    m->queue = queue;
    m->deps = copy_of(deps, ndeps * sizeof *deps);
    m->ndeps = ndeps;
    if ((ndeps && !m->deps) || !reserve(b))
        return false;
    for (cl_uint i = 0; i < ndeps; i++)
        b->commands[deps[i]]->ndependents++;
    b->commands[b->ncommands++] = m;
    b->last[queue] = b->ncommands;
    b->unset += !m->command;
    if (m->type == CL_COMMAND_BARRIER)
        b->barrier = b->ncommands;
    return true;
}

/* ---- the order of commands ------------------------------------------------------------------------------------ */

static bool is_in_order(cl_command_queue queue) {
    return !(queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

static int ascending(const void *a, const void *b) {
    cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
    return (x > y) - (x < y);
}

static cl_uint unique(cl_uint *list, cl_uint n) {
    cl_uint kept = 0;
    qsort(list, n, sizeof *list, ascending);
    for (cl_uint i = 0; i < n; i++)
        if (!kept || list[kept - 1] != list[i])
            list[kept++] = list[i];
    return kept;
}

/* Which commands the next one waits for: *deps (malloc'd) are their indices. What these wait for in turn needn't be
 * among them: so a chain of commands stays one, which replay.c runs without any scheduling. False: out of memory. */
static bool find_deps_locked(cl_command_buffer_khr b, cl_uint queue, bool waits_all, cl_uint nsync,
                             const cl_sync_point_khr *sync, cl_uint *ndeps, cl_uint **deps) {
    cl_uint from = b->waited_all ? b->waited_all - 1 : 0, n = 0;
    size_t most = (waits_all ? b->ncommands - from : nsync) + (size_t)2;
    cl_uint *list = malloc(most * sizeof *list);
    if (!list)
        return false;
    for (cl_uint i = from; waits_all && i < b->ncommands; i++)
        if (!b->commands[i]->ndependents)
            list[n++] = i;
    for (cl_uint i = 0; i < nsync; i++) {
        cl_uint at = sync[i] - 1;
        bool earlier_in_order =
            b->commands[at]->queue == queue && is_in_order(b->queues[queue]) && !b->remapped;
        if (at >= from && !earlier_in_order)
            list[n++] = at;
    }
    if (is_in_order(b->queues[queue]) && b->last[queue] && !waits_all)
        list[n++] = b->last[queue] - 1;
    if (b->barrier && !waits_all)
        list[n++] = b->barrier - 1;
    n = unique(list, n);
    /* In order, the newest of the queue comes after the barrier if that was there before. */
    if (n > 1 && b->barrier && list[0] == b->barrier - 1 && is_in_order(b->queues[queue]) &&
        b->last[queue] > b->barrier)
        memmove(list, list + 1, --n * sizeof *list);
    *ndeps = n;
    *deps = list;
    return true;
}

/* ---- recording -------------------------------------------------------------------------------------------------- */

static cl_int check_queue(const char *function, cl_command_buffer_khr b, cl_command_queue queue,
                          cl_command_queue *found) {
    if (!queue && b->nqueues > 1)
        return api_fail(b->context, function, CL_INVALID_COMMAND_QUEUE,
                        "command_queue is NULL, and the command buffer has %u", b->nqueues);
    *found = queue ? NULL : b->queues[0];
    for (cl_uint i = 0; i < b->nqueues && !*found; i++)
        if (b->queues[i] == queue)
            *found = queue;
    return *found ? CL_SUCCESS
                  : api_fail(b->context, function, CL_INVALID_COMMAND_QUEUE,
                             "%p is not a queue of the command buffer", (void *)queue);
}

static cl_int check_sync(const char *function, cl_command_buffer_khr b, cl_uint n,
                         const cl_sync_point_khr *list) {
    if ((n == 0) != (list == NULL))
        return api_fail(b->context, function, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, "%u sync points at %p", n,
                        (const void *)list);
    pthread_mutex_lock(&b->lock);
    cl_uint known = b->ncommands;
    pthread_mutex_unlock(&b->lock);
    for (cl_uint i = 0; i < n; i++)
        if (list[i] == 0 || list[i] > known)
            return api_fail(b->context, function, CL_INVALID_SYNC_POINT_WAIT_LIST_KHR,
                            "sync_point_wait_list[%u], %u, is none of the %u of the command buffer", i,
                            list[i], known);
    return CL_SUCCESS;
}

static bool is_finalized(cl_command_buffer_khr b) {
    pthread_mutex_lock(&b->lock);
    bool finalized = b->plan;
    pthread_mutex_unlock(&b->lock);
    return finalized;
}

cl_int record_begin(const char *function, struct recording *r, bool is_launch, cl_command_buffer_khr b,
                    cl_command_queue queue, const cl_command_properties_khr *properties, cl_uint nsync,
                    const cl_sync_point_khr *sync, cl_sync_point_khr *sync_point,
                    cl_mutable_command_khr *handle) {
    if (!object_is(b, OBJECT_COMMAND_BUFFER))
        return handle_fail(NULL, function, CL_INVALID_COMMAND_BUFFER_KHR, "command buffer", b);
    *r = (struct recording){.buffer = b,
                            .nsync = nsync,
                            .sync = sync,
                            .sync_point = sync_point,
                            .handle = handle,
                            .properties = properties};
    cl_int error = check_queue(function, b, queue, &r->queue);
    if (!error)
        error = context_alive(function, b->context);
    if (error)
        return error;
    if (is_finalized(b))
        return api_fail(b->context, function, CL_INVALID_OPERATION, "the command buffer is finalized");
    if (!is_launch && properties && properties[0])
        return api_fail(b->context, function, CL_INVALID_VALUE, "unknown property 0x%llx",
                        (unsigned long long)properties[0]);
    if (!is_launch && handle)
        return api_fail(b->context, function, CL_INVALID_VALUE,
                        "mutable_handle isn't NULL: only launches can be changed");
    return check_sync(function, b, nsync, sync);
}

static cl_int add_locked(const struct recording *r, cl_mutable_command_khr m) {
    cl_command_buffer_khr b = r->buffer;
    bool waits_all = m->type == CL_COMMAND_BARRIER && !r->nsync;
    cl_uint queue = 0, ndeps, *deps;
    if (b->plan) /* finalized since record_begin */
        return CL_INVALID_OPERATION;
    if (b->ncommands == CL_UINT_MAX)
        return CL_OUT_OF_RESOURCES;
    while (b->queues[queue] != r->queue)
        queue++;
    if (!find_deps_locked(b, queue, waits_all, r->nsync, r->sync, &ndeps, &deps))
        return CL_OUT_OF_HOST_MEMORY;
    bool added = buffer_append(b, m, queue, ndeps, deps);
    free(deps);
    if (!added)
        return CL_OUT_OF_HOST_MEMORY;
    if (waits_all)
        b->waited_all = b->ncommands;
    if (r->sync_point)
        *r->sync_point = b->ncommands;
    if (r->handle)
        *r->handle = m;
    return CL_SUCCESS;
}

cl_int record_add(const char *function, const struct recording *r, cl_event command) {
    if (command && command->traced)
        trace_drop(command); /* each enqueue of the buffer is a command, and not this */
    cl_mutable_command_khr m =
        recorded_new(r->buffer, command ? command->type : CL_COMMAND_NDRANGE_KERNEL, command, r->dispatch,
                     r->properties, properties_length(r->properties));
    cl_int error = CL_OUT_OF_HOST_MEMORY;
    if (m) {
        pthread_mutex_lock(&r->buffer->lock);
        error = add_locked(r, m);
        pthread_mutex_unlock(&r->buffer->lock);
    }
    if (m && error)
        object_drop(m);
    return error ? api_fail(r->buffer->context, function, error, "the command can't be added to the buffer")
                 : CL_SUCCESS;
}

/* ---- API ---------------------------------------------------------------------------------------------------------- */

cl_int bit_properties_read(const char *function, cl_context context, const cl_properties *list,
                           const struct bit_property known[2], bool seen[2]) {
    for (size_t i = 0; list && list[i]; i += 2) {
        unsigned k = list[i] == known[1].name;
        if (list[i] != known[k].name || seen[k])
            return api_fail(context, function, CL_INVALID_VALUE, "property 0x%llx is unknown or given twice",
                            (unsigned long long)list[i]);
        seen[k] = true;
        if (list[i + 1] & ~known[k].bits)
            return api_fail(context, function, CL_INVALID_VALUE, "value 0x%llx of property 0x%llx",
                            (unsigned long long)list[i + 1], (unsigned long long)list[i]);
        *known[k].value = list[i + 1];
    }
    return CL_SUCCESS;
}

static cl_int read_properties(const char *function, cl_context context,
                              const cl_command_buffer_properties_khr *list,
                              cl_command_buffer_flags_khr *flags, cl_mutable_dispatch_asserts_khr *asserts) {
    const struct bit_property known[] = {{CL_COMMAND_BUFFER_FLAGS_KHR,
                                          CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR |
                                              CL_COMMAND_BUFFER_MUTABLE_KHR |
                                              CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR,
                                          flags},
                                         {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
                                          CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, asserts}};
    bool seen[2] = {false, false};
    *flags = 0;
    *asserts = 0;
    return bit_properties_read(function, context, list, known, seen);
}

static cl_int check_queues(const char *function, cl_uint n, const cl_command_queue *queues) {
    if (n == 0 || !queues)
        return api_fail(NULL, function, CL_INVALID_VALUE, "%u queues at %p", n, (const void *)queues);
    for (cl_uint i = 0; i < n; i++)
        if (!object_is(queues[i], OBJECT_QUEUE))
            return api_fail(NULL, function, CL_INVALID_COMMAND_QUEUE, "queues[%u] is not a command queue", i);
    for (cl_uint i = 1; i < n; i++)
        if (queues[i]->context != queues[0]->context)
            return api_fail(queues[0]->context, function, CL_INVALID_CONTEXT,
                            "queues[%u] is of another context than queues[0]", i);
    return context_alive(function, queues[0]->context);
}

WEIR_API cl_command_buffer_khr clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                                                        const cl_command_buffer_properties_khr *properties,
                                                        cl_int *errcode_ret) {
    cl_command_buffer_khr b = NULL;
    cl_command_buffer_flags_khr flags;
    cl_mutable_dispatch_asserts_khr asserts;
    cl_int error = check_queues(__func__, num_queues, queues);
    if (!error)
        error = read_properties(__func__, queues[0]->context, properties, &flags, &asserts);
    if (!error && !(b = buffer_new(num_queues, queues, properties, properties_length(properties))))
        error = API_FAIL(queues[0]->context, CL_OUT_OF_HOST_MEMORY, "no memory for a command buffer");
    if (b) {
        b->flags = flags;
        b->asserts = asserts;
    }
    if (errcode_ret)
        *errcode_ret = error;
    return b;
}

static cl_int no_buffer(const char *function, cl_command_buffer_khr b) {
    return handle_fail(NULL, function, CL_INVALID_COMMAND_BUFFER_KHR, "command buffer", b);
}

WEIR_API cl_int clRetainCommandBufferKHR(cl_command_buffer_khr command_buffer) {
    return object_retain(command_buffer, OBJECT_COMMAND_BUFFER, -1) ? no_buffer(__func__, command_buffer)
                                                                    : CL_SUCCESS;
}

WEIR_API cl_int clReleaseCommandBufferKHR(cl_command_buffer_khr command_buffer) {
    return object_release(command_buffer, OBJECT_COMMAND_BUFFER, -1) ? no_buffer(__func__, command_buffer)
                                                                     : CL_SUCCESS;
}

WEIR_API cl_int clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer) {
    if (!object_is(command_buffer, OBJECT_COMMAND_BUFFER))
        return no_buffer(__func__, command_buffer);
    pthread_mutex_lock(&command_buffer->lock);
    bool again = command_buffer->plan;
    if (!again)
        command_buffer->plan = plan_new(command_buffer);
    bool done = command_buffer->plan;
    pthread_mutex_unlock(&command_buffer->lock);
    if (again)
        return API_FAIL(command_buffer->context, CL_INVALID_OPERATION,
                        "the command buffer was finalized before");
    return done ? CL_SUCCESS
                : API_FAIL(command_buffer->context, CL_OUT_OF_HOST_MEMORY, "no memory to finalize");
}

static cl_command_buffer_state_khr state_of(cl_command_buffer_khr b) {
    pthread_mutex_lock(&b->lock);
    cl_command_buffer_state_khr state = !b->plan   ? CL_COMMAND_BUFFER_STATE_RECORDING_KHR
                                        : b->unset ? CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
                                                   : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
    pthread_mutex_unlock(&b->lock);
    return state;
}

static cl_int buffer_info(cl_command_buffer_khr b, cl_command_buffer_info_khr name, struct info_out out) {
    switch (name) {
    case CL_COMMAND_BUFFER_QUEUES_KHR:
        return info_bytes(out, b->queues, b->nqueues * sizeof *b->queues);
    case CL_COMMAND_BUFFER_NUM_QUEUES_KHR:
        return info_uint(out, b->nqueues);
    case CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR:
        return info_uint(out, atomic_load(&b->object.refs));
    case CL_COMMAND_BUFFER_STATE_KHR:
        return info_uint(out, state_of(b));
    case CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR:
        return info_bytes(out, b->properties, b->nproperties * sizeof *b->properties);
    case CL_COMMAND_BUFFER_CONTEXT_KHR:
        return info_pointer(out, b->context);
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int clGetCommandBufferInfoKHR(cl_command_buffer_khr command_buffer,
                                          cl_command_buffer_info_khr param_name, size_t param_value_size,
                                          void *param_value, size_t *param_value_size_ret) {
    if (!object_is(command_buffer, OBJECT_COMMAND_BUFFER))
        return no_buffer(__func__, command_buffer);
    cl_int error = buffer_info(command_buffer, param_name, INFO_OUT);
    return error ? INFO_FAIL(command_buffer->context, error) : CL_SUCCESS;
}

/* ---- copies for other queues ----------------------------------------------------------------------------------------- */

/* A command buffer as it was when it was looked at. */
struct view {
    bool finalized;
    cl_uint waited_all, n;
    struct seen {
        cl_mutable_command_khr m;
        cl_event command;         /* held */
        struct dispatch dispatch; /* held */
    } all[];
};

static struct view *view_new(cl_command_buffer_khr b) {
    pthread_mutex_lock(&b->lock);
    struct view *v = malloc(sizeof *v + b->ncommands * sizeof *v->all);
    if (v)
        *v = (struct view){.finalized = b->plan, .waited_all = b->waited_all, .n = b->ncommands};
    for (cl_uint i = 0; v && i < v->n; i++) {
        cl_mutable_command_khr m = b->commands[i];
        v->all[i] = (struct seen){m, m->command, m->dispatch};
        if (m->command)
            object_hold(m->command);
        dispatch_hold(&m->dispatch);
    }
    pthread_mutex_unlock(&b->lock);
    return v;
}

static void view_free(struct view *v) {
    for (cl_uint i = 0; v && i < v->n; i++) {
        object_drop(v->all[i].command);
        dispatch_drop(&v->all[i].dispatch);
    }
    free(v);
}

/* Appends copies of all commands. Explicitly, each goes to the queue at its own queue's index; else they are dealt out. */
static cl_int copy_commands(const char *function, cl_command_buffer_khr to, const struct view *v) {
    for (const struct seen *seen = v->all; seen < v->all + v->n; seen++) {
        cl_mutable_command_khr m = seen->m;
        cl_uint queue = m->queue % to->nqueues;
        cl_kernel kernel = seen->dispatch.kernel;
        if (kernel && !program_is_built_for(kernel->program, to->queues[queue]->device))
            return api_fail(to->context, function, CL_INVALID_PROGRAM_EXECUTABLE,
                            "kernel %s wasn't built for the device of queues[%u]", kernel->meta->name, queue);
        if (seen->command)
            object_hold(seen->command);
        dispatch_hold(&seen->dispatch);
        cl_mutable_command_khr copy =
            recorded_new(to, m->type, seen->command, &seen->dispatch, m->properties, m->nproperties);
        if (!copy || !buffer_append(to, copy, queue, m->ndeps, m->deps)) {
            object_drop(copy);
            return CL_OUT_OF_HOST_MEMORY;
        }
    }
    return CL_SUCCESS;
}

static cl_int check_handles(const char *function, cl_command_buffer_khr b, cl_uint n,
                            const cl_mutable_command_khr *handles, cl_mutable_command_khr *handles_ret) {
    if ((n == 0) != (handles == NULL) || (n == 0) != (handles_ret == NULL))
        return api_fail(b->context, function, CL_INVALID_VALUE, "%u handles at %p, to be returned at %p", n,
                        (const void *)handles, (void *)handles_ret);
    for (cl_uint i = 0; i < n; i++)
        if (!object_is(handles[i], OBJECT_RECORDED) || handles[i]->buffer != b)
            return api_fail(b->context, function, CL_INVALID_VALUE,
                            "handles[%u] is not a command of the command buffer", i);
    return CL_SUCCESS;
}

static cl_int remap(const char *function, cl_command_buffer_khr b, cl_uint nqueues,
                    const cl_command_queue *queues, cl_uint nhandles, const cl_mutable_command_khr *handles,
                    cl_mutable_command_khr *handles_ret, cl_command_buffer_khr *made) {
    struct view *v = view_new(b);
    cl_command_buffer_khr to = v ? buffer_new(nqueues, queues, b->properties, b->nproperties) : NULL;
    cl_int error = to ? copy_commands(function, to, v) : CL_OUT_OF_HOST_MEMORY;
    if (!error) {
        to->flags = b->flags;
        to->asserts = b->asserts;
        to->waited_all = v->waited_all;
        to->remapped = true;
        to->plan = v->finalized ? plan_new(to) : NULL;
        if (v->finalized && !to->plan)
            error = CL_OUT_OF_HOST_MEMORY;
    }
    for (cl_uint i = 0; !error && i < nhandles; i++)
        for (cl_uint k = 0; k < v->n; k++)
            if (v->all[k].m == handles[i])
                handles_ret[i] = to->commands[k];
    view_free(v);
    if (error)
        object_drop(to);
    else
        *made = to;
    return error;
}

WEIR_API cl_command_buffer_khr clRemapCommandBufferKHR(cl_command_buffer_khr command_buffer,
                                                       cl_bool automatic, cl_uint num_queues,
                                                       const cl_command_queue *queues, cl_uint num_handles,
                                                       const cl_mutable_command_khr *handles,
                                                       cl_mutable_command_khr *handles_ret,
                                                       cl_int *errcode_ret) {
    cl_command_buffer_khr made = NULL;
    cl_int error =
        object_is(command_buffer, OBJECT_COMMAND_BUFFER) ? CL_SUCCESS : no_buffer(__func__, command_buffer);
    if (!error && (num_queues == 0 || !queues || (!automatic && num_queues != command_buffer->nqueues)))
        error =
            API_FAIL(command_buffer->context, CL_INVALID_VALUE, "%u queues at %p, the command buffer has %u",
                     num_queues, (const void *)queues, command_buffer->nqueues);
    if (!error)
        error = check_handles(__func__, command_buffer, num_handles, handles, handles_ret);
    if (!error)
        error = check_queues(__func__, num_queues, queues);
    if (!error && queues[0]->context != command_buffer->context)
        error = API_FAIL(command_buffer->context, CL_INVALID_CONTEXT,
                         "the queues are of another context than the command buffer");
    if (!error) {
        error = remap(__func__, command_buffer, num_queues, queues, num_handles, handles, handles_ret, &made);
        if (error == CL_OUT_OF_HOST_MEMORY)
            API_FAIL(command_buffer->context, error, "no memory for a copy of the command buffer");
    }
    if (errcode_ret)
        *errcode_ret = error;
    return made;
}
