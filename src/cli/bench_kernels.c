/* bench_kernels.c: the eight kernels of `weir bench`: how they are launched, what they must give, and what they do per run.
 * In: a platform and a kernel's number. Out: its best time, of verified runs. */
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The kernels' text. */
extern const char bench_cl[];
__asm__(".section .rodata\n.globl bench_cl\nbench_cl: .incbin \"src/cli/bench.cl\"\n.byte 0\n.previous");

enum { GROUP = 256, EACH = 16, TILE = 16, BLOCK = 64, ROUNDS = 2000, EXCHANGES = 500, CHAINS = 8 };
enum { VALUES = 1 << 24, SIDE = 4096, ORDER = 768, ITEMS = 1 << 16, GROUPS = 64 }; /* of the inputs */
enum { SECONDS = 400, LEAST = 5 };                                                 /* milliseconds; runs */

struct state {
    struct target target;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel;
    cl_mem in[2], out;
};

static float input(size_t i) {
    return (float)(i * 7 & 1023) * (1.0f / 1024);
}

static cl_mem buffer(struct state *s, size_t floats) {
    cl_int error;
    cl_mem mem = clCreateBuffer(s->target.context, CL_MEM_READ_WRITE, floats * 4, NULL, &error);
    cl_must(error, "creating a buffer");
    return mem;
}

static void launch(struct state *s, cl_kernel kernel, cl_uint dim, const size_t *global,
                   const size_t *local) {
    cl_must(clEnqueueNDRangeKernel(s->queue, kernel, dim, NULL, global, local, 0, NULL, NULL),
            "launching a kernel");
}

static void set(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
    cl_must(clSetKernelArg(kernel, index, size, value), "setting an argument");
}

/* Makes `inputs` inputs, and an output that holds the same, as nothing else would have touched its pages. */
static void make_buffers(struct state *s, unsigned inputs, size_t floats, size_t out) {
    cl_int error;
    cl_kernel fill = clCreateKernel(s->program, "fill", &error);
    cl_must(error, "creating a kernel");
    for (unsigned i = 0; i <= inputs; i++) {
        size_t n = i < inputs ? floats : out;
        cl_mem *mem = i < inputs ? &s->in[i] : &s->out;
        *mem = buffer(s, n);
        set(fill, 0, sizeof *mem, mem);
        launch(s, fill, 1, &n, NULL);
        set(s->kernel, i, sizeof *mem, mem);
    }
    cl_must(clFinish(s->queue), "filling the buffers");
    clReleaseKernel(fill);
}

/* ---- the kernels -------------------------------------------------------------------------------------------- */

static void setup_copy(struct state *s) {
    make_buffers(s, 1, VALUES, VALUES);
}
static double wanted_copy(size_t i) {
    return input(i);
}

static void setup_saxpy(struct state *s) {
    make_buffers(s, 2, VALUES, VALUES);
}
static double wanted_saxpy(size_t i) {
    return 3.5 * input(i);
}

static void setup_reduce(struct state *s) {
    make_buffers(s, 1, VALUES, VALUES / GROUP / EACH);
}
static double wanted_reduce(size_t i) {
    double sum = 0;
    for (size_t k = 0; k < GROUP * EACH; k++)
        sum += input(i * GROUP * EACH + k);
    return sum;
}

enum { PITCH = SIDE + 2 };
static void setup_stencil(struct state *s) {
    const cl_uint pitch = PITCH;
    make_buffers(s, 1, PITCH * PITCH, PITCH * PITCH);
    set(s->kernel, 2, sizeof pitch, &pitch);
}
static double wanted_stencil(size_t i) {
    size_t x = i % PITCH, y = i / PITCH;
    if (x == 0 || y == 0 || x > SIDE || y > SIDE)
        return input(i);
    return 0.5 * input(i) + 0.125 * (input(i - PITCH) + input(i + PITCH) + input(i - 1) + input(i + 1));
}

static void setup_arithmetic(struct state *s) {
    const cl_uint rounds = ROUNDS;
    make_buffers(s, 0, 0, ITEMS);
    set(s->kernel, 1, sizeof rounds, &rounds);
}
static double wanted_arithmetic(size_t i) {
    return 1 - 0.55 * pow(0.999, ROUNDS);
}

static void setup_product(struct state *s) {
    const cl_uint n = ORDER;
    make_buffers(s, 2, ORDER * ORDER, ORDER * ORDER);
    set(s->kernel, 3, sizeof n, &n);
}
static double wanted_product(size_t i) {
    double sum = 0;
    for (size_t k = 0; k < ORDER; k++)
        sum += (double)input(i / ORDER * ORDER + k) * input(k * ORDER + i % ORDER);
    return sum;
}

static void setup_exchange(struct state *s) {
    const cl_uint rounds = EXCHANGES;
    make_buffers(s, 0, 0, (size_t)GROUP * GROUPS);
    set(s->kernel, 1, sizeof rounds, &rounds);
}
static double wanted_exchange(size_t i) {
    static uint32_t x[GROUP], s[GROUP];
    for (uint32_t l = 0; l < GROUP; l++)
        x[l] = (uint32_t)(i / GROUP * GROUP) + l;
    for (int n = 0; n < EXCHANGES; n++) {
        memcpy(s, x, sizeof s);
        for (uint32_t l = 0; l < GROUP; l++)
            x[l] = x[l] * 3 + s[(l + 1) % GROUP];
    }
    return x[i % GROUP];
}

