/* image_transfer.c: commands that read, write, copy and fill images.
 *
 * In: the API's arguments, validated here. Out: commands of transfer.c: a part of an image is a box of bytes, in memory
 * that the host shares.
 */
#include "rt.h"

#include <string.h>

static cl_int check_image(const char *function, cl_command_queue queue, cl_mem image) {
    return mem_check_object(function, queue, image, "an image", mem_is_image(image));
}

static struct box box_of(const struct image_piece *piece, size_t texel) {
    return (struct box){.region = {piece->region[0] * texel, piece->region[1], piece->region[2]}};
}

static void box_to(struct box *b, const struct image_piece *piece) {
    b->dst = piece->start;
    memcpy(b->dst_pitch, piece->pitch, sizeof b->dst_pitch);
}

static void box_from(struct box *b, const struct image_piece *piece) {
    b->src = piece->start;
    memcpy(b->src_pitch, piece->pitch, sizeof b->src_pitch);
}

/* ---- read and write ----------------------------------------------------------------------------------- */

/* Fills in the pitches of host memory that are 0, and turns them to the box's: a 1D array's rows are layers. */
static cl_int host_pitches(const char *function, cl_mem image, const struct box *b, size_t row, size_t slice,
                           size_t pitch[2]) {
    bool rows_are_layers = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t least;

    if (slice && !image->image->desc.image_slice_pitch)
        return api_fail(image->context, function, CL_INVALID_VALUE,
                        "slice pitch %zu: must be 0 for images without layers or slices", slice);
    if (!row)
        row = b->region[0];
    if (row < b->region[0])
        return api_fail(image->context, function, CL_INVALID_VALUE, "row pitch %zu: a row has %zu bytes", row,
                        b->region[0]);
    if (__builtin_mul_overflow(row, rows_are_layers ? 1 : b->region[1], &least))
        least = SIZE_MAX;
    if (!slice)
        slice = least;
    if (slice < least)
        return api_fail(image->context, function, CL_INVALID_VALUE, "slice pitch %zu: a slice has %zu bytes",
                        slice, least);
    pitch[0] = rows_are_layers ? slice : row;
    pitch[1] = slice;
    return CL_SUCCESS;
}

static cl_int host_copy(const char *function, cl_command_queue queue, bool reads, cl_mem image,
                        const size_t *origin, const size_t *region, size_t row_pitch, size_t slice_pitch,
                        void *host, struct enqueue_order o) {
    struct image_piece piece;
    struct box box;
    cl_int error = order_check(function, queue, o);

    if (!error)
        error = check_image(function, queue, image);
    if (!error)
        error = image_piece(function, image, origin, region, &piece);
    if (error)
        return error;
    box = box_of(&piece, image->image->kernel.texel_bytes);
    error =
        host_pitches(function, image, &box, row_pitch, slice_pitch, reads ? box.dst_pitch : box.src_pitch);
    if (!error && !host)
        error = api_fail(queue->context, function, CL_INVALID_VALUE, "ptr, the host memory, is NULL");
    if (!error)
        error = mem_check_host(function, image, reads, !reads);
    if (error)
        return error;
    if (reads) {
        box_from(&box, &piece);
        box.dst = host;
    } else {
        box_to(&box, &piece);
        box.src = host;
    }
    return transfer_enqueue_copy(function, queue, reads ? CL_COMMAND_READ_IMAGE : CL_COMMAND_WRITE_IMAGE,
                                 &box, image, NULL, o);
}

WEIR_API cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                               const size_t *origin, const size_t *region, size_t row_pitch,
                                               size_t slice_pitch, void *ptr, cl_uint nwait,
                                               const cl_event *wait, cl_event *event) {
    return host_copy(__func__, queue, true, image, origin, region, row_pitch, slice_pitch, ptr,
                     (struct enqueue_order){nwait, wait, blocking, event, NULL});
}

WEIR_API cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                                const size_t *origin, const size_t *region, size_t row_pitch,
                                                size_t slice_pitch, const void *ptr, cl_uint nwait,
                                                const cl_event *wait, cl_event *event) {
    return host_copy(__func__, queue, false, image, origin, region, row_pitch, slice_pitch, (void *)ptr,
                     (struct enqueue_order){nwait, wait, blocking, event, NULL});
}

