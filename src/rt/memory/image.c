/* image.c: images: creation, queries, and parts of them.
 *
 * In: formats, descriptors, flags, host pointers or another object whose memory the image shows. Out: cl_mem objects
 * with a struct image, which has what kernels get. Texels lie in rows and slices, with the pitches that the application
 * named or else without gaps, so that mapping is only a pointer; the levels of a mipmap follow each other. Layers of
 * arrays, 1D ones too, are slices.
 */
#include "rt.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_BUFFER_SIZE ((size_t)65536)   /* CL_DEVICE_IMAGE_MAX_BUFFER_SIZE must have this many texels */
#define MOST_BUFFER_SIZE  ((size_t)1 << 27) /* more would fit in the largest buffer, with small texels */

size_t image_max_buffer_size(void) {
    size_t n = device_max_alloc() / IMAGE_MAX_TEXEL;
    return n < LEAST_BUFFER_SIZE ? LEAST_BUFFER_SIZE : n > MOST_BUFFER_SIZE ? MOST_BUFFER_SIZE : n;
}

bool mem_is_image(cl_mem mem) {
    return object_is(mem, OBJECT_MEM) && mem->image;
}

/* ---- which dimensions a type has ---- */

static bool has_height(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE2D || type == CL_MEM_OBJECT_IMAGE2D_ARRAY ||
           type == CL_MEM_OBJECT_IMAGE3D;
}

static bool has_layers(cl_mem_object_type type) {
    return type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
}

static bool has_slices(cl_mem_object_type type) {
    return has_layers(type) || type == CL_MEM_OBJECT_IMAGE3D;
}

/* ---- checks ---- */

/* What is to be made. */
struct making {
    const char *function;
    cl_context context;
    const cl_mem_properties *properties;
    cl_mem_flags flags;
    const cl_image_format *format;
    const cl_image_desc *desc;
    void *host_ptr;
    bool
        old; /* by a function of OpenCL 1.1: those have another code for pitches, and no 3D images of one slice */
};
#define FAIL(code, ...) api_fail(m->context, m->function, code, __VA_ARGS__)

static cl_int check_flags(const struct making *m) {
    cl_mem parent = m->desc ? m->desc->mem_object : NULL;
    bool has_parent = parent && object_is(parent, OBJECT_MEM);
    if (m->properties && m->properties[0])
        return FAIL(CL_INVALID_PROPERTY, "images have no property 0x%llx",
                    (unsigned long long)m->properties[0]);
    if (!mem_flags_are_valid(m->flags, MEM_KERNEL_FLAGS | MEM_HOST_FLAGS | MEM_DATA_FLAGS))
        return mem_flags_fail(m->function, m->context, m->flags);
    if (has_parent && m->flags & MEM_DATA_FLAGS)
        return FAIL(CL_INVALID_VALUE,
                    "flags 0x%llx are about host pointers, the image shows another object's memory",
                    (unsigned long long)m->flags);
    if (has_parent && !mem_flags_may_narrow(parent->flags, m->flags))
        return FAIL(CL_INVALID_VALUE, "flags 0x%llx ask for more than the memory object's 0x%llx allow",
                    (unsigned long long)m->flags, (unsigned long long)parent->flags);
    return CL_SUCCESS;
}

/* The channel order of an image, and that of one that shows its memory. */
static bool orders_are_compatible(cl_channel_order a, cl_channel_order b) {
    static const struct {
        cl_channel_order linear, srgb;
    } pairs[] = {{CL_BGRA, CL_sBGRA}, {CL_RGBA, CL_sRGBA}, {CL_RGB, CL_sRGB}, {CL_RGBx, CL_sRGBx}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if ((a == pairs[i].linear && b == pairs[i].srgb) || (a == pairs[i].srgb && b == pairs[i].linear))
            return true;
    return a == b || (a == CL_R && b == CL_DEPTH);
}

static cl_int check_format(const struct making *m) {
    const cl_image_format *f = m->format;
    if (!f)
        return FAIL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "image_format is NULL");
    if (!image_format_is_valid(f))
        return FAIL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                    "there is no %s: channel order and type are unknown, or don't go together",
                    image_format_text(f).at);
    return CL_SUCCESS;
}

