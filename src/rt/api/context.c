/* context.c: contexts. */
#define _GNU_SOURCE
#include "rt.h"

#include <stdlib.h>
#include <string.h>

/* ---- contexts -------------------------------------------------------------------------------------------- */

static bool is_listed(cl_context context, cl_device_id device) {
    for (cl_uint i = 0; i < context->ndevices; i++)
        if (context->devices[i] == device)
            return true;
    return false;
}

bool context_has_device(cl_context context, cl_device_id device) {
    if (!object_is(device, OBJECT_DEVICE))
        return false;
    for (cl_uint i = 0; i < context->ndevices; i++)
        if (device_is_part_of(device, context->devices[i]))
            return true;
    return false;
}

cl_int context_check(const char *function, cl_context context) {
    if (!object_is(context, OBJECT_CONTEXT))
        return handle_fail(NULL, function, CL_INVALID_CONTEXT, "context", context);
    return context_alive(function, context);
}

cl_int context_alive(const char *function, cl_context context) {
    return atomic_load_explicit(&context->terminated, memory_order_acquire)
               ? api_fail(context, function, CL_CONTEXT_TERMINATED_KHR, "the context was terminated")
               : CL_SUCCESS;
}

static void context_destroy(void *handle) {
    cl_context context = handle;
    no_lock_is_held(__func__);
    while (context->destructors) {
        struct destructor *d = context->destructors;
        context->destructors = d->next;
        ((void(CL_CALLBACK *)(cl_context, void *))d->notify)(context, d->user);
        free(d);
    }
    svm_release(context);
    for (cl_uint i = 0; i < context->ndevices; i++)
        object_drop(context->devices[i]);
    pthread_mutex_destroy(&context->lock);
    free(context->devices);
    free(context->properties);
    object_free(context);
}

/* What a list of properties says. */
struct properties {
    size_t n; /* the list's length, with the 0 */
    bool terminable;
    cl_context_memory_initialize_khr zeroes;
};

static bool is_bool(cl_context_properties value) {
    return value == CL_FALSE || value == CL_TRUE;
}

static cl_int check_properties(const char *function, const cl_context_properties *list,
                               struct properties *p) {
    static const cl_context_properties names[] = {CL_CONTEXT_PLATFORM, CL_CONTEXT_INTEROP_USER_SYNC,
                                                  CL_CONTEXT_TERMINATE_KHR, CL_CONTEXT_MEMORY_INITIALIZE_KHR};
    const cl_context_properties kinds =
        CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;
    enum { NAMES = sizeof names / sizeof *names };
    bool seen[NAMES] = {false};
    *p = (struct properties){0};
    size_t i = 0;
    for (; list && list[i]; i += 2) {
        cl_context_properties value = list[i + 1];
        cl_context_properties name =
            list[i] == CL_CONTEXT_TERMINATE_KHR_1_2 ? CL_CONTEXT_TERMINATE_KHR : list[i];
        size_t which = 0;
        while (which < NAMES && names[which] != name)
            which++;
        if (which == NAMES || seen[which])
            return api_fail(NULL, function, CL_INVALID_PROPERTY, "property 0x%llx is %s",
                            (unsigned long long)name, which < NAMES ? "given twice" : "not supported");
        seen[which] = true;
        if (name == CL_CONTEXT_PLATFORM && !object_is((void *)value, OBJECT_PLATFORM))
            return handle_fail(NULL, function, CL_INVALID_PLATFORM, "platform", (void *)value);
        if (name == CL_CONTEXT_MEMORY_INITIALIZE_KHR ? (value & ~kinds) != 0
                                                     : name != CL_CONTEXT_PLATFORM && !is_bool(value))
            return api_fail(NULL, function, CL_INVALID_PROPERTY, "property 0x%llx is %lld",
                            (unsigned long long)name, (long long)value);
        if (name == CL_CONTEXT_TERMINATE_KHR)
            p->terminable = value;
        if (name == CL_CONTEXT_MEMORY_INITIALIZE_KHR)
            p->zeroes = (cl_context_memory_initialize_khr)value;
    }
    p->n = list ? i + 1 : 0;
    return CL_SUCCESS;
}

typedef void(CL_CALLBACK *notify_fn)(const char *, const void *, size_t, void *);

static cl_context context_new(const cl_context_properties *properties, const struct properties *p,
                              cl_uint ndevices, const cl_device_id *devices, notify_fn notify, void *user) {
    const size_t nproperties = p->n;
    cl_context context = object_alloc(sizeof *context);
    if (!context)
        return NULL;
    context->devices = calloc(ndevices, sizeof *devices);
    context->properties = nproperties ? malloc(nproperties * sizeof *properties) : NULL;
    if (!context->devices || (nproperties && !context->properties)) {
        free(context->devices);
        free(context->properties);
        object_free(context);
        return NULL;
    }
    object_init(context, OBJECT_CONTEXT, context_destroy);
    pthread_mutex_init(&context->lock, NULL);
    for (cl_uint i = 0; i < ndevices; i++) /* the application may list a device twice: it counts once */
        if (!is_listed(context, devices[i])) {
            object_hold(devices[i]);
            context->devices[context->ndevices++] = devices[i];
        }
    if (nproperties)
        memcpy(context->properties, properties, nproperties * sizeof *properties);
    context->nproperties = nproperties;
    context->terminable = p->terminable;
    context->zeroes = p->zeroes;
    context->notify = notify;
    context->notify_user = user;
    weirc_copy_environment();
    return context;
}

