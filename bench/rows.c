/* rows.c: what is measured: the demo's programs, launch and build costs. Runs in the measuring process. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_SAMPLES = 2000, PIPELINED = 1000 };
#define BLOCK_SECONDS 0.2

static const char build_source[] =
    "kernel void histogram(global const uint *in, global uint *out, uint n) {\n"
    "    local uint bins[64];\n"
    "    uint l = get_local_id(0);\n"
    "    uint size = get_local_size(0);\n"
    "    for (uint i = l; i < 64; i += size)\n"
    "        bins[i] = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "        uint x = in[i];\n"
    "        x ^= x >> 16;\n"
    "        x *= 0x7feb352du + NONCE;\n"
    "        x ^= x >> 15;\n"
    "        atomic_inc(&bins[x % 64]);\n"
    "    }\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = l; i < 64; i += size) {\n"
    "        if (bins[i])\n"
    "            atomic_add(&out[i], bins[i]);\n"
    "    }\n"
    "}\n";

double row_build(struct host *host, unsigned nonce) {
    enum { N = 4096 };
    char options[40];
    const char *source = build_source;
    size_t global = 1024, local = 64;
    cl_uint n = N;
    cl_int error;
    snprintf(options, sizeof options, "-DNONCE=%uu", nonce);
    cl_mem in = clCreateBuffer(host->context, CL_MEM_READ_WRITE, N * 4, NULL, &error);
    cl_mem out = clCreateBuffer(host->context, CL_MEM_READ_WRITE, 64 * 4, NULL, &error);
    host_check(error, "creating a buffer");
    double start = host_seconds();
    cl_program program = clCreateProgramWithSource(host->context, 1, &source, NULL, &error);
    host_check(error, "creating a program");
    host_check(clBuildProgram(program, 1, &host->device, options, NULL, NULL), "building a program");
    cl_kernel kernel = clCreateKernel(program, "histogram", &error);
    host_check(error, "creating a kernel");
    clSetKernelArg(kernel, 0, sizeof in, &in);
    clSetKernelArg(kernel, 1, sizeof out, &out);
    clSetKernelArg(kernel, 2, sizeof n, &n);
    host_check(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
               "launching a kernel");
    host_check(clFinish(host->queue), "running a kernel");
    double seconds = host_seconds() - start;
    clReleaseKernel(kernel);
    clReleaseProgram(program);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    return seconds;
}

static double measure_new_source(struct host *host) {
    static unsigned nonce;
    if (!nonce)
        nonce = (unsigned)getpid() * 1000;
    return row_build(host, nonce++);
}

static cl_kernel empty_kernel(struct host *host) {
    static cl_kernel kernel;
    cl_int error = CL_SUCCESS;
    if (!kernel)
        kernel = clCreateKernel(host->program, "empty", &error);
    host_check(error, "creating the empty kernel");
    return kernel;
}

static double measure_launches(struct host *host, int n) {
    size_t one = 1;
    cl_kernel kernel = empty_kernel(host);
    double start = host_seconds();
    for (int i = 0; i < n; i++)
        host_check(clEnqueueNDRangeKernel(host->queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
                   "launching the empty kernel");
    host_check(clFinish(host->queue), "running the empty kernel");
    return (host_seconds() - start) / n;
}

static double measure_latency(struct host *host) {
    return measure_launches(host, 1);
}

static double measure_pipelined(struct host *host) {
    return measure_launches(host, PIPELINED);
}

const struct row rows[] = {
    {"tree reduction, 1 Mi floats", ROW_JOB, 0, 1, NULL},
    {"tree reduction, 16 Mi floats", ROW_JOB, 0, 2, NULL},
    {"Hillis-Steele scan, 128 Ki uints", ROW_JOB, 1, 1, NULL},
    {"Hillis-Steele scan, 4 Mi uints", ROW_JOB, 1, 2, NULL},
    {"Blelloch scan, 128 Ki uints", ROW_JOB, 2, 1, NULL},
    {"Blelloch scan, 4 Mi uints", ROW_JOB, 2, 2, NULL},
    {"tiled matrix product, 256 x 256", ROW_JOB, 3, 1, NULL},
    {"tiled matrix product, 1024 x 1024", ROW_JOB, 3, 2, NULL},
    {"empty kernel, launch and finish", ROW_INSIDE, 0, 0, measure_latency},
    {"empty kernel, one of 1000 launches", ROW_INSIDE, 0, 0, measure_pipelined},
    {"build and launch, new process, no cache", ROW_COLD, 0, 0, NULL},
    {"build and launch, new source", ROW_INSIDE, 0, 0, measure_new_source},
    {"build and launch, new process, cached", ROW_CACHED, 0, 0, NULL},
};
const unsigned nrows = sizeof rows / sizeof *rows;

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double sample(struct host *host, const struct row *row, struct run *run) {
    if (row->kind == ROW_INSIDE)
        return row->measure(host);
    double start = host_seconds();
    run_once(run);
    return host_seconds() - start;
}

double row_block(struct host *host, const struct row *row) {
    static double samples[MAX_SAMPLES];
    struct run run;
    if (row->kind == ROW_JOB) {
        run_start(&run, host, &jobs[row->job], jobs[row->job].sizes[row->size]);
        run_once(&run);
        if (!run.job->verify(&run))
            exit(1);
    } else {
        sample(host, row, NULL); /* warms up */
    }
    int n = 0;
    double start = host_seconds();
    do
        samples[n++] = sample(host, row, &run);
    while (n < MAX_SAMPLES && host_seconds() - start < BLOCK_SECONDS);
    if (row->kind == ROW_JOB)
        run_end(&run);
    qsort(samples, n, sizeof *samples, by_value);
    return samples[n / 2];
}