/* The object whose memory the image is to show. */
static cl_int check_parent(const struct making *m) {
    const cl_image_desc *d = m->desc;
    cl_mem parent = d->mem_object;
    bool plane = d->image_type == CL_MEM_OBJECT_IMAGE2D;
    if (!parent && d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        return FAIL(CL_INVALID_IMAGE_DESCRIPTOR, "a 1D image buffer without a buffer");
    if (!parent)
        return CL_SUCCESS;
    if (!object_is(parent, OBJECT_MEM) || parent->context != m->context)
        return FAIL(CL_INVALID_IMAGE_DESCRIPTOR, "%p is not a memory object of the context", (void *)parent);
    if (mem_is_buffer(parent) ? !plane && d->image_type != CL_MEM_OBJECT_IMAGE1D_BUFFER
                              : !plane || parent->type != CL_MEM_OBJECT_IMAGE2D)
        return FAIL(CL_INVALID_IMAGE_DESCRIPTOR,
                    "a %s can't show the memory of a %s: 1D image buffers and 2D images can that of buffers, "
                    "2D images "
                    "that of 2D images",
                    image_type_text(d->image_type).at, image_type_text(parent->type).at);
    return CL_SUCCESS;
}

static cl_int check_descriptor(const struct making *m) {
    const cl_image_desc *d = m->desc;
    if (!d)
        return FAIL(CL_INVALID_IMAGE_DESCRIPTOR, "image_desc is NULL");
    if (!image_type_is_valid(d->image_type))
        return FAIL(CL_INVALID_IMAGE_DESCRIPTOR, "%s is not an image type",
                    image_type_text(d->image_type).at);
    if (d->num_samples)
        return FAIL(CL_INVALID_IMAGE_DESCRIPTOR, "num_samples is %u: must be 0", d->num_samples);
    if (d->num_mip_levels > WEIR_MAX_LEVELS)
        return FAIL(CL_INVALID_IMAGE_DESCRIPTOR, "num_mip_levels is %u: at most %d", d->num_mip_levels,
                    WEIR_MAX_LEVELS);
    /* Depth images may have levels, too: cl_khr_mipmap_image forbids them, but OpenCL C has functions that read them. */
    if (d->num_mip_levels > 1 && (d->mem_object || m->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR)))
        return FAIL(
            CL_INVALID_IMAGE_DESCRIPTOR,
            "num_mip_levels is %u: images with another object's memory or host memory can't have levels",
            d->num_mip_levels);
    return check_parent(m);
}

static cl_int check_size(const struct making *m, const char *name, size_t size, size_t least, size_t most) {
    if (size < least || size > most)
        return FAIL(CL_INVALID_IMAGE_SIZE, "image_%s is %zu: must be %zu to %zu", name, size, least, most);
    return CL_SUCCESS;
}

static cl_int check_sizes(const struct making *m) {
    const cl_image_desc *d = m->desc;
    bool solid = d->image_type == CL_MEM_OBJECT_IMAGE3D;
    size_t most = d->image_type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? image_max_buffer_size()
                  : solid                                       ? WEIR_IMAGE_3D
                                                                : WEIR_IMAGE_2D;
    cl_int error = check_size(m, "width", d->image_width, 1, most);
    if (!error && has_height(d->image_type))
        error = check_size(m, "height", d->image_height, 1, most);
    if (!error && solid)
        error = check_size(m, "depth", d->image_depth, m->old ? 2 : 1, most);
    if (!error && has_layers(d->image_type))
        error = check_size(m, "array_size", d->image_array_size, 1, WEIR_IMAGE_LAYERS);
    return error;
}

