/* hosts.h: a build that is one, for hosts that make it hard. */
#ifndef HOSTS_H
#define HOSTS_H

#include "api.h"

/* A program that no cache knows: builds, runs once, and gives what the kernel wrote. */
static cl_int build_new(int value) {
    static int serial;
    char source[256];
    snprintf(source, sizeof source, "// %d %d\nkernel void k(global int *p) { *p = %d; }", (int)getpid(),
             serial++, value);
    cl_program program = program_of(source);
    cl_int code = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    if (!code) {
        cl_kernel kernel = MADE(clCreateKernel(program, "k", &error));
        cl_mem mem = buffer_of(0, 4, NULL);
        int back = 0;
        OK(clSetKernelArg(kernel, 0, sizeof mem, &mem));
        OK(run_1d(kernel, 1, 1));
        OK(clEnqueueReadBuffer(cl.queue, mem, CL_TRUE, 0, 4, &back, 0, NULL, NULL));
        assert_int_equal(back, value);
        OK(clReleaseMemObject(mem));
        OK(clReleaseKernel(kernel));
    }
    OK(clReleaseProgram(program));
    return code;
}

#endif
