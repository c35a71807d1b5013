/* case_build.c: from source to the end of the first launch: in a new process without a cache, with a cache, in
 * a running process, and for a work-group size that a built kernel hasn't been launched with. */
#include "bench.h"

#include <unistd.h>

KERNELS(build);
extern const char launch_cl[]; /* of case_launch.c */

static double build_and_launch(struct run *run, unsigned nonce) {
    char options[40];
    cl_uint n = 4096;
    size_t global = 1024, local = 64;
    snprintf(options, sizeof options, "-DNONCE=%uu", nonce);
    double start = seconds();
    run_build(run, build_cl, options);
    cl_kernel kernel = run_kernel(run, "count");
    clSetKernelArg(kernel, 0, sizeof(cl_mem), &run->buffers[0].mem);
    clSetKernelArg(kernel, 1, sizeof(cl_mem), &run->buffers[1].mem);
    clSetKernelArg(kernel, 2, sizeof n, &n);
    run_check(clEnqueueNDRangeKernel(run->queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL),
              "launching");
    run_check(clFinish(run->queue), "running");
    double length = seconds() - start;
    clReleaseKernel(kernel);
    clReleaseProgram(run->program);
    return length;
}

static void setup_build(struct run *run) {
    run_buffer(run, 4096, 4, NULL);
    run_buffer(run, 64, 4, NULL);
}

static double sample_first(struct run *run) {
    return build_and_launch(run, 0);
}

static double sample_new_source(struct run *run) {
    static unsigned nonce;
    if (!nonce)
        nonce = (unsigned)getpid() * 1000;
    return build_and_launch(run, nonce++);
}

/* ---- work-group sizes ------------------------------------------------------------------------------------ */

enum { SIZES = 1000 };

static void setup_size(struct run *run) {
    run_build(run, launch_cl, "");
    struct buffer *out = run_buffer(run, 2 * (SIZES + 16), 4, NULL);
    run_launch(run, "rotate_local", (struct dims){2}, (struct dims){16}, "bl", out, (size_t)(SIZES + 16) * 4);
}

static double sample_size(struct run *run) {
    static size_t size = 16;
    const struct step *s = &run->steps[0];
    const uint32_t *out = run->buffers[0].host;
    size = size < SIZES ? size + 1 : 17;
    size_t global = 2 * size;
    double start = seconds();
    run_check(clEnqueueNDRangeKernel(run->queue, s->kernel, 1, NULL, &global, &size, 0, NULL, NULL),
              "launching");
    run_check(clFinish(run->queue), "running");
    double length = seconds() - start;
    run_check(clEnqueueReadBuffer(run->queue, run->buffers[0].mem, CL_TRUE, 0, global * 4,
                                  run->buffers[0].host, 0, NULL, NULL),
              "reading a buffer");
    for (size_t i = 0; i < global; i++)
        if (out[i] != i / size * size + (i + 1) % size)
            run_end(WRONG, "work-groups of %zu, element %zu: %u", size, i, out[i]);
    return length;
}

TESTS(build, {"build_new_process", setup_build, sample_first, .process = NEW_PROCESS_COLD, .quick = true},
      {"build_cached", setup_build, sample_first, .process = NEW_PROCESS_CACHED, .quick = true},
      {"build_new_source", setup_build, sample_new_source}, {"new_local_size", setup_size, sample_size});
