/* target.c: which platform and device the commands work on, and building programs for it.
 * In: a platform's name, a program file. Out: OpenCL objects; any failure ends the process with a message. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CODE(name) {name, #name}
static const struct {
    cl_int code;
    const char *name;
} codes[] = {
    CODE(CL_DEVICE_NOT_FOUND),
    CODE(CL_DEVICE_NOT_AVAILABLE),
    CODE(CL_COMPILER_NOT_AVAILABLE),
    CODE(CL_MEM_OBJECT_ALLOCATION_FAILURE),
    CODE(CL_OUT_OF_RESOURCES),
    CODE(CL_OUT_OF_HOST_MEMORY),
    CODE(CL_PROFILING_INFO_NOT_AVAILABLE),
    CODE(CL_BUILD_PROGRAM_FAILURE),
    CODE(CL_COMPILE_PROGRAM_FAILURE),
    CODE(CL_LINK_PROGRAM_FAILURE),
    CODE(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
    CODE(CL_KERNEL_ARG_INFO_NOT_AVAILABLE),
    CODE(CL_INVALID_VALUE),
    CODE(CL_INVALID_DEVICE),
    CODE(CL_INVALID_CONTEXT),
    CODE(CL_INVALID_BINARY),
    CODE(CL_INVALID_BUILD_OPTIONS),
    CODE(CL_INVALID_PROGRAM),
    CODE(CL_INVALID_PROGRAM_EXECUTABLE),
    CODE(CL_INVALID_KERNEL_NAME),
    CODE(CL_INVALID_KERNEL),
    CODE(CL_INVALID_ARG_INDEX),
    CODE(CL_INVALID_ARG_VALUE),
    CODE(CL_INVALID_ARG_SIZE),
    CODE(CL_INVALID_KERNEL_ARGS),
    CODE(CL_INVALID_WORK_DIMENSION),
    CODE(CL_INVALID_WORK_GROUP_SIZE),
    CODE(CL_INVALID_WORK_ITEM_SIZE),
    CODE(CL_INVALID_GLOBAL_OFFSET),
    CODE(CL_INVALID_BUFFER_SIZE),
    CODE(CL_INVALID_GLOBAL_WORK_SIZE),
    CODE(CL_INVALID_OPERATION),
    CODE(CL_INVALID_COMPILER_OPTIONS),
    CODE(CL_INVALID_LINKER_OPTIONS),
    CODE(CL_PLATFORM_NOT_FOUND_KHR),
};
#undef CODE

const char *cl_name(cl_int code) {
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++)
        if (codes[i].code == code)
            return codes[i].name;
    return "an OpenCL error";
}

void cl_must(cl_int code, const char *what) {
    if (code != CL_SUCCESS)
        die(EXIT_FAULT, "%s: %s (%d)", what, cl_name(code), code);
}

char *platform_string(cl_platform_id platform, cl_platform_info info) {
    size_t n = 0;
    if (clGetPlatformInfo(platform, info, 0, NULL, &n))
        return must_printf("?");
    char *text = must_alloc(n + 1);
    clGetPlatformInfo(platform, info, n, text, NULL);
    return text;
}

char *device_string(cl_device_id device, cl_device_info info) {
    size_t n = 0;
    if (clGetDeviceInfo(device, info, 0, NULL, &n))
        return must_printf("?");
    char *text = must_alloc(n + 1);
    clGetDeviceInfo(device, info, n, text, NULL);
    return text;
}

/* Beside the binary in a build tree, or where `make install` puts it for this prefix. */
char *target_icd_folder(void) {
    static const char *const places[] = {"", "/../etc/OpenCL/vendors"};
    char *directory = self_directory(), *found = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        char *folder = must_printf("%s%s", directory, places[i]), *path = must_printf("%s/weir.icd", folder);
        if (access(path, R_OK) == 0)
            found = folder;
        else
            free(folder);
        free(path);
    }
    free(directory);
    return found;
}

/* libweir.so of the installation that this binary is of: beside it, or in a prefix's or a tar ball's folder. */
static char *own_library(void) {
    static const char *const places[] = {"", "/../lib/weir"};
    char *directory = self_directory(), *found = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        char *path = must_printf("%s%s/libweir.so", directory, places[i]);
        found = realpath(path, NULL);
        free(path);
    }
    free(directory);
    return found;
}

static bool user_chose;

/* To a folder where there is one: it is all that Khronos' loader, which many Python wheels bring, takes. Else the library itself
 * for ocl-icd, by the first name, and for Khronos' loader by the second one; it finds no folder then, and nothing else. */
