/* mem.c: buffers and sub-buffers: creation; life and queries of all memory objects.
 *
 * In: sizes, flags, host pointers. Out: cl_mem objects whose `data` is the address that kernels and the
 * host both use: device memory is host memory. A sub-buffer points into its parent and holds it. Commands
 * hold the objects they use, so that memory lives until the last of them has ended.
 */
#include "check.h"
#include "rt.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define PAGE      ((size_t)4096)
#define HUGE_PAGE ((size_t)2 << 20)

void *mem_allocate(size_t size, size_t align) {
    bool huge = size >= 2 * HUGE_PAGE;
    size_t least = huge ? HUGE_PAGE : size >= 16 * PAGE ? PAGE : WEIR_MEM_ALIGN;
    size_t guard = env_get()->check ? CHECK_GUARD : 0;
    void *p = NULL;

    if (align < least)
        align = least;
    if (size > SIZE_MAX - align - guard || !limit_take(size))
        return NULL;
    /* Whole units of the alignment: vector code may then touch the last one entirely. */
    if (posix_memalign(&p, align, (size + guard + least - 1) / least * least) != 0) {
        limit_give(size);
        return NULL;
    }
    if (huge)
        madvise(p, size / HUGE_PAGE * HUGE_PAGE, MADV_HUGEPAGE);
    return p;
}

void mem_free(void *p, size_t size) {
    if (p && check_is_used())
        check_memory_gone((uint64_t)p, size);
    if (p)
        limit_give(size);
    if (!p || !env_get()->check || !check_freed(p, size))
        free(p);
}

bool mem_is_buffer(cl_mem mem) {
    return object_is(mem, OBJECT_MEM) && mem->type == CL_MEM_OBJECT_BUFFER;
}

cl_int mem_check_object(const char *function, cl_command_queue queue, cl_mem mem, const char *what,
                        bool is_one) {
    if (!is_one)
        return handle_fail(queue->context, function, CL_INVALID_MEM_OBJECT, strchr(what, ' ') + 1, mem);
    if (mem->context != queue->context)
        return api_fail(queue->context, function, CL_INVALID_CONTEXT,
                        "%s %p and the queue belong to different contexts", what, (void *)mem);
    return CL_SUCCESS;
}

cl_int mem_check(const char *function, cl_command_queue queue, cl_mem mem, size_t offset, size_t size) {
    cl_int error = mem_check_object(function, queue, mem, "a buffer", mem_is_buffer(mem));

    if (error)
        return error;
    /* CL_MISALIGNED_SUB_BUFFER_OFFSET can't arise here: the devices share one alignment, which
     * clCreateSubBuffer has checked. */
    if (offset > mem->size || size > mem->size - offset)
        return api_fail(queue->context, function, CL_INVALID_VALUE,
                        "offset %zu and size %zu reach beyond the buffer's %zu bytes", offset, size,
                        mem->size);
    return CL_SUCCESS;
}

cl_int mem_check_host(const char *function, cl_mem mem, bool reads, bool writes) {
    if (reads && mem->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS))
        return api_fail(mem->context, function, CL_INVALID_OPERATION,
                        "the host may not read this object (flags 0x%llx)", (unsigned long long)mem->flags);
    if (writes && mem->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS))
        return api_fail(mem->context, function, CL_INVALID_OPERATION,
                        "the host may not write this object (flags 0x%llx)", (unsigned long long)mem->flags);
    return CL_SUCCESS;
}

static void mem_destroy(void *object) {
    cl_mem mem = object;
    struct destructor *d;

    no_lock_is_held(__func__);
    if (mem->destructors && env_get()->check)
        check_commands_seen(NULL);   /* by what is called */
    while ((d = mem->destructors)) { /* nobody else can reach the object any more */
        mem->destructors = d->next;
        ((void(CL_CALLBACK *)(cl_mem, void *))d->notify)(mem, d->user);
        free(d);
    }
    map_forget(mem);
    if (check_is_used() && !mem->parent && mem->host_ptr) /* mem_free sees to all other */
        check_memory_gone((uint64_t)mem->data, mem->size);
    if (mem->owns_data && env_get()->check)
        check_freed_by("clReleaseMemObject");
    if (mem->owns_data)
        mem_free(mem->data, mem->size);
    free(mem->properties);
    free(mem->image);
    pthread_mutex_destroy(&mem->lock);
    object_drop(mem->parent);
    object_drop(mem->context);
    object_free(mem);
}

