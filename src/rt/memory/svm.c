/* svm.c: shared virtual memory.
 *
 * Fine-grain system SVM: every host address is good for kernels and commands. What clSVMAlloc gives, and
 * what unified shared memory does (usm.c), is remembered per context, ordered by address, for the queries and
 * checks that ask for it; what nobody freed dies with the context.
 */
#include "check.h"
#include "rt.h"

#include <stdlib.h>
#include <string.h>

/* All blocks of a context, in one growing array sorted by address. Guarded by the context's lock. */
struct svm_block {
    size_t n, cap;
    struct svm_range ranges[];
};

/* Index of the first range that starts after p. */
static size_t first_after(const struct svm_block *b, const unsigned char *p) {
    size_t low = 0, high = b ? b->n : 0;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (b->ranges[middle].start > p)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

bool svm_remember(cl_context context, const struct svm_range *range) {
    struct svm_block *b;
    size_t i;

    pthread_mutex_lock(&context->lock);
    b = context->svm;
    if (!b || b->n == b->cap) {
        size_t cap = b ? 2 * b->cap : 16, n = b ? b->n : 0;

        b = realloc(b, sizeof(*b) + cap * sizeof(b->ranges[0]));
        if (b) {
            b->n = n;
            b->cap = cap;
            context->svm = b;
        }
    }
    if (b) {
        i = first_after(b, range->start);
        memmove(&b->ranges[i + 1], &b->ranges[i], (b->n - i) * sizeof(b->ranges[0]));
        b->ranges[i] = *range;
        b->n++;
    }
    pthread_mutex_unlock(&context->lock);
    return b != NULL;
}

bool svm_forget(cl_context context, const void *p, bool usm, struct svm_range *range) {
    struct svm_block *b;
    bool found;
    size_t i;

    pthread_mutex_lock(&context->lock);
    b = context->svm;
    i = first_after(b, p);
    found = i > 0 && b->ranges[i - 1].start == p && !b->ranges[i - 1].usm == !usm;
    if (found) {
        *range = b->ranges[i - 1];
        memmove(&b->ranges[i - 1], &b->ranges[i], (b->n - i) * sizeof(b->ranges[0]));
        b->n--;
    }
    pthread_mutex_unlock(&context->lock);
    return found;
}

bool svm_range_of(cl_context context, const void *p, struct svm_range *range) {
    struct svm_block *b;
    bool found;
    size_t i;

    pthread_mutex_lock(&context->lock);
    b = context->svm;
    i = first_after(b, p);
    found = i > 0 && (size_t)((const unsigned char *)p - b->ranges[i - 1].start) < b->ranges[i - 1].size;
    if (found)
        *range = b->ranges[i - 1];
    pthread_mutex_unlock(&context->lock);
    return found;
}

size_t svm_count(cl_context context) {
    pthread_mutex_lock(&context->lock);
    size_t n = context->svm ? context->svm->n : 0;
    pthread_mutex_unlock(&context->lock);
    return n;
}

bool svm_nth(cl_context context, size_t i, void **start, size_t *size) {
    pthread_mutex_lock(&context->lock);
    bool found = context->svm && i < context->svm->n;
    if (found) {
        *start = context->svm->ranges[i].start;
        *size = context->svm->ranges[i].size;
    }
    pthread_mutex_unlock(&context->lock);
    return found;
}

bool svm_find(cl_context context, const void *p, void **start, size_t *size) {
    struct svm_range range;

    if (!svm_range_of(context, p, &range) || range.usm)
        return false;
    *start = range.start;
    *size = range.size;
    return true;
}

void svm_free_range(const struct svm_range *range) {
    mem_free(range->start, range->size);
    object_drop(range->device);
}

void svm_release(cl_context context) {
    for (size_t i = 0; context->svm && i < context->svm->n; i++)
        svm_free_range(&context->svm->ranges[i]);
    free(context->svm);
    context->svm = NULL;
}

/* ---- allocation ------------------------------------------------------------------------------------- */

#define SVM_ACCESS (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define SVM_FLAGS  (SVM_ACCESS | CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS)

/* NULL on any error, as the specification has it; the sentence says which. */
WEIR_API void *CL_API_CALL clSVMAlloc(cl_context context, cl_svm_mem_flags flags, size_t size,
                                      cl_uint alignment) {
    cl_svm_mem_flags access = flags & SVM_ACCESS;
    void *p;

    if (context_check(__func__, context))
        return NULL;
    if (flags & ~(cl_svm_mem_flags)SVM_FLAGS || access & (access - 1) ||
        (flags & CL_MEM_SVM_ATOMICS && !(flags & CL_MEM_SVM_FINE_GRAIN_BUFFER))) {
        API_FAIL(context, CL_INVALID_VALUE, "flags 0x%llx are unknown or exclude each other",
                 (unsigned long long)flags);
        return NULL;
    }
    if (size == 0 || size > device_max_alloc()) {
        API_FAIL(context, CL_INVALID_BUFFER_SIZE, "%zu bytes: must be 1 to %llu", size,
                 (unsigned long long)device_max_alloc());
        return NULL;
    }
    if (alignment & (alignment - 1)) {
        API_FAIL(context, CL_INVALID_VALUE, "alignment %u is not a power of two", alignment);
        return NULL;
    }
    p = mem_allocate(size, alignment);
    if (!p || !svm_remember(context, &(struct svm_range){.start = p,
                                                         .size = size,
                                                         .is_fine = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER})) {
        mem_free(p, size);
        API_FAIL(context, CL_MEM_OBJECT_ALLOCATION_FAILURE, "no memory for %zu bytes", size);
        return NULL;
    }
    return p;
}

/* Pointers that clSVMAlloc did not give are left alone. */
static void svm_free(const char *function, cl_context context, void *p, cl_event as) {
    struct svm_range range;

    if (!p)
        return;
    if (svm_forget(context, p, false, &range)) {
        checked_free(function, as, range.start, range.size);
        svm_free_range(&range);
    } else {
        api_fail(context, function, CL_INVALID_VALUE, "%p is not a block of clSVMAlloc in this context", p);
    }
}

WEIR_API void CL_API_CALL clSVMFree(cl_context context, void *p) {
    if (object_is(context, OBJECT_CONTEXT))
        svm_free(__func__, context, p, NULL);
    else
        HANDLE_FAIL(CL_INVALID_CONTEXT, "context", context);
}

/* ---- commands --------------------------------------------------------------------------------------- */

typedef void(CL_CALLBACK *free_fn)(cl_command_queue, cl_uint, void **, void *);

struct free_payload {
    free_fn callback; /* NULL: frees them itself */
    void *user;
    cl_uint n;
    void *pointers[];
};

static cl_int free_run(void *payload, cl_event as) {
    struct free_payload *p = payload;

    no_lock_is_held(__func__);
    if (p->callback)
        check_command_seen(as->checked, false);
    if (p->callback)
        p->callback(as->queue, p->n, p->pointers, p->user);
    else
        for (cl_uint i = 0; i < p->n; i++)
            svm_free("clEnqueueSVMFree", as->context, p->pointers[i], as);
    return CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clEnqueueSVMFree(cl_command_queue queue, cl_uint n, void *pointers[],
                                             void(CL_CALLBACK *callback)(cl_command_queue, cl_uint, void *[],
                                                                         void *),
                                             void *user, cl_uint nwait, const cl_event *wait,
                                             cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);
    struct free_payload *p;
    cl_event command;

    if (error)
        return error;
    if ((n == 0) != (pointers == NULL))
        return API_FAIL(queue->context, CL_INVALID_VALUE, "num_svm_pointers is %u and svm_pointers is %p", n,
                        (void *)pointers);
    command = command_new(queue, CL_COMMAND_SVM_FREE, sizeof(*p) + n * sizeof(p->pointers[0]));
    if (!command)
        return command_no_memory(__func__, queue);
    p = command->payload;
    p->callback = callback;
    p->user = user;
    p->n = n;
    if (n)
        memcpy(p->pointers, pointers, n * sizeof(p->pointers[0]));
    command->run = free_run;
    return order_command(__func__, command, (struct enqueue_order){nwait, wait, false, event, NULL});
}

struct move_payload {
    cl_command_type type;
    void *dst;
    const void *src; /* NULL: a fill */
    size_t size, pattern_size;
    unsigned char pattern[128];
};

static cl_int move_run(void *payload, cl_event as) {
    const struct move_payload *p = payload;

    if (p->src)
        checked_touch(as, p->type, p->src, p->size, false);
    checked_touch(as, p->type, p->dst, p->size, true);
    return p->src ? transfer_copy(as->device, p->dst, p->src, p->size)
                  : transfer_fill(as->device, p->dst, p->size, p->pattern, p->pattern_size);
}

static cl_int move_command(const char *function, cl_command_queue queue, cl_command_type type,
                           const struct move_payload *p, struct enqueue_order o) {
    cl_event command = command_new(queue, type, sizeof(*p));

    if (!command)
        return command_no_memory(function, queue);
    memcpy(command->payload, p, sizeof(*p));
    ((struct move_payload *)command->payload)->type = type;
    check_command_uses(command->checked, (uint64_t)p->dst, p->size);
    check_command_uses(command->checked, (uint64_t)p->src, p->src ? p->size : 0);
    command->run = move_run;
    return order_command(function, command, o);
}

cl_int svm_memcpy(const char *function, cl_command_type type, cl_command_queue queue, void *dst,
                  const void *src, size_t size, struct enqueue_order o) {
    cl_int error = order_check(function, queue, o);
    uintptr_t to = (uintptr_t)dst, from = (uintptr_t)src;

    if (error)
        return error;
    if (!dst || !src)
        return api_fail(queue->context, function, CL_INVALID_VALUE, "%s is NULL",
                        dst ? "src_ptr" : "dst_ptr");
    if (size > (to > from ? to - from : from - to))
        return api_fail(queue->context, function, CL_MEM_COPY_OVERLAP, "%p and %p overlap for %zu bytes", dst,
                        src, size);
    return move_command(function, queue, type, &(struct move_payload){.dst = dst, .src = src, .size = size},
                        o);
}

WEIR_API cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue queue, cl_bool blocking, void *dst,
                                               const void *src, size_t size, cl_uint nwait,
                                               const cl_event *wait, cl_event *event) {
    return svm_memcpy(__func__, CL_COMMAND_SVM_MEMCPY, queue, dst, src, size,
                      (struct enqueue_order){nwait, wait, blocking, event, NULL});
}

