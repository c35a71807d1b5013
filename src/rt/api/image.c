/* image.c: images and samplers, which this device does not have.
 *
 * Every function of the API exists. After the checks of context, queue and wait list that it shares with all
 * others, each answers CL_INVALID_OPERATION; queries of objects that can't exist say that they don't.
 */
#include "rt.h"

static cl_int check_create(const char *function, cl_context context) {
    if (!object_is(context, OBJECT_CONTEXT))
        return api_fail(NULL, function, CL_INVALID_CONTEXT, "%p is not a context", (void *)context);
    return api_fail(context, function, CL_INVALID_OPERATION, "no device of this context supports images");
}

static cl_int check_command(const char *function, cl_command_queue queue, cl_uint nwait,
                            const cl_event *wait) {
    cl_int error = command_check(function, queue, nwait, wait);

    return error ? error
                 : api_fail(queue->context, function, CL_INVALID_OPERATION,
                            "the device does not support images");
}

// clang-format off
#define ARGS(...) __VA_ARGS__
/* name, type of what it makes, arguments between the context and errcode_ret */
#define CREATORS(X)                                                                                          \
    X(clCreateImage, cl_mem, ARGS(cl_mem_flags f, const cl_image_format *i, const cl_image_desc *d, void *p)) \
    X(clCreateImageWithProperties, cl_mem, ARGS(const cl_mem_properties *q, cl_mem_flags f,                  \
        const cl_image_format *i, const cl_image_desc *d, void *p))                                          \
    X(clCreateImage2D, cl_mem, ARGS(cl_mem_flags f, const cl_image_format *i, size_t w, size_t h,            \
        size_t row, void *p))                                                                                \
    X(clCreateImage3D, cl_mem, ARGS(cl_mem_flags f, const cl_image_format *i, size_t w, size_t h, size_t d,  \
        size_t row, size_t slice, void *p))                                                                  \
    X(clCreateSampler, cl_sampler, ARGS(cl_bool n, cl_addressing_mode a, cl_filter_mode f))                  \
    X(clCreateSamplerWithProperties, cl_sampler, ARGS(const cl_sampler_properties *p))

/* name, arguments between the queue and the wait list */
#define COMMANDS(X)                                                                                          \
    X(clEnqueueReadImage, ARGS(cl_mem i, cl_bool b, const size_t *o, const size_t *r, size_t row,            \
        size_t slice, void *p))                                                                              \
    X(clEnqueueWriteImage, ARGS(cl_mem i, cl_bool b, const size_t *o, const size_t *r, size_t row,           \
        size_t slice, const void *p))                                                                        \
    X(clEnqueueFillImage, ARGS(cl_mem i, const void *c, const size_t *o, const size_t *r))                   \
    X(clEnqueueCopyImage, ARGS(cl_mem s, cl_mem d, const size_t *so, const size_t *dst, const size_t *r))    \
    X(clEnqueueCopyImageToBuffer, ARGS(cl_mem s, cl_mem d, const size_t *o, const size_t *r, size_t at))     \
    X(clEnqueueCopyBufferToImage, ARGS(cl_mem s, cl_mem d, size_t at, const size_t *o, const size_t *r))
// clang-format on

#define CREATOR(function, type, args)                                                                        \
    WEIR_API type CL_API_CALL function(cl_context context, args, cl_int *errcode_ret) {                      \
        cl_int error = check_create(__func__, context);                                                      \
                                                                                                             \
        if (errcode_ret)                                                                                     \
            *errcode_ret = error;                                                                            \
        return NULL;                                                                                         \
    }
CREATORS(CREATOR)

#define COMMAND(function, args)                                                                              \
    WEIR_API cl_int CL_API_CALL function(cl_command_queue queue, args, cl_uint nwait, const cl_event *wait,  \
                                         cl_event *event) {                                                  \
        return check_command(__func__, queue, nwait, wait);                                                  \
    }
COMMANDS(COMMAND)

WEIR_API void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                             cl_map_flags flags, const size_t *origin, const size_t *region,
                                             size_t *row_pitch, size_t *slice_pitch, cl_uint nwait,
                                             const cl_event *wait, cl_event *event, cl_int *errcode_ret) {
    cl_int error = check_command(__func__, queue, nwait, wait);

    if (errcode_ret)
        *errcode_ret = error;
    return NULL;
}

static bool is_image_type(cl_mem_object_type type) {
    return type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

WEIR_API cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                                       cl_mem_object_type type, cl_uint num_entries,
                                                       cl_image_format *formats, cl_uint *num_formats) {
    if (!object_is(context, OBJECT_CONTEXT))
        return API_FAIL(NULL, CL_INVALID_CONTEXT, "%p is not a context", (void *)context);
    if (!is_image_type(type))
        return API_FAIL(context, CL_INVALID_VALUE, "0x%x is not an image type", type);
    if (num_entries == 0 && formats)
        return API_FAIL(context, CL_INVALID_VALUE, "num_entries is 0, image_formats is not NULL");
    if (num_formats)
        *num_formats = 0;
    return CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t param_value_size,
                                           void *param_value, size_t *param_value_size_ret) {
    return API_FAIL(NULL, CL_INVALID_MEM_OBJECT, "%p is not an image", (void *)image);
}

static cl_int no_sampler(const char *function, cl_sampler sampler) {
    return api_fail(NULL, function, CL_INVALID_SAMPLER, "%p is not a sampler", (void *)sampler);
}

WEIR_API cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
    return no_sampler(__func__, sampler);
}

WEIR_API cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
    return no_sampler(__func__, sampler);
}

WEIR_API cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name,
                                             size_t param_value_size, void *param_value,
                                             size_t *param_value_size_ret) {
    return no_sampler(__func__, sampler);
}