cl_mem mem_new(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size) {
    cl_mem mem = object_alloc(sizeof *mem);

    if (!mem)
        return NULL;
    object_init(mem, OBJECT_MEM, mem_destroy);
    object_hold(context);
    mem->context = context;
    mem->type = type;
    mem->flags = flags;
    mem->size = size;
    pthread_mutex_init(&mem->lock, NULL);
    return mem;
}

static bool at_most_one(cl_mem_flags flags) {
    return (flags & (flags - 1)) == 0;
}

bool mem_flags_are_valid(cl_mem_flags flags, cl_mem_flags allowed) {
    return (flags & ~allowed) == 0 && at_most_one(flags & MEM_KERNEL_FLAGS) &&
           at_most_one(flags & MEM_HOST_FLAGS) &&
           !(flags & CL_MEM_USE_HOST_PTR && flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
}

cl_int mem_flags_fail(const char *function, cl_context context, cl_mem_flags flags) {
    static const struct {
        cl_mem_flags flag;
        const char *name;
    } names[] = {{CL_MEM_READ_WRITE, "CL_MEM_READ_WRITE"},
                 {CL_MEM_WRITE_ONLY, "CL_MEM_WRITE_ONLY"},
                 {CL_MEM_READ_ONLY, "CL_MEM_READ_ONLY"},
                 {CL_MEM_USE_HOST_PTR, "CL_MEM_USE_HOST_PTR"},
                 {CL_MEM_ALLOC_HOST_PTR, "CL_MEM_ALLOC_HOST_PTR"},
                 {CL_MEM_COPY_HOST_PTR, "CL_MEM_COPY_HOST_PTR"},
                 {CL_MEM_HOST_WRITE_ONLY, "CL_MEM_HOST_WRITE_ONLY"},
                 {CL_MEM_HOST_READ_ONLY, "CL_MEM_HOST_READ_ONLY"},
                 {CL_MEM_HOST_NO_ACCESS, "CL_MEM_HOST_NO_ACCESS"}};
    struct buf text = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (flags & names[i].flag) {
            buf_printf(&text, "%s%s", text.size ? " | " : "", names[i].name);
            flags &= ~names[i].flag;
        }
    if (flags)
        buf_printf(&text, "%s0x%llx", text.size ? " | " : "", (unsigned long long)flags);
    const char *s = buf_cstr(&text);
    cl_int code = api_fail(context, function, CL_INVALID_VALUE, "flags %s are unknown or exclude each other",
                           s ? s : "");
    buf_free(&text);
    return code;
}

/* What a list of properties says; *n is its length, with the 0. */
static cl_int read_properties(const char *function, cl_context context, const cl_mem_properties *list,
                              size_t *n, bool *has_address) {
    *n = list != NULL;
    *has_address = false;
    for (; list && *list; list += 2, *n += 2) {
        if (*list != CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT || *n > 1)
            return api_fail(context, function, CL_INVALID_PROPERTY, "buffers have no property 0x%llx%s",
                            (unsigned long long)*list, *n > 1 ? ", or it is given twice" : "");
        if (list[1] != CL_TRUE && list[1] != CL_FALSE)
            return api_fail(context, function, CL_INVALID_PROPERTY, "property 0x%llx is 0x%llx",
                            (unsigned long long)*list, (unsigned long long)list[1]);
        *has_address = list[1];
    }
    return CL_SUCCESS;
}

static cl_int check_create(const char *function, cl_context context, const cl_mem_properties *properties,
                           cl_mem_flags flags, size_t size, const void *host_ptr) {
    bool wants_ptr = flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    void *start;
    size_t held, n;
    bool has_address;
    cl_int error;

    error = context_check(function, context);
    if (!error)
        error = read_properties(function, context, properties, &n, &has_address);
    if (error)
        return error;
    if (!mem_flags_are_valid(flags, MEM_KERNEL_FLAGS | MEM_HOST_FLAGS | MEM_DATA_FLAGS))
        return mem_flags_fail(function, context, flags);
    if (size == 0)
        return api_fail(context, function, CL_INVALID_BUFFER_SIZE, "size is 0");
    if (size > device_max_alloc())
        return api_fail(context, function, CL_INVALID_BUFFER_SIZE,
                        "%zu bytes exceed CL_DEVICE_MAX_MEM_ALLOC_SIZE, %llu", size,
                        (unsigned long long)device_max_alloc());
    if (wants_ptr && svm_find(context, host_ptr, &start, &held) && start == host_ptr && size > held)
        return api_fail(context, function, CL_INVALID_BUFFER_SIZE,
                        "%zu bytes exceed the SVM allocation of %zu bytes", size, held);
    if (wants_ptr != (host_ptr != NULL))
        return api_fail(context, function, CL_INVALID_HOST_PTR,
                        wants_ptr ? "host_ptr is NULL, with CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR"
                                  : "host_ptr is given, without CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR");
    return CL_SUCCESS;
}

static cl_int buffer_new(const char *function, cl_context context, const cl_mem_properties *properties,
                         cl_mem_flags flags, size_t size, void *host_ptr, cl_mem *result) {
    cl_int error = check_create(function, context, properties, flags, size, host_ptr);
    cl_mem mem;

    if (error)
        return error;
    mem = mem_new(context, CL_MEM_OBJECT_BUFFER, flags, size);
    if (!mem)
        return api_fail(context, function, CL_OUT_OF_HOST_MEMORY, "no memory for a buffer object");
    read_properties(function, context, properties, &mem->nproperties, &mem->has_address);
    if (properties) {
        mem->properties = calloc(mem->nproperties, sizeof(*properties));
        if (mem->properties)
            memcpy(mem->properties, properties, mem->nproperties * sizeof(*properties));
    }
    if (flags & CL_MEM_USE_HOST_PTR) {
        mem->host_ptr = host_ptr;
        mem->data = host_ptr;
    } else {
        mem->data = mem_allocate(size, WEIR_MEM_ALIGN);
        mem->owns_data = true;
    }
    if (!mem->data || (properties && !mem->properties)) {
        object_drop(mem);
        return api_fail(context, function, CL_MEM_OBJECT_ALLOCATION_FAILURE,
                        "no memory for %zu bytes: buffers, images, SVM and variables may have "
                        "CL_DEVICE_GLOBAL_MEM_SIZE, %llu",
                        size, (unsigned long long)device_global_bytes());
    }
    if (flags & CL_MEM_COPY_HOST_PTR)
        memcpy(mem->data, host_ptr, size);
    *result = mem;
    return CL_SUCCESS;
}

static cl_mem buffer_create(const char *function, cl_context context, const cl_mem_properties *properties,
                            cl_mem_flags flags, size_t size, void *host_ptr, cl_int *errcode_ret) {
    cl_mem mem = NULL;
    cl_int error = buffer_new(function, context, properties, flags, size, host_ptr, &mem);

    if (errcode_ret)
        *errcode_ret = error;
    return mem;
}

WEIR_API cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                         const cl_mem_properties *properties,
                                                         cl_mem_flags flags, size_t size, void *host_ptr,
                                                         cl_int *errcode_ret) {
    return buffer_create(__func__, context, properties, flags, size, host_ptr, errcode_ret);
}