static cl_int check_host_ptr(const struct making *m) {
    bool wants_ptr = m->flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR);
    if (wants_ptr != (m->host_ptr != NULL))
        return FAIL(CL_INVALID_HOST_PTR,
                    wants_ptr ? "host_ptr is NULL, with CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR"
                              : "host_ptr is given, without CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR");
    return CL_SUCCESS;
}

static cl_int check_supported(const struct making *m) {
    if (!image_format_access(m->format, m->desc->image_type))
        return FAIL(CL_IMAGE_FORMAT_NOT_SUPPORTED, "no %s may be %s", image_type_text(m->desc->image_type).at,
                    image_format_text(m->format).at);
    return CL_SUCCESS;
}

/* ---- where texels lie ---- */

/* Fills in what the type doesn't use, and pitches that are 0; checks those that are given. */
static cl_int resolve(const struct making *m, cl_image_desc *d, size_t texel) {
    size_t rows = has_height(d->image_type) ? d->image_height : 1, slice;
    bool in_memory = m->host_ptr || d->mem_object;
    cl_int bad_pitch = m->old ? CL_INVALID_IMAGE_SIZE : CL_INVALID_IMAGE_DESCRIPTOR;
    if (!has_height(d->image_type))
        d->image_height = 0;
    if (d->image_type != CL_MEM_OBJECT_IMAGE3D)
        d->image_depth = 0;
    if (!has_layers(d->image_type))
        d->image_array_size = 0;
    if (!has_slices(d->image_type) && in_memory)
        d->image_slice_pitch = 0;
    if (!in_memory && (d->image_row_pitch || d->image_slice_pitch))
        return FAIL(bad_pitch, "row pitch %zu and slice pitch %zu: must be 0 without a host pointer",
                    d->image_row_pitch, d->image_slice_pitch);
    if (!d->image_row_pitch)
        d->image_row_pitch = d->image_width * texel;
    if (d->image_row_pitch < d->image_width * texel || d->image_row_pitch % texel)
        return FAIL(bad_pitch, "row pitch %zu: must be a multiple of the texel's %zu bytes and at least %zu",
                    d->image_row_pitch, texel, d->image_width * texel);
    if (!has_slices(d->image_type))
        return CL_SUCCESS;
    if (__builtin_mul_overflow(d->image_row_pitch, rows, &slice))
        return FAIL(CL_INVALID_IMAGE_SIZE, "the image is larger than the address space");
    if (!d->image_slice_pitch)
        d->image_slice_pitch = slice;
    if (d->image_slice_pitch < slice || d->image_slice_pitch % d->image_row_pitch)
        return FAIL(bad_pitch, "slice pitch %zu: must be a multiple of the row pitch %zu and at least %zu",
                    d->image_slice_pitch, d->image_row_pitch, slice);
    return CL_SUCCESS;
}

static uint32_t half_of(uint32_t size, unsigned level) {
    return size >> level ? size >> level : 1;
}

/* The levels, `data` being offsets as yet; the bytes of all, or SIZE_MAX if there is no such number. */
static size_t lay_out(struct image *image) {
    const cl_image_desc *d = &image->desc;
    struct weir_image *k = &image->kernel;
    size_t total = 0, bytes;
    for (unsigned i = 0; i < k->levels; i++) {
        struct weir_image_level *l = &k->level[i];
        l->width = half_of((uint32_t)d->image_width, i);
        l->height = half_of((uint32_t)d->image_height, i);
        l->depth = half_of((uint32_t)d->image_depth, i);
        l->array = half_of((uint32_t)d->image_array_size, 0);
        l->row_pitch = i ? (size_t)l->width * k->texel_bytes : d->image_row_pitch;
        l->slice_pitch = i || !d->image_slice_pitch ? l->row_pitch * l->height : d->image_slice_pitch;
        total = (total + WEIR_MEM_ALIGN - 1) / WEIR_MEM_ALIGN * WEIR_MEM_ALIGN;
        l->data = (void *)total;
        if ((!d->image_slice_pitch && __builtin_mul_overflow(l->row_pitch, l->height, &bytes)) ||
            __builtin_mul_overflow(l->slice_pitch, (size_t)l->depth * l->array, &bytes) ||
            __builtin_add_overflow(total, bytes, &total) || total > SIZE_MAX - WEIR_MEM_ALIGN)
            return SIZE_MAX;
    }
    k->traits = WEIR_IMAGE_TRAITS(k->order, k->type, total);
    return total;
}

