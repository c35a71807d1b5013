/* host.c: platform, device and program for the demo and the benchmarks. */
#define _GNU_SOURCE
#include "host.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

__asm__(".section .rodata\n.globl demo_source\ndemo_source: .incbin \"" DEMO_CL "\"\n.byte 0\n.previous");

double host_seconds(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void host_check(cl_int error, const char *what) {
    if (error == CL_SUCCESS)
        return;
    fprintf(stderr, "demo: %s failed with OpenCL error %d\n", what, error);
    exit(1);
}

static void find_platform(struct host *host, const char *wanted) {
    cl_platform_id platforms[64];
    cl_uint n = 0;
    if (clGetPlatformIDs(64, platforms, &n) != CL_SUCCESS)
        n = 0;
    for (cl_uint i = 0; i < n && i < 64; i++) {
        char *name = host->platform_name;
        host_check(clGetPlatformInfo(platforms[i], CL_PLATFORM_NAME, sizeof host->platform_name, name, NULL),
                   "asking for a platform's name");
        if (!wanted || strcasestr(name, wanted)) {
            host->platform = platforms[i];
            return;
        }
    }
    fprintf(stderr, "demo: none of the %u OpenCL platforms is called '%s' (OCL_ICD_VENDORS=%s)\n", n,
            wanted ? wanted : "", getenv("OCL_ICD_VENDORS") ? getenv("OCL_ICD_VENDORS") : "");
    exit(1);
}

static void build(struct host *host) {
    const char *source = demo_source;
    cl_int error;
    double start = host_seconds();
    host->program = clCreateProgramWithSource(host->context, 1, &source, NULL, &error);
    host_check(error, "creating the program");
    error = clBuildProgram(host->program, 1, &host->device, "", NULL, NULL);
    host->build_seconds = host_seconds() - start;
    if (error == CL_SUCCESS)
        return;
    static char log[65536];
    clGetProgramBuildInfo(host->program, host->device, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    fputs(log, stderr);
    host_check(error, "building demo.cl");
}

void host_open_bare(struct host *host, const char *platform) {
    cl_int error;
    memset(host, 0, sizeof *host);
    find_platform(host, platform);
    host_check(clGetDeviceIDs(host->platform, CL_DEVICE_TYPE_ALL, 1, &host->device, NULL),
               "finding a device");
    clGetPlatformInfo(host->platform, CL_PLATFORM_VERSION, sizeof host->platform_version,
                      host->platform_version, NULL);
    clGetDeviceInfo(host->device, CL_DEVICE_NAME, sizeof host->device_name, host->device_name, NULL);
    clGetDeviceInfo(host->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof(cl_uint), &host->compute_units, NULL);
    host->context = clCreateContext(NULL, 1, &host->device, NULL, NULL, &error);
    host_check(error, "creating a context");
    host->queue = clCreateCommandQueueWithProperties(host->context, host->device, NULL, &error);
    host_check(error, "creating a queue");
}

void host_open(struct host *host, const char *platform) {
    host_open_bare(host, platform);
    build(host);
}

void host_close(struct host *host) {
    if (host->program)
        clReleaseProgram(host->program);
    clReleaseCommandQueue(host->queue);
    clReleaseContext(host->context);
}