/* cl_intel_create_buffer_with_properties, by which SYCL's runtimes before 2025 make their buffers. */
WEIR_API cl_mem CL_API_CALL clCreateBufferWithPropertiesINTEL(cl_context context,
                                                              const cl_mem_properties_intel *properties,
                                                              cl_mem_flags flags, size_t size, void *host_ptr,
                                                              cl_int *errcode_ret) {
    return buffer_create(__func__, context, properties, flags, size, host_ptr, errcode_ret);
}

WEIR_API cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                           void *host_ptr, cl_int *errcode_ret) {
    return buffer_create(__func__, context, NULL, flags, size, host_ptr, errcode_ret);
}

/* ---- sub-buffers -------------------------------------------------------------------------------------- */

bool mem_flags_may_narrow(cl_mem_flags has, cl_mem_flags flags) {
    static const struct {
        cl_mem_flags parent, refused;
    } rules[] = {
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE | CL_MEM_READ_ONLY},
        {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY},
        {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY},
        {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY},
    };

    for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
        if (has & rules[i].parent && flags & rules[i].refused)
            return false;
    return true;
}

cl_mem_flags mem_flags_inherited(cl_mem_flags parent, cl_mem_flags flags) {
    flags |= parent & MEM_DATA_FLAGS;
    if (!(flags & MEM_KERNEL_FLAGS))
        flags |= parent & MEM_KERNEL_FLAGS;
    if (!(flags & MEM_HOST_FLAGS))
        flags |= parent & MEM_HOST_FLAGS;
    return flags;
}

