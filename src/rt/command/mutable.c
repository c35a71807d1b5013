/* mutable.c: launches in command buffers, and how they are changed: cl_khr_command_buffer_mutable_dispatch.
 *
 * A launch of a mutable buffer keeps a copy of its kernel, with the arguments that it was recorded with. An update makes
 * another copy, sets what changes through the same functions as an application would, and makes the launch anew, with
 * all the checks of a first one; that is done for all launches of the call before any is replaced. What has been
 * enqueued runs as it was then.
 */
#include "command_buffer.h"

#include <stdlib.h>
#include <string.h>

/* ---- recording --------------------------------------------------------------------------------------------- */

static cl_int read_properties(const char *function, cl_context context, const cl_command_properties_khr *list,
                              cl_mutable_dispatch_fields_khr *fields,
                              cl_mutable_dispatch_asserts_khr *asserts, bool *has_fields) {
    const struct bit_property known[] = {
        {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, MUTABLE_FIELDS, fields},
        {CL_MUTABLE_DISPATCH_ASSERTS_KHR, CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, asserts}};
    bool seen[2] = {false, false};
    *fields = MUTABLE_FIELDS;
    cl_int error = bit_properties_read(function, context, list, known, seen);
    *has_fields = seen[0];
    return error;
}

WEIR_API cl_int clCommandNDRangeKernelKHR(WEIR_RECORD_FIRST, cl_kernel kernel, cl_uint work_dim,
                                          const size_t *global_work_offset, const size_t *global_work_size,
                                          const size_t *local_work_size, WEIR_RECORD_LAST) {
    struct recording r;
    struct dispatch d = {0};
    bool has_fields = false, unset = false;
    cl_event command = NULL;
    cl_int error = record_begin(__func__, &r, true, RECORD_ARGS);
    if (error)
        return error;
    bool is_mutable = command_buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR;
    cl_mutable_dispatch_asserts_khr asserts = command_buffer->asserts;
    error = read_properties(__func__, r.queue->context, properties, &d.fields, &asserts, &has_fields);
    if (error)
        return error;
    bool may_be_unset = is_mutable && has_fields && d.fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR;
    error = launch_check(__func__, r.queue, kernel, work_dim, global_work_offset, global_work_size,
                         local_work_size, &d.sizes, may_be_unset ? &unset : NULL);
    if (!error && asserts & CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR && !local_work_size)
        error = API_FAIL(r.queue->context, CL_INVALID_VALUE,
                         "local_work_size is NULL, with an assertion about the number of work-groups");
    if (!error && is_mutable && !(d.state = kernel_copy(kernel)))
        error = API_FAIL(r.queue->context, CL_OUT_OF_HOST_MEMORY, "no memory for a copy of the kernel");
    if (!error && !unset)
        error = launch_make(__func__, r.queue, kernel, &d.sizes, CL_COMMAND_NDRANGE_KERNEL, &command);
    if (error) {
        object_drop(d.state);
        return error;
    }
    d.kernel = kernel;
    object_hold(kernel);
    r.dispatch = &d;
    return record_add(__func__, &r, command);
}

/* ---- updates ------------------------------------------------------------------------------------------------- */

/* One launch as it is to be. */
struct update {
    cl_mutable_command_khr m;
    struct dispatch dispatch; /* held */
    cl_event command;         /* held; NULL: arguments are still missing */
};

static cl_int check_fields(const char *function, cl_mutable_command_khr m,
                           const cl_mutable_dispatch_config_khr *c) {
    const struct {
        const char *name;
        cl_mutable_dispatch_fields_khr field;
        bool changes;
    } all[] = {
        {"the global offset", CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR, c->global_work_offset},
        {"the global size", CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR, c->global_work_size},
        {"the local size", CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR, c->local_work_size},
        {"arguments", CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, c->num_args || c->num_svm_args},
        {"execution info", CL_MUTABLE_DISPATCH_EXEC_INFO_KHR, c->num_exec_infos},
    };
    cl_context context = m->buffer->context;
    if (c->work_dim && c->work_dim != m->dispatch.sizes.dim)
        return api_fail(context, function, CL_INVALID_OPERATION, "work_dim is %u, and was recorded as %u",
                        c->work_dim, m->dispatch.sizes.dim);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i].changes && !(m->dispatch.fields & all[i].field))
            return api_fail(context, function, CL_INVALID_OPERATION,
                            "%s of the launch can't be changed: it was recorded without 0x%llx", all[i].name,
                            (unsigned long long)all[i].field);
    if ((c->num_args == 0) != (c->arg_list == NULL) || (c->num_svm_args == 0) != (c->arg_svm_list == NULL) ||
        (c->num_exec_infos == 0) != (c->exec_info_list == NULL))
        return api_fail(context, function, CL_INVALID_VALUE,
                        "%u arguments at %p, %u of SVM at %p, %u execution infos at %p", c->num_args,
                        (const void *)c->arg_list, c->num_svm_args, (const void *)c->arg_svm_list,
                        c->num_exec_infos, (const void *)c->exec_info_list);
    return CL_SUCCESS;
}

