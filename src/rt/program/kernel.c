/* kernel.c: kernel objects and their arguments.
 *
 * A kernel keeps its arguments as the block that kernels read (abi.h), filled in place by clSetKernelArg;
 * a launch takes a copy. Memory objects set as arguments are not held: the specification wants them to be
 * the application's alone.
 */
#include "rt.h"

#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#define LOCAL_ALIGN 128 /* of each local argument, see struct weir_kernel */

static cl_context context_of(cl_kernel k) {
    return k->program->context;
}

/* ---- life ---- */

/* A kernel counts as attached to its program while the application has it, not while commands do. */
static void detach(cl_kernel k) {
    if (atomic_exchange(&k->detached, true))
        return;
    pthread_mutex_lock(&k->program->lock);
    k->program->attached_kernels--;
    pthread_mutex_unlock(&k->program->lock);
}

static void destroy(void *object) {
    cl_kernel k = object;
    detach(k);
    build_drop(k->build);
    free(k->args);
    free(k->block);
    free(k->svm_pointers);
    pthread_mutex_destroy(&k->lock);
    object_drop(k->program);
    object_free(k);
}

/* What struct constants has. */
static bool is_constant(const struct kernel_meta *meta, cl_uint i) {
    enum arg_kind kind = meta->args[i].kind;
    return kind == ARG_IMAGE || kind == ARG_SAMPLER || (kind == ARG_LOCAL && kernel_is_checked(meta));
}

/* Not attached yet. NULL: out of memory. */
static cl_kernel kernel_new(cl_program program, struct build *build, const struct kernel_meta *meta) {
    cl_kernel k = object_alloc(sizeof *k);
    struct kernel_arg *args = calloc(meta->nargs + 1, sizeof *args);
    unsigned char *block = calloc(1, (size_t)meta->args_bytes + 1);
    if (!k || !args || !block) {
        free(block);
        free(args);
        object_free(k);
        return NULL;
    }
    object_init(k, OBJECT_KERNEL, destroy);
    object_hold(program);
    k->program = program;
    k->build = build_hold(build);
    k->meta = meta;
    k->args = args;
    k->block = block;
    atomic_init(&k->nunset, meta->nargs);
    for (uint32_t i = 0; i < meta->nargs && k->constants.n < MAX_CONSTANTS; i++)
        k->constants.n += is_constant(meta, i);
    pthread_mutex_init(&k->lock, NULL);
    atomic_init(&k->detached, true);
    return k;
}

/* Now the application has it. NULL is allowed. */
static cl_kernel attach(cl_kernel k) {
    if (!k)
        return NULL;
    atomic_store(&k->detached, false);
    pthread_mutex_lock(&k->program->lock);
    k->program->attached_kernels++;
    pthread_mutex_unlock(&k->program->lock);
    return k;
}

static cl_kernel finish(cl_kernel kernel, cl_int error, cl_int *errcode_ret) {
    if (errcode_ret)
        *errcode_ret = error;
    return kernel;
}

static cl_kernel create(cl_program program, const char *name, cl_int *error) {
    if (!name) {
        *error = api_fail(program->context, "clCreateKernel", CL_INVALID_VALUE, "kernel_name is NULL");
        return NULL;
    }
    if ((*error = context_alive("clCreateKernel", program->context)))
        return NULL;
    struct build *b = program_executable(program);
    if (!b) {
        *error = api_fail(program->context, "clCreateKernel", CL_INVALID_PROGRAM_EXECUTABLE,
                          "the program has no executable");
        return NULL;
    }
    const struct kernel_meta *meta = build_kernel(b, name);
    if (meta && meta->is_block)
        meta = NULL;
    cl_kernel k = meta ? attach(kernel_new(program, b, meta)) : NULL;
    *error = CL_SUCCESS;
    if (!meta)
        *error = api_fail(program->context, "clCreateKernel", CL_INVALID_KERNEL_NAME,
                          "the program has no kernel %s", name);
    else if (!k)
        *error =
            api_fail(program->context, "clCreateKernel", CL_OUT_OF_HOST_MEMORY, "no memory for a kernel");
    build_drop(b);
    return k;
}

WEIR_API cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *kernel_name,
                                              cl_int *errcode_ret) {
    if (!object_is(program, OBJECT_PROGRAM))
        return finish(NULL, HANDLE_FAIL(CL_INVALID_PROGRAM, "program", program), errcode_ret);
    cl_int e;
    cl_kernel k = create(program, kernel_name, &e);
    return finish(k, e, errcode_ret);
}

