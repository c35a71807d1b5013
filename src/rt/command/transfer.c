/* transfer.c: commands that read, write, copy and fill buffers, linear and rectangular.
 *
 * In: the API's arguments, validated here. Out: commands that move bytes between host addresses. All shapes
 * become one struct box; those of images do, too (image_transfer.c). Large ones are spread over the device's workers. A
 * command holds its memory objects until it has ended.
 */
#include "rt.h"

#include <string.h>
#include <unistd.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define PARALLEL    ((size_t)1 << 20)  /* bytes from which workers share a transfer */
#define BLOCK       ((size_t)64 << 10) /* bytes a worker takes at a time; a multiple of every pattern size */
#define NS_PER_BYTE 0.03f              /* of a copy, about */
#define LINE        ((size_t)64)       /* of the processor's caches */

/* ---- moving bytes ----------------------------------------------------------------------------------- */

/* Whether source and destination together fill the last cache, which then keeps little of either: so the destination's
 * lines needn't be read before they are written, which takes a third of the traffic. The C library does that by the size
 * that it is called with. */
static bool is_streamed(size_t size) {
    static _Atomic long limit;
    long l = atomic_load_explicit(&limit, memory_order_relaxed);

    if (!l) {
        l = sysconf(_SC_LEVEL3_CACHE_SIZE) / 2;
        l = l > 0 ? l : (long)16 << 20;
        atomic_store_explicit(&limit, l, memory_order_relaxed);
    }
    return size >= (size_t)l;
}

#ifdef __SSE2__
/* Line by line, from where the destination's begin; `streams`: past the caches. */
static inline void by_lines(unsigned char *dst, const unsigned char *src, size_t n, bool streams) {
    size_t at = -(uintptr_t)dst % LINE;

    if (n < 2 * LINE) {
        memcpy(dst, src, n);
        return;
    }
    memcpy(dst, src, at);
    for (; n - at >= LINE; at += LINE) {
        const __m128i *from = (const __m128i *)(src + at);
        __m128i *to = (__m128i *)(dst + at), part[4];

        for (int i = 0; i < 4; i++)
            part[i] = _mm_loadu_si128(from + i);
        for (int i = 0; i < 4; i++)
            if (streams)
                _mm_stream_si128(to + i, part[i]);
            else
                _mm_store_si128(to + i, part[i]);
    }
    memcpy(dst + at, src + at, n - at);
    if (streams)
        _mm_sfence(); /* such stores are ordered by nothing else */
}

/* memmove of bytes that don't overlap takes twelve times as long on AMD's Zen where the destination is 1 to 15 bytes ahead within
 * a page: by `rep movsb`, which processors do for long rows, each load seems to need what was stored just before. Parts of
 * images and buffers, all of which begin at pages, often lie so. */
static void copy_row(unsigned char *dst, const unsigned char *src, size_t n) {
    enum { PAGE = 4096, AHEAD = 16, LONG = 2048 };
    size_t ahead = ((uintptr_t)dst - (uintptr_t)src) % PAGE;
    size_t gap = dst > src ? (size_t)(dst - src) : (size_t)(src - dst);

    if (ahead && ahead < AHEAD && n >= LONG && gap >= n)
        by_lines(dst, src, n, false);
    else
        memmove(dst, src, n);
}

static void stream(unsigned char *dst, const unsigned char *src, size_t n) {
    by_lines(dst, src, n, true);
}
#else
#define copy_row memmove
#define stream   memcpy
#endif

/* Rows that follow each other without a gap on both sides are one long row. */
static void box_flatten(struct box *b) {
    for (int i = 0; i < 2; i++) {
        bool single = b->region[1] == 1;

        if (!single && (b->dst_pitch[0] != b->region[0] || b->src_pitch[0] != b->region[0]))
            return;
        b->region[0] *= b->region[1];
        b->region[1] = b->region[2];
        b->dst_pitch[0] = b->dst_pitch[1];
        b->src_pitch[0] = b->src_pitch[1];
        b->region[2] = 1;
    }
}