/* ---- creation ---- */

/* The memory of another object: a buffer's bytes, or an image's texels seen in another way. */
static cl_int check_shared(const struct making *m, const struct image *image, size_t size) {
    const cl_image_desc *d = &image->desc;
    cl_mem parent = d->mem_object;
    size_t texel = image->kernel.texel_bytes;
    if (mem_is_buffer(parent)) {
        if (parent->flags & CL_MEM_USE_HOST_PTR && (uintptr_t)parent->data % (texel * WEIR_IMAGE_ALIGN))
            return FAIL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                        "the buffer's host pointer %p is not aligned to texels of %zu bytes",
                        (void *)parent->data, texel);
        if (size > parent->size)
            return FAIL(CL_INVALID_IMAGE_SIZE, "the image takes %zu bytes, the buffer has %zu", size,
                        parent->size);
        return CL_SUCCESS;
    }
    const struct image *of = parent->image;
    if (of->format.image_channel_data_type != m->format->image_channel_data_type ||
        !orders_are_compatible(of->format.image_channel_order, m->format->image_channel_order))
        return FAIL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "an image of %s can't show one of %s",
                    image_format_text(m->format).at, image_format_text(&of->format).at);
    if (of->kernel.levels > 1 || d->image_width != of->desc.image_width ||
        d->image_height != of->desc.image_height ||
        (m->desc->image_row_pitch && m->desc->image_row_pitch != of->desc.image_row_pitch))
        return FAIL(
            CL_INVALID_IMAGE_DESCRIPTOR,
            "size, pitch or levels are not those of the image whose memory it shows (%zu x %zu, pitch %zu)",
            of->desc.image_width, of->desc.image_height, of->desc.image_row_pitch);
    return CL_SUCCESS;
}

/* Gives the image its memory. */
static cl_int find_memory(const struct making *m, cl_mem mem) {
    struct weir_image *k = &mem->image->kernel;
    if (mem->parent) {
        mem->data = mem->parent->data;
    } else if (m->flags & CL_MEM_USE_HOST_PTR) {
        mem->host_ptr = m->host_ptr;
        mem->data = m->host_ptr;
    } else {
        mem->data = mem->size > device_max_alloc() ? NULL : mem_allocate(mem->size, WEIR_MEM_ALIGN);
        mem->owns_data = true;
    }
    if (!mem->data)
        return FAIL(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                    "no memory for an image of %zu bytes: one may have CL_DEVICE_MAX_MEM_ALLOC_SIZE, %llu, "
                    "all buffers, "
                    "images, SVM and variables CL_DEVICE_GLOBAL_MEM_SIZE, %llu",
                    mem->size, (unsigned long long)device_max_alloc(),
                    (unsigned long long)device_global_bytes());
    for (unsigned i = 0; i < k->levels; i++)
        k->level[i].data = mem->data + (size_t)k->level[i].data;
    if (m->flags & CL_MEM_COPY_HOST_PTR)
        memcpy(mem->data, m->host_ptr, mem->size);
    return CL_SUCCESS;
}