/* All or none. */
static cl_int create_all(cl_program program, struct build *b, cl_kernel *kernels) {
    for (uint32_t i = 0; i < build_nkernels(b); i++) {
        kernels[i] = attach(kernel_new(program, b, &b->meta.kernels[i]));
        if (kernels[i])
            continue;
        while (i--)
            clReleaseKernel(kernels[i]);
        return CL_OUT_OF_HOST_MEMORY;
    }
    return CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
                                                     cl_kernel *kernels, cl_uint *num_kernels_ret) {
    if (!object_is(program, OBJECT_PROGRAM))
        return HANDLE_FAIL(CL_INVALID_PROGRAM, "program", program);
    cl_int dead = context_alive(__func__, program->context);
    if (dead)
        return dead;
    struct build *b = program_executable(program);
    if (!b)
        return API_FAIL(program->context, CL_INVALID_PROGRAM_EXECUTABLE, "the program has no executable");
    cl_uint n = build_nkernels(b);
    cl_int e = CL_SUCCESS;
    if (kernels && num_kernels < n)
        e = API_FAIL(program->context, CL_INVALID_VALUE, "room for %u kernels, the program has %u",
                     num_kernels, n);
    else if (kernels && (e = create_all(program, b, kernels)))
        e = API_FAIL(program->context, e, "no memory for %u kernels", n);
    if (!e && num_kernels_ret)
        *num_kernels_ret = n;
    build_drop(b);
    return e;
}