WEIR_API cl_context clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                    const cl_device_id *devices, notify_fn pfn_notify, void *user_data,
                                    cl_int *errcode_ret) {
    struct properties p;
    cl_context context = NULL;
    cl_int error = check_properties(__func__, properties, &p);
    if (!error && (!devices || num_devices == 0))
        error = API_FAIL(NULL, CL_INVALID_VALUE, "%u devices at %p", num_devices, (const void *)devices);
    if (!error && !pfn_notify && user_data)
        error = API_FAIL(NULL, CL_INVALID_VALUE, "user_data is given and pfn_notify is NULL");
    for (cl_uint i = 0; !error && i < num_devices; i++)
        if (!object_is(devices[i], OBJECT_DEVICE))
            error = API_FAIL(NULL, CL_INVALID_DEVICE, "devices[%u] is not a device", i);
    if (!error && !(context = context_new(properties, &p, num_devices, devices, pfn_notify, user_data)))
        error = API_FAIL(NULL, CL_OUT_OF_HOST_MEMORY, "no memory for a context");
    if (errcode_ret)
        *errcode_ret = error;
    return context;
}

WEIR_API cl_context clCreateContextFromType(const cl_context_properties *properties,
                                            cl_device_type device_type, notify_fn pfn_notify, void *user_data,
                                            cl_int *errcode_ret) {
    struct properties p;
    cl_device_id device;
    cl_context context = NULL;
    cl_int error = check_properties(__func__, properties, &p);
    if (!error && !pfn_notify && user_data)
        error = API_FAIL(NULL, CL_INVALID_VALUE, "user_data is given and pfn_notify is NULL");
    if (!error)
        error = clGetDeviceIDs(&weir_platform, device_type, 1, &device, NULL);
    if (!error && !(context = context_new(properties, &p, 1, &device, pfn_notify, user_data)))
        error = API_FAIL(NULL, CL_OUT_OF_HOST_MEMORY, "no memory for a context");
    if (errcode_ret)
        *errcode_ret = error;
    return context;
}

WEIR_API cl_int clRetainContext(cl_context context) {
    cl_int error = object_retain(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT);
    return error ? HANDLE_FAIL(error, "context", context) : CL_SUCCESS;
}

WEIR_API cl_int clReleaseContext(cl_context context) {
    cl_int error = object_release(context, OBJECT_CONTEXT, CL_INVALID_CONTEXT);
    return error ? HANDLE_FAIL(error, "context", context) : CL_SUCCESS;
}

static cl_int context_info(cl_context context, cl_context_info name, struct info_out out) {
    switch (name) {
    case CL_CONTEXT_REFERENCE_COUNT:
        return info_uint(out, atomic_load(&context->object.refs));
    case CL_CONTEXT_NUM_DEVICES:
        return info_uint(out, context->ndevices);
    case CL_CONTEXT_DEVICES:
        return info_bytes(out, context->devices, context->ndevices * sizeof *context->devices);
    case CL_CONTEXT_PROPERTIES:
        return info_bytes(out, context->properties, context->nproperties * sizeof *context->properties);
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int clGetContextInfo(cl_context context, cl_context_info param_name, size_t param_value_size,
                                 void *param_value, size_t *param_value_size_ret) {
    if (!object_is(context, OBJECT_CONTEXT))
        return HANDLE_FAIL(CL_INVALID_CONTEXT, "context", context);
    cl_int error = context_info(context, param_name, INFO_OUT);
    return error ? INFO_FAIL(context, error) : CL_SUCCESS;
}

WEIR_API cl_int clSetContextDestructorCallback(cl_context context,
                                               void(CL_CALLBACK *pfn_notify)(cl_context, void *),
                                               void *user_data) {
    cl_int error = context_check(__func__, context);
    if (error)
        return error;
    if (!pfn_notify)
        return API_FAIL(context, CL_INVALID_VALUE, "the callback is NULL");
    struct destructor *d = malloc(sizeof *d);
    if (!d)
        return API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for a callback");
    d->notify = (void (*)(void *, void *))pfn_notify;
    d->user = user_data;
    pthread_mutex_lock(&context->lock);
    d->next = context->destructors;
    context->destructors = d;
    pthread_mutex_unlock(&context->lock);
    return CL_SUCCESS;
}

/* Commands that haven't ended have the status CL_CONTEXT_TERMINATED_KHR at once. Those that haven't begun never will;
 * kernels stop where they next take work-groups, and one that is stuck inside of a work-group keeps its thread. */
WEIR_API cl_int clTerminateContextKHR(cl_context context) {
    cl_int error = context_check(__func__, context);
    if (error)
        return error;
    if (!context->terminable)
        return API_FAIL(context, CL_INVALID_OPERATION,
                        "the context was created without CL_CONTEXT_TERMINATE_KHR");
    if (atomic_exchange(&context->terminated, true)) /* by another thread, just now */
        return context_alive(__func__, context);
    commands_cut(context);
    API_FAIL(context, CL_CONTEXT_TERMINATED_KHR, "this is the end of the context"); /* its callback is told */
    return CL_SUCCESS;
}