/* ---- copy --------------------------------------------------------------------------------------------- */

static cl_int check_copy(const char *function, cl_command_queue queue, cl_mem src, cl_mem dst,
                         struct enqueue_order o) {
    cl_int error = order_check(function, queue, o);

    if (!error)
        error = check_image(function, queue, src);
    if (!error)
        error = check_image(function, queue, dst);
    if (error)
        return error;
    const struct weir_image *from = &src->image->kernel, *to = &dst->image->kernel;
    if (from->order != to->order || from->type != to->type)
        return api_fail(queue->context, function, CL_IMAGE_FORMAT_MISMATCH,
                        "the source is %s, the destination %s", image_format_text(&src->image->format).at,
                        image_format_text(&dst->image->format).at);
    return CL_SUCCESS;
}

static cl_int copy_image(const char *function, cl_command_queue queue, cl_mem src, cl_mem dst,
                         const size_t *src_origin, const size_t *dst_origin, const size_t *region,
                         struct enqueue_order o) {
    struct image_piece from, to;
    struct box box;
    cl_int error = check_copy(function, queue, src, dst, o);

    if (!error)
        error = image_piece(function, src, src_origin, region, &from);
    if (!error)
        error = image_piece(function, dst, dst_origin, region, &to);
    if (error)
        return error;
    if (src == dst && image_pieces_overlap(&from, &to))
        return api_fail(queue->context, function, CL_MEM_COPY_OVERLAP, "the regions of the image overlap");
    box = box_of(&from, src->image->kernel.texel_bytes);
    box_from(&box, &from);
    box_to(&box, &to);
    return transfer_enqueue_copy(function, queue, CL_COMMAND_COPY_IMAGE, &box, src, dst, o);
}

