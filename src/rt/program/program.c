/* program.c: program objects: creation from source and from binaries, reference counts, and the calls
 * that concern a program as a whole. Building is in build.c, queries in program_info.c.
 */
#define _GNU_SOURCE
#include "rt.h"

#include <stdlib.h>
#include <string.h>

static void destroy(void *object) {
    cl_program p = object;
    build_drop(p->build);
    buf_free(&p->binary);
    free(p->options);
    free(p->log);
    free(p->source);
    free(p->il);
    free(p->il_words);
    for (cl_uint i = 0; i < p->ndevices; i++)
        object_drop(p->devices[i].device);
    free(p->devices);
    pthread_cond_destroy(&p->built);
    pthread_mutex_destroy(&p->lock);
    object_drop(p->context);
    object_free(p);
}

static bool is_listed(cl_program p, cl_device_id device) {
    for (cl_uint i = 0; i < p->ndevices; i++)
        if (p->devices[i].device == device)
            return true;
    return false;
}

cl_program program_new(cl_context context, cl_uint ndevices, const cl_device_id *devices) {
    cl_program p = object_alloc(sizeof *p);
    cl_uint n = devices ? ndevices : context->ndevices;
    struct program_device *list = calloc(n, sizeof *list);
    if (!p || !list) {
        free(list);
        object_free(p);
        return NULL;
    }
    object_init(p, OBJECT_PROGRAM, destroy);
    object_hold(context);
    p->context = context;
    p->devices = list;
    for (cl_uint i = 0; i < n; i++) {
        cl_device_id device = devices ? devices[i] : context->devices[i];
        if (is_listed(p, device))
            continue;
        object_hold(device);
        list[p->ndevices++] = (struct program_device){device, CL_BUILD_NONE};
    }
    p->status = CL_BUILD_NONE;
    p->binary_type = CL_PROGRAM_BINARY_TYPE_NONE;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->built, NULL);
    return p;
}

struct program_device *program_device(cl_program p, cl_device_id device) {
    if (!object_is(device, OBJECT_DEVICE))
        return NULL;
    for (; device; device = device->parent)
        for (cl_uint i = 0; i < p->ndevices; i++)
            if (p->devices[i].device == device)
                return &p->devices[i];
    return NULL;
}

void program_set_status_locked(cl_program p, cl_device_id device, cl_build_status status) {
    program_device(p, device)->status = status;
    for (cl_uint i = 0; i < p->ndevices; i++)
        if (device_is_part_of(p->devices[i].device, device))
            p->devices[i].status = status;
}

bool program_is_built_for(cl_program p, cl_device_id device) {
    struct program_device *d = program_device(p, device);
    return d && d->status == CL_BUILD_SUCCESS;
}

cl_int program_check_devices(const char *function, cl_context context, cl_program program, cl_uint n,
                             const cl_device_id *devices) {
    if ((n == 0) != (devices == NULL))
        return api_fail(context, function, CL_INVALID_VALUE, "num_devices is %u, device_list is %s", n,
                        devices ? "given" : "NULL");
    for (cl_uint i = 0; i < n; i++)
        if (program ? !program_device(program, devices[i]) : !context_has_device(context, devices[i]))
            return api_fail(context, function, CL_INVALID_DEVICE, "device %u of the list is not of the %s", i,
                            program ? "program" : "context");
    return CL_SUCCESS;
}

void program_wait_locked(cl_program p) {
    while (p->status == CL_BUILD_IN_PROGRESS)
        pthread_cond_wait(&p->built, &p->lock);
}

struct build *program_executable(cl_program p) {
    pthread_mutex_lock(&p->lock);
    program_wait_locked(p);
    bool built = p->binary_type == CL_PROGRAM_BINARY_TYPE_EXECUTABLE && p->build;
    bool any = false;
    for (cl_uint i = 0; i < p->ndevices && !any; i++)
        any = p->devices[i].status == CL_BUILD_SUCCESS;
    struct build *b = built && any ? build_hold(p->build) : NULL;
    pthread_mutex_unlock(&p->lock);
    return b;
}

/* Joins the strings. A length may count a terminating NUL, and often does: each string ends there. */
static char *join(cl_uint count, const char **strings, const size_t *lengths) {
    struct buf b = {0};
    for (cl_uint i = 0; i < count; i++)
        buf_bytes(&b, strings[i],
                  lengths && lengths[i] ? strnlen(strings[i], lengths[i]) : strlen(strings[i]));
    char *source = buf_cstr(&b);
    if (!source)
        buf_free(&b);
    return source;
}

static cl_program finish(cl_program program, cl_int error, cl_int *errcode_ret) {
    if (errcode_ret)
        *errcode_ret = error;
    if (error && program)
        object_release(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM);
    return error ? NULL : program;
}

