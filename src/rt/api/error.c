/* error.c: how API errors are told to people: through WEIR_LOG and the context's notify callback.
 *
 * In: the call, the code, a sentence that names the argument, its value and the limit. Out: that sentence, and the way out
 * (way_out.c).
 */
#define _GNU_SOURCE
#include "rt.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// clang-format off
#define ERRORS(X) \
    X(CL_SUCCESS) \
    X(CL_DEVICE_NOT_FOUND) \
    X(CL_DEVICE_NOT_AVAILABLE) \
    X(CL_COMPILER_NOT_AVAILABLE) \
    X(CL_MEM_OBJECT_ALLOCATION_FAILURE) \
    X(CL_OUT_OF_RESOURCES) \
    X(CL_OUT_OF_HOST_MEMORY) \
    X(CL_PROFILING_INFO_NOT_AVAILABLE) \
    X(CL_MEM_COPY_OVERLAP) \
    X(CL_IMAGE_FORMAT_MISMATCH) \
    X(CL_IMAGE_FORMAT_NOT_SUPPORTED) \
    X(CL_BUILD_PROGRAM_FAILURE) \
    X(CL_MAP_FAILURE) \
    X(CL_MISALIGNED_SUB_BUFFER_OFFSET) \
    X(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST) \
    X(CL_COMPILE_PROGRAM_FAILURE) \
    X(CL_LINKER_NOT_AVAILABLE) \
    X(CL_LINK_PROGRAM_FAILURE) \
    X(CL_DEVICE_PARTITION_FAILED) \
    X(CL_KERNEL_ARG_INFO_NOT_AVAILABLE) \
    X(CL_INVALID_VALUE) \
    X(CL_INVALID_DEVICE_TYPE) \
    X(CL_INVALID_PLATFORM) \
    X(CL_INVALID_DEVICE) \
    X(CL_INVALID_CONTEXT) \
    X(CL_INVALID_QUEUE_PROPERTIES) \
    X(CL_INVALID_COMMAND_QUEUE) \
    X(CL_INVALID_HOST_PTR) \
    X(CL_INVALID_MEM_OBJECT) \
    X(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR) \
    X(CL_INVALID_IMAGE_SIZE) \
    X(CL_INVALID_SAMPLER) \
    X(CL_INVALID_BINARY) \
    X(CL_INVALID_BUILD_OPTIONS) \
    X(CL_INVALID_PROGRAM) \
    X(CL_INVALID_PROGRAM_EXECUTABLE) \
    X(CL_INVALID_KERNEL_NAME) \
    X(CL_INVALID_KERNEL_DEFINITION) \
    X(CL_INVALID_KERNEL) \
    X(CL_INVALID_ARG_INDEX) \
    X(CL_INVALID_ARG_VALUE) \
    X(CL_INVALID_ARG_SIZE) \
    X(CL_INVALID_KERNEL_ARGS) \
    X(CL_INVALID_WORK_DIMENSION) \
    X(CL_INVALID_WORK_GROUP_SIZE) \
    X(CL_INVALID_WORK_ITEM_SIZE) \
    X(CL_INVALID_GLOBAL_OFFSET) \
    X(CL_INVALID_EVENT_WAIT_LIST) \
    X(CL_INVALID_EVENT) \
    X(CL_INVALID_OPERATION) \
    X(CL_INVALID_GL_OBJECT) \
    X(CL_INVALID_BUFFER_SIZE) \
    X(CL_INVALID_MIP_LEVEL) \
    X(CL_INVALID_GLOBAL_WORK_SIZE) \
    X(CL_INVALID_PROPERTY) \
    X(CL_INVALID_IMAGE_DESCRIPTOR) \
    X(CL_INVALID_COMPILER_OPTIONS) \
    X(CL_INVALID_LINKER_OPTIONS) \
    X(CL_INVALID_DEVICE_PARTITION_COUNT) \
    X(CL_INVALID_PIPE_SIZE) \
    X(CL_INVALID_DEVICE_QUEUE) \
    X(CL_INVALID_SPEC_ID) \
    X(CL_MAX_SIZE_RESTRICTION_EXCEEDED) \
    EXTENSION_ERRORS(X)

