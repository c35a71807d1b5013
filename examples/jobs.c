/* jobs.c: the demo's jobs: a tree reduction, two scans, a tiled matrix product, each verified against plain C. */
#include "host.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 256, TILE = 16, REDUCE_GROUPS = 256 };

static void *allocate(size_t n) {
    void *p = malloc(n);
    if (!p) {
        fprintf(stderr, "demo: out of memory\n");
        exit(1);
    }
    return p;
}

static uint32_t random_next(uint32_t *state) { /* xorshift32 */
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

static cl_mem buffer(struct run *run, size_t bytes, void *contents) {
    cl_int error;
    cl_mem mem = clCreateBuffer(run->host->context, CL_MEM_READ_WRITE | (contents ? CL_MEM_COPY_HOST_PTR : 0),
                                bytes, contents, &error);
    host_check(error, "creating a buffer");
    return mem;
}

/* Floats in [0, 1), or any integers, in a buffer and on the host. */
static void make_input(struct run *run, unsigned i, size_t n, bool is_float) {
    uint32_t state = 2463534242u + i;
    uint32_t *words = run->input[i] = allocate(n * 4);
    for (size_t k = 0; k < n; k++) {
        words[k] = random_next(&state);
        if (is_float)
            ((float *)run->input[i])[k] = (float)(words[k] >> 8) / (1 << 24);
    }
    run->in[i] = buffer(run, n * 4, words);
}

static void *read_back(struct run *run, cl_mem mem, size_t bytes) {
    void *data = allocate(bytes);
    host_check(clEnqueueReadBuffer(run->host->queue, mem, CL_TRUE, 0, bytes, data, 0, NULL, NULL),
               "reading a result");
    return data;
}

/* A kernel with its buffers and, last, the count `n`. */
static cl_kernel kernel(struct run *run, const char *name, unsigned nmems, const cl_mem *mems, size_t n) {
    cl_int error;
    cl_kernel k = clCreateKernel(run->host->program, name, &error);
    host_check(error, name);
    cl_uint count = (cl_uint)n;
    for (unsigned i = 0; i < nmems; i++)
        host_check(clSetKernelArg(k, i, sizeof *mems, &mems[i]), name);
    host_check(clSetKernelArg(k, nmems, sizeof count, &count), name);
    return k;
}

static void launch(struct run *run, cl_kernel k, unsigned dim, size_t gx, size_t lx) {
    size_t global[] = {gx, gx}, local[] = {lx, lx};
    host_check(clEnqueueNDRangeKernel(run->host->queue, k, dim, NULL, global, local, 0, NULL, NULL),
               "launching a kernel");
}

static bool wrong(const struct run *run, size_t i, double got, double expected) {
    fprintf(stderr, "demo: %s of %zu: element %zu is %.9g, should be %.9g\n", run->job->name, run->size, i,
            got, expected);
    return false;
}

/* ---- tree reduction -------------------------------------------------------------------------------------- */

static double reduce_work(size_t n) {
    return 4.0 * (double)n;
}

static void reduce_start(struct run *run) {
    make_input(run, 0, run->size, true);
    run->sums[0] = buffer(run, REDUCE_GROUPS * 4, NULL);
    run->out[0] = buffer(run, 4, NULL);
    run->kernels[0] = kernel(run, "reduce", 2, (cl_mem[]){run->in[0], run->sums[0]}, run->size);
    run->kernels[1] = kernel(run, "reduce", 2, (cl_mem[]){run->sums[0], run->out[0]}, REDUCE_GROUPS);
}

static void reduce_enqueue(struct run *run) {
    launch(run, run->kernels[0], 1, (size_t)REDUCE_GROUPS * BLOCK, BLOCK);
    launch(run, run->kernels[1], 1, BLOCK, BLOCK);
}

static bool reduce_verify(struct run *run) {
    const float *in = run->input[0];
    double expected = 0;
    for (size_t i = 0; i < run->size; i++)
        expected += in[i];
    float *sum = read_back(run, run->out[0], 4), got = *sum;
    free(sum);
    return fabs(got - expected) <= 1e-5 * expected || wrong(run, 0, got, expected);
}

/* ---- scans -------------------------------------------------------------------------------------------------- */

static double scan_work(size_t n) {
    return 8.0 * (double)n; /* each element once read, once written: what any scan must move */
}

/* Level 0 scans the input by blocks, level k + 1 the block sums of level k, until one block is left. */
static void scan_start(struct run *run, const char *name) {
    make_input(run, 0, run->size, false);
    size_t n = run->size;
    for (unsigned level = 0; run->levels == 0; level++) {
        size_t blocks = (n + BLOCK - 1) / BLOCK;
        run->counts[level] = n;
        run->out[level] = buffer(run, n * 4, NULL);
        run->sums[level] = buffer(run, blocks * 4, NULL);
        cl_mem mems[] = {level ? run->sums[level - 1] : run->in[0], run->out[level], run->sums[level]};
        run->kernels[level] = kernel(run, name, 3, mems, n);
        if (blocks == 1)
            run->levels = level + 1;
        n = blocks;
    }
    for (unsigned level = 0; level + 1 < run->levels; level++)
        run->kernels[MAX_LEVELS + level] =
            kernel(run, "scan_add", 2, (cl_mem[]){run->out[level], run->out[level + 1]}, run->counts[level]);
}

static void scan_start_hillis_steele(struct run *run) {
    scan_start(run, "scan_hillis_steele");
}

static void scan_start_blelloch(struct run *run) {
    scan_start(run, "scan_blelloch");
}

static void scan_enqueue(struct run *run, size_t local) {
    for (unsigned level = 0; level < run->levels; level++)
        launch(run, run->kernels[level], 1, (run->counts[level] + BLOCK - 1) / BLOCK * local, local);
    for (unsigned level = run->levels - 1; level-- > 0;)
        launch(run, run->kernels[MAX_LEVELS + level], 1, (run->counts[level] + BLOCK - 1) / BLOCK * BLOCK,
               BLOCK);
}

static void scan_enqueue_hillis_steele(struct run *run) {
    scan_enqueue(run, BLOCK);
}

static void scan_enqueue_blelloch(struct run *run) {
    scan_enqueue(run, BLOCK / 2);
}

static bool scan_verify(struct run *run) {
    const uint32_t *in = run->input[0];
    uint32_t *out = read_back(run, run->out[0], run->size * 4), sum = 0;
    bool ok = true;
    for (size_t i = 0; ok && i < run->size; i++) {
        sum += in[i];
        ok = out[i] == sum || wrong(run, i, out[i], sum);
    }
    free(out);
    return ok;
}

/* ---- matrix product ------------------------------------------------------------------------------------------- */

static double matrix_work(size_t n) {
    return 2.0 * (double)n * (double)n * (double)n;
}

static void matrix_start(struct run *run) {
    size_t n = run->size;
    make_input(run, 0, n * n, true);
    make_input(run, 1, n * n, true);
    run->out[0] = buffer(run, n * n * 4, NULL);
    run->kernels[0] = kernel(run, "matrix_product", 3, (cl_mem[]){run->in[0], run->in[1], run->out[0]}, n);
}

static void matrix_enqueue(struct run *run) {
    launch(run, run->kernels[0], 2, run->size, TILE);
}

static bool matrix_verify(struct run *run) {
    size_t n = run->size;
    const float *a = run->input[0], *b = run->input[1];
    float *c = read_back(run, run->out[0], n * n * 4), *row = allocate(n * 4);
    bool ok = true;
    for (size_t y = 0; ok && y < n; y++) {
        memset(row, 0, n * 4);
        for (size_t k = 0; k < n; k++)
            for (size_t x = 0; x < n; x++)
                row[x] += a[y * n + k] * b[k * n + x];
        for (size_t x = 0; ok && x < n; x++)
            ok =
                fabsf(c[y * n + x] - row[x]) <= 1e-4f * row[x] || wrong(run, y * n + x, c[y * n + x], row[x]);
    }
    free(row);
    free(c);
    return ok;
}

const struct job jobs[] = {
    {"tree reduction",
     "GB/s",
     {1 << 16, 1 << 20, 1 << 24},
     reduce_work,
     reduce_start,
     reduce_enqueue,
     reduce_verify},
    {"Hillis-Steele scan",
     "GB/s",
     {1000, 1 << 17, 1 << 22},
     scan_work,
     scan_start_hillis_steele,
     scan_enqueue_hillis_steele,
     scan_verify},
    {"Blelloch scan",
     "GB/s",
     {1000, 1 << 17, 1 << 22},
     scan_work,
     scan_start_blelloch,
     scan_enqueue_blelloch,
     scan_verify},
    {"tiled matrix product",
     "GFLOP/s",
     {64, 256, 1024},
     matrix_work,
     matrix_start,
     matrix_enqueue,
     matrix_verify},
};
const size_t njobs = sizeof jobs / sizeof *jobs;

void run_start(struct run *run, struct host *host, const struct job *job, size_t size) {
    *run = (struct run){.host = host, .job = job, .size = size};
    job->start(run);
}

void run_once(struct run *run) {
    run->job->enqueue(run);
    host_check(clFinish(run->host->queue), "waiting for the kernels");
}

void run_end(struct run *run) {
    for (unsigned i = 0; i < 2 * MAX_LEVELS; i++)
        if (run->kernels[i])
            clReleaseKernel(run->kernels[i]);
    for (unsigned i = 0; i < MAX_LEVELS; i++) {
        if (run->out[i])
            clReleaseMemObject(run->out[i]);
        if (run->sums[i])
            clReleaseMemObject(run->sums[i]);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (run->in[i])
            clReleaseMemObject(run->in[i]);
        free(run->input[i]);
    }
}
