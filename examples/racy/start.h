/* start.h: what the examples of commands share: a context of Weir's device, a program, and an end at the first error. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 1 << 16 };
static cl_context context;
static cl_device_id device;

static inline void must(cl_int error, const char *what) {
    if (error) {
        fprintf(stderr, "%s failed: %d\n", what, error);
        exit(2);
    }
}
#define MUST(call) must(call, #call)

static inline cl_command_queue new_queue(void) {
    cl_int error;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    must(error, "clCreateCommandQueueWithProperties");
    return queue;
}

static inline cl_kernel new_kernel(const char *source, const char *name) {
    cl_int error;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    must(error, "clCreateProgramWithSource");
    MUST(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, name, &error);
    must(error, "clCreateKernel");
    return kernel;
}

/* Whether the command line asks for the wrong variant; opens the first device. */
static inline int start(int argc, char **argv) {
    cl_platform_id platform;
    cl_int error;
    if (argc != 2 || (strcmp(argv[1], "wrong") && strcmp(argv[1], "right"))) {
        fprintf(stderr, "usage: %s wrong|right\n", argv[0]);
        exit(2);
    }
    MUST(clGetPlatformIDs(1, &platform, NULL));
    MUST(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    must(error, "clCreateContext");
    return !strcmp(argv[1], "wrong");
}