enum { LAUNCH_ROUNDS = 100, LAUNCH_ITEMS = BENCH_LAUNCH_GROUPS * GROUP };
static void setup_launch(struct state *s) {
    const cl_uint rounds = LAUNCH_ROUNDS;
    make_buffers(s, 0, 0, LAUNCH_ITEMS);
    set(s->kernel, 1, sizeof rounds, &rounds);
}
static double wanted_launch(size_t i) {
    return 1 - 0.55 * pow(0.999, LAUNCH_ROUNDS);
}

static const struct spec {
    struct bench_kernel is;
    void (*setup)(struct state *);
    double (*wanted)(size_t i); /* the output's element */
    size_t global[2], local[2];
    size_t out; /* elements of the output */
} specs[BENCH_KERNELS] = {
    {{"copy", "copy", BOUND_MEMORY, 8.0 * VALUES}, setup_copy, wanted_copy, {VALUES / 4}, {GROUP}, VALUES},
    {{"saxpy", "saxpy", BOUND_MEMORY, 12.0 * VALUES}, setup_saxpy, wanted_saxpy, {VALUES}, {GROUP}, VALUES},
    {{"reduce", "reduce", BOUND_MEMORY, 4.0 * VALUES},
     setup_reduce,
     wanted_reduce,
     {VALUES / EACH},
     {GROUP},
     VALUES / GROUP / EACH},
    {{"stencil", "stencil", BOUND_MEMORY, 8.0 * SIDE * SIDE},
     setup_stencil,
     wanted_stencil,
     {SIDE, SIDE},
     {TILE, TILE},
     PITCH * PITCH},
    {{"arithmetic", "arithmetic", BOUND_FLOPS, 2.0 * CHAINS * ROUNDS * ITEMS},
     setup_arithmetic,
     wanted_arithmetic,
     {ITEMS},
     {GROUP},
     ITEMS},
    {{"product", "product", BOUND_FLOPS, 2.0 * ORDER * ORDER * ORDER},
     setup_product,
     wanted_product,
     {ORDER, ORDER / 8},
     {BLOCK, 8},
     ORDER * ORDER},
    {{"exchange", "exchange", BOUND_EXCHANGE, (double)GROUP * GROUPS * EXCHANGES},
     setup_exchange,
     wanted_exchange,
     {GROUP * GROUPS},
     {GROUP},
     GROUP * GROUPS},
    {{"launch", "arithmetic", BOUND_LAUNCH, 1},
     setup_launch,
     wanted_launch,
     {LAUNCH_ITEMS},
     {GROUP},
     LAUNCH_ITEMS},
};

const struct bench_kernel *bench_kernel(unsigned i) {
    return &specs[i].is;
}

/* ---- running ------------------------------------------------------------------------------------------------ */

static void open_state(struct state *s, const char *platform, const struct spec *spec) {
    cl_int error;
    const char *text = bench_cl;
    s->target = target_open(platform);
    target_context(&s->target);
    s->queue = clCreateCommandQueueWithProperties(s->target.context, s->target.device, NULL, &error);
    cl_must(error, "creating a queue");
    s->program = clCreateProgramWithSource(s->target.context, 1, &text, NULL, &error);
    cl_must(error, "creating the program");
    cl_must(clBuildProgram(s->program, 1, &s->target.device, "", NULL, NULL), "building the kernels");
    s->kernel = clCreateKernel(s->program, spec->is.function, &error);
    cl_must(error, "creating the kernel");
    spec->setup(s);
}

static double sample(struct state *s, const struct spec *spec) {
    uint64_t start = time_ns();
    launch(s, s->kernel, spec->global[1] ? 2 : 1, spec->global, spec->local);
    cl_must(clFinish(s->queue), "running the kernel");
    return (double)(time_ns() - start) * 1e-9;
}

/* Some elements all over the output. */
static void verify(struct state *s, const struct spec *spec) {
    float *out = must_alloc(spec->out * 4);
    cl_must(clEnqueueReadBuffer(s->queue, s->out, CL_TRUE, 0, spec->out * 4, out, 0, NULL, NULL),
            "reading the result");
    size_t step = spec->out / 97 + 1;
    for (size_t i = 0; i < spec->out; i += step) {
        double wanted = spec->wanted(i), got = out[i];
        if (spec->is.bound == BOUND_EXCHANGE) { /* no floats */
            uint32_t bits;
            memcpy(&bits, &out[i], sizeof bits);
            got = bits;
        }
        bool right = fabs(wanted - got) <= (spec->is.bound == BOUND_EXCHANGE ? 0 : 1e-3 * (1 + fabs(wanted)));
        if (!right)
            die(EXIT_FAULT, "%s gave a wrong result: element %zu is %g instead of %g", spec->is.name, i, got,
                wanted);
    }
    free(out);
}

double bench_measure(const char *platform, unsigned i) {
    static struct state s;
    double best = INFINITY;
    unsigned runs = 0;
    open_state(&s, platform, &specs[i]);
    sample(&s, &specs[i]);
    verify(&s, &specs[i]);
    for (uint64_t end = time_ns() + (uint64_t)SECONDS * 1000000; runs < LEAST || time_ns() < end; runs++)
        best = fmin(best, sample(&s, &specs[i]));
    verify(&s, &specs[i]);
    return best;
}
