/* litmus.h: runs two-thread memory-model tests as two work-groups of one launch.
 *
 * In: a table of struct litmus, each with the OpenCL C bodies of both groups. Out: litmus_main's exit code, 1 if
 * a forbidden outcome was seen. Each round has memory cells of its own. The groups meet before each round; a group
 * that waits in vain (they may run one after the other) stops waiting for the rest of its launch, so that every
 * schedule ends; a test goes on until they met often enough, or until its share of the program's time is used up:
 * on a machine whose cores others use, groups seldom meet. The bodies see c (the round's cell), r (the round), l
 * (the local id) and the arrays x, y, data, r0, r1; results go to r0[r] and r1[r].
 * 10^5 rounds together, or 10^4 with WEIR_TEST_QUICK; LITMUS_ROUNDS overrides the number, which the program's time follows.
 */
#ifndef WEIR_TEST_LITMUS_H
#define WEIR_TEST_LITMUS_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct litmus {
    const char *name;
    const char *body[2]; /* OpenCL C statements of group 0 and group 1 */
    int forbidden[2];    /* values of r0 and r1 that must not meet */
    unsigned items;      /* work-items per group, at most LITMUS_ITEMS */
    bool informational;  /* the outcome is allowed: only count it */
};

enum { LITMUS_STRIDE = 16, LITMUS_ITEMS = 16, LITMUS_CHUNK = 2000, LITMUS_ARRAYS = 6, LITMUS_PACE = 6000 };

struct litmus_run {
    cl_device_id device;
    cl_context context;
    cl_command_queue queue;
    cl_kernel kernel;
    bool svm;
    void *memory[LITMUS_ARRAYS]; /* x, y, data, r0, r1, at: cl_mem or SVM pointers */
};

static const size_t litmus_bytes[LITMUS_ARRAYS] = {LITMUS_CHUNK * LITMUS_STRIDE * 4,
                                                   LITMUS_CHUNK * LITMUS_STRIDE * 4,
                                                   LITMUS_CHUNK * LITMUS_STRIDE * 4,
                                                   LITMUS_CHUNK * 4,
                                                   LITMUS_CHUNK * 4,
                                                   4 * LITMUS_STRIDE * 4};

static const char litmus_source[] =
    "kernel void k(volatile global atomic_int *x, volatile global atomic_int *y, global int *data, global "
    "int *r0,\n"
    "              global int *r1, volatile global atomic_uint *at, uint rounds) {\n"
    "    uint me = get_group_id(0), l = get_local_id(0), met = 0, alone = 0;\n"
    "    for (uint r = 0; r < rounds; r++) {\n"
    "        size_t c = r * STRIDE;\n"
    "        if (l == 0) {\n"
    "            uint tries = 0;\n"
    "            atomic_store_explicit(&at[me * STRIDE], r + 1, memory_order_relaxed, memory_scope_device);\n"
    "            while (!alone && atomic_load_explicit(&at[!me * STRIDE], memory_order_relaxed,\n"
    "                                                  memory_scope_device) < r + 1)\n"
    "                alone = ++tries == 1000000;\n"
    "            met += !alone;\n"
    "        }\n"
    "        if (me == 0) {\n"
    "            %s\n"
    "        } else {\n"
    "            %s\n"
    "        }\n"
    "    }\n"
    "    if (l == 0)\n"
    "        atomic_store_explicit(&at[(2 + me) * STRIDE], met, memory_order_relaxed, memory_scope_device);\n"
    "}\n";

static void litmus_check(cl_int error, const char *what) {
    if (error) {
        printf("%s: error %d\n", what, error);
        exit(1);
    }
}

static void litmus_open(struct litmus_run *run) {
    cl_platform_id platform;
    cl_int error;
    litmus_check(clGetPlatformIDs(1, &platform, NULL), "clGetPlatformIDs");
    litmus_check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &run->device, NULL), "clGetDeviceIDs");
    run->context = clCreateContext(NULL, 1, &run->device, NULL, NULL, &error);
    litmus_check(error, "clCreateContext");
    run->queue = clCreateCommandQueueWithProperties(run->context, run->device, NULL, &error);
    litmus_check(error, "clCreateCommandQueueWithProperties");
}