static cl_int set_arguments(cl_kernel state, const cl_mutable_dispatch_config_khr *c) {
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; !error && i < c->num_args; i++)
        error = clSetKernelArg(state, c->arg_list[i].arg_index, c->arg_list[i].arg_size,
                               c->arg_list[i].arg_value);
    for (cl_uint i = 0; !error && i < c->num_svm_args; i++)
        error = clSetKernelArgSVMPointer(state, c->arg_svm_list[i].arg_index, c->arg_svm_list[i].arg_value);
    for (cl_uint i = 0; !error && i < c->num_exec_infos; i++)
        error = clSetKernelExecInfo(state, c->exec_info_list[i].param_name,
                                    c->exec_info_list[i].param_value_size, c->exec_info_list[i].param_value);
    return error;
}

static bool is_uniform(const struct sizes *s) {
    return s->empty || !s->is_partial;
}

/* The new sizes, with the checks of a launch. */
static cl_int resize(const char *function, struct update *u, const cl_mutable_dispatch_config_khr *c,
                     bool *unset) {
    cl_command_queue queue = u->m->buffer->queues[u->m->queue];
    struct sizes was = u->dispatch.sizes;
    const size_t *local = c->local_work_size ? c->local_work_size : was.chosen ? NULL : was.local;
    cl_int error = launch_check(function, queue, u->dispatch.state, was.dim,
                                c->global_work_offset ? c->global_work_offset : was.offset,
                                c->global_work_size ? c->global_work_size : was.global, local,
                                &u->dispatch.sizes, unset);
    if (!error && !was.chosen && is_uniform(&was) != is_uniform(&u->dispatch.sizes))
        error = api_fail(queue->context, function, CL_INVALID_OPERATION,
                         "work-groups were %s of one size, and would %s",
                         is_uniform(&was) ? "all" : "not all", is_uniform(&was) ? "differ" : "not");
    return error;
}

static cl_int prepare(const char *function, struct update *u, const cl_mutable_dispatch_config_khr *c) {
    cl_command_queue queue = u->m->buffer->queues[u->m->queue];
    bool unset = false;
    cl_kernel state = kernel_copy(u->dispatch.state);
    if (!state)
        return api_fail(queue->context, function, CL_OUT_OF_HOST_MEMORY,
                        "no memory for a copy of the kernel");
    object_drop(u->dispatch.state);
    u->dispatch.state = state;
    object_drop(u->command);
    u->command = NULL;
    cl_int error = set_arguments(state, c);
    if (!error)
        error = resize(function, u, c, &unset);
    if (!error && !unset)
        error =
            launch_make(function, queue, state, &u->dispatch.sizes, CL_COMMAND_NDRANGE_KERNEL, &u->command);
    return error;
}

/* The entry of a launch, which several configurations may name: later ones change what earlier ones made of it. */
static struct update *update_of(struct update *list, cl_uint *n, cl_mutable_command_khr m) {
    for (cl_uint i = 0; i < *n; i++)
        if (list[i].m == m)
            return &list[i];
    struct update *u = &list[(*n)++];
    pthread_mutex_lock(&m->buffer->lock);
    *u = (struct update){.m = m, .dispatch = m->dispatch};
    dispatch_hold(&u->dispatch);
    pthread_mutex_unlock(&m->buffer->lock);
    return u;
}

static cl_int prepare_all(const char *function, cl_command_buffer_khr b, cl_uint nconfigs,
                          const void **configs, struct update *list, cl_uint *n) {
    cl_int error = CL_SUCCESS;
    for (cl_uint i = 0; !error && i < nconfigs; i++) {
        const cl_mutable_dispatch_config_khr *c = configs[i];
        cl_mutable_command_khr m = c->command;
        if (!object_is(m, OBJECT_RECORDED) || m->buffer != b || !m->dispatch.state)
            return api_fail(b->context, function, CL_INVALID_MUTABLE_COMMAND_KHR,
                            "configs[%u] is of no launch of the command buffer", i);
        error = check_fields(function, m, c);
        if (!error)
            error = prepare(function, update_of(list, n, m), c);
    }
    return error;
}

static bool commit(cl_command_buffer_khr b, struct update *list, cl_uint n) {
    pthread_mutex_lock(&b->lock);
    for (cl_uint i = 0; i < n; i++) { /* what was there goes to the list, whose contents are dropped */
        struct update was = {list[i].m, list[i].m->dispatch, list[i].m->command};
        b->unset += (cl_uint)!list[i].command - (cl_uint)!was.command;
        list[i].m->dispatch = list[i].dispatch;
        list[i].m->command = list[i].command;
        list[i] = was;
    }
    bool done = plan_update_locked(b);
    for (cl_uint i = 0; !done && i < n; i++) {
        b->unset += (cl_uint)!list[i].command - (cl_uint)!list[i].m->command;
        struct update now = {list[i].m, list[i].m->dispatch, list[i].m->command};
        list[i].m->dispatch = list[i].dispatch;
        list[i].m->command = list[i].command;
        list[i] = now;
    }
    pthread_mutex_unlock(&b->lock);
    return done;
}

