/* native.c: native kernels, functions of the application run as commands.
 *
 * The arguments are copied at the enqueue, and memory objects in them replaced by their addresses.
 */
#include "check.h"
#include "rt.h"

#include <string.h>

struct native {
    void(CL_CALLBACK *function)(void *);
    void *args; /* the copy, or NULL */
    cl_uint nmems;
    cl_mem *mems; /* held; NULL entries allowed */
};

static cl_int native_run(void *payload, cl_event as) {
    struct native *native = payload;
    no_lock_is_held(__func__);
    check_command_seen(as->checked, false); /* by the function */
    native->function(native->args);
    return CL_SUCCESS;
}

static void native_cleanup(cl_event e) {
    struct native *native = e->payload;
    for (cl_uint i = 0; i < native->nmems; i++)
        object_drop(native->mems[i]);
}

static cl_int check_mems(const char *function, cl_command_queue queue, const void *args, size_t args_bytes,
                         cl_uint n, const cl_mem *mems, const void **places) {
    for (cl_uint i = 0; i < n; i++) {
        if (mems[i] && !mem_is_buffer(mems[i]))
            return api_fail(queue->context, function, CL_INVALID_MEM_OBJECT, "mem_list[%u] is not a buffer",
                            i);
        if (mems[i] && mems[i]->context != queue->context)
            return api_fail(queue->context, function, CL_INVALID_CONTEXT,
                            "mem_list[%u] is of another context", i);
        uintptr_t offset = (uintptr_t)places[i] - (uintptr_t)args;
        if (args_bytes < sizeof(void *) || offset > args_bytes - sizeof(void *))
            return api_fail(queue->context, function, CL_INVALID_VALUE,
                            "args_mem_loc[%u] points outside args", i);
    }
    return CL_SUCCESS;
}

WEIR_API cl_int clEnqueueNativeKernel(cl_command_queue queue, void(CL_CALLBACK *user_func)(void *),
                                      void *args, size_t cb_args, cl_uint num_mem_objects,
                                      const cl_mem *mem_list, const void **args_mem_loc, cl_uint nwait,
                                      const cl_event *wait, cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);
    if (error)
        return error;
    if (!user_func)
        return API_FAIL(queue->context, CL_INVALID_VALUE, "user_func is NULL");
    if (args ? cb_args == 0 : cb_args > 0 || num_mem_objects > 0)
        return API_FAIL(queue->context, CL_INVALID_VALUE, "%zu bytes of arguments at %p, %u memory objects",
                        cb_args, args, num_mem_objects);
    if (num_mem_objects ? !mem_list || !args_mem_loc : mem_list || args_mem_loc)
        return API_FAIL(queue->context, CL_INVALID_VALUE, "%u memory objects at %p, their places at %p",
                        num_mem_objects, (const void *)mem_list, (const void *)args_mem_loc);
    error = check_mems(__func__, queue, args, cb_args, num_mem_objects, mem_list, args_mem_loc);
    if (error)
        return error;
    const size_t head = (sizeof(struct native) + num_mem_objects * sizeof(cl_mem) + 15) / 16 * 16;
    cl_event e =
        cb_args > SIZE_MAX - head ? NULL : command_new(queue, CL_COMMAND_NATIVE_KERNEL, head + cb_args);
    if (!e)
        return command_no_memory(__func__, queue);
    struct native *native = e->payload;
    native->function = user_func;
    native->mems = (cl_mem *)(native + 1);
    native->nmems = num_mem_objects;
    if (args) {
        native->args = (char *)e->payload + head;
        memcpy(native->args, args, cb_args);
    }
    for (cl_uint i = 0; i < num_mem_objects; i++) {
        void *data = mem_list[i] ? mem_list[i]->data : NULL;
        memcpy((char *)native->args + ((const char *)args_mem_loc[i] - (const char *)args), &data,
               sizeof data);
        native->mems[i] = mem_list[i];
        if (mem_list[i])
            object_hold(mem_list[i]);
    }
    e->run = native_run;
    e->cleanup = native_cleanup;
    return order_command(__func__, e, (struct enqueue_order){nwait, wait, false, event, NULL});
}
