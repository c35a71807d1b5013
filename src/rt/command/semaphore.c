/* semaphore.c: cl_khr_semaphore: binary semaphores, which commands signal and wait for.
 *
 * Each signal belongs to one wait, in the order of the enqueues, whatever order the queues run them in: so a semaphore
 * may be signalled again as soon as the wait for it is enqueued. The two meet in a promise, an event that nobody sees:
 * the first of them to be enqueued leaves it here for the other. The wait command waits for it as for any event, the
 * signal command keeps it when it runs, or breaks it if it won't.
 */
#include "check.h"
#include "rt.h"

#include <stdlib.h>
#include <string.h>

struct promise { /* first in, first out */
    struct promise *next;
    cl_event event; /* held */
};
struct promises {
    struct promise *first, **end;
};

struct _cl_semaphore_khr {
    struct object object;
    cl_context context;  /* held */
    cl_device_id device; /* held; NULL: all of the context */
    cl_semaphore_properties_khr *properties;
    size_t nproperties;
    pthread_mutex_t lock;           /* guards what follows */
    struct promises given, awaited; /* by signals, by waits; one of them is empty */
    uint64_t signals, waits;        /* that have run */
};

static void promises_free(struct promises *list) {
    struct promise *p;
    while ((p = list->first)) {
        list->first = p->next;
        object_drop(p->event);
        free(p);
    }
}

static void semaphore_destroy(void *handle) {
    cl_semaphore_khr s = handle;
    promises_free(&s->given);
    promises_free(&s->awaited);
    pthread_mutex_destroy(&s->lock);
    object_drop(s->device);
    object_drop(s->context);
    free(s->properties);
    object_free(s);
}

/* ---- making them --------------------------------------------------------------------------------------------- */

/* What a list of properties says. */
struct parsed {
    size_t n; /* the list's length, with the 0 */
    cl_properties type;
    cl_device_id device;
};

/* The devices of a list, which must be one of the context; *at: from their first to what follows the list's end. */
static cl_int read_device(const char *function, cl_context context, const cl_semaphore_properties_khr *list,
                          size_t *at, cl_device_id *device) {
    size_t first = *at;
    while (list[*at] != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR)
        ++*at;
    size_t n = (*at)++ - first;
    *device = n ? (cl_device_id)(uintptr_t)list[first] : NULL;
    if (n != 1 || !context_has_device(context, *device))
        return api_fail(context, function, CL_INVALID_DEVICE,
                        "%zu devices, the first of them %p: one of the context is wanted", n,
                        (void *)*device);
    return CL_SUCCESS;
}

static cl_int read_properties(const char *function, cl_context context,
                              const cl_semaphore_properties_khr *list, struct parsed *p) {
    size_t i = 0;
    bool has_type = false;
    *p = (struct parsed){0};
    if (!list)
        return api_fail(context, function, CL_INVALID_VALUE, "sema_props is NULL");
    while (list[i]) {
        cl_properties name = list[i++];
        cl_int error = CL_SUCCESS;
        if (name == CL_SEMAPHORE_TYPE_KHR && !has_type) {
            has_type = true;
            p->type = list[i++];
        } else if (name == CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR && !p->device)
            error = read_device(function, context, list, &i, &p->device);
        else
            error = api_fail(context, function, CL_INVALID_PROPERTY,
                             "property 0x%llx is unknown or given twice", (unsigned long long)name);
        if (error)
            return error;
    }
    p->n = i + 1;
    if (!has_type)
        return api_fail(context, function, CL_INVALID_VALUE, "no CL_SEMAPHORE_TYPE_KHR is given");
    if (p->type != CL_SEMAPHORE_TYPE_BINARY_KHR)
        return api_fail(context, function, CL_INVALID_PROPERTY, "semaphore type %llu isn't binary",
                        (unsigned long long)p->type);
    if (!p->device && context->ndevices > 1)
        return api_fail(context, function, CL_INVALID_PROPERTY,
                        "the context has %u devices: CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR must name one",
                        context->ndevices);
    return CL_SUCCESS;
}

