/* queue.c: command queues. What is enqueued lives in the event graph (command.c); a queue only remembers what
 * its order needs. Commands hold their queue, so that a released queue works off what it was given.
 */
#include "rt.h"

#include <stdlib.h>
#include <string.h>

static void queue_destroy(void *handle) {
    cl_command_queue queue = handle;
    cl_context context = queue->context;
    object_drop(queue->device);
    event_free_blocks(queue);
    pthread_mutex_destroy(&queue->lock);
    free(queue->created_with);
    free(queue);
    object_drop(context);
}

/* Reads the properties: their list's length with the 0, and the bits of CL_QUEUE_PROPERTIES. */
static cl_int parse_properties(const char *function, cl_context context, const cl_queue_properties *list,
                               size_t *n, cl_command_queue_properties *bits) {
    const cl_command_queue_properties host =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    const cl_command_queue_properties device = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    bool has_bits = false, has_size = false;
    *n = 0;
    *bits = 0;
    if (!list)
        return CL_SUCCESS;
    size_t i = 0;
    for (; list[i]; i += 2) {
        bool *seen = list[i] == CL_QUEUE_PROPERTIES ? &has_bits : list[i] == CL_QUEUE_SIZE ? &has_size : NULL;
        if (!seen || *seen)
            return api_fail(context, function, CL_INVALID_VALUE, "property 0x%llx is %s",
                            (unsigned long long)list[i], seen ? "given twice" : "unknown");
        *seen = true;
        if (seen == &has_bits)
            *bits = list[i + 1];
    }
    *n = i + 1;
    if (*bits & ~(host | device))
        return api_fail(context, function, CL_INVALID_VALUE, "queue properties 0x%llx",
                        (unsigned long long)*bits);
    if ((*bits & CL_QUEUE_ON_DEVICE_DEFAULT && !(*bits & CL_QUEUE_ON_DEVICE)) ||
        (*bits & CL_QUEUE_ON_DEVICE && !(*bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE)) ||
        (has_size && !(*bits & CL_QUEUE_ON_DEVICE)))
        return api_fail(context, function, CL_INVALID_VALUE,
                        "properties of an on-device queue on a host queue");
    if (*bits & device)
        return api_fail(context, function, CL_INVALID_QUEUE_PROPERTIES, "on-device queues are not supported");
    return CL_SUCCESS;
}

static cl_command_queue queue_new(cl_context context, cl_device_id device,
                                  cl_command_queue_properties properties, const cl_queue_properties *list,
                                  size_t n) {
    cl_command_queue queue = calloc(1, sizeof *queue);
    cl_queue_properties *copy = n ? malloc(n * sizeof *copy) : NULL;
    if (!queue || (n && !copy)) {
        free(queue);
        free(copy);
        return NULL;
    }
    if (n)
        memcpy(copy, list, n * sizeof *copy);
    object_init(queue, OBJECT_QUEUE, queue_destroy);
    pthread_mutex_init(&queue->lock, NULL);
    object_hold(context);
    object_hold(device);
    queue->context = context;
    queue->device = device;
    queue->properties = properties;
    queue->created_with = copy;
    queue->ncreated_with = n;
    return queue;
}

static cl_int check_device(const char *function, cl_context context, cl_device_id device) {
    if (!object_is(context, OBJECT_CONTEXT))
        return api_fail(NULL, function, CL_INVALID_CONTEXT, "%p is no context", (void *)context);
    if (!context_has_device(context, device))
        return api_fail(context, function, CL_INVALID_DEVICE, "%p is no device of the context",
                        (void *)device);
    return CL_SUCCESS;
}

WEIR_API cl_command_queue clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                                             const cl_queue_properties *properties,
                                                             cl_int *errcode_ret) {
    size_t n;
    cl_command_queue_properties bits;
    cl_command_queue queue = NULL;
    cl_int error = check_device(__func__, context, device);
    if (!error)
        error = parse_properties(__func__, context, properties, &n, &bits);
    if (!error && !(queue = queue_new(context, device, bits, properties, n)))
        error = API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for a queue");
    if (errcode_ret)
        *errcode_ret = error;
    return queue;
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
    if (!error && !(queue = queue_new(context, device, properties, NULL, 0)))
        error = API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for a queue");
    if (errcode_ret)
        *errcode_ret = error;
    return queue;
}

static cl_int invalid_queue(const char *function, cl_command_queue queue) {
    return api_fail(NULL, function, CL_INVALID_COMMAND_QUEUE, "%p is no command queue", (void *)queue);
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
    case CL_QUEUE_SIZE:
        return CL_INVALID_COMMAND_QUEUE; /* asked of on-device queues only */
    case CL_QUEUE_DEVICE_DEFAULT:
        return info_pointer(out, NULL);
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
    return error ? API_FAIL(queue->context, error, "query 0x%x with room for %zu bytes", param_name,
                            param_value_size)
                 : CL_SUCCESS;
}

/* Withdrawn by OpenCL 1.1: its devices answer so. */
WEIR_API cl_int clSetCommandQueueProperty(cl_command_queue queue, cl_command_queue_properties properties,
                                          cl_bool enable, cl_command_queue_properties *old_properties) {
    if (!object_is(queue, OBJECT_QUEUE))
        return invalid_queue(__func__, queue);
    return API_FAIL(queue->context, CL_INVALID_OPERATION, "properties of a queue can't be changed any more");
}

WEIR_API cl_int clFlush(cl_command_queue queue) {
    if (!object_is(queue, OBJECT_QUEUE))
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

WEIR_API cl_int clFinish(cl_command_queue queue) {
    cl_event mark;
    if (!object_is(queue, OBJECT_QUEUE))
        return invalid_queue(__func__, queue);
    cl_int error = finish_mark(queue, &mark);
    if (error)
        return API_FAIL(queue->context, error, "no memory for a marker");
    if (mark) {
        event_wait(mark);
        object_drop(mark);
    }
    return CL_SUCCESS;
}