WEIR_API cl_int CL_API_CALL clRetainKernel(cl_kernel kernel) {
    return object_retain(kernel, OBJECT_KERNEL, CL_INVALID_KERNEL)
               ? HANDLE_FAIL(CL_INVALID_KERNEL, "kernel", kernel)
               : CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clReleaseKernel(cl_kernel kernel) {
    if (!object_is(kernel, OBJECT_KERNEL))
        return HANDLE_FAIL(CL_INVALID_KERNEL, "kernel", kernel);
    object_hold(kernel);
    cl_int e = object_release(kernel, OBJECT_KERNEL, CL_INVALID_KERNEL);
    if (!atomic_load(&kernel->object.refs))
        detach(kernel);
    object_drop(kernel);
    return e;
}

static bool copy_state_locked(cl_kernel from, cl_kernel to) {
    memcpy(to->args, from->args, from->meta->nargs * sizeof *to->args);
    memcpy(to->block, from->block, from->meta->args_bytes);
    to->constants = from->constants;
    to->last = from->last;
    atomic_store_explicit(&to->nunset, atomic_load_explicit(&from->nunset, memory_order_relaxed),
                          memory_order_relaxed);
    if (!from->nsvm_pointers)
        return true;
    to->svm_pointers = malloc(from->nsvm_pointers * sizeof *to->svm_pointers);
    if (!to->svm_pointers)
        return false;
    memcpy(to->svm_pointers, from->svm_pointers, from->nsvm_pointers * sizeof *to->svm_pointers);
    to->nsvm_pointers = from->nsvm_pointers;
    return true;
}

cl_kernel kernel_copy(cl_kernel from) {
    cl_kernel k = kernel_new(from->program, from->build, from->meta);
    if (!k)
        return NULL;
    pthread_mutex_lock(&from->lock);
    bool ok = copy_state_locked(from, k);
    pthread_mutex_unlock(&from->lock);
    if (ok)
        return k;
    object_drop(k);
    return NULL;
}

WEIR_API cl_kernel CL_API_CALL clCloneKernel(cl_kernel source_kernel, cl_int *errcode_ret) {
    if (!object_is(source_kernel, OBJECT_KERNEL))
        return finish(NULL, HANDLE_FAIL(CL_INVALID_KERNEL, "kernel", source_kernel), errcode_ret);
    cl_context context = context_of(source_kernel);
    cl_int error = context_alive(__func__, context);
    cl_kernel k = error ? NULL : attach(kernel_copy(source_kernel));
    if (!error && !k)
        error = API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for a kernel");
    return finish(k, error, errcode_ret);
}

/* ---- arguments ---- */

/* What one call wants to store: `size` bytes at `bytes` for the block, and the record. */
struct setting {
    const void *bytes;
    size_t size;
    struct kernel_arg arg;
    void *pointer;     /* storage for `bytes` */
    uint64_t constant; /* of an image or a sampler */
};

static cl_int __attribute__((format(printf, 4, 5))) fail_arg(cl_kernel k, cl_uint index, cl_int code,
                                                             const char *format, ...) {
    const struct arg_meta *m = &k->meta->args[index];
    char what[160];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return api_fail(context_of(k), "clSetKernelArg", code, "argument %u (%s %s) of %s: %s", index,
                    m->type_name, m->name, k->meta->name, what);
}

/* The handle that is given; NULL if there is no value. For images and samplers that is the error then. */
static cl_int take_handle(cl_kernel k, cl_uint index, size_t size, const void *value, void **handle) {
    uint32_t kind = k->meta->args[index].kind;
    *handle = NULL;
    if (size != sizeof *handle && (value || (kind != ARG_IMAGE && kind != ARG_SAMPLER)))
        return fail_arg(k, index, CL_INVALID_ARG_SIZE, "%zu bytes given, a handle has %zu", size,
                        sizeof *handle);
    if (value)
        memcpy(handle, value, sizeof *handle);
    return CL_SUCCESS;
}

static cl_int check_mem(cl_kernel k, cl_uint index, cl_mem mem, bool is_one, const char *what,
                        struct setting *s) {
    if (!is_one)
        return fail_arg(k, index, CL_INVALID_MEM_OBJECT, "%p is not %s%s", (void *)mem, what,
                        handle_instead(mem));
    if (mem->context != context_of(k))
        return fail_arg(k, index, CL_INVALID_CONTEXT, "%s of another context", what);
    s->arg.mem = mem;
    s->pointer = mem->data;
    return CL_SUCCESS;
}

/* By CL_MEM_READ_ONLY and such, and by what kernels can do with the format. */
static cl_int check_access(cl_kernel k, cl_uint index, cl_mem mem) {
    cl_uint access = k->meta->args[index].access_qual;
    bool reads = access != CL_KERNEL_ARG_ACCESS_WRITE_ONLY, writes = access != CL_KERNEL_ARG_ACCESS_READ_ONLY;
    unsigned allowed = image_format_access(&mem->image->format, mem->type);
    if (reads && !writes && mem->flags & CL_MEM_WRITE_ONLY)
        return fail_arg(k, index, CL_INVALID_ARG_VALUE, "the image was made with CL_MEM_WRITE_ONLY");
    if (writes && !reads && mem->flags & CL_MEM_READ_ONLY)
        return fail_arg(k, index, CL_INVALID_ARG_VALUE, "the image was made with CL_MEM_READ_ONLY");
    if ((reads && !(allowed & IMAGE_READ)) || (writes && !(allowed & IMAGE_WRITE)))
        return fail_arg(k, index, CL_INVALID_ARG_VALUE, "kernels can't do this with images of this format");
    return CL_SUCCESS;
}

static cl_int check_image(cl_kernel k, cl_uint index, cl_mem mem, struct setting *s) {
    uint32_t wanted = k->meta->args[index].image_type;
    cl_int error = check_mem(k, index, mem, mem_is_image(mem), "an image", s);
    if (error)
        return error;
    if (mem->type != (wanted & ~ARG_IMAGE_DEPTH))
        return fail_arg(k, index, CL_INVALID_MEM_OBJECT, "an image of another type");
    if (wanted & ARG_IMAGE_DEPTH && mem->image->format.image_channel_order != CL_DEPTH)
        return fail_arg(k, index, CL_INVALID_MEM_OBJECT, "not a depth image");
    s->pointer = &mem->image->kernel;
    s->constant = mem->image->kernel.traits;
    return check_access(k, index, mem);
}

static cl_int check_sampler(cl_kernel k, cl_uint index, cl_sampler sampler, struct setting *s) {
    if (!object_is(sampler, OBJECT_SAMPLER))
        return fail_arg(k, index, CL_INVALID_SAMPLER, "%p is not a sampler%s", (void *)sampler,
                        handle_instead(sampler));
    if (sampler->context != context_of(k))
        return fail_arg(k, index, CL_INVALID_CONTEXT, "a sampler of another context");
    s->bytes = &sampler->value;
    s->constant = sampler->value;
    return CL_SUCCESS;
}

static cl_int check_queue(cl_kernel k, cl_uint index, cl_command_queue queue, struct setting *s) {
    if (!queue_is_on_device(queue) || queue->context != context_of(k))
        return fail_arg(k, index, CL_INVALID_DEVICE_QUEUE, "not a queue on a device of the context");
    s->arg.queue = queue;
    s->pointer = queue;
    return CL_SUCCESS;
}

static cl_int check_handle(cl_kernel k, cl_uint index, void *handle, struct setting *s) {
    switch (k->meta->args[index].kind) {
    case ARG_IMAGE:
        return check_image(k, index, handle, s);
    case ARG_SAMPLER:
        return check_sampler(k, index, handle, s);
    case ARG_PIPE:
        return check_mem(k, index, handle, mem_is_pipe(handle), "a pipe", s);
    case ARG_QUEUE:
        return check_queue(k, index, handle, s);
    default: /* ARG_GLOBAL, which may be NULL */
        return handle ? check_mem(k, index, handle, mem_is_buffer(handle), "a buffer", s) : CL_SUCCESS;
    }
}

static cl_int fail_size(cl_kernel k, cl_uint index, size_t size) {
    const struct arg_meta *m = &k->meta->args[index];
    size_t n = strlen(m->type_name);
    bool three = n && m->type_name[n - 1] == '3' && size * 4 == (size_t)m->size * 3;
    return fail_arg(k, index, CL_INVALID_ARG_SIZE, "%zu bytes given, its type has %u%s", size, m->size,
                    three ? ": a vector of 3 components has the size of one of 4" : "");
}

static cl_int check_arg(cl_kernel k, cl_uint index, size_t size, const void *value, struct setting *s) {
    const struct arg_meta *m = &k->meta->args[index];
    *s = (struct setting){.bytes = &s->pointer, .size = sizeof s->pointer, .arg.set = true};
    if (m->kind == ARG_VALUE) {
        if (size != m->size)
            return fail_size(k, index, size);
        if (!value)
            return fail_arg(k, index, CL_INVALID_ARG_VALUE, "no value");
        s->bytes = value;
        s->size = size;
        return CL_SUCCESS;
    }
    if (m->kind == ARG_LOCAL) {
        if (value)
            return fail_arg(k, index, CL_INVALID_ARG_VALUE, "local memory takes no value");
        s->arg.local_bytes = s->constant = size; /* from OpenCL 3.1 on it may be 0 */
        return CL_SUCCESS;
    }
    void *handle;
    cl_int error = take_handle(k, index, size, value, &handle);
    return error ? error : check_handle(k, index, handle, s);
}

/* An image or a sampler: its traits or its value; of local memory that is checked its size. */
static void set_constant_locked(cl_kernel k, cl_uint index, uint64_t value) {
    uint32_t n = 0;
    for (cl_uint i = 0; i < index; i++)
        n += is_constant(k->meta, i);
    if (n < MAX_CONSTANTS)
        k->constants.at[n] = value;
}

static void store(cl_kernel k, cl_uint index, const struct setting *s) {
    const struct arg_meta *m = &k->meta->args[index];
    pthread_mutex_lock(&k->lock);
    memcpy(k->block + m->offset, s->bytes, s->size);
    if (is_constant(k->meta, index))
        set_constant_locked(k, index, s->constant);
    if (!k->args[index].set)
        atomic_fetch_sub_explicit(&k->nunset, 1, memory_order_relaxed);
    k->args[index] = s->arg;
    pthread_mutex_unlock(&k->lock);
}

WEIR_API cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint arg_index, size_t arg_size,
                                           const void *arg_value) {
    struct setting s;
    if (!object_is(kernel, OBJECT_KERNEL))
        return HANDLE_FAIL(CL_INVALID_KERNEL, "kernel", kernel);
    if (arg_index >= kernel->meta->nargs)
        return API_FAIL(context_of(kernel), CL_INVALID_ARG_INDEX, "argument %u of %s, which has %u",
                        arg_index, kernel->meta->name, kernel->meta->nargs);
    cl_int e = check_arg(kernel, arg_index, arg_size, arg_value, &s);
    if (!e)
        store(kernel, arg_index, &s);
    return e;
}