static cl_semaphore_khr semaphore_new(cl_context context, const struct parsed *p,
                                      const cl_semaphore_properties_khr *list) {
    cl_semaphore_khr s = object_alloc(sizeof *s);
    cl_semaphore_properties_khr *copy = malloc(p->n * sizeof *copy);
    if (!s || !copy) {
        object_free(s);
        free(copy);
        return NULL;
    }
    object_init(s, OBJECT_SEMAPHORE, semaphore_destroy);
    pthread_mutex_init(&s->lock, NULL);
    object_hold(context);
    if (p->device)
        object_hold(p->device);
    s->context = context;
    s->device = p->device;
    s->properties = memcpy(copy, list, p->n * sizeof *copy);
    s->nproperties = p->n;
    s->given.end = &s->given.first;
    s->awaited.end = &s->awaited.first;
    return s;
}

WEIR_API cl_semaphore_khr clCreateSemaphoreWithPropertiesKHR(cl_context context,
                                                             const cl_semaphore_properties_khr *sema_props,
                                                             cl_int *errcode_ret) {
    struct parsed p;
    cl_semaphore_khr s = NULL;
    cl_int error = context_check(__func__, context);
    if (!error)
        error = read_properties(__func__, context, sema_props, &p);
    if (!error && !(s = semaphore_new(context, &p, sema_props)))
        error = API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for a semaphore");
    if (errcode_ret)
        *errcode_ret = error;
    return s;
}

static cl_int no_semaphore(const char *function, cl_semaphore_khr s) {
    return handle_fail(NULL, function, CL_INVALID_SEMAPHORE_KHR, "semaphore", s);
}

WEIR_API cl_int clRetainSemaphoreKHR(cl_semaphore_khr sema_object) {
    return object_retain(sema_object, OBJECT_SEMAPHORE, -1) ? no_semaphore(__func__, sema_object)
                                                            : CL_SUCCESS;
}

WEIR_API cl_int clReleaseSemaphoreKHR(cl_semaphore_khr sema_object) {
    return object_release(sema_object, OBJECT_SEMAPHORE, -1) ? no_semaphore(__func__, sema_object)
                                                             : CL_SUCCESS;
}

