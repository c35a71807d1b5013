/* program_info.c: clGetProgramInfo and clGetProgramBuildInfo. */
#include "rt.h"

#include <stdlib.h>
#include <string.h>

static cl_int devices(cl_program p, struct info_out out) {
    cl_device_id *list = calloc(p->ndevices, sizeof *list);
    if (!list)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < p->ndevices; i++)
        list[i] = p->devices[i].device;
    cl_int e = info_bytes(out, list, p->ndevices * sizeof *list);
    free(list);
    return e;
}

/* The program as bytes, made at the first query and kept: the size told and the bytes copied agree, even
 * if kernels are compiled in between. Empty: the program has no binary. */
static cl_int freeze_locked(cl_program p) {
    if (p->build && !p->binary.size) {
        binary_write(&p->binary, p->build, p->binary_type, p->options);
        if (p->binary.failed) {
            buf_free(&p->binary);
            return CL_OUT_OF_HOST_MEMORY;
        }
    }
    return CL_SUCCESS;
}

/* A binary that was loaded is there before any build; other devices have what was built for them. */
static bool has_binary_locked(cl_program p, cl_uint device) {
    return p->build && (p->from_binary || p->devices[device].status == CL_BUILD_SUCCESS);
}

static cl_int binary_sizes_locked(cl_program p, struct info_out out) {
    cl_int e = freeze_locked(p);
    size_t *sizes = e ? NULL : calloc(p->ndevices, sizeof *sizes);
    if (!sizes)
        return CL_OUT_OF_HOST_MEMORY;
    for (cl_uint i = 0; i < p->ndevices; i++)
        sizes[i] = has_binary_locked(p, i) ? p->binary.size : 0;
    e = info_bytes(out, sizes, p->ndevices * sizeof *sizes);
    free(sizes);
    return e;
}

static cl_int binaries_locked(cl_program p, struct info_out out) {
    size_t n = p->ndevices * sizeof(unsigned char *);
    if (!out.value || out.size < n) /* no bytes go anywhere */
        return info_bytes(out, NULL, n);
    if (out.size_ret)
        *out.size_ret = n;
    cl_int e = freeze_locked(p);
    unsigned char **targets = out.value;
    for (cl_uint i = 0; i < p->ndevices && !e; i++)
        if (targets[i] && has_binary_locked(p, i))
            memcpy(targets[i], p->binary.data, p->binary.size);
    return e;
}

static cl_int binary_query(cl_program p, cl_program_info name, struct info_out out) {
    pthread_mutex_lock(&p->lock);
    program_wait_locked(p);
    cl_int e = name == CL_PROGRAM_BINARIES ? binaries_locked(p, out) : binary_sizes_locked(p, out);
    pthread_mutex_unlock(&p->lock);
    return e;
}

static cl_int kernel_names(const struct build *b, struct info_out out) {
    struct buf names = {0};
    for (uint32_t i = 0; i < build_nkernels(b); i++)
        buf_printf(&names, "%s%s", i ? ";" : "", b->meta.kernels[i].name);
    char *text = buf_cstr(&names);
    cl_int e = text ? info_string(out, text) : CL_OUT_OF_HOST_MEMORY;
    buf_free(&names);
    return e;
}

/* What only an executable can tell. */
static cl_int executable_query(cl_program p, cl_program_info name, struct info_out out) {
    struct build *b = program_executable(p);
    if (!b)
        return CL_INVALID_PROGRAM_EXECUTABLE;
    cl_int e = name == CL_PROGRAM_NUM_KERNELS    ? info_size(out, build_nkernels(b))
               : name == CL_PROGRAM_KERNEL_NAMES ? kernel_names(b, out)
               : name == CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT
                   ? info_uint(out, b->meta.has_constructors ? CL_TRUE : CL_FALSE)
                   : info_uint(out, CL_FALSE); /* destructors of program-scope objects never run */
    build_drop(b);
    return e;
}

static cl_int program_query(cl_program p, cl_program_info name, struct info_out out) {
    switch (name) {
    case CL_PROGRAM_REFERENCE_COUNT:
        return info_uint(out, atomic_load(&p->object.refs));
    case CL_PROGRAM_CONTEXT:
        return info_pointer(out, p->context);
    case CL_PROGRAM_NUM_DEVICES:
        return info_uint(out, p->ndevices);
    case CL_PROGRAM_DEVICES:
        return devices(p, out);
    case CL_PROGRAM_SOURCE:
        return info_string(out, p->source ? p->source : "");
    case CL_PROGRAM_IL:
        return info_bytes(out, p->il, p->il ? p->il_size : 0);
    case CL_PROGRAM_BINARY_SIZES:
    case CL_PROGRAM_BINARIES:
        return binary_query(p, name, out);
    case CL_PROGRAM_NUM_KERNELS:
    case CL_PROGRAM_KERNEL_NAMES:
    case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
    case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
        return executable_query(p, name, out);
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name,
                                             size_t param_value_size, void *param_value,
                                             size_t *param_value_size_ret) {
    if (!object_is(program, OBJECT_PROGRAM))
        return HANDLE_FAIL(CL_INVALID_PROGRAM, "program", program);
    cl_int e = program_query(program, param_name, INFO_OUT);
    return e ? INFO_FAIL(program->context, e) : e;
}

static cl_int build_query_locked(cl_program p, const struct program_device *d, cl_program_build_info name,
                                 struct info_out out) {
    bool none = d->status == CL_BUILD_NONE;
    switch (name) {
    case CL_PROGRAM_BUILD_STATUS:
        return info_bytes(out, &d->status, sizeof d->status);
    case CL_PROGRAM_BUILD_OPTIONS:
        return info_string(out, none || !p->options ? "" : p->options);
    case CL_PROGRAM_BUILD_LOG:
        return info_string(out, none || !p->log ? "" : p->log);
    case CL_PROGRAM_BINARY_TYPE: {
        cl_program_binary_type type =
            has_binary_locked(p, (cl_uint)(d - p->devices)) ? p->binary_type : CL_PROGRAM_BINARY_TYPE_NONE;
        return info_bytes(out, &type, sizeof type);
    }
    case CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE:
        return info_size(out, p->build && !none ? (size_t)p->build->meta.globals_bytes : 0);
    default:
        return CL_INVALID_VALUE;
    }
}

WEIR_API cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                                  cl_program_build_info param_name, size_t param_value_size,
                                                  void *param_value, size_t *param_value_size_ret) {
    if (!object_is(program, OBJECT_PROGRAM))
        return HANDLE_FAIL(CL_INVALID_PROGRAM, "program", program);
    struct program_device *d = program_device(program, device);
    if (!d)
        return API_FAIL(program->context, CL_INVALID_DEVICE, "the device is not of the program");
    pthread_mutex_lock(&program->lock);
    cl_int e = build_query_locked(program, d, param_name, INFO_OUT);
    pthread_mutex_unlock(&program->lock);
    return e ? INFO_FAIL(program->context, e) : e;
}