static cl_int box_rows(void *arg, struct worker *worker, uint64_t begin, uint64_t end) {
    const struct box *b = arg;

    for (uint64_t i = begin; i < end; i++) {
        size_t y = i % b->region[1], z = i / b->region[1];

        copy_row(b->dst + y * b->dst_pitch[0] + z * b->dst_pitch[1],
                 b->src + y * b->src_pitch[0] + z * b->src_pitch[1], b->region[0]);
    }
    return CL_SUCCESS;
}

static cl_int box_blocks(void *arg, struct worker *worker, uint64_t begin, uint64_t end) {
    const struct box *b = arg;
    size_t first = begin * BLOCK, last = end * BLOCK < b->region[0] ? end * BLOCK : b->region[0];

    if (is_streamed(b->region[0]))
        stream(b->dst + first, b->src + first, last - first);
    else
        copy_row(b->dst + first, b->src + first, last - first);
    return CL_SUCCESS;
}

static size_t blocks(size_t size) {
    return (size + BLOCK - 1) / BLOCK;
}

static cl_int share(cl_device_id device, cl_int (*fn)(void *, struct worker *, uint64_t, uint64_t), void *arg,
                    uint64_t n, size_t item_bytes) {
    _Atomic float cost = (float)item_bytes * NS_PER_BYTE;
    return sched_range(device, fn, arg, n, true, &cost);
}

cl_int transfer_copy(cl_device_id device, void *dst, const void *src, size_t size) {
    struct box b = {.dst = dst, .src = src, .region = {size, 1, 1}};
    size_t gap = b.dst > b.src ? (size_t)(b.dst - b.src) : (size_t)(b.src - b.dst);

    if (gap == 0 || size == 0)
        return CL_SUCCESS;
    if (size >= PARALLEL && gap >= size)
        return share(device, box_blocks, &b, blocks(size), BLOCK);
    copy_row(dst, src, size);
    return CL_SUCCESS;
}

static cl_int box_copy(cl_device_id device, struct box *b) {
    size_t rows;

    box_flatten(b);
    rows = b->region[1] * b->region[2];
    if (rows == 1)
        return transfer_copy(device, b->dst, b->src, b->region[0]);
    if (rows * b->region[0] >= PARALLEL)
        return share(device, box_rows, b, rows, b->region[0]);
    return box_rows(b, NULL, 0, rows);
}

struct fill {
    struct box box;
    size_t pattern_size; /* divides region[0] */
    unsigned char pattern[128];
};

static void fill_bytes(const struct fill *f, unsigned char *dst, size_t n) {
    if (f->pattern_size == 1) {
        memset(dst, f->pattern[0], n);
        return;
    }
    memcpy(dst, f->pattern, f->pattern_size);
    for (size_t done = f->pattern_size; done < n;) { /* doubles what is there, while it stays in the cache */
        size_t step = done < BLOCK / 4 ? done : BLOCK / 4 / f->pattern_size * f->pattern_size;

        step = step < n - done ? step : n - done;
        memcpy(dst + done, dst, step);
        done += step;
    }
}

static cl_int fill_blocks(void *arg, struct worker *worker, uint64_t begin, uint64_t end) {
    const struct fill *f = arg;
    size_t first = begin * BLOCK, last = end * BLOCK < f->box.region[0] ? end * BLOCK : f->box.region[0];

    fill_bytes(f, f->box.dst + first, last - first);
    return CL_SUCCESS;
}

static cl_int fill_rows(void *arg, struct worker *worker, uint64_t begin, uint64_t end) {
    const struct fill *f = arg;
    const struct box *b = &f->box;
    const unsigned char *full = NULL; /* a row that is done, and in the cache */

    for (uint64_t i = begin; i < end; i++) {
        unsigned char *row = b->dst + i % b->region[1] * b->dst_pitch[0] + i / b->region[1] * b->dst_pitch[1];
        if (full && b->region[0] <= BLOCK / 4) {
            memcpy(row, full, b->region[0]);
        } else {
            fill_bytes(f, row, b->region[0]);
            full = row;
        }
    }
    return CL_SUCCESS;
}

static cl_int fill_box(cl_device_id device, struct fill *f) {
    struct box *b = &f->box;
    size_t rows;

    memcpy(b->src_pitch, b->dst_pitch, sizeof b->src_pitch);
    box_flatten(b);
    rows = b->region[1] * b->region[2];
    if (rows * b->region[0] >= PARALLEL)
        return rows == 1 ? share(device, fill_blocks, f, blocks(b->region[0]), BLOCK)
                         : share(device, fill_rows, f, rows, b->region[0]);
    return fill_rows(f, NULL, 0, rows);
}