/* An address as an argument; `not_a_pointer` is the error for an argument of another kind. */
static cl_int set_address(const char *function, cl_kernel kernel, cl_uint index, const void *address,
                          cl_int not_a_pointer) {
    if (!object_is(kernel, OBJECT_KERNEL))
        return handle_fail(NULL, function, CL_INVALID_KERNEL, "kernel", kernel);
    if (index >= kernel->meta->nargs)
        return api_fail(context_of(kernel), function, CL_INVALID_ARG_INDEX, "argument %u of %s, which has %u",
                        index, kernel->meta->name, kernel->meta->nargs);
    if (kernel->meta->args[index].kind != ARG_GLOBAL)
        return api_fail(context_of(kernel), function, not_a_pointer,
                        "argument %u of %s is not a pointer to global or constant memory", index,
                        kernel->meta->name);
    store(kernel, index, &(struct setting){.bytes = &address, .size = sizeof address, .arg.set = true});
    return CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint arg_index,
                                                     const void *arg_value) {
    return set_address(__func__, kernel, arg_index, arg_value, CL_INVALID_ARG_VALUE);
}

WEIR_API cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint arg_index,
                                                          const void *arg_value) {
    return set_address(__func__, kernel, arg_index, arg_value, CL_INVALID_ARG_VALUE);
}