static cl_int fill_in(const struct making *m, struct image *image, size_t *size) {
    image->format = *m->format;
    image->desc = *m->desc;
    image->kernel = (struct weir_image){.order = m->format->image_channel_order,
                                        .type = m->format->image_channel_data_type,
                                        .texel_bytes = image_format_bytes(m->format),
                                        .levels = m->desc->num_mip_levels ? m->desc->num_mip_levels : 1};
    if (image->desc.mem_object && mem_is_image(image->desc.mem_object) && !image->desc.image_row_pitch)
        image->desc.image_row_pitch = image->desc.mem_object->image->desc.image_row_pitch;
    cl_int error = resolve(m, &image->desc, image->kernel.texel_bytes);
    if (error)
        return error;
    *size = lay_out(image);
    if (*size == SIZE_MAX)
        return FAIL(CL_INVALID_IMAGE_SIZE, "the image is larger than the address space");
    return image->desc.mem_object ? check_shared(m, image, *size) : CL_SUCCESS;
}

static cl_int check(const struct making *m) {
    cl_int error = check_flags(m);
    if (!error)
        error = check_format(m);
    if (!error)
        error = check_descriptor(m);
    if (!error)
        error = check_sizes(m);
    if (!error)
        error = check_host_ptr(m);
    return error ? error : check_supported(m);
}

/* *result is NULL, or an object that isn't finished, if it fails. */
static cl_int make(const struct making *m, cl_mem *result) {
    struct image image;
    size_t size;
    cl_int error = check(m);
    if (!error)
        error = fill_in(m, &image, &size);
    if (error)
        return error;
    cl_mem parent = m->desc->mem_object;
    cl_mem mem = *result = mem_new(m->context, m->desc->image_type,
                                   parent ? mem_flags_inherited(parent->flags, m->flags) : m->flags, size);
    if (mem) {
        mem->image = malloc(sizeof image);
        mem->properties = m->properties ? calloc(1, sizeof *mem->properties) : NULL; /* none: the final 0 */
        mem->nproperties = m->properties ? 1 : 0;
    }
    if (!mem || !mem->image || (m->properties && !mem->properties))
        return FAIL(CL_OUT_OF_HOST_MEMORY, "no memory for an image object");
    *mem->image = image;
    if (parent)
        object_hold(parent);
    mem->parent = parent;
    return find_memory(m, mem);
}

static cl_mem image_new(const struct making *m, cl_int *errcode_ret) {
    cl_mem mem = NULL;
    cl_int error = context_check(m->function, m->context);
    if (!error)
        error = make(m, &mem);
    if (errcode_ret)
        *errcode_ret = error;
    if (!error)
        return mem;
    object_drop(mem);
    return NULL;
}

WEIR_API cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                                        const cl_mem_properties *properties,
                                                        cl_mem_flags flags, const cl_image_format *format,
                                                        const cl_image_desc *desc, void *host_ptr,
                                                        cl_int *errcode_ret) {
    return image_new(&(struct making){__func__, context, properties, flags, format, desc, host_ptr, false},
                     errcode_ret);
}

WEIR_API cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                          const cl_image_format *format, const cl_image_desc *desc,
                                          void *host_ptr, cl_int *errcode_ret) {
    return image_new(&(struct making){__func__, context, NULL, flags, format, desc, host_ptr, false},
                     errcode_ret);
}

WEIR_API cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                            const cl_image_format *format, size_t width, size_t height,
                                            size_t row_pitch, void *host_ptr, cl_int *errcode_ret) {
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = width,
                                .image_height = height,
                                .image_row_pitch = row_pitch};
    return image_new(&(struct making){__func__, context, NULL, flags, format, &desc, host_ptr, true},
                     errcode_ret);
}

WEIR_API cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                            const cl_image_format *format, size_t width, size_t height,
                                            size_t depth, size_t row_pitch, size_t slice_pitch,
                                            void *host_ptr, cl_int *errcode_ret) {
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = width,
                                .image_height = height,
                                .image_depth = depth,
                                .image_row_pitch = row_pitch,
                                .image_slice_pitch = slice_pitch};
    return image_new(&(struct making){__func__, context, NULL, flags, format, &desc, host_ptr, true},
                     errcode_ret);
}

/* ---- queries ---- */