WEIR_API cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem src, cl_mem dst,
                                               const size_t *src_origin, const size_t *dst_origin,
                                               const size_t *region, cl_uint nwait, const cl_event *wait,
                                               cl_event *event) {
    return copy_image(__func__, queue, src, dst, src_origin, dst_origin, region,
                      (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int CL_API_CALL clCommandCopyImageKHR(WEIR_RECORD_FIRST, cl_mem src, cl_mem dst,
                                                  const size_t *src_origin, const size_t *dst_origin,
                                                  const size_t *region, WEIR_RECORD_LAST) {
    struct recording r;
    cl_int error = record_begin(__func__, &r, false, RECORD_ARGS);

    return error ? error
                 : copy_image(__func__, r.queue, src, dst, src_origin, dst_origin, region,
                              (struct enqueue_order){.recording = &r});
}

/* Between an image and a buffer, in which rows and slices have no gaps. */
static cl_int buffer_copy(const char *function, cl_command_queue queue, bool to_buffer, cl_mem image,
                          cl_mem buffer, const size_t *origin, const size_t *region, size_t offset,
                          struct enqueue_order o) {
    struct image_piece piece;
    cl_int error = order_check(function, queue, o);

    if (!error)
        error = check_image(function, queue, image);
    if (!error)
        error = mem_check(function, queue, buffer, 0, 0);
    if (!error && image->type == CL_MEM_OBJECT_IMAGE1D_BUFFER && image->parent == buffer)
        error = api_fail(queue->context, function, CL_INVALID_MEM_OBJECT,
                         "the image shows the memory of the buffer itself");
    if (!error)
        error = image_piece(function, image, origin, region, &piece);
    if (error)
        return error;
    struct box box = box_of(&piece, image->image->kernel.texel_bytes);
    size_t tight[2] = {box.region[0], box.region[0] * box.region[1]};
    error = mem_check(function, queue, buffer, offset, tight[1] * box.region[2]);
    if (error)
        return error;
    struct image_piece in_buffer = {.start = buffer->data + offset, .pitch = {tight[0], tight[1]}};
    box_from(&box, to_buffer ? &piece : &in_buffer);
    box_to(&box, to_buffer ? &in_buffer : &piece);
    return transfer_enqueue_copy(
        function, queue, to_buffer ? CL_COMMAND_COPY_IMAGE_TO_BUFFER : CL_COMMAND_COPY_BUFFER_TO_IMAGE, &box,
        image, buffer, o);
}

WEIR_API cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem src, cl_mem dst,
                                                       const size_t *origin, const size_t *region,
                                                       size_t offset, cl_uint nwait, const cl_event *wait,
                                                       cl_event *event) {
    return buffer_copy(__func__, queue, true, src, dst, origin, region, offset,
                       (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem src, cl_mem dst,
                                                       size_t offset, const size_t *origin,
                                                       const size_t *region, cl_uint nwait,
                                                       const cl_event *wait, cl_event *event) {
    return buffer_copy(__func__, queue, false, dst, src, origin, region, offset,
                       (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int CL_API_CALL clCommandCopyImageToBufferKHR(WEIR_RECORD_FIRST, cl_mem src, cl_mem dst,
                                                          const size_t *origin, const size_t *region,
                                                          size_t offset, WEIR_RECORD_LAST) {
    struct recording r;
    cl_int error = record_begin(__func__, &r, false, RECORD_ARGS);

    return error ? error
                 : buffer_copy(__func__, r.queue, true, src, dst, origin, region, offset,
                               (struct enqueue_order){.recording = &r});
}

WEIR_API cl_int CL_API_CALL clCommandCopyBufferToImageKHR(WEIR_RECORD_FIRST, cl_mem src, cl_mem dst,
                                                          size_t offset, const size_t *origin,
                                                          const size_t *region, WEIR_RECORD_LAST) {
    struct recording r;
    cl_int error = record_begin(__func__, &r, false, RECORD_ARGS);

    return error ? error
                 : buffer_copy(__func__, r.queue, false, dst, src, origin, region, offset,
                               (struct enqueue_order){.recording = &r});
}

/* ---- fill --------------------------------------------------------------------------------------------- */

static cl_int fill_image(const char *function, cl_command_queue queue, cl_mem image, const void *fill_color,
                         const size_t *origin, const size_t *region, struct enqueue_order o) {
    unsigned char texel[IMAGE_MAX_TEXEL];
    union image_color color = {{0}};
    struct image_piece piece;
    struct box box;
    cl_int error = order_check(function, queue, o);

    if (!error)
        error = check_image(function, queue, image);
    if (!error && !fill_color)
        error = api_fail(queue->context, function, CL_INVALID_VALUE, "fill_color is NULL");
    if (!error)
        error = image_piece(function, image, origin, region, &piece);
    if (error)
        return error;
    /* The colour of a depth image is one float. */
    memcpy(&color, fill_color, image->image->kernel.order == CL_DEPTH ? sizeof color.f[0] : sizeof color);
    struct float_mode mode = float_mode_enter();
    image_format_encode(&image->image->format, color, texel);
    float_mode_leave(mode);
    box = box_of(&piece, image->image->kernel.texel_bytes);
    box_to(&box, &piece);
    return transfer_enqueue_fill(function, queue, CL_COMMAND_FILL_IMAGE, &box, image, texel,
                                 image->image->kernel.texel_bytes, o);
}

WEIR_API cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *fill_color,
                                               const size_t *origin, const size_t *region, cl_uint nwait,
                                               const cl_event *wait, cl_event *event) {
    return fill_image(__func__, queue, image, fill_color, origin, region,
                      (struct enqueue_order){nwait, wait, false, event, NULL});
}

WEIR_API cl_int CL_API_CALL clCommandFillImageKHR(WEIR_RECORD_FIRST, cl_mem image, const void *fill_color,
                                                  const size_t *origin, const size_t *region,
                                                  WEIR_RECORD_LAST) {
    struct recording r;
    cl_int error = record_begin(__func__, &r, false, RECORD_ARGS);

    return error ? error
                 : fill_image(__func__, r.queue, image, fill_color, origin, region,
                              (struct enqueue_order){.recording = &r});
}