WEIR_API cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint arg_index,
                                                           cl_mem_device_address_ext arg_value) {
    if (object_is(kernel, OBJECT_KERNEL) && arg_index < kernel->meta->nargs &&
        kernel->meta->args[arg_index].address_qual == CL_KERNEL_ARG_ADDRESS_CONSTANT)
        return API_FAIL(context_of(kernel), CL_INVALID_ARG_INDEX,
                        "argument %u of %s points to constant memory", arg_index, kernel->meta->name);
    return set_address(__func__, kernel, arg_index, (const void *)(uintptr_t)arg_value, CL_INVALID_ARG_INDEX);
}

static cl_int set_svm_pointers(cl_kernel k, size_t size, const void *value) {
    size_t n = size / sizeof(void *);
    const void **copy = n ? malloc(size) : NULL;
    if (n && !copy)
        return CL_OUT_OF_HOST_MEMORY;
    if (n)
        memcpy(copy, value, size);
    pthread_mutex_lock(&k->lock);
    const void **old = k->svm_pointers;
    k->svm_pointers = copy;
    k->nsvm_pointers = n;
    pthread_mutex_unlock(&k->lock);
    free(old);
    return CL_SUCCESS;
}

/* The size of what clSetKernelExecInfo is given: of an element, of which there may be any number, or of the flag. 0: unknown. */
static size_t info_unit(cl_kernel_exec_info name, bool *is_list) {
    *is_list = false;
    switch (name) {
    case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL:
        *is_list = true;
        return sizeof(void *);
    case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
        *is_list = true;
        return sizeof(cl_mem_device_address_ext);
    case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
    case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
        return sizeof(cl_bool);
    default:
        return 0;
    }
}

/* What a kernel reaches through pointers is always there for it: nothing depends on this. */
WEIR_API cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                                size_t param_value_size, const void *param_value) {
    if (!object_is(kernel, OBJECT_KERNEL))
        return HANDLE_FAIL(CL_INVALID_KERNEL, "kernel", kernel);
    bool is_list;
    size_t unit = info_unit(param_name, &is_list);
    bool size_ok = unit && (is_list ? param_value_size % unit == 0 : param_value_size == unit);
    if (!size_ok || (!param_value && param_value_size))
        return API_FAIL(context_of(kernel), CL_INVALID_VALUE, "parameter 0x%x with %zu bytes", param_name,
                        param_value_size);
    cl_int e = param_name == CL_KERNEL_EXEC_INFO_SVM_PTRS
                   ? set_svm_pointers(kernel, param_value_size, param_value)
                   : CL_SUCCESS;
    return e ? API_FAIL(context_of(kernel), e, "no memory for %zu bytes of pointers", param_value_size) : e;
}

/* ---- launches ---- */

static size_t aligned(size_t bytes) {
    return (bytes + LOCAL_ALIGN - 1) / LOCAL_ALIGN * LOCAL_ALIGN;
}

bool kernel_place_local(size_t *total, size_t bytes, uint64_t *offset) {
    if (*total > SIZE_MAX - LOCAL_ALIGN)
        return false;
    size_t at = aligned(*total);
    *offset = at;
    *total = bytes > SIZE_MAX - at ? SIZE_MAX : at + bytes; /* more than any device has: refused there */
    return true;
}

static bool is_like(const struct last *l, const struct sizes *z, const struct snapshot *s) {
    bool same =
        l->choice.full && l->is_partial == z->is_partial && l->large == z->large && l->apart == s->apart;
    for (int d = 0; same && d < 3; d++)
        same = l->local[d] == z->local[d];
    for (uint32_t i = 0; same && i < s->constants.n; i++)
        same = l->constants.at[i] == s->constants.at[i];
    return same;
}

