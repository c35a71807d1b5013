/* usm.c: unified shared memory, cl_intel_unified_shared_memory.
 *
 * Device memory is the host's, and any host address is good for kernels (svm.c). So host, device and shared
 * allocations are one kind of memory: what tells them apart is kept for the queries alone, migration and advice
 * are nothing but a place in the queue's order.
 */
#include "rt.h"

/* What CL_MEM_ALLOC_FLAGS_INTEL may hold, by the type of the allocation. */
#define PLACEMENTS (CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL)

static cl_int check_flags(const char *function, cl_context context, cl_uint type,
                          cl_mem_alloc_flags_intel flags) {
    cl_mem_alloc_flags_intel allowed =
        CL_MEM_ALLOC_WRITE_COMBINED_INTEL | (type == CL_MEM_TYPE_SHARED_INTEL ? PLACEMENTS : 0);

    if (flags & ~allowed || (flags & PLACEMENTS) == PLACEMENTS)
        return api_fail(context, function, CL_INVALID_PROPERTY,
                        "CL_MEM_ALLOC_FLAGS_INTEL 0x%llx are unknown, exclude each other, or are for shared "
                        "allocations only",
                        (unsigned long long)flags);
    return CL_SUCCESS;
}

static cl_int read_properties(const char *function, cl_context context, const cl_mem_properties_intel *list,
                              struct svm_range *range) {
    bool seen = false;

    for (; list && *list; list += 2) {
        cl_int error;

        if (*list != CL_MEM_ALLOC_FLAGS_INTEL || seen)
            return api_fail(context, function, CL_INVALID_PROPERTY, "property 0x%llx is %s",
                            (unsigned long long)*list, seen ? "given twice, or unknown" : "unknown");
        error = check_flags(function, context, range->usm, list[1]);
        if (error)
            return error;
        range->flags = list[1];
        seen = true;
    }
    return CL_SUCCESS;
}

/* The largest data type has 128 bytes, long16. */
static cl_int check_allocation(const char *function, cl_context context,
                               const cl_mem_properties_intel *properties, cl_uint alignment,
                               struct svm_range *range) {
    cl_int error = context_check(function, context);

    if (error)
        return error;
    if (range->usm != CL_MEM_TYPE_HOST_INTEL && !(range->usm == CL_MEM_TYPE_SHARED_INTEL && !range->device) &&
        !context_has_device(context, range->device))
        return handle_fail(context, function, CL_INVALID_DEVICE, "device of the context", range->device);
    if (alignment & (alignment - 1) || alignment > WEIR_MEM_ALIGN)
        return api_fail(context, function, CL_INVALID_VALUE,
                        "alignment %u is not a power of two up to %d, the size of the largest data type",
                        alignment, WEIR_MEM_ALIGN);
    error = read_properties(function, context, properties, range);
    if (error)
        return error;
    if (range->size == 0 || range->size > device_max_alloc())
        return api_fail(context, function, CL_INVALID_BUFFER_SIZE, "%zu bytes: must be 1 to %llu",
                        range->size, (unsigned long long)device_max_alloc());
    return CL_SUCCESS;
}

static void *allocate(const char *function, cl_context context, struct svm_range range,
                      const cl_mem_properties_intel *properties, cl_uint alignment, cl_int *errcode_ret) {
    cl_int error = check_allocation(function, context, properties, alignment, &range);

    if (!error) {
        range.start = mem_allocate(range.size, alignment);
        if (range.device)
            object_hold(range.device);
        if (!range.start || !svm_remember(context, &range)) {
            svm_free_range(&range);
            range.start = NULL;
            error =
                api_fail(context, function,
                         range.usm == CL_MEM_TYPE_HOST_INTEL ? CL_OUT_OF_HOST_MEMORY : CL_OUT_OF_RESOURCES,
                         "no memory for %zu bytes", range.size);
        }
    }
    if (errcode_ret)
        *errcode_ret = error;
    return range.start;
}

WEIR_API void *CL_API_CALL clHostMemAllocINTEL(cl_context context, const cl_mem_properties_intel *properties,
                                               size_t size, cl_uint alignment, cl_int *errcode_ret) {
    return allocate(__func__, context, (struct svm_range){.usm = CL_MEM_TYPE_HOST_INTEL, .size = size},
                    properties, alignment, errcode_ret);
}

WEIR_API void *CL_API_CALL clDeviceMemAllocINTEL(cl_context context, cl_device_id device,
                                                 const cl_mem_properties_intel *properties, size_t size,
                                                 cl_uint alignment, cl_int *errcode_ret) {
    return allocate(__func__, context,
                    (struct svm_range){.usm = CL_MEM_TYPE_DEVICE_INTEL, .size = size, .device = device},
                    properties, alignment, errcode_ret);
}

WEIR_API void *CL_API_CALL clSharedMemAllocINTEL(cl_context context, cl_device_id device,
                                                 const cl_mem_properties_intel *properties, size_t size,
                                                 cl_uint alignment, cl_int *errcode_ret) {
    return allocate(__func__, context,
                    (struct svm_range){.usm = CL_MEM_TYPE_SHARED_INTEL, .size = size, .device = device},
                    properties, alignment, errcode_ret);
}