cl_int transfer_fill(cl_device_id device, void *dst, size_t size, const void *pattern, size_t pattern_size) {
    struct fill f = {.box = {.dst = dst, .region = {size, 1, 1}}, .pattern_size = pattern_size};

    if (size == 0)
        return CL_SUCCESS;
    memcpy(f.pattern, pattern, pattern_size);
    return fill_box(device, &f);
}

/* ---- commands --------------------------------------------------------------------------------------- */

struct copy_payload {
    cl_command_type type;
    struct box box;
    cl_mem mems[2]; /* held; may be NULL */
};

static cl_int copy_run(void *payload, cl_event as) {
    const struct copy_payload *p = payload;
    struct box box = p->box;

    checked_copy(as, p->type, &box, p->mems[0], p->mems[1]);
    return box_copy(as->device, &box);
}

static void copy_cleanup(cl_event event) {
    struct copy_payload *p = event->payload;

    object_drop(p->mems[0]);
    object_drop(p->mems[1]);
}

struct fill_payload {
    cl_command_type type;
    struct fill fill;
    cl_mem mem; /* held */
};

static cl_int fill_run(void *payload, cl_event as) {
    const struct fill_payload *p = payload;
    struct fill fill = p->fill;

    checked_fill(as, p->type, &fill.box, p->mem);
    return fill_box(as->device, &fill);
}

static void fill_cleanup(cl_event event) {
    object_drop(((struct fill_payload *)event->payload)->mem);
}

/* For a trace, if there is one. */
static void describe(struct trace_command *r, const struct box *box) {
    if (r)
        r->bytes = (uint64_t)box->region[0] * box->region[1] * box->region[2];
}

cl_int transfer_enqueue_copy(const char *function, cl_command_queue queue, cl_command_type type,
                             const struct box *box, cl_mem a, cl_mem b, struct enqueue_order o) {
    cl_event command = command_new(queue, type, sizeof(struct copy_payload));
    struct copy_payload *p;

    if (!command)
        return command_no_memory(function, queue);
    p = command->payload;
    *p = (struct copy_payload){type, *box, {a, b}};
    describe(command->traced, box);
    object_hold(a);
    if (b)
        object_hold(b);
    command->run = copy_run;
    command->cleanup = copy_cleanup;
    return order_command(function, command, o);
}

cl_int transfer_enqueue_fill(const char *function, cl_command_queue queue, cl_command_type type,
                             const struct box *box, cl_mem mem, const void *pattern, size_t pattern_size,
                             struct enqueue_order o) {
    cl_event command = command_new(queue, type, sizeof(struct fill_payload));
    struct fill_payload *p;

    if (!command)
        return command_no_memory(function, queue);
    p = command->payload;
    p->type = type;
    p->fill = (struct fill){.box = *box, .pattern_size = pattern_size};
    describe(command->traced, box);
    memcpy(p->fill.pattern, pattern, pattern_size);
    p->mem = mem;
    object_hold(mem);
    command->run = fill_run;
    command->cleanup = fill_cleanup;
    return order_command(function, command, o);
}

cl_int transfer_nothing(const char *function, cl_command_queue queue, cl_command_type type,
                        struct enqueue_order o) {
    cl_event command = command_new(queue, type, 0);

    return command ? order_command(function, command, o) : command_no_memory(function, queue);
}

/* ---- linear ----------------------------------------------------------------------------------------- */

/* Reads (from the buffer into `host`) or writes. */
static cl_int host_copy(const char *function, cl_command_queue queue, bool reads, cl_mem buffer,
                        size_t offset, size_t size, void *host, struct enqueue_order o) {
    struct box box = {.region = {size, 1, 1}};
    cl_int error = order_check(function, queue, o);

    if (!error)
        error = mem_check(function, queue, buffer, offset, size);
    if (error)
        return error;
    if (!host)
        return api_fail(queue->context, function, CL_INVALID_VALUE, "ptr, the host memory, is NULL");
    error = mem_check_host(function, buffer, reads, !reads);
    if (error)
        return error;
    box.dst = reads ? host : buffer->data + offset;
    box.src = reads ? buffer->data + offset : host;
    return transfer_enqueue_copy(function, queue, reads ? CL_COMMAND_READ_BUFFER : CL_COMMAND_WRITE_BUFFER,
                                 &box, buffer, NULL, o);
}