#define EXTENSION_ERRORS(X) \
    X(CL_CONTEXT_TERMINATED_KHR) \
    X(CL_INVALID_COMMAND_BUFFER_KHR) \
    X(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR) \
    X(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR) \
    X(CL_INVALID_MUTABLE_COMMAND_KHR) \
    X(CL_INVALID_SEMAPHORE_KHR)
// clang-format on

#define NAME(error) {error, #error},
const char *error_name(cl_int code) {
    static const struct {
        cl_int code;
        const char *name;
    } names[] = {ERRORS(NAME)};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].code == code)
            return names[i].name;
    return "an error of the application";
}

const char *handle_instead(const void *handle) {
    static const struct {
        enum object_kind kind;
        const char *is;
    } kinds[] = {{OBJECT_PLATFORM, ", but a platform"},
                 {OBJECT_DEVICE, ", but a device"},
                 {OBJECT_CONTEXT, ", but a context"},
                 {OBJECT_QUEUE, ", but a command queue"},
                 {OBJECT_EVENT, ", but an event"},
                 {OBJECT_MEM, ", but a buffer or pipe"},
                 {OBJECT_SAMPLER, ", but a sampler"},
                 {OBJECT_PROGRAM, ", but a program"},
                 {OBJECT_KERNEL, ", but a kernel"},
                 {OBJECT_COMMAND_BUFFER, ", but a command buffer"},
                 {OBJECT_RECORDED, ", but a recorded command"},
                 {OBJECT_SEMAPHORE, ", but a semaphore"}};
    const struct object *o = handle;
    if (object_is_readable(o) && atomic_load(&o->held) && !atomic_load(&o->refs))
        return ": it has had its last release, only other objects still use it";
    if (mem_is_image((cl_mem)handle))
        return ", but an image";
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (object_is(handle, kinds[i].kind))
            return kinds[i].is;
    return "";
}

cl_int handle_fail(cl_context context, const char *function, cl_int code, const char *what,
                   const void *handle) {
    return handle ? api_fail(context, function, code, "%p is not a valid %s%s", handle, what,
                             handle_instead(handle))
                  : api_fail(context, function, code, "the %s is NULL", what);
}

/* Queries of vendors' extensions have these numbers. */
static bool is_of_a_vendor(cl_uint name) {
    return name >= 0x4000 && name <= 0x4fff;
}

cl_int info_fail(cl_context context, const char *function, cl_int code, cl_uint name, struct info_out out) {
    size_t wanted = code == CL_INVALID_VALUE ? info_wanted(out) : 0;
    if (wanted)
        return api_fail(context, function, code, "param_value_size is %zu, the answer to 0x%x has %zu bytes",
                        out.size, name, wanted);
    if (code == CL_INVALID_VALUE && is_of_a_vendor(name)) { /* programs ask these of every platform */
        log_write(LOG_INFO, "%s: query 0x%x, of another vendor, is not known", function, name);
        return code;
    }
    if (code == CL_INVALID_VALUE)
        return api_fail(context, function, code, "param_name 0x%x is not a query of this call", name);
    return api_fail(context, function, code, "query 0x%x can't be answered", name);
}

cl_int api_fail(cl_context context, const char *function, cl_int code, const char *format, ...) {
    bool notify = context && context->notify;
    no_lock_is_held(function);
    if (!notify && !log_on(LOG_ERROR))
        return code;
    struct buf text = {0};
    char *message = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&message, format, args);
    va_end(args);
    if (n < 0)
        message = NULL;
    const char *out = way_out(code, message ? message : "");
    buf_printf(&text, "%s: %s (%s)%s%s", function, message ? message : "", error_name(code), out ? "; " : "",
               out ? out : "");
    const char *line = buf_cstr(&text);
    if (line) {
        log_error(
            &(struct log_error){
                .call = function, .error = error_name(code), .sentence = message, .way_out = out},
            line);
        if (notify)
            context->notify(line, NULL, 0, context->notify_user);
    }
    free(message);
    buf_free(&text);
    return code;
}
