/* queue.c: command queues, of the host and on devices. What is enqueued lives in the event graph (command.c); a queue only
 * remembers what its order needs. Commands hold their queue, so that a released queue works off what it was given.
 */
#include "check.h"
#include "rt.h"

#include <stdlib.h>
#include <string.h>

/* ---- queues on devices, to which kernels enqueue ---- */

bool queue_is_on_device(cl_command_queue queue) {
    return object_is(queue, OBJECT_QUEUE) && queue->properties & CL_QUEUE_ON_DEVICE;
}

/* The link to the device's default queue in the context's list, or to its end. */
static cl_command_queue *default_locked(cl_context context, cl_device_id device) {
    cl_command_queue *at = &context->default_queues;
    while (*at && (*at)->device != device)
        at = &(*at)->next_default;
    return at;
}

static void unlink_default_locked(cl_command_queue *at) {
    cl_command_queue queue = *at;
    *at = queue->next_default;
    queue->is_default = false;
}

cl_command_queue queue_default(cl_context context, cl_device_id device) {
    pthread_mutex_lock(&context->lock);
    cl_command_queue queue = *default_locked(context, device);
    if (queue && !object_hold_alive(queue))
        queue = NULL;
    pthread_mutex_unlock(&context->lock);
    return queue;
}

static void make_default(cl_command_queue queue) {
    cl_context context = queue->context;
    pthread_mutex_lock(&context->lock);
    cl_command_queue *at = default_locked(context, queue->device);
    if (*at)
        unlink_default_locked(at); /* maybe itself */
    queue->next_default = context->default_queues;
    context->default_queues = queue;
    queue->is_default = true;
    pthread_mutex_unlock(&context->lock);
}

/* For the checker: commands of an out-of-order queue may run at any time, as those of two queues. */
static int ways_of(cl_command_queue queue) {
    return queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE ? 2 : 1;
}

static void queue_destroy(void *handle) {
    cl_command_queue queue = handle;
    cl_context context = queue->context;
    pthread_mutex_lock(&context->lock);
    if (queue->is_default)
        unlink_default_locked(default_locked(context, queue->device));
    *queue->link = queue->next;
    if (queue->next)
        queue->next->link = queue->link;
    pthread_mutex_unlock(&context->lock);
    object_drop(queue->device);
    check_command_drop(queue->checked);
    check_queue_ways(-ways_of(queue));
    event_free_blocks(queue);
    pthread_mutex_destroy(&queue->lock);
    free(queue->created_with);
    object_free(queue);
    object_drop(context);
}

/* What a list of properties says. A property with value 0 isn't in the list: none of the hints may be 0. */
struct properties {
    size_t n; /* the list's length, with the 0 */
    cl_queue_properties bits, size, priority, throttle;
    bool has_bits, has_size;
};

static bool is_hint(cl_queue_properties value) { /* HIGH, MED or LOW, of priorities as of throttling */
    return value == CL_QUEUE_PRIORITY_HIGH_KHR || value == CL_QUEUE_PRIORITY_MED_KHR ||
           value == CL_QUEUE_PRIORITY_LOW_KHR;
}

static cl_int read_property(const char *function, cl_context context, const cl_queue_properties *pair,
                            struct properties *p) {
    bool hint = pair[0] == CL_QUEUE_PRIORITY_KHR || pair[0] == CL_QUEUE_THROTTLE_KHR;
    cl_queue_properties *place = pair[0] == CL_QUEUE_PROPERTIES     ? &p->bits
                                 : pair[0] == CL_QUEUE_SIZE         ? &p->size
                                 : pair[0] == CL_QUEUE_PRIORITY_KHR ? &p->priority
                                 : pair[0] == CL_QUEUE_THROTTLE_KHR ? &p->throttle
                                                                    : NULL;
    bool seen = place == &p->bits ? p->has_bits : place == &p->size ? p->has_size : place && *place;
    if (!place || seen)
        return api_fail(context, function, CL_INVALID_VALUE, "property 0x%llx is %s",
                        (unsigned long long)pair[0], place ? "given twice" : "unknown");
    if (hint && !is_hint(pair[1]))
        return api_fail(context, function, CL_INVALID_VALUE, "%s 0x%llx is neither high, medium nor low",
                        place == &p->priority ? "priority" : "throttle", (unsigned long long)pair[1]);
    *place = pair[1];
    p->has_bits |= place == &p->bits;
    p->has_size |= place == &p->size;
    return CL_SUCCESS;
}