WEIR_API cl_int CL_API_CALL clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                size_t offset, size_t size, void *ptr, cl_uint nwait,
                                                const cl_event *wait, cl_event *event) {
    return host_copy(__func__, queue, true, buffer, offset, size, ptr,
                     (struct enqueue_order){nwait, wait, blocking, event, NULL});
}

WEIR_API cl_int CL_API_CALL clEnqueueWriteBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                 size_t offset, size_t size, const void *ptr, cl_uint nwait,
                                                 const cl_event *wait, cl_event *event) {
    return host_copy(__func__, queue, false, buffer, offset, size, (void *)ptr,
                     (struct enqueue_order){nwait, wait, blocking, event, NULL});
}

static cl_mem storage(cl_mem mem) {
    return mem->parent ? mem->parent : mem;
}

static cl_int copy_buffer(const char *function, cl_command_queue queue, cl_mem src, cl_mem dst,
                          size_t src_offset, size_t dst_offset, size_t size, struct enqueue_order o) {
    struct box box = {.region = {size, 1, 1}};
    cl_int error = order_check(function, queue, o);

    if (!error)
        error = mem_check(function, queue, src, src_offset, size);
    if (!error)
        error = mem_check(function, queue, dst, dst_offset, size);
    if (error)
        return error;
    box.src = src->data + src_offset;
    box.dst = dst->data + dst_offset;
    if (storage(src) == storage(dst) && box.src < box.dst + size && box.dst < box.src + size)
        return api_fail(queue->context, function, CL_MEM_COPY_OVERLAP,
                        "offsets %zu and %zu of one buffer overlap for %zu bytes", src->offset + src_offset,
                        dst->offset + dst_offset, size);
    return transfer_enqueue_copy(function, queue, CL_COMMAND_COPY_BUFFER, &box, src, dst, o);
}