/* The memory that a kernel may reach from the pointer; false: nobody knows. */
static bool find_extent(cl_kernel k, const struct snapshot *s, const unsigned char *p,
                        struct svm_range *extent) {
    bool found = false;
    for (cl_uint i = 0; i < s->nmems; i++) {
        if (s->mems[i]->data == p && (!found || s->mems[i]->size > extent->size)) {
            *extent = (struct svm_range){.start = s->mems[i]->data, .size = s->mems[i]->size};
            found = true;
        }
    }
    return found || svm_range_of(k->program->context, p, extent);
}

/* Whether each argument that points to global memory points to less than 2^31 bytes, and no two to memory that overlaps. */
static bool are_apart(cl_kernel k, const struct snapshot *s) {
    enum { MOST = 16 };
    struct svm_range extents[MOST];
    unsigned n = 0;
    for (cl_uint i = 0; i < k->meta->nargs; i++) {
        const unsigned char *p;
        if (k->meta->args[i].kind != ARG_GLOBAL)
            continue;
        memcpy(&p, (const unsigned char *)s->block + k->meta->args[i].offset, sizeof p);
        if (p && (n == MOST || !find_extent(k, s, p, &extents[n]) || extents[n].size > INT32_MAX))
            return false;
        for (unsigned o = 0; p && o < n; o++)
            if (extents[o].start < extents[n].start + extents[n].size &&
                extents[n].start < extents[o].start + extents[o].size)
                return false;
        n += p != NULL;
    }
    return n;
}

static cl_int hold_locked(cl_kernel k, struct snapshot *s) {
    for (cl_uint i = 0; i < k->meta->nargs; i++) {
        const struct kernel_arg *a = &k->args[i];
        s->bad_arg = i;
        if (a->mem) {
            if (!object_is(a->mem, OBJECT_MEM))
                return CL_INVALID_KERNEL_ARGS;
            object_hold(a->mem);
            s->mems[s->nmems++] = a->mem;
        } else if (a->queue) {
            if (!queue_is_on_device(a->queue))
                return CL_INVALID_KERNEL_ARGS;
            if (s->queues) {
                object_hold(a->queue);
                s->queues[s->nqueues++] = a->queue;
            }
        } else if (k->meta->args[i].kind == ARG_LOCAL) {
            uint64_t offset;
            if (!kernel_place_local(&s->local_bytes, a->local_bytes, &offset))
                return CL_OUT_OF_RESOURCES;
            memcpy((unsigned char *)s->block + k->meta->args[i].offset, &offset, sizeof offset);
        }
    }
    return CL_SUCCESS;
}

cl_int kernel_snapshot(cl_kernel k, const struct sizes *z, struct snapshot *s) {
    s->nmems = 0;
    s->local_bytes = 0;
    pthread_mutex_lock(&k->lock);
    memcpy(s->block, k->block, k->meta->args_bytes);
    cl_int e = hold_locked(k, s);
    s->constants = k->constants;
    struct last last = k->last;
    pthread_mutex_unlock(&k->lock);
    s->apart = !e && are_apart(k, s);
    s->choice = (struct choice){0};
    if (is_like(&last, z, s))
        s->choice = last.choice;
    return e;
}

void kernel_remember(cl_kernel k, const struct sizes *z, const struct snapshot *s) {
    pthread_mutex_lock(&k->lock);
    memcpy(k->last.local, z->local, sizeof k->last.local);
    k->last.is_partial = z->is_partial;
    k->last.large = z->large;
    k->last.apart = s->apart;
    k->last.constants = s->constants;
    k->last.choice = s->choice;
    pthread_mutex_unlock(&k->lock);
}

void kernel_place_locals(const struct kernel_meta *meta, void *block, size_t before, size_t *total) {
    uint64_t offset, shift = aligned(before);
    if (!*total || *total > SIZE_MAX - shift) { /* none, or more than any device has */
        *total = *total ? SIZE_MAX : before;
        return;
    }
    for (uint32_t i = 0; i < meta->nargs; i++) {
        unsigned char *at = (unsigned char *)block + meta->args[i].offset;
        if (meta->args[i].kind != ARG_LOCAL)
            continue;
        memcpy(&offset, at, sizeof offset);
        offset += shift;
        memcpy(at, &offset, sizeof offset);
    }
    *total += shift;
}