static cl_int check_configs(const char *function, cl_command_buffer_khr b, cl_uint n,
                            const cl_command_buffer_update_type_khr *types, const void **configs) {
    if ((n == 0) != (types == NULL) || (n == 0) != (configs == NULL))
        return api_fail(b->context, function, CL_INVALID_VALUE, "%u configs at %p, their types at %p", n,
                        (const void *)configs, (const void *)types);
    for (cl_uint i = 0; i < n; i++) {
        if (types[i] != CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR)
            return api_fail(b->context, function, CL_INVALID_VALUE, "config_types[%u] is %u", i, types[i]);
        if (!configs[i])
            return api_fail(b->context, function, CL_INVALID_VALUE, "configs[%u] is NULL", i);
    }
    return CL_SUCCESS;
}

static bool is_recording(cl_command_buffer_khr b) {
    pthread_mutex_lock(&b->lock);
    bool recording = !b->plan;
    pthread_mutex_unlock(&b->lock);
    return recording;
}

WEIR_API cl_int clUpdateMutableCommandsKHR(cl_command_buffer_khr command_buffer, cl_uint num_configs,
                                           const cl_command_buffer_update_type_khr *config_types,
                                           const void **configs) {
    cl_uint n = 0;
    if (!object_is(command_buffer, OBJECT_COMMAND_BUFFER))
        return HANDLE_FAIL(CL_INVALID_COMMAND_BUFFER_KHR, "command buffer", command_buffer);
    cl_context context = command_buffer->context;
    if (is_recording(command_buffer))
        return API_FAIL(context, CL_INVALID_OPERATION, "the command buffer isn't finalized");
    if (!(command_buffer->flags & CL_COMMAND_BUFFER_MUTABLE_KHR))
        return API_FAIL(context, CL_INVALID_OPERATION,
                        "the command buffer was created without CL_COMMAND_BUFFER_MUTABLE_KHR");
    cl_int error = check_configs(__func__, command_buffer, num_configs, config_types, configs);
    if (error || num_configs == 0)
        return error;
    struct update *list = calloc(num_configs, sizeof *list);
    if (!list)
        return API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for %u updates", num_configs);
    error = prepare_all(__func__, command_buffer, num_configs, configs, list, &n);
    if (!error && !commit(command_buffer, list, n))
        error = API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for the updated commands");
    for (cl_uint i = 0; i < n; i++) {
        dispatch_drop(&list[i].dispatch);
        object_drop(list[i].command);
    }
    free(list);
    return error;
}

/* ---- queries ---------------------------------------------------------------------------------------------------- */

static cl_int command_info(cl_mutable_command_khr m, const struct dispatch *d,
                           cl_mutable_command_info_khr name, struct info_out out) {
    bool launch = d->kernel; /* of others, what tells of launches has size 0 */
    switch (name) {
    case CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR:
        return info_pointer(out, m->buffer->queues[m->queue]);
    case CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR:
        return info_pointer(out, m->buffer);
    case CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR:
        return info_uint(out, m->type);
    case CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR:
        return info_bytes(out, m->properties, m->nproperties * sizeof *m->properties);
    case CL_MUTABLE_DISPATCH_KERNEL_KHR:
        return info_bytes(out, &d->kernel, launch ? sizeof d->kernel : 0);
    case CL_MUTABLE_DISPATCH_DIMENSIONS_KHR:
        return info_bytes(out, &d->sizes.dim, launch ? sizeof d->sizes.dim : 0);
    case CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR:
        return info_bytes(out, d->sizes.offset, d->sizes.dim * sizeof(size_t));
    case CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR:
        return info_bytes(out, d->sizes.global, d->sizes.dim * sizeof(size_t));
    case CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR:
        return info_bytes(out, d->sizes.chosen ? (const size_t[3]){0} : d->sizes.local,
                          d->sizes.dim * sizeof(size_t));
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int clGetMutableCommandInfoKHR(cl_mutable_command_khr command,
                                           cl_mutable_command_info_khr param_name, size_t param_value_size,
                                           void *param_value, size_t *param_value_size_ret) {
    if (!object_is(command, OBJECT_RECORDED))
        return HANDLE_FAIL(CL_INVALID_MUTABLE_COMMAND_KHR, "recorded command", command);
    pthread_mutex_lock(&command->buffer->lock);
    struct dispatch d = command->dispatch;
    pthread_mutex_unlock(&command->buffer->lock);
    cl_int error = command_info(command, &d, param_name, INFO_OUT);
    return error ? INFO_FAIL(command->buffer->context, error) : CL_SUCCESS;
}