static cl_int check_sub_buffer(const char *function, cl_mem buffer, cl_mem_flags flags,
                               cl_buffer_create_type type, const cl_buffer_region *region) {
    if (!mem_is_buffer(buffer))
        return handle_fail(NULL, function, CL_INVALID_MEM_OBJECT, "buffer", buffer);
    if (buffer->parent)
        return api_fail(buffer->context, function, CL_INVALID_MEM_OBJECT,
                        "a sub-buffer can't have sub-buffers");
    if (!mem_flags_are_valid(flags, MEM_KERNEL_FLAGS | MEM_HOST_FLAGS))
        return api_fail(buffer->context, function, CL_INVALID_VALUE,
                        "flags 0x%llx are unknown, about host pointers, or exclude each other",
                        (unsigned long long)flags);
    if (!mem_flags_may_narrow(buffer->flags, flags))
        return api_fail(buffer->context, function, CL_INVALID_VALUE,
                        "flags 0x%llx ask for more than the buffer's 0x%llx allow", (unsigned long long)flags,
                        (unsigned long long)buffer->flags);
    if (type != CL_BUFFER_CREATE_TYPE_REGION)
        return api_fail(buffer->context, function, CL_INVALID_VALUE, "unknown creation type 0x%x", type);
    if (!region)
        return api_fail(buffer->context, function, CL_INVALID_VALUE, "buffer_create_info is NULL");
    if (region->origin > buffer->size || region->size > buffer->size - region->origin)
        return api_fail(buffer->context, function, CL_INVALID_VALUE,
                        "origin %zu and size %zu reach beyond the buffer's %zu bytes", region->origin,
                        region->size, buffer->size);
    if (region->size == 0)
        return api_fail(buffer->context, function, CL_INVALID_BUFFER_SIZE, "the region's size is 0");
    if (region->origin % WEIR_MEM_ALIGN)
        return api_fail(buffer->context, function, CL_MISALIGNED_SUB_BUFFER_OFFSET,
                        "origin %zu is not a multiple of %d bytes", region->origin, WEIR_MEM_ALIGN);
    return CL_SUCCESS;
}

WEIR_API cl_mem CL_API_CALL clCreateSubBuffer(cl_mem buffer, cl_mem_flags flags, cl_buffer_create_type type,
                                              const void *create_info, cl_int *errcode_ret) {
    const cl_buffer_region *region = create_info;
    cl_int error = check_sub_buffer(__func__, buffer, flags, type, region);
    cl_mem mem = NULL;

    if (!error)
        error = context_alive(__func__, buffer->context);
    if (!error) {
        mem = mem_new(buffer->context, CL_MEM_OBJECT_BUFFER, mem_flags_inherited(buffer->flags, flags),
                      region->size);
        if (!mem)
            error = API_FAIL(buffer->context, CL_OUT_OF_HOST_MEMORY, "no memory for a buffer object");
    }
    if (mem) {
        object_hold(buffer);
        mem->parent = buffer;
        mem->offset = region->origin;
        mem->data = buffer->data + region->origin;
        if (buffer->host_ptr)
            mem->host_ptr = (unsigned char *)buffer->host_ptr + region->origin;
    }
    if (errcode_ret)
        *errcode_ret = error;
    return mem;
}

/* ---- life and queries ----------------------------------------------------------------------------------- */