WEIR_API cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                          const char **strings, const size_t *lengths,
                                                          cl_int *errcode_ret) {
    cl_int bad = context_check(__func__, context);
    if (bad)
        return finish(NULL, bad, errcode_ret);
    if (!count || !strings)
        return finish(NULL,
                      API_FAIL(context, CL_INVALID_VALUE, "count is %u, strings is %s", count,
                               strings ? "given" : "NULL"),
                      errcode_ret);
    for (cl_uint i = 0; i < count; i++)
        if (!strings[i])
            return finish(NULL, API_FAIL(context, CL_INVALID_VALUE, "source string %u is NULL", i),
                          errcode_ret);
    cl_program p = program_new(context, 0, NULL);
    if (p)
        p->source = join(count, strings, lengths);
    if (!p || !p->source)
        return finish(p, API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for the source"), errcode_ret);
    return finish(p, CL_SUCCESS, errcode_ret);
}

static cl_int check_list(const char *function, cl_context context, cl_uint n, const cl_device_id *devices) {
    cl_int error = context_check(function, context);
    if (error)
        return error;
    if (!n || !devices)
        return api_fail(context, function, CL_INVALID_VALUE, "num_devices is %u, device_list is %s", n,
                        devices ? "given" : "NULL");
    return program_check_devices(function, context, NULL, n, devices);
}

/* All devices run the same code: the first binary is used, the others must be valid ones too. */
static cl_int load_binaries(const char *function, cl_program p, cl_uint n, const size_t *lengths,
                            const unsigned char **binaries, cl_int *status) {
    cl_int e = CL_SUCCESS;
    for (cl_uint i = 0; i < n; i++) {
        struct build *build = NULL;
        cl_program_binary_type type;
        char *options = NULL;
        cl_int s = CL_SUCCESS;
        if (!lengths[i] || !binaries[i])
            s = CL_INVALID_VALUE;
        else if (!binary_read(binaries[i], lengths[i], &build, &type, &options))
            s = CL_INVALID_BINARY;
        if (status)
            status[i] = s;
        if (s && !e)
            e = api_fail(
                p->context, function, s,
                s == CL_INVALID_VALUE ? "binary %u is empty or NULL" : "binary %u is foreign or damaged", i);
        if (!s && !p->build) {
            p->build = build;
            p->binary_type = type;
            p->options = options;
        } else {
            build_drop(build);
            free(options);
        }
    }
    return e;
}

WEIR_API cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                          const cl_device_id *device_list,
                                                          const size_t *lengths,
                                                          const unsigned char **binaries,
                                                          cl_int *binary_status, cl_int *errcode_ret) {
    cl_int e = check_list(__func__, context, num_devices, device_list);
    if (e)
        return finish(NULL, e, errcode_ret);
    if (!lengths || !binaries)
        return finish(NULL,
                      API_FAIL(context, CL_INVALID_VALUE, "lengths is %s, binaries is %s",
                               lengths ? "given" : "NULL", binaries ? "given" : "NULL"),
                      errcode_ret);
    cl_program p = program_new(context, num_devices, device_list);
    if (!p)
        return finish(NULL, API_FAIL(context, CL_OUT_OF_HOST_MEMORY, "no memory for a program"), errcode_ret);
    p->from_binary = true;
    return finish(p, load_binaries(__func__, p, num_devices, lengths, binaries, binary_status), errcode_ret);
}

WEIR_API cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                                  const cl_device_id *device_list,
                                                                  const char *kernel_names,
                                                                  cl_int *errcode_ret) {
    cl_int bad = context_check(__func__, context);
    if (bad)
        return finish(NULL, bad, errcode_ret);
    if (!num_devices || !device_list || !kernel_names)
        return finish(NULL,
                      API_FAIL(context, CL_INVALID_VALUE,
                               "num_devices is %u, device_list is %s, kernel_names is %s", num_devices,
                               device_list ? "given" : "NULL", kernel_names ? "given" : "NULL"),
                      errcode_ret);
    cl_int e = program_check_devices(__func__, context, NULL, num_devices, device_list);
    if (!e)
        e = API_FAIL(context, CL_INVALID_VALUE, "kernel_names is \"%s\": the device has no built-in kernels",
                     kernel_names);
    return finish(NULL, e, errcode_ret);
}

WEIR_API cl_int CL_API_CALL clRetainProgram(cl_program program) {
    return object_retain(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM)
               ? HANDLE_FAIL(CL_INVALID_PROGRAM, "program", program)
               : CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clReleaseProgram(cl_program program) {
    return object_release(program, OBJECT_PROGRAM, CL_INVALID_PROGRAM)
               ? HANDLE_FAIL(CL_INVALID_PROGRAM, "program", program)
               : CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program,
                                                        void(CL_CALLBACK *pfn_notify)(cl_program, void *),
                                                        void *user_data) {
    if (!object_is(program, OBJECT_PROGRAM))
        return HANDLE_FAIL(CL_INVALID_PROGRAM, "program", program);
    if (!pfn_notify)
        return API_FAIL(program->context, CL_INVALID_VALUE, "pfn_notify is NULL");
    return API_FAIL(program->context, CL_INVALID_OPERATION, "program-scope variables have no destructors");
}

WEIR_API cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id platform) {
    if (platform != &weir_platform)
        return API_FAIL(NULL, CL_INVALID_PLATFORM, "%p is not a platform of Weir", (void *)platform);
    compiler_unload();
    return CL_SUCCESS;
}

WEIR_API cl_int CL_API_CALL clUnloadCompiler(void) {
    compiler_unload();
    return CL_SUCCESS;
}
