/* device.c: see device.h. */
#include "device.h"

#include "session.h"
#include <string.h>

struct opened cl;

void must(cl_int error, const char *what) {
    if (error) {
        printf("%s: error %d\n", what, error);
        exit(1);
    }
}

void device_find(void) {
    char name[100] = "", version[100] = "", model[200] = "";
    must(clGetPlatformIDs(1, &cl.platform, NULL), "clGetPlatformIDs");
    must(clGetDeviceIDs(cl.platform, CL_DEVICE_TYPE_ALL, 1, &cl.device, NULL), "clGetDeviceIDs");
    clGetPlatformInfo(cl.platform, CL_PLATFORM_NAME, sizeof name, name, NULL);
    clGetPlatformInfo(cl.platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
    clGetDeviceInfo(cl.device, CL_DEVICE_NAME, sizeof model, model, NULL);
    if (child_number() <= 1)
        printf("%s, %s, %s\n", name, version, model);
    if (strcmp(name, "Weir") && !number_from("FUZZ_ANY_PLATFORM", 0)) {
        printf("this isn't Weir: OCL_ICD_VENDORS=build/weir.icd chooses it\n");
        exit(1);
    }
}

void device_open(void) {
    cl_int error;
    device_find();
    cl.context = clCreateContext(NULL, 1, &cl.device, NULL, NULL, &error);
    must(error, "clCreateContext");
    cl.queue = clCreateCommandQueueWithProperties(cl.context, cl.device, NULL, &error);
    must(error, "clCreateCommandQueueWithProperties");
}

void device_close(void) {
    must(clReleaseCommandQueue(cl.queue), "clReleaseCommandQueue");
    must(clReleaseContext(cl.context), "clReleaseContext");
}

cl_program program_new(const char *text, const char *options, bool quiet) {
    cl_int error;
    cl_program program = clCreateProgramWithSource(cl.context, 1, &text, NULL, &error);
    must(error, "clCreateProgramWithSource");
    return program_build(program, options, quiet);
}

cl_program program_build(cl_program program, const char *options, bool quiet) {
    static char log[1 << 14];
    if (!clBuildProgram(program, 1, &cl.device, options, NULL, NULL))
        return program;
    clGetProgramBuildInfo(program, cl.device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    if (!quiet)
        printf("%s\n", log);
    clReleaseProgram(program);
    return NULL;
}

cl_mem buffer_new(size_t bytes, const void *content) {
    cl_int error;
    cl_mem buffer =
        clCreateBuffer(cl.context, content ? CL_MEM_COPY_HOST_PTR : 0, bytes, (void *)content, &error);
    must(error, "clCreateBuffer");
    return buffer;
}