WEIR_API cl_int CL_API_CALL clRetainMemObject(cl_mem mem) {
    return object_retain(mem, OBJECT_MEM, CL_INVALID_MEM_OBJECT)
               ? HANDLE_FAIL(CL_INVALID_MEM_OBJECT, "memory object", mem)
               : CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clReleaseMemObject(cl_mem mem) {
    return object_release(mem, OBJECT_MEM, CL_INVALID_MEM_OBJECT)
               ? HANDLE_FAIL(CL_INVALID_MEM_OBJECT, "memory object", mem)
               : CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem mem,
                                                             void(CL_CALLBACK *notify)(cl_mem, void *),
                                                             void *user) {
    struct destructor *d;

    if (!object_is(mem, OBJECT_MEM))
        return HANDLE_FAIL(CL_INVALID_MEM_OBJECT, "memory object", mem);
    if (!notify)
        return API_FAIL(mem->context, CL_INVALID_VALUE, "pfn_notify is NULL");
    d = malloc(sizeof(*d));
    if (!d)
        return API_FAIL(mem->context, CL_OUT_OF_HOST_MEMORY, "no memory for a callback");
    d->notify = (void (*)(void *, void *))notify;
    d->user = user;
    pthread_mutex_lock(&mem->lock);
    d->next = mem->destructors;
    mem->destructors = d;
    pthread_mutex_unlock(&mem->lock);
    return CL_SUCCESS;
}

static cl_uint map_count(cl_mem mem) {
    cl_uint n;

    pthread_mutex_lock(&mem->lock);
    n = mem->map_count;
    pthread_mutex_unlock(&mem->lock);
    return n;
}

static cl_bool uses_svm(cl_mem mem) {
    void *start;
    size_t size;

    return mem_is_buffer(mem) && mem->host_ptr && svm_find(mem->context, mem->host_ptr, &start, &size);
}

/* One for each device of the context: they share their memory. */
static cl_int addresses(cl_mem mem, struct info_out out) {
    cl_uint n = mem->context->ndevices;
    cl_mem_device_address_ext *list = malloc(n * sizeof(*list));
    cl_int error;

    for (cl_uint i = 0; list && i < n; i++)
        list[i] = (uintptr_t)mem->data;
    error = list ? info_bytes(out, list, n * sizeof(*list)) : CL_OUT_OF_HOST_MEMORY;
    free(list);
    return error;
}

WEIR_API cl_int CL_API_CALL clGetMemObjectInfo(cl_mem mem, cl_mem_info param_name, size_t param_value_size,
                                               void *param_value, size_t *param_value_size_ret) {
    cl_int error;

    if (!object_is(mem, OBJECT_MEM))
        return HANDLE_FAIL(CL_INVALID_MEM_OBJECT, "memory object", mem);
    switch (param_name) {
    case CL_MEM_TYPE:
        error = info_uint(INFO_OUT, mem->type);
        break;
    case CL_MEM_FLAGS:
        error = info_ulong(INFO_OUT, mem->flags);
        break;
    case CL_MEM_SIZE:
        error = info_size(INFO_OUT, mem->size);
        break;
    case CL_MEM_HOST_PTR:
        error = info_pointer(INFO_OUT, mem->host_ptr);
        break;
    case CL_MEM_MAP_COUNT:
        error = info_uint(INFO_OUT, map_count(mem));
        break;
    case CL_MEM_REFERENCE_COUNT:
        error = info_uint(INFO_OUT, atomic_load(&mem->object.refs));
        break;
    case CL_MEM_CONTEXT:
        error = info_pointer(INFO_OUT, mem->context);
        break;
    case CL_MEM_ASSOCIATED_MEMOBJECT:
        error = info_pointer(INFO_OUT, mem->parent);
        break;
    case CL_MEM_OFFSET:
        error = info_size(INFO_OUT, mem->offset);
        break;
    case CL_MEM_USES_SVM_POINTER:
        error = info_uint(INFO_OUT, uses_svm(mem));
        break;
    case CL_MEM_PROPERTIES:
        error = info_bytes(INFO_OUT, mem->properties, mem->nproperties * sizeof(*mem->properties));
        break;
    case CL_MEM_DEVICE_ADDRESS_EXT:
        if (!mem->has_address)
            return API_FAIL(mem->context, CL_INVALID_OPERATION,
                            "%p was made without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT", (void *)mem);
        error = addresses(mem, INFO_OUT);
        break;
    default:
        return INFO_FAIL(mem->context, CL_INVALID_VALUE);
    }
    return error ? INFO_FAIL(mem->context, error) : CL_SUCCESS;
}