static cl_int usm_free(const char *function, cl_context context, void *p, bool waits) {
    struct svm_range range;
    cl_int error = CL_SUCCESS;

    if (!object_is(context, OBJECT_CONTEXT))
        return handle_fail(NULL, function, CL_INVALID_CONTEXT, "context", context);
    if (!p)
        return CL_SUCCESS;
    if (!svm_range_of(context, p, &range) || range.start != p || !range.usm)
        return api_fail(context, function, CL_INVALID_VALUE,
                        "%p is not an allocation of unified shared memory in this context", p);
    if (waits)
        error = queue_finish_all(context);
    if (error)
        return api_fail(context, function, error, "no memory to wait for the context's queues");
    if (!svm_forget(context, p, true, &range)) /* by another thread, in the meantime */
        return api_fail(context, function, CL_INVALID_VALUE, "%p is being freed twice", p);
    checked_free(function, NULL, range.start, range.size);
    svm_free_range(&range);
    return CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clMemFreeINTEL(cl_context context, void *ptr) {
    return usm_free(__func__, context, ptr, false);
}

WEIR_API cl_int CL_API_CALL clMemBlockingFreeINTEL(cl_context context, void *ptr) {
    return usm_free(__func__, context, ptr, true);
}

WEIR_API cl_int CL_API_CALL clGetMemAllocInfoINTEL(cl_context context, const void *ptr,
                                                   cl_mem_info_intel param_name, size_t param_value_size,
                                                   void *param_value, size_t *param_value_size_ret) {
    struct svm_range range;
    cl_int error;

    if (!object_is(context, OBJECT_CONTEXT))
        return HANDLE_FAIL(CL_INVALID_CONTEXT, "context", context);
    if (!svm_range_of(context, ptr, &range) || !range.usm)
        range = (struct svm_range){.usm = CL_MEM_TYPE_UNKNOWN_INTEL};
    switch (param_name) {
    case CL_MEM_ALLOC_TYPE_INTEL:
        error = info_uint(INFO_OUT, range.usm);
        break;
    case CL_MEM_ALLOC_BASE_PTR_INTEL:
        error = info_pointer(INFO_OUT, range.start);
        break;
    case CL_MEM_ALLOC_SIZE_INTEL:
        error = info_size(INFO_OUT, range.size);
        break;
    case CL_MEM_ALLOC_DEVICE_INTEL:
        error = info_pointer(INFO_OUT, range.device);
        break;
    case CL_MEM_ALLOC_FLAGS_INTEL:
        error = info_ulong(INFO_OUT, range.flags);
        break;
    default:
        return INFO_FAIL(context, CL_INVALID_VALUE);
    }
    return error ? INFO_FAIL(context, error) : CL_SUCCESS;
}

/* ---- commands --------------------------------------------------------------------------------------- */

WEIR_API cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue queue, void *dst, const void *pattern,
                                                  size_t pattern_size, size_t size, cl_uint nwait,
                                                  const cl_event *wait, cl_event *event) {
    return svm_fill(__func__, CL_COMMAND_MEMFILL_INTEL, queue, dst, pattern, pattern_size, size,
                    (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue queue, cl_bool blocking, void *dst,
                                                 const void *src, size_t size, cl_uint nwait,
                                                 const cl_event *wait, cl_event *event) {
    return svm_memcpy(__func__, CL_COMMAND_MEMCPY_INTEL, queue, dst, src, size,
                      (struct enqueue_order){nwait, wait, blocking, event, NULL});
}

WEIR_API cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue queue, const void *ptr, size_t size,
                                                     cl_mem_migration_flags flags, cl_uint nwait,
                                                     const cl_event *wait, cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);

    if (!error && !ptr && size)
        error = API_FAIL(queue->context, CL_INVALID_VALUE, "%zu bytes at NULL", size);
    if (!error)
        error = svm_check_migration(__func__, queue->context, flags);
    return error ? error
                 : transfer_nothing(__func__, queue, CL_COMMAND_MIGRATEMEM_INTEL,
                                    (struct enqueue_order){nwait, wait, false, event, NULL});
}

/* No advice is defined so far but 0, the default. */
WEIR_API cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue queue, const void *ptr, size_t size,
                                                    cl_mem_advice_intel advice, cl_uint nwait,
                                                    const cl_event *wait, cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);

    if (error)
        return error;
    if (!ptr && size)
        return API_FAIL(queue->context, CL_INVALID_VALUE, "%zu bytes at NULL", size);
    if (advice)
        return API_FAIL(queue->context, CL_INVALID_VALUE, "unknown advice 0x%x", advice);
    return transfer_nothing(__func__, queue, CL_COMMAND_MEMADVISE_INTEL,
                            (struct enqueue_order){nwait, wait, false, event, NULL});
}