WEIR_API cl_int CL_API_CALL clEnqueueCopyBuffer(cl_command_queue queue, cl_mem src, cl_mem dst,
                                                size_t src_offset, size_t dst_offset, size_t size,
                                                cl_uint nwait, const cl_event *wait, cl_event *event) {
    return copy_buffer(__func__, queue, src, dst, src_offset, dst_offset, size,
                       (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int CL_API_CALL clCommandCopyBufferKHR(WEIR_RECORD_FIRST, cl_mem src, cl_mem dst,
                                                   size_t src_offset, size_t dst_offset, size_t size,
                                                   WEIR_RECORD_LAST) {
    struct recording r;
    cl_int error = record_begin(__func__, &r, false, RECORD_ARGS);

    return error ? error
                 : copy_buffer(__func__, r.queue, src, dst, src_offset, dst_offset, size,
                               (struct enqueue_order){.recording = &r});
}

cl_int transfer_check_pattern(const char *function, cl_context context, const void *pattern,
                              size_t pattern_size, size_t offset, size_t size) {
    if (!pattern)
        return api_fail(context, function, CL_INVALID_VALUE, "the pattern is NULL");
    if (pattern_size == 0 || pattern_size > 128 || pattern_size & (pattern_size - 1))
        return api_fail(context, function, CL_INVALID_VALUE,
                        "a pattern of %zu bytes: it must be a power of two up to 128", pattern_size);
    if (offset % pattern_size || size % pattern_size)
        return api_fail(context, function, CL_INVALID_VALUE,
                        "start %zu or size %zu is not a multiple of the pattern's %zu bytes", offset, size,
                        pattern_size);
    return CL_SUCCESS;
}

static cl_int fill_buffer(const char *function, cl_command_queue queue, cl_mem buffer, const void *pattern,
                          size_t pattern_size, size_t offset, size_t size, struct enqueue_order o) {
    struct box box = {.region = {size, 1, 1}};
    cl_int error = order_check(function, queue, o);

    if (!error)
        error = mem_check(function, queue, buffer, offset, size);
    if (!error)
        error = transfer_check_pattern(function, queue->context, pattern, pattern_size, offset, size);
    if (error)
        return error;
    if (size == 0)
        return transfer_nothing(function, queue, CL_COMMAND_FILL_BUFFER, o);
    box.dst = buffer->data + offset;
    return transfer_enqueue_fill(function, queue, CL_COMMAND_FILL_BUFFER, &box, buffer, pattern, pattern_size,
                                 o);
}

WEIR_API cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                                size_t pattern_size, size_t offset, size_t size,
                                                cl_uint nwait, const cl_event *wait, cl_event *event) {
    return fill_buffer(__func__, queue, buffer, pattern, pattern_size, offset, size,
                       (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int CL_API_CALL clCommandFillBufferKHR(WEIR_RECORD_FIRST, cl_mem buffer, const void *pattern,
                                                   size_t pattern_size, size_t offset, size_t size,
                                                   WEIR_RECORD_LAST) {
    struct recording r;
    cl_int error = record_begin(__func__, &r, false, RECORD_ARGS);

    return error ? error
                 : fill_buffer(__func__, r.queue, buffer, pattern, pattern_size, offset, size,
                               (struct enqueue_order){.recording = &r});
}

/* ---- rectangular ------------------------------------------------------------------------------------ */

/* One side of a rectangular transfer, in bytes. */
struct side {
    const char *name; /* for messages */
    const size_t *origin;
    size_t pitch[2];   /* row, slice; 0: from the region */
    size_t start, end; /* side_resolve: first byte, one past the last */
};

/* a * b + c; false: more than the address space. */
static bool multiply_add(size_t a, size_t b, size_t c, size_t *result) {
    return !__builtin_mul_overflow(a, b, result) && !__builtin_add_overflow(*result, c, result);
}

/* Fills in the defaults and the extent; CL_INVALID_VALUE, reported, for what the specification rules out. */
static cl_int side_resolve(const char *function, cl_context context, struct side *s, const size_t *region) {
    size_t rows;

    if (!s->pitch[0])
        s->pitch[0] = region[0];
    if (s->pitch[0] < region[0])
        return api_fail(context, function, CL_INVALID_VALUE, "%s row pitch %zu is less than region[0], %zu",
                        s->name, s->pitch[0], region[0]);
    if (!multiply_add(region[1], s->pitch[0], 0, &rows))
        rows = SIZE_MAX;
    if (!s->pitch[1])
        s->pitch[1] = rows;
    if (s->pitch[1] < rows || s->pitch[1] % s->pitch[0])
        return api_fail(context, function, CL_INVALID_VALUE,
                        "%s slice pitch %zu: must be a multiple of the row pitch %zu and at least %zu",
                        s->name, s->pitch[1], s->pitch[0], rows);
    if (!multiply_add(s->origin[2], s->pitch[1], s->origin[0], &s->start) ||
        !multiply_add(s->origin[1], s->pitch[0], s->start, &s->start) ||
        !multiply_add(region[2] - 1, s->pitch[1], s->start, &s->end) ||
        !multiply_add(region[1] - 1, s->pitch[0], s->end, &s->end) ||
        !multiply_add(1, region[0], s->end, &s->end))
        return api_fail(context, function, CL_INVALID_VALUE, "the %s region is larger than the address space",
                        s->name);
    return CL_SUCCESS;
}

static cl_int rect_resolve(const char *function, cl_context context, struct side *a, struct side *b,
                           const size_t *region) {
    cl_int error;

    if (!a->origin || !b->origin || !region)
        return api_fail(context, function, CL_INVALID_VALUE, "an origin or the region is NULL");
    if (!region[0] || !region[1] || !region[2])
        return api_fail(context, function, CL_INVALID_VALUE, "region %zu x %zu x %zu: an element is 0",
                        region[0], region[1], region[2]);
    error = side_resolve(function, context, a, region);
    return error ? error : side_resolve(function, context, b, region);
}

static struct box rect_box(unsigned char *dst, const struct side *to, const unsigned char *src,
                           const struct side *from, const size_t *region) {
    return (struct box){dst + to->start,
                        src + from->start,
                        {region[0], region[1], region[2]},
                        {to->pitch[0], to->pitch[1]},
                        {from->pitch[0], from->pitch[1]}};
}

static cl_int host_rect(const char *function, cl_command_queue queue, bool reads, cl_mem buffer, void *ptr,
                        struct side *in_buffer, struct side *in_host, const size_t *region,
                        struct enqueue_order o) {
    cl_int error = order_check(function, queue, o);
    struct box box;

    if (!error)
        error = mem_check(function, queue, buffer, 0, 0);
    if (!error)
        error = rect_resolve(function, queue->context, in_buffer, in_host, region);
    if (!error)
        error = mem_check(function, queue, buffer, in_buffer->start, in_buffer->end - in_buffer->start);
    if (error)
        return error;
    if (!ptr)
        return api_fail(queue->context, function, CL_INVALID_VALUE, "ptr, the host memory, is NULL");
    error = mem_check_host(function, buffer, reads, !reads);
    if (error)
        return error;
    box = reads ? rect_box(ptr, in_host, buffer->data, in_buffer, region)
                : rect_box(buffer->data, in_buffer, ptr, in_host, region);
    return transfer_enqueue_copy(function, queue,
                                 reads ? CL_COMMAND_READ_BUFFER_RECT : CL_COMMAND_WRITE_BUFFER_RECT, &box,
                                 buffer, NULL, o);
}

WEIR_API cl_int CL_API_CALL clEnqueueReadBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                    const size_t *buffer_origin, const size_t *host_origin,
                                                    const size_t *region, size_t buffer_row,
                                                    size_t buffer_slice, size_t host_row, size_t host_slice,
                                                    void *ptr, cl_uint nwait, const cl_event *wait,
                                                    cl_event *event) {
    struct side in_buffer = {"buffer", buffer_origin, {buffer_row, buffer_slice}, 0, 0};
    struct side in_host = {"host", host_origin, {host_row, host_slice}, 0, 0};

    return host_rect(__func__, queue, true, buffer, ptr, &in_buffer, &in_host, region,
                     (struct enqueue_order){nwait, wait, blocking, event, NULL});
}

WEIR_API cl_int CL_API_CALL clEnqueueWriteBufferRect(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                                     const size_t *buffer_origin, const size_t *host_origin,
                                                     const size_t *region, size_t buffer_row,
                                                     size_t buffer_slice, size_t host_row, size_t host_slice,
                                                     const void *ptr, cl_uint nwait, const cl_event *wait,
                                                     cl_event *event) {
    struct side in_buffer = {"buffer", buffer_origin, {buffer_row, buffer_slice}, 0, 0};
    struct side in_host = {"host", host_origin, {host_row, host_slice}, 0, 0};

    return host_rect(__func__, queue, false, buffer, (void *)ptr, &in_buffer, &in_host, region,
                     (struct enqueue_order){nwait, wait, blocking, event, NULL});
}

/* Whether intervals of n bytes that repeat every `pitch` bytes, `distance` apart, never meet. */
static bool interleave(size_t distance, size_t n, size_t pitch) {
    distance %= pitch;
    return distance >= n && distance <= pitch - n;
}

/* The specification's appendix on copy overlap, by addresses, so that it holds across sub-buffers too: apart
 * as a whole, or rows between rows, or slices between slices. */
static bool rects_overlap(const struct box *b, const struct side *src, const struct side *dst) {
    const unsigned char *s = b->src, *d = b->dst;
    size_t distance, slice = (b->region[1] - 1) * src->pitch[0] + b->region[0];

    if (d + (dst->end - dst->start) <= s || s + (src->end - src->start) <= d)
        return false;
    if (src->pitch[0] != dst->pitch[0] || src->pitch[1] != dst->pitch[1])
        return true;
    distance = d > s ? (size_t)(d - s) : (size_t)(s - d);
    return !interleave(distance, b->region[0], src->pitch[0]) && !interleave(distance, slice, src->pitch[1]);
}

static cl_int check_copy_rect(const char *function, cl_command_queue queue, cl_mem src, cl_mem dst,
                              struct side *from, struct side *to, const size_t *region) {
    cl_int error = mem_check(function, queue, src, 0, 0);

    if (!error)
        error = mem_check(function, queue, dst, 0, 0);
    if (!error)
        error = rect_resolve(function, queue->context, from, to, region);
    if (!error)
        error = mem_check(function, queue, src, from->start, from->end - from->start);
    if (!error)
        error = mem_check(function, queue, dst, to->start, to->end - to->start);
    if (!error && src == dst && (from->pitch[0] != to->pitch[0] || from->pitch[1] != to->pitch[1]))
        error = api_fail(queue->context, function, CL_INVALID_VALUE,
                         "within one buffer the pitches must be equal: %zu, %zu and %zu, %zu", from->pitch[0],
                         from->pitch[1], to->pitch[0], to->pitch[1]);
    return error;
}

static cl_int copy_rect(const char *function, cl_command_queue queue, cl_mem src, cl_mem dst,
                        struct side *from, struct side *to, const size_t *region, struct enqueue_order o) {
    cl_int error = order_check(function, queue, o);
    struct box box;

    if (!error)
        error = check_copy_rect(function, queue, src, dst, from, to, region);
    if (error)
        return error;
    box = rect_box(dst->data, to, src->data, from, region);
    if (storage(src) == storage(dst) && rects_overlap(&box, from, to))
        return api_fail(queue->context, function, CL_MEM_COPY_OVERLAP,
                        "the regions at bytes %zu and %zu of one buffer overlap", src->offset + from->start,
                        dst->offset + to->start);
    return transfer_enqueue_copy(function, queue, CL_COMMAND_COPY_BUFFER_RECT, &box, src, dst, o);
}

WEIR_API cl_int CL_API_CALL clEnqueueCopyBufferRect(cl_command_queue queue, cl_mem src, cl_mem dst,
                                                    const size_t *src_origin, const size_t *dst_origin,
                                                    const size_t *region, size_t src_row, size_t src_slice,
                                                    size_t dst_row, size_t dst_slice, cl_uint nwait,
                                                    const cl_event *wait, cl_event *event) {
    struct side from = {"source", src_origin, {src_row, src_slice}, 0, 0};
    struct side to = {"destination", dst_origin, {dst_row, dst_slice}, 0, 0};

    return copy_rect(__func__, queue, src, dst, &from, &to, region,
                     (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int CL_API_CALL clCommandCopyBufferRectKHR(WEIR_RECORD_FIRST, cl_mem src, cl_mem dst,
                                                       const size_t *src_origin, const size_t *dst_origin,
                                                       const size_t *region, size_t src_row, size_t src_slice,
                                                       size_t dst_row, size_t dst_slice, WEIR_RECORD_LAST) {
    struct side from = {"source", src_origin, {src_row, src_slice}, 0, 0};
    struct side to = {"destination", dst_origin, {dst_row, dst_slice}, 0, 0};
    struct recording r;
    cl_int error = record_begin(__func__, &r, false, RECORD_ARGS);

    return error ? error
                 : copy_rect(__func__, r.queue, src, dst, &from, &to, region,
                             (struct enqueue_order){.recording = &r});
}

/* ---- migration -------------------------------------------------------------------------------------- */

WEIR_API cl_int CL_API_CALL clEnqueueMigrateMemObjects(cl_command_queue queue, cl_uint n, const cl_mem *mems,
                                                       cl_mem_migration_flags flags, cl_uint nwait,
                                                       const cl_event *wait, cl_event *event) {
    cl_int error = command_check(__func__, queue, nwait, wait);

    if (error)
        return error;
    if (n == 0 || !mems)
        return API_FAIL(queue->context, CL_INVALID_VALUE, "num_mem_objects is %u, mem_objects is %s", n,
                        mems ? "given" : "NULL");
    for (cl_uint i = 0; i < n && !error; i++)
        error = mem_check_object(__func__, queue, mems[i], "a memory object", object_is(mems[i], OBJECT_MEM));
    if (error)
        return error;
    if (flags &
        ~(cl_mem_migration_flags)(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED))
        return API_FAIL(queue->context, CL_INVALID_VALUE, "unknown flags 0x%llx", (unsigned long long)flags);
    return transfer_nothing(__func__, queue, CL_COMMAND_MIGRATE_MEM_OBJECTS,
                            (struct enqueue_order){nwait, wait, false, event, NULL});
}