WEIR_API cl_int CL_API_CALL clCommandSVMMemcpyKHR(WEIR_RECORD_FIRST, void *dst, const void *src, size_t size,
                                                  WEIR_RECORD_LAST) {
    struct recording r;
    cl_int error = record_begin(__func__, &r, false, RECORD_ARGS);

    return error ? error
                 : svm_memcpy(__func__, CL_COMMAND_SVM_MEMCPY, r.queue, dst, src, size,
                              (struct enqueue_order){.recording = &r});
}

cl_int svm_fill(const char *function, cl_command_type type, cl_command_queue queue, void *dst,
                const void *pattern, size_t pattern_size, size_t size, struct enqueue_order o) {
    cl_int error = order_check(function, queue, o);
    struct move_payload p = {.dst = dst, .size = size, .pattern_size = pattern_size};

    if (error)
        return error;
    if (!dst)
        return api_fail(queue->context, function, CL_INVALID_VALUE, "the destination is NULL");
    error = transfer_check_pattern(function, queue->context, pattern, pattern_size, (uintptr_t)dst, size);
    if (error)
        return error;
    memcpy(p.pattern, pattern, pattern_size);
    return move_command(function, queue, type, &p, o);
}

WEIR_API cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue queue, void *dst, const void *pattern,
                                                size_t pattern_size, size_t size, cl_uint nwait,
                                                const cl_event *wait, cl_event *event) {
    return svm_fill(__func__, CL_COMMAND_SVM_MEMFILL, queue, dst, pattern, pattern_size, size,
                    (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int CL_API_CALL clCommandSVMMemFillKHR(WEIR_RECORD_FIRST, void *dst, const void *pattern,
                                                   size_t pattern_size, size_t size, WEIR_RECORD_LAST) {
    struct recording r;
    cl_int error = record_begin(__func__, &r, false, RECORD_ARGS);

    return error ? error
                 : svm_fill(__func__, CL_COMMAND_SVM_MEMFILL, r.queue, dst, pattern, pattern_size, size,
                            (struct enqueue_order){.recording = &r});
}

/* What the host does with coarse-grained memory until it is unmapped, for the checker; memory is shared with the host. */
struct map_payload {
    void *start;
    size_t size;
    bool writes;
};

static cl_int map_run(void *payload, cl_event as) {
    const struct map_payload *p = payload;

    checked_touch(as, as->type, p->start, p->size, p->writes);
    return CL_SUCCESS;
}

static cl_int svm_map(const char *function, cl_command_queue queue, void *p, size_t size, bool writes,
                      struct enqueue_order o) {
    cl_event command = command_new(queue, CL_COMMAND_SVM_MAP, sizeof(struct map_payload));
    struct svm_range range;

    if (!command)
        return command_no_memory(function, queue);
    if (command->checked && svm_range_of(queue->context, p, &range) && !range.is_fine && !range.usm) {
        *(struct map_payload *)command->payload = (struct map_payload){p, size, writes};
        command->run = map_run;
        check_command_maps(command->checked, (uint64_t)p, false);
    }
    return order_command(function, command, o);
}

WEIR_API cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue queue, cl_bool blocking, cl_map_flags flags,
                                            void *p, size_t size, cl_uint nwait, const cl_event *wait,
                                            cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);

    if (error)
        return error;
    if (!p || size == 0)
        return API_FAIL(queue->context, CL_INVALID_VALUE, "svm_ptr is %p and size is %zu", p, size);
    if (!map_flags_are_valid(flags))
        return API_FAIL(queue->context, CL_INVALID_VALUE,
                        "map flags 0x%llx are unknown or exclude each other", (unsigned long long)flags);
    return svm_map(__func__, queue, p, size, flags != CL_MAP_READ,
                   (struct enqueue_order){nwait, wait, blocking, event, NULL});
}

WEIR_API cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue queue, void *p, cl_uint nwait,
                                              const cl_event *wait, cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);
    cl_event command;

    if (error)
        return error;
    if (!p)
        return API_FAIL(queue->context, CL_INVALID_VALUE, "svm_ptr is NULL");
    command = command_new(queue, CL_COMMAND_SVM_UNMAP, 0);
    if (!command)
        return command_no_memory(__func__, queue);
    if (command->checked)
        check_command_unmaps_at((uint64_t)p, command->checked);
    return order_command(__func__, command, (struct enqueue_order){nwait, wait, false, event, NULL});
}