static void litmus_build(struct litmus_run *run, const struct litmus *test) {
    static char source[8192], log[8192];
    const char *text = source;
    char options[128];
    cl_int error;
    snprintf(source, sizeof source, litmus_source, test->body[0], test->body[1]);
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DSTRIDE=%d", LITMUS_STRIDE);
    cl_program program = clCreateProgramWithSource(run->context, 1, &text, NULL, &error);
    litmus_check(error, "clCreateProgramWithSource");
    error = clBuildProgram(program, 1, &run->device, options, NULL, NULL);
    if (error) {
        clGetProgramBuildInfo(program, run->device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s: the build fails:\n%s", test->name, log);
        exit(1);
    }
    run->kernel = clCreateKernel(program, "k", &error);
    litmus_check(error, "clCreateKernel");
    clReleaseProgram(program);
}

static void litmus_allocate(struct litmus_run *run) {
    cl_int error = 0;
    for (cl_uint a = 0; a < LITMUS_ARRAYS; a++) {
        if (run->svm) {
            run->memory[a] = clSVMAlloc(run->context, CL_MEM_READ_WRITE, litmus_bytes[a], 128);
            litmus_check(run->memory[a] ? 0 : CL_OUT_OF_RESOURCES, "clSVMAlloc");
            error = clSetKernelArgSVMPointer(run->kernel, a, run->memory[a]);
        } else {
            run->memory[a] = clCreateBuffer(run->context, CL_MEM_READ_WRITE, litmus_bytes[a], NULL, &error);
            litmus_check(error, "clCreateBuffer");
            error = clSetKernelArg(run->kernel, a, sizeof(cl_mem), &run->memory[a]);
        }
        litmus_check(error, "clSetKernelArg");
    }
}

static void litmus_zero(struct litmus_run *run) {
    static const cl_int zero;
    for (cl_uint a = 0; a < LITMUS_ARRAYS; a++)
        litmus_check(run->svm ? clEnqueueSVMMemFill(run->queue, run->memory[a], &zero, 4, litmus_bytes[a], 0,
                                                    NULL, NULL)
                              : clEnqueueFillBuffer(run->queue, run->memory[a], &zero, 4, 0, litmus_bytes[a],
                                                    0, NULL, NULL),
                     "filling");
}

static void litmus_read(struct litmus_run *run, cl_uint a, void *out) {
    litmus_check(run->svm ? clEnqueueSVMMemcpy(run->queue, CL_TRUE, out, run->memory[a], litmus_bytes[a], 0,
                                               NULL, NULL)
                          : clEnqueueReadBuffer(run->queue, run->memory[a], CL_TRUE, 0, litmus_bytes[a], out,
                                                0, NULL, NULL),
                 "reading");
}

static void litmus_close(struct litmus_run *run) {
    for (cl_uint a = 0; a < LITMUS_ARRAYS; a++)
        if (run->svm)
            clSVMFree(run->context, run->memory[a]);
        else
            clReleaseMemObject(run->memory[a]);
    clReleaseKernel(run->kernel);
}

static double litmus_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Runs one test until the time end; false if the forbidden outcome was seen. *together counts the rounds where the
 * groups met. */
static bool litmus_test(struct litmus_run *run, const struct litmus *test, unsigned long rounds, double end,
                        unsigned long *together) {
    static cl_int r0[LITMUS_CHUNK], r1[LITMUS_CHUNK], at[4 * LITMUS_STRIDE];
    unsigned long seen = 0, met = 0, done = 0;
    cl_uint n = LITMUS_CHUNK;
    size_t local = test->items, global = 2 * local;
    litmus_build(run, test);
    litmus_allocate(run);
    litmus_check(clSetKernelArg(run->kernel, LITMUS_ARRAYS, sizeof n, &n), "clSetKernelArg");
    for (; !done || (met < rounds && litmus_seconds() < end); done += n) {
        litmus_zero(run);
        litmus_check(clEnqueueNDRangeKernel(run->queue, run->kernel, 1, NULL, &global, &local, 0, NULL, NULL),
                     "clEnqueueNDRangeKernel");
        litmus_read(run, 3, r0);
        litmus_read(run, 4, r1);
        litmus_read(run, 5, at);
        for (cl_uint r = 0; r < n; r++)
            seen += r0[r] == test->forbidden[0] && r1[r] == test->forbidden[1];
        cl_int a = at[2 * LITMUS_STRIDE], b = at[3 * LITMUS_STRIDE];
        met += (unsigned long)(a < b ? a : b);
    }
    litmus_close(run);
    *together += met;
    printf("%-48s %s: outcome r0=%d r1=%d seen %lu times in %lu rounds, %lu of them together%s\n", test->name,
           run->svm ? "svm   " : "buffer", test->forbidden[0], test->forbidden[1], seen, done, met,
           test->informational ? " (allowed)" : "");
    return test->informational || seen == 0;
}

/* Runs all tests through buffers and through shared virtual memory. */
static int litmus_main(const struct litmus *tests, size_t n) {
    struct litmus_run run = {.svm = false};
    const char *given = getenv("LITMUS_ROUNDS");
    bool quick = getenv("WEIR_TEST_QUICK") != NULL;
    unsigned long rounds = given ? strtoul(given, NULL, 10) : quick ? 10000 : 100000, together = 0;
    cl_uint units = 0;
    bool good = true;
    litmus_open(&run);
    clGetDeviceInfo(run.device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
    double last = litmus_seconds() + 5 + (double)rounds / LITMUS_PACE; /* 22 seconds, or 7 */
    for (size_t t = 0; t < 2 * n; t++) { /* each takes an equal share of what the tests before it left */
        double now = litmus_seconds();
        run.svm = t >= n;
        good &= litmus_test(&run, &tests[t % n], rounds, now + (last - now) / (double)(2 * n - t), &together);
    }
    clReleaseCommandQueue(run.queue);
    clReleaseContext(run.context);
    if (!good)
        printf("a forbidden outcome was seen\n");
    if (units > 1 && !together)
        printf("the groups never ran at the same time: nothing was tested\n");
    return good && (units < 2 || together) ? 0 : 1;
}

#endif
