/* learn.h: what the examples share: a device, a queue, building a program with its log, and an end at the first error. */
#ifndef LEARN_H
#define LEARN_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

static inline void must(cl_int error, const char *what) {
    if (error) {
        fprintf(stderr, "%s: error %d\n", what, error);
        exit(1);
    }
}
#define MUST(call) must(call, #call)

/* The first device of the first platform: OCL_ICD_VENDORS chooses which. */
static inline void start(void) {
    cl_platform_id platform;
    cl_int error;
    MUST(clGetPlatformIDs(1, &platform, NULL));
    MUST(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
    must(error, "clCreateContext");
    queue = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    must(error, "clCreateCommandQueueWithProperties");
}

/* A kernel of a program; if that doesn't build, the log says why. */
static inline cl_kernel kernel_of(const char *source, const char *options, const char *name) {
    cl_int error;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &error);
    must(error, "clCreateProgramWithSource");
    if ((error = clBuildProgram(program, 1, &device, options, NULL, NULL))) {
        char log[10000] = "";
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fputs(log, stderr);
    }
    must(error, "clBuildProgram");
    cl_kernel kernel = clCreateKernel(program, name, &error);
    must(error, "clCreateKernel");
    clReleaseProgram(program); /* the kernel holds it */
    return kernel;
}

/* With contents, or empty. */
static inline cl_mem buffer_of(size_t bytes, void *contents) {
    cl_int error;
    cl_mem mem = clCreateBuffer(context, contents ? CL_MEM_COPY_HOST_PTR : 0, bytes, contents, &error);
    must(error, "clCreateBuffer");
    return mem;
}

static inline void argument(cl_kernel kernel, cl_uint index, size_t bytes, const void *value) {
    must(clSetKernelArg(kernel, index, bytes, value), "clSetKernelArg");
}

static inline void launch(cl_kernel kernel, size_t global, size_t local) {
    must(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
         "clEnqueueNDRangeKernel");
}

/* Waits for all that was enqueued before. */
static inline void read_back(cl_mem mem, size_t bytes, void *to) {
    must(clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, bytes, to, 0, NULL, NULL), "clEnqueueReadBuffer");
}

static inline int verdict(const char *what, int is_right) {
    printf("%s: %s\n", what, is_right ? "right" : "WRONG");
    return !is_right;
}

#endif