static cl_int image_query(cl_mem mem, cl_image_info name, struct info_out out) {
    const struct image *i = mem->image;
    switch (name) {
    case CL_IMAGE_FORMAT:
        return info_bytes(out, &i->format, sizeof i->format);
    case CL_IMAGE_ELEMENT_SIZE:
        return info_size(out, i->kernel.texel_bytes);
    case CL_IMAGE_ROW_PITCH:
        return info_size(out, i->desc.image_row_pitch);
    case CL_IMAGE_SLICE_PITCH:
        return info_size(out, i->desc.image_slice_pitch);
    case CL_IMAGE_WIDTH:
        return info_size(out, i->desc.image_width);
    case CL_IMAGE_HEIGHT:
        return info_size(out, i->desc.image_height);
    case CL_IMAGE_DEPTH:
        return info_size(out, i->desc.image_depth);
    case CL_IMAGE_ARRAY_SIZE:
        return info_size(out, i->desc.image_array_size);
    case CL_IMAGE_BUFFER:
        return info_pointer(out, mem->parent && !mem->parent->image ? mem->parent : NULL);
    case CL_IMAGE_NUM_MIP_LEVELS:
        return info_uint(out, i->desc.num_mip_levels);
    case CL_IMAGE_NUM_SAMPLES:
        return info_uint(out, 0);
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                                           void *param_value, size_t *param_value_size_ret) {
    if (!mem_is_image(image))
        return HANDLE_FAIL(CL_INVALID_MEM_OBJECT, "image", image);
    cl_int error = image_query(image, param_name, INFO_OUT);
    return error ? INFO_FAIL(image->context, error) : CL_SUCCESS;
}

/* ---- parts ---- */

/* The number of coordinates of a texel; the mip level comes after them in the origin of a mipmap. */
static unsigned dimensions(cl_mem_object_type type) {
    return has_height(type) ? 2 + has_slices(type) : 1 + has_layers(type);
}

cl_int image_piece(const char *function, cl_mem mem, const size_t *origin, const size_t *region,
                   struct image_piece *p) {
    const struct weir_image *image = &mem->image->kernel;
    unsigned n = dimensions(mem->type);
    if (!origin || !region)
        return api_fail(mem->context, function, CL_INVALID_VALUE, "an origin or the region is NULL");
    size_t level = image->levels > 1 ? origin[n] : 0;
    if (level >= image->levels)
        return api_fail(mem->context, function, CL_INVALID_MIP_LEVEL, "level %zu of an image that has %u",
                        level, image->levels);
    const struct weir_image_level *l = &image->level[level];
    bool rows_are_layers = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    size_t size[3] = {l->width, rows_are_layers ? l->array : l->height,
                      rows_are_layers ? 1 : (size_t)l->depth * l->array};
    for (unsigned i = 0; i < 3; i++) {
        bool is_level = image->levels > 1 && i == n;
        size_t from = is_level ? 0 : origin[i];
        if (from >= size[i] || !region[i] || region[i] > size[i] - from)
            return api_fail(mem->context, function, CL_INVALID_VALUE,
                            "origin[%u] is %zu and region[%u] is %zu, the image has %zu", i, from, i,
                            region[i], size[i]);
        p->origin[i] = from;
        p->region[i] = region[i];
    }
    p->level = (unsigned)level;
    p->pitch[0] = rows_are_layers ? l->slice_pitch : l->row_pitch;
    p->pitch[1] = l->slice_pitch;
    p->start = (unsigned char *)l->data + p->origin[0] * image->texel_bytes + p->origin[1] * p->pitch[0] +
               p->origin[2] * p->pitch[1];
    return CL_SUCCESS;
}

bool image_pieces_overlap(const struct image_piece *a, const struct image_piece *b) {
    bool overlap = a->level == b->level;
    for (int i = 0; i < 3; i++)
        overlap = overlap && a->origin[i] < b->origin[i] + b->region[i] &&
                  b->origin[i] < a->origin[i] + a->region[i];
    return overlap;
}