static cl_int parse_properties(const char *function, cl_context context, const cl_queue_properties *list,
                               struct properties *p) {
    const cl_command_queue_properties host =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    const cl_command_queue_properties device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    bool on_device;
    cl_int error = CL_SUCCESS;
    size_t i = 0;
    *p = (struct properties){0};
    if (!list)
        return CL_SUCCESS;
    for (; !error && list[i]; i += 2)
        error = read_property(function, context, list + i, p);
    if (error)
        return error;
    p->n = i + 1;
    if (p->bits & ~(host | device))
        return api_fail(context, function, CL_INVALID_VALUE, "queue properties 0x%llx",
                        (unsigned long long)p->bits);
    on_device = p->bits & CL_QUEUE_ON_DEVICE;
    if ((p->bits & CL_QUEUE_ON_DEVICE_DEFAULT || p->has_size) && !on_device)
        return api_fail(context, function, CL_INVALID_VALUE,
                        "properties of an on-device queue on a host queue");
    if (on_device && !(p->bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
        return api_fail(context, function, CL_INVALID_VALUE, "queues on devices are out-of-order only");
    if (on_device && (p->priority || p->throttle))
        return api_fail(context, function, CL_INVALID_QUEUE_PROPERTIES, "hints for a queue on the device");
    if (p->has_size && (p->size == 0 || p->size > WEIR_MAX_QUEUE_BYTES))
        return api_fail(context, function, p->size ? CL_INVALID_QUEUE_PROPERTIES : CL_INVALID_VALUE,
                        "CL_QUEUE_SIZE is %llu; CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE is %d",
                        (unsigned long long)p->size, WEIR_MAX_QUEUE_BYTES);
    return CL_SUCCESS;
}

static cl_command_queue queue_new(cl_context context, cl_device_id device, const struct properties *p,
                                  const cl_queue_properties *list) {
    cl_command_queue queue = object_alloc(sizeof *queue);
    cl_queue_properties *copy = p->n ? malloc(p->n * sizeof *copy) : NULL;
    if (!queue || (p->n && !copy)) {
        object_free(queue);
        free(copy);
        return NULL;
    }
    if (p->n)
        memcpy(copy, list, p->n * sizeof *copy);
    object_init(queue, OBJECT_QUEUE, queue_destroy);
    pthread_mutex_init(&queue->lock, NULL);
    object_hold(context);
    object_hold(device);
    queue->context = context;
    queue->device = device;
    queue->properties = p->bits;
    queue->is_timed = p->bits & CL_QUEUE_PROFILING_ENABLE || trace_on;
    check_queue_ways(ways_of(queue));
    queue->size = p->has_size ? (cl_uint)p->size : WEIR_QUEUE_BYTES;
    queue->created_with = copy;
    queue->ncreated_with = p->n;
    queue->priority = p->priority ? (cl_queue_priority_khr)p->priority : CL_QUEUE_PRIORITY_MED_KHR;
    pthread_mutex_lock(&context->lock);
    queue->number = ++context->nqueues;
    queue->link = &context->queues;
    queue->next = context->queues;
    if (queue->next)
        queue->next->link = &queue->next;
    context->queues = queue;
    pthread_mutex_unlock(&context->lock);
    return queue;
}

static cl_int check_device(const char *function, cl_context context, cl_device_id device) {
    cl_int error = context_check(function, context);
    if (error)
        return error;
    if (!context_has_device(context, device))
        return handle_fail(context, function, CL_INVALID_DEVICE, "device of the context", device);
    return CL_SUCCESS;
}

WEIR_API cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                             const cl_queue_properties *properties,
                                                             cl_int *errcode_ret) {
    struct properties p;
    cl_command_queue queue = NULL;
    cl_int error = check_device(__func__, context, device);
    if (!error)
        error = parse_properties(__func__, context, properties, &p);
    bool is_default = !error && p.bits & CL_QUEUE_ON_DEVICE_DEFAULT;
    if (is_default && (queue = queue_default(context, device))) { /* there is only one: a reference to it */
        object_retain(queue, OBJECT_QUEUE, CL_INVALID_COMMAND_QUEUE);
        object_drop(queue);
    } else if (!error && !(queue = queue_new(context, device, &p, properties))) {
        error = API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for a queue");
    } else if (is_default) {
        make_default(queue);
    }
    if (errcode_ret)
        *errcode_ret = error;
    return queue;
}

WEIR_API cl_command_queue clCreateCommandQueueWithPropertiesKHR(cl_context context, cl_device_id device,
                                                                const cl_queue_properties_khr *properties,
                                                                cl_int *errcode_ret) {
    return clCreateCommandQueueWithProperties(context, device, properties, errcode_ret);
}

WEIR_API cl_command_queue clCreateCommandQueue(cl_context context, cl_device_id device,
                                               cl_command_queue_properties properties, cl_int *errcode_ret) {
    const cl_command_queue_properties host =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    cl_command_queue queue = NULL;
    cl_int error = check_device(__func__, context, device);
    if (!error && properties & ~host)
        error =
            API_FAIL(context, CL_INVALID_VALUE, "queue properties 0x%llx", (unsigned long long)properties);
    if (!error && !(queue = queue_new(context, device, &(struct properties){.bits = properties}, NULL)))
        error = API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for a queue");
    if (errcode_ret)
        *errcode_ret = error;
    return queue;
}

static cl_int invalid_queue(const char *function, cl_command_queue queue) {
    return handle_fail(NULL, function, CL_INVALID_COMMAND_QUEUE, "command queue of this call", queue);
}

WEIR_API cl_int clRetainCommandQueue(cl_command_queue queue) {
    return object_retain(queue, OBJECT_QUEUE, -1) ? invalid_queue(__func__, queue) : CL_SUCCESS;
}

WEIR_API cl_int clReleaseCommandQueue(cl_command_queue queue) {
    if (!object_is(queue, OBJECT_QUEUE))
        return invalid_queue(__func__, queue);
    sched_flush(queue->device); /* implied by the release */
    return object_release(queue, OBJECT_QUEUE, -1) ? invalid_queue(__func__, queue) : CL_SUCCESS;
}

static cl_int queue_info(cl_command_queue queue, cl_command_queue_info name, struct info_out out) {
    switch (name) {
    case CL_QUEUE_CONTEXT:
        return info_pointer(out, queue->context);
    case CL_QUEUE_DEVICE:
        return info_pointer(out, queue->device);
    case CL_QUEUE_REFERENCE_COUNT:
        return info_uint(out, atomic_load(&queue->object.refs));
    case CL_QUEUE_PROPERTIES:
        return info_ulong(out, queue->properties);
    case CL_QUEUE_PROPERTIES_ARRAY:
        return info_bytes(out, queue->created_with, queue->ncreated_with * sizeof *queue->created_with);
    case CL_QUEUE_SIZE: /* asked of on-device queues only */
        return queue_is_on_device(queue) ? info_uint(out, queue->size) : CL_INVALID_COMMAND_QUEUE;
    case CL_QUEUE_DEVICE_DEFAULT: {
        cl_command_queue held = queue_default(queue->context, queue->device);
        cl_int error = info_pointer(out, held);
        object_drop(held);
        return error;
    }
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                                      size_t param_value_size, void *param_value,
                                      size_t *param_value_size_ret) {
    if (!object_is(queue, OBJECT_QUEUE))
        return invalid_queue(__func__, queue);
    cl_int error = queue_info(queue, param_name, INFO_OUT);
    return error ? INFO_FAIL(queue->context, error) : CL_SUCCESS;
}

/* Withdrawn by OpenCL 1.1: its devices answer so. */
WEIR_API cl_int clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
                                          cl_bool enable, cl_command_queue_properties *old_properties) {
    if (!object_is(queue, OBJECT_QUEUE))
        return invalid_queue(__func__, queue);
    return API_FAIL(queue->context, CL_INVALID_OPERATION, "properties of a queue can't be changed any more");
}

/* Of the host, as the functions after it want. */
static bool is_of_host(cl_command_queue queue) {
    return object_is(queue, OBJECT_QUEUE) && !queue_is_on_device(queue);
}

WEIR_API cl_int clFlush(cl_command_queue queue) {
    if (!is_of_host(queue))
        return invalid_queue(__func__, queue);
    sched_flush(queue->device);
    return CL_SUCCESS;
}

/* In order, the newest command is the last to end; out of order, a marker waits for all there are now. */
static cl_int finish_mark(cl_command_queue queue, cl_event *mark) {
    if (queue->properties & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) {
        cl_event e = command_new(queue, CL_COMMAND_MARKER, 0);
        if (!e)
            return CL_OUT_OF_HOST_MEMORY;
        object_hold(e);
        e->is_internal = true;
        *mark = e;
        cl_int error = command_submit(e, 0, NULL, false, NULL);
        if (error)
            object_drop(e);
        return error;
    }
    pthread_mutex_lock(&queue->lock);
    *mark = queue->last;
    if (*mark)
        object_hold(*mark);
    pthread_mutex_unlock(&queue->lock);
    return CL_SUCCESS;
}

static cl_int finish(cl_command_queue queue) {
    cl_event mark;
    cl_int error = finish_mark(queue, &mark);
    if (!error && mark) {
        event_wait(mark);
        object_drop(mark);
    }
    if (env_get()->check)
        check_commands_seen(queue);
    return error;
}

WEIR_API cl_int clFinish(cl_command_queue queue) {
    if (!is_of_host(queue))
        return invalid_queue(__func__, queue);
    cl_int error = context_alive(__func__, queue->context);
    if (error)
        return error;
    error = finish(queue);
    return error ? API_FAIL(queue->context, error, "no memory for a marker") : error;
}

cl_int queue_finish_all(cl_context context) {
    size_t n = 0, room = 0;
    cl_int error = CL_SUCCESS;
    pthread_mutex_lock(&context->lock);
    for (cl_command_queue q = context->queues; q; q = q->next)
        room++;
    cl_command_queue *held = calloc(room + 1, sizeof(cl_command_queue));
    for (cl_command_queue q = context->queues; q && held; q = q->next)
        /* One that is going has no commands any more; those on devices are their kernels'. */
        if (!(q->properties & CL_QUEUE_ON_DEVICE) && object_hold_alive(q))
            held[n++] = q;
    pthread_mutex_unlock(&context->lock);
    for (size_t i = 0; i < n; i++) {
        if (!error)
            error = finish(held[i]);
        object_drop(held[i]);
    }
    free(held);
    return held ? error : CL_OUT_OF_HOST_MEMORY;
}

WEIR_API cl_int clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                               cl_command_queue queue) {
    cl_int error = check_device(__func__, context, device);
    if (error)
        return error;
    if (!queue_is_on_device(queue) || queue->context != context || queue->device != device)
        return API_FAIL(context, CL_INVALID_COMMAND_QUEUE,
                        "%p is not a queue on device %p, made for it in this context", (void *)queue,
                        (void *)device);
    make_default(queue);
    return CL_SUCCESS;
}