void target_point_loader(void) {
    const char *chosen = getenv("OCL_ICD_VENDORS");
    user_chose = chosen && *chosen;
    if (user_chose)
        return;
    char *folder = target_icd_folder(), *library = folder ? NULL : own_library();
    if (folder)
        setenv("OCL_ICD_VENDORS", folder, 1);
    if (library) {
        setenv("OCL_ICD_VENDORS", library, 1);
        setenv("OCL_ICD_FILENAMES", library, 1);
    }
    free(folder);
    free(library);
}

char *target_unused(void) {
    return user_chose
               ? must_printf("; OCL_ICD_VENDORS=%s says which platforms it finds: without that it would "
                             "find Weir alone",
                             getenv("OCL_ICD_VENDORS"))
               : must_printf("%s", "");
}

static _Noreturn void no_platform(const char *name, const cl_platform_id *platforms, cl_uint n) {
    struct buf list = {0};
    for (cl_uint i = 0; i < n; i++)
        buf_printf(&list, "\n  %s", platform_string(platforms[i], CL_PLATFORM_NAME));
    const char *vendors = getenv("OCL_ICD_VENDORS");
    die(EXIT_FAULT, "no OpenCL platform '%s'; %s%s\nICD files are read from %s%s", name,
        n ? "there is:" : "there is none at all.", n ? buf_cstr(&list) : "",
        vendors ? vendors : "/etc/OpenCL/vendors", vendors ? " (OCL_ICD_VENDORS)" : "");
}

struct target target_open(const char *name) {
    struct target target = {0};
    if (!name)
        name = "Weir";
    if (!strcasecmp(name, "weir"))
        target_point_loader();
    cl_platform_id platforms[64];
    cl_uint n = 0;
    if (clGetPlatformIDs(64, platforms, &n) != CL_SUCCESS)
        n = 0;
    n = n > 64 ? 64 : n;
    for (cl_uint i = 0; i < n && !target.platform; i++) {
        char *found = platform_string(platforms[i], CL_PLATFORM_NAME);
        if (strcasestr(found, name)) {
            target.platform = platforms[i];
            target.is_weir = !strcmp(found, "Weir");
        }
        free(found);
    }
    if (!target.platform)
        no_platform(name, platforms, n);
    cl_must(clGetDeviceIDs(target.platform, CL_DEVICE_TYPE_ALL, 1, &target.device, NULL), "finding a device");
    return target;
}

static bool is_building;
static char *said; /* of the build, for where its log is empty */

static void CL_CALLBACK context_said(const char *message, const void *bytes, size_t n, void *user) {
    if (!is_building) {
        fprintf(stderr, "weir: %s\n", message);
        return;
    }
    free(said);
    said = must_printf("%s", message);
}

void target_context(struct target *target) {
    cl_int error;
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)target->platform, 0};
    target->context = clCreateContext(properties, 1, &target->device, context_said, NULL, &error);
    cl_must(error, "creating a context");
}

/* Errors, or warnings: each once. */
static void show_log(cl_program program, cl_device_id device) {
    size_t n = 0;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &n);
    char *log = must_alloc(n + 1);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, n, log, NULL);
    n = strlen(log);
    if (n)
        fprintf(stderr, "%s%s", log, log[n - 1] == '\n' ? "" : "\n");
    else if (said)
        fprintf(stderr, "weir: %s\n", said);
    free(log);
}

static bool is_source(const char *path) {
    const char *dot = strrchr(path, '.');
    return !dot || strcmp(dot, ".weir") != 0;
}

cl_program target_build(const struct target *target, const char *path, const char *options) {
    struct buf file = {0};
    if (!read_file(path, &file))
        die(EXIT_FAULT, "cannot read %s: %s", path, strerror(errno));
    cl_int error;
    cl_program program;
    if (source_is_spirv(file.data, file.size)) {
        program = clCreateProgramWithIL(target->context, file.data, file.size, &error);
        if (error == CL_INVALID_VALUE)
            die(EXIT_FAULT, "%s is no SPIR-V module of version 1.0 to 1.6", path);
    } else if (is_source(path)) {
        struct buf named = {0};
        buf_source(&named, path, file.data, file.size);
        const char *text = buf_cstr(&named);
        program = clCreateProgramWithSource(target->context, 1, &text, &named.size, &error);
        buf_free(&named);
    } else {
        const unsigned char *bytes = file.data;
        program =
            clCreateProgramWithBinary(target->context, 1, &target->device, &file.size, &bytes, NULL, &error);
        if (error == CL_INVALID_BINARY || error == CL_INVALID_VALUE)
            die(EXIT_FAULT, "%s is not a program binary of this device; make one with `weir compile`", path);
    }
    cl_must(error, "creating the program");
    buf_free(&file);
    is_building = true;
    error = clBuildProgram(program, 1, &target->device, options, NULL, NULL);
    is_building = false;
    show_log(program, target->device);
    if (error != CL_SUCCESS)
        die(EXIT_FAULT, "%s does not build: %s (%d)", path, cl_name(error), error);
    return program;
}