static cl_int semaphore_info(cl_semaphore_khr s, cl_semaphore_info_khr name, struct info_out out) {
    switch (name) {
    case CL_SEMAPHORE_CONTEXT_KHR:
        return info_pointer(out, s->context);
    case CL_SEMAPHORE_REFERENCE_COUNT_KHR:
        return info_uint(out, atomic_load(&s->object.refs));
    case CL_SEMAPHORE_PROPERTIES_KHR:
        return info_bytes(out, s->properties, s->nproperties * sizeof *s->properties);
    case CL_SEMAPHORE_TYPE_KHR:
        return info_uint(out, CL_SEMAPHORE_TYPE_BINARY_KHR);
    case CL_SEMAPHORE_PAYLOAD_KHR:
        pthread_mutex_lock(&s->lock);
        bool signalled = s->signals > s->waits;
        pthread_mutex_unlock(&s->lock);
        if (env_get()->check)
            check_commands_seen(NULL);
        return info_ulong(out, signalled);
    case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
        return s->device ? info_pointer(out, s->device)
                         : info_bytes(out, s->context->devices, s->context->ndevices * sizeof(cl_device_id));
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int clGetSemaphoreInfoKHR(cl_semaphore_khr sema_object, cl_semaphore_info_khr param_name,
                                      size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret) {
    if (!object_is(sema_object, OBJECT_SEMAPHORE))
        return no_semaphore(__func__, sema_object);
    cl_int error = semaphore_info(sema_object, param_name, INFO_OUT);
    return error ? INFO_FAIL(sema_object->context, error) : CL_SUCCESS;
}

/* Of cl_khr_external_semaphore, which isn't there: programs ask for it with the others. No semaphore was created with
 * a type of handle to export. */
WEIR_API cl_int clGetSemaphoreHandleForTypeKHR(cl_semaphore_khr sema_object, cl_device_id device,
                                               cl_external_semaphore_handle_type_khr handle_type,
                                               size_t handle_size, void *handle_ptr,
                                               size_t *handle_size_ret) {
    if (!object_is(sema_object, OBJECT_SEMAPHORE))
        return no_semaphore(__func__, sema_object);
    if (!context_has_device(sema_object->context, device))
        return handle_fail(sema_object->context, __func__, CL_INVALID_DEVICE, "device of the context",
                           device);
    return API_FAIL(sema_object->context, CL_INVALID_VALUE, "the semaphore has no handle of type 0x%x",
                    handle_type);
}

/* ---- promises --------------------------------------------------------------------------------------------------- */

/* Takes the oldest promise of `from`; or else makes one, and leaves it in `to`. Held; NULL: out of memory. */
static cl_event promise_take(cl_semaphore_khr s, struct promises *from, struct promises *to) {
    pthread_mutex_lock(&s->lock);
    struct promise *p = from->first;
    cl_event event = p ? p->event : gate_new(s->context);
    if (p) {
        from->first = p->next;
        if (!p->next)
            from->end = &from->first;
        free(p);
    } else if (event && (p = malloc(sizeof *p))) {
        atomic_store(&event->status, CL_SUBMITTED);
        object_hold(event);
        *p = (struct promise){NULL, event};
        *to->end = p;
        to->end = &p->next;
    } else {
        object_drop(event);
        event = NULL;
    }
    pthread_mutex_unlock(&s->lock);
    return event;
}

/* Ends a promise, as clSetUserEventStatus does, once. */
static void promise_end(cl_event promise, cl_int status) {
    if (!atomic_exchange(&promise->pending, 0))
        return;
    object_hold(promise);
    command_finish(promise, status);
}

/* ---- commands ------------------------------------------------------------------------------------------------------ */

struct use { /* payload of both commands */
    cl_uint n;
    bool ran;
    struct {
        cl_semaphore_khr semaphore; /* held */
        cl_event promise;           /* held */
    } of[];
};

static cl_int signal_run(void *payload, cl_event as) {
    struct use *u = payload;
    for (cl_uint i = 0; i < u->n; i++) {
        pthread_mutex_lock(&u->of[i].semaphore->lock);
        u->of[i].semaphore->signals++;
        pthread_mutex_unlock(&u->of[i].semaphore->lock);
    }
    u->ran = true;
    return CL_SUCCESS;
}

static cl_int wait_run(void *payload, cl_event as) {
    struct use *u = payload;
    for (cl_uint i = 0; i < u->n; i++) {
        pthread_mutex_lock(&u->of[i].semaphore->lock);
        u->of[i].semaphore->waits++;
        pthread_mutex_unlock(&u->of[i].semaphore->lock);
    }
    return CL_SUCCESS;
}

static void use_cleanup(cl_event e) {
    struct use *u = e->payload;
    for (cl_uint i = 0; i < u->n; i++) {
        object_drop(u->of[i].promise);
        object_drop(u->of[i].semaphore);
    }
}

/* Keeps the promises; those of a command that hasn't run, for one of its wait list has failed, are broken. */
static void signal_cleanup(cl_event e) {
    struct use *u = e->payload;
    for (cl_uint i = 0; i < u->n; i++)
        check_command_follow(u->of[i].promise->checked, e->checked);
    for (cl_uint i = 0; i < u->n; i++)
        promise_end(u->of[i].promise, u->ran ? CL_COMPLETE : CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    use_cleanup(e);
}

static cl_int check_use(const char *function, cl_command_queue queue, cl_uint n, const cl_semaphore_khr *list,
                        cl_uint nwait, const cl_event *wait) {
    if (!object_is(queue, OBJECT_QUEUE))
        return handle_fail(NULL, function, CL_INVALID_COMMAND_QUEUE, "command queue", queue);
    if (n == 0 || !list)
        return api_fail(queue->context, function, CL_INVALID_VALUE, "%u semaphores at %p", n,
                        (const void *)list);
    for (cl_uint i = 0; i < n; i++)
        if (!object_is(list[i], OBJECT_SEMAPHORE))
            return api_fail(queue->context, function, CL_INVALID_SEMAPHORE_KHR,
                            "sema_objects[%u] is not a semaphore", i);
    for (cl_uint i = 0; i < n; i++) {
        if (list[i]->context != queue->context)
            return api_fail(queue->context, function, CL_INVALID_CONTEXT,
                            "sema_objects[%u] is of another context than the queue", i);
        if (list[i]->device && list[i]->device != queue->device)
            return api_fail(queue->context, function, CL_INVALID_COMMAND_QUEUE,
                            "sema_objects[%u] is of another device than the queue", i);
    }
    cl_int error = command_check(function, queue, nwait, wait);
    for (cl_uint i = 0; !error && i < nwait; i++)
        if (atomic_load_explicit(&wait[i]->status, memory_order_acquire) < 0)
            error = api_fail(queue->context, function, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
                             "event_wait_list[%u] has failed", i);
    return error;
}

cl_event *semaphore_promises(cl_event wait, cl_uint *n) {
    struct use *u = wait->payload;
    cl_event *promises = calloc(u->n, sizeof *promises);
    *n = promises ? u->n : 0;
    for (cl_uint i = 0; i < *n; i++)
        object_hold(promises[i] = u->of[i].promise);
    return promises;
}

void semaphore_break(cl_event *promises, cl_uint n, cl_int status) {
    for (cl_uint i = 0; i < n; i++) {
        promise_end(promises[i], status);
        object_drop(promises[i]);
    }
    free(promises);
}

/* The command, with a promise for each semaphore; NULL: out of memory. */
static cl_event use_new(cl_command_queue queue, bool signals, cl_uint n, const cl_semaphore_khr *list) {
    struct use *u;
    cl_event e = command_new(queue, signals ? CL_COMMAND_SEMAPHORE_SIGNAL_KHR : CL_COMMAND_SEMAPHORE_WAIT_KHR,
                             sizeof *u + n * sizeof u->of[0]);
    if (!e)
        return NULL;
    u = e->payload;
    e->run = signals ? signal_run : wait_run;
    e->cleanup = signals ? signal_cleanup : use_cleanup;
    for (; u->n < n; u->n++) {
        cl_semaphore_khr s = list[u->n];
        cl_event promise =
            signals ? promise_take(s, &s->awaited, &s->given) : promise_take(s, &s->given, &s->awaited);
        if (!promise) {
            object_drop(e);
            return NULL;
        }
        object_hold(s);
        u->of[u->n].semaphore = s;
        u->of[u->n].promise = promise;
    }
    return e;
}

WEIR_API cl_int clEnqueueSignalSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                             const cl_semaphore_khr *sema_objects,
                                             const cl_semaphore_payload_khr *sema_payload_list, cl_uint nwait,
                                             const cl_event *wait, cl_event *event) {
    cl_int error = check_use(__func__, command_queue, num_sema_objects, sema_objects, nwait, wait);
    if (error)
        return error;
    cl_event e = use_new(command_queue, true, num_sema_objects, sema_objects);
    return e ? order_command(__func__, e, (struct enqueue_order){nwait, wait, false, event, NULL})
             : command_no_memory(__func__, command_queue);
}

WEIR_API cl_int clEnqueueWaitSemaphoresKHR(cl_command_queue command_queue, cl_uint num_sema_objects,
                                           const cl_semaphore_khr *sema_objects,
                                           const cl_semaphore_payload_khr *sema_payload_list, cl_uint nwait,
                                           const cl_event *wait, cl_event *event) {
    cl_int error = check_use(__func__, command_queue, num_sema_objects, sema_objects, nwait, wait);
    if (error)
        return error;
    cl_event *all = calloc((size_t)nwait + num_sema_objects, sizeof *all);
    cl_event e = all ? use_new(command_queue, false, num_sema_objects, sema_objects) : NULL;
    if (e) {
        const struct use *u = e->payload;
        if (nwait)
            memcpy(all, wait, nwait * sizeof *wait);
        for (cl_uint i = 0; i < num_sema_objects; i++)
            all[nwait + i] = u->of[i].promise;
        error = command_submit(e, nwait + num_sema_objects, all, false, event);
    }
    free(all);
    return !e || error ? command_no_memory(__func__, command_queue) : CL_SUCCESS;
}