cl_int svm_check_migration(const char *function, cl_context context, cl_mem_migration_flags flags) {
    if (flags &
        ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
        return api_fail(context, function, CL_INVALID_VALUE, "unknown flags 0x%llx",
                        (unsigned long long)flags);
    return CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clEnqueueSVMMigrateMem(cl_command_queue queue, cl_uint n, const void **pointers,
                                                   const size_t *sizes, cl_mem_migration_flags flags,
                                                   cl_uint nwait, const cl_event *wait, cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);

    if (error)
        return error;
    if (n == 0 || !pointers)
        return API_FAIL(queue->context, CL_INVALID_VALUE, "num_svm_pointers is %u, svm_pointers is %s", n,
                        pointers ? "given" : "NULL");
    error = svm_check_migration(__func__, queue->context, flags);
    if (error)
        return error;
    for (cl_uint i = 0; i < n; i++) {
        size_t size = sizes ? sizes[i] : 0, held;
        void *start;

        if (size == 0) /* all of its allocation */
            continue;
        if (!svm_find(queue->context, pointers[i], &start, &held) ||
            size > held - (size_t)((const unsigned char *)pointers[i] - (unsigned char *)start))
            return API_FAIL(queue->context, CL_INVALID_VALUE,
                            "range %u, %p of %zu bytes, is not inside an SVM allocation", i, pointers[i],
                            size);
    }
    return transfer_nothing(__func__, queue, CL_COMMAND_SVM_MIGRATE_MEM,
                            (struct enqueue_order){nwait, wait, false, event, NULL});
}
