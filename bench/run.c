/* run.c: one test on one implementation: objects, buffers, launches, samples, verification. */
#include "bench.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

const char *const status_names[STATUSES] = {"OK", "WRONG", "SKIP", "ERROR", "CRASH", "HANG"};

bool is_processor_time;

double seconds(void) {
    struct timespec t;
    clock_gettime(is_processor_time ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

_Noreturn void run_end(enum status status, const char *format, ...) {
    char text[400];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    for (char *c = text; *c; c++)
        if (*c == '\n' || *c == '|' || *c == '"' || *c == '\\' || (unsigned char)*c < ' ')
            *c = ' ';
    printf("%s %s|0|0\n", status_names[status], text);
    fflush(stdout);
    _exit(1); /* an implementation's exit handlers must not change the answer */
}

void run_check(cl_int error, const char *what) {
    if (error != CL_SUCCESS)
        run_end(ERROR, "%s: OpenCL error %d", what, error);
}

void run_need(struct run *run, bool has, const char *what) {
    if (run->mode == OPENCL && !has)
        run_end(SKIP, "no %s", what);
}

void run_open(struct run *run) {
    cl_uint n = 0;
    cl_int error;
    if (clGetPlatformIDs(1, &run->platform, &n) != CL_SUCCESS || !n)
        run_end(ERROR, "no OpenCL platform");
    run_check(clGetDeviceIDs(run->platform, CL_DEVICE_TYPE_ALL, 1, &run->device, NULL), "finding a device");
    run->context = clCreateContext(NULL, 1, &run->device, NULL, NULL, &error);
    run_check(error, "creating a context");
    run->queue = clCreateCommandQueueWithProperties(run->context, run->device, NULL, &error);
    run_check(error, "creating a queue");
}

void run_build(struct run *run, const char *source, const char *options) {
    char log[300] = "";
    cl_int error;
    if (run->mode != OPENCL)
        return;
    run->program = clCreateProgramWithSource(run->context, 1, &source, NULL, &error);
    run_check(error, "creating a program");
    error = clBuildProgram(run->program, 1, &run->device, options, NULL, NULL);
    if (error == CL_SUCCESS)
        return;
    size_t size = 0;
    clGetProgramBuildInfo(run->program, run->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size);
    char *all = calloc(1, size + 1);
    clGetProgramBuildInfo(run->program, run->device, CL_PROGRAM_BUILD_LOG, size, all, NULL);
    snprintf(log, sizeof log, "%s", all);
    free(all);
    run_end(ERROR, "building: OpenCL error %d: %s", error, log);
}

/* ---- input ----------------------------------------------------------------------------------------------- */

void *allocate(size_t bytes) {
    size_t size = (bytes + 127) & ~(size_t)63;
    void *p = aligned_alloc(64, size);
    if (!p)
        run_end(ERROR, "out of memory");
    return memset(p, 0, size);
}

static uint32_t next(uint32_t *state) { /* xorshift */
    *state ^= *state << 13;
    *state ^= *state >> 17;
    return *state ^= *state << 5;
}

float *random_floats(size_t n, float low, float high, unsigned seed) {
    float *x = allocate(n * sizeof *x);
    uint32_t state = seed * 2654435761u + 1;
    for (size_t i = 0; i < n; i++)
        x[i] = low + (high - low) * (float)(next(&state) >> 8) * 0x1p-24f;
    return x;
}

uint32_t *random_uints(size_t n, uint32_t limit, unsigned seed) {
    uint32_t *x = allocate(n * sizeof *x), state = seed * 2654435761u + 1;
    for (size_t i = 0; i < n; i++)
        x[i] = limit ? next(&state) % limit : next(&state);
    return x;
}

/* ---- building a run -------------------------------------------------------------------------------------- */

struct buffer *run_buffer(struct run *run, size_t n, size_t size, void *host) {
    struct buffer *b = &run->buffers[run->nbuffers++];
    cl_int error;
    b->size = n * size;
    b->host = host ? host : allocate(b->size);
    if (run->mode != OPENCL)
        return b;
    b->mem = clCreateBuffer(run->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, b->size, b->host, &error);
    run_check(error, "creating a buffer");
    return b;
}

static size_t texel_size(cl_channel_order order, cl_channel_type type) {
    return (order == CL_RGBA ? 4 : 1) * (type == CL_UNORM_INT8 ? 1 : 4);
}

static bool has_format(struct run *run, const cl_image_format *format, cl_mem_object_type type) {
    cl_image_format formats[256];
    cl_bool images = CL_FALSE;
    cl_uint n = 0;
    clGetDeviceInfo(run->device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL);
    if (!images || clGetSupportedImageFormats(run->context, CL_MEM_READ_WRITE, type, 256, formats, &n))
        return false;
    for (cl_uint i = 0; i < n && i < 256; i++)
        if (!memcmp(&formats[i], format, sizeof *format))
            return true;
    return false;
}

struct buffer *run_image(struct run *run, cl_channel_order order, cl_channel_type type, struct dims size,
                         void *host) {
    struct buffer *b = &run->buffers[run->nbuffers++];
    cl_image_format format = {order, type};
    cl_image_desc desc = {.image_type = size.z ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D,
                          .image_width = size.x,
                          .image_height = size.y,
                          .image_depth = size.z ? size.z : 1};
    cl_int error;
    *b = (struct buffer){.extent = {size.x, size.y, desc.image_depth}};
    b->size = size.x * size.y * desc.image_depth * texel_size(order, type);
    b->host = host ? host : allocate(b->size);
    if (run->mode != OPENCL)
        return b;
    run_need(run, has_format(run, &format, desc.image_type), "images of this format");
    b->mem = clCreateImage(run->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &desc, b->host,
                           &error);
    run_check(error, "creating an image");
    return b;
}

cl_sampler run_sampler(struct run *run, bool normalized, cl_addressing_mode address, cl_filter_mode filter) {
    cl_int error;
    if (run->mode != OPENCL)
        return NULL;
    cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          normalized,
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          address,
                                          CL_SAMPLER_FILTER_MODE,
                                          filter,
                                          0};
    cl_sampler sampler = clCreateSamplerWithProperties(run->context, properties, &error);
    run_check(error, "creating a sampler");
    return sampler;
}

cl_kernel run_kernel(struct run *run, const char *name) {
    cl_int error;
    cl_kernel kernel = clCreateKernel(run->program, name, &error);
    run_check(error, name);
    return kernel;
}

static void set_arg(cl_kernel kernel, cl_uint i, char kind, va_list *args) {
    const struct buffer *b;
    cl_sampler s;
    size_t size;
    cl_uint u;
    cl_float f;
    cl_int error = CL_INVALID_ARG_VALUE;
    switch (kind) {
    case 'b':
        b = va_arg(*args, const struct buffer *);
        error = clSetKernelArg(kernel, i, sizeof b->mem, &b->mem);
        break;
    case 's':
        s = va_arg(*args, cl_sampler);
        error = clSetKernelArg(kernel, i, sizeof s, &s);
        break;
    case 'l':
        size = va_arg(*args, size_t);
        error = clSetKernelArg(kernel, i, size, NULL);
        break;
    case 'u':
        u = va_arg(*args, cl_uint);
        error = clSetKernelArg(kernel, i, sizeof u, &u);
        break;
    case 'f':
        f = (cl_float)va_arg(*args, double);
        error = clSetKernelArg(kernel, i, sizeof f, &f);
        break;
    }
    run_check(error, "setting an argument");
}

static void fits(struct run *run, const struct step *step) {
    size_t items = step->local[0] * step->local[1] * step->local[2], limit = 0;
    run_check(clGetKernelWorkGroupInfo(step->kernel, run->device, CL_KERNEL_WORK_GROUP_SIZE, sizeof limit,
                                       &limit, NULL),
              "asking for a kernel's work-group size");
    if (items > limit)
        run_end(SKIP, "work-groups of %zu work-items, the kernel's limit is %zu", items, limit);
}

void run_launch(struct run *run, const char *kernel, struct dims groups, struct dims local, const char *args,
                ...) {
    if (run->mode != OPENCL)
        return;
    if (run->nsteps == MAX_STEPS)
        run_end(ERROR, "more than %d steps", MAX_STEPS);
    struct step *step = &run->steps[run->nsteps++];
    step->kernel = run_kernel(run, kernel);
    step->dims = local.z ? 3 : local.y ? 2 : 1;
    size_t g[3] = {groups.x, groups.y ? groups.y : 1, groups.z ? groups.z : 1};
    size_t l[3] = {local.x, local.y ? local.y : 1, local.z ? local.z : 1};
    for (int d = 0; d < 3; d++)
        step->local[d] = l[d], step->global[d] = g[d] * l[d];
    fits(run, step);
    va_list list;
    va_start(list, args);
    for (cl_uint i = 0; args[i]; i++)
        set_arg(step->kernel, i, args[i], &list);
    va_end(list);
}

void run_copy(struct run *run, const struct buffer *from, const struct buffer *to) {
    if (run->nsteps == MAX_STEPS)
        run_end(ERROR, "more than %d steps", MAX_STEPS);
    run->steps[run->nsteps++] = (struct step){.from = from, .to = to};
}

void run_reset(struct run *run, const struct buffer *from, const struct buffer *to) {
    run->resets[run->nresets++] = (struct step){.from = from, .to = to};
}

void run_expect(struct run *run, const struct buffer *buffer, const void *want, size_t n, double tolerance) {
    run->expectations[run->nexpectations++] = (struct expectation){buffer, want, n, tolerance, -1};
}

void run_expect_bytes(struct run *run, const struct buffer *buffer, const void *want, size_t n,
                      int tolerance) {
    run->expectations[run->nexpectations++] = (struct expectation){buffer, want, n, 0, tolerance};
}

/* ---- running --------------------------------------------------------------------------------------------- */

static const size_t origin[3];

static cl_int copy(cl_command_queue queue, const struct buffer *from, const struct buffer *to) {
    if (from->extent[0] && to->extent[0])
        return clEnqueueCopyImage(queue, from->mem, to->mem, origin, origin, to->extent, 0, NULL, NULL);
    if (from->extent[0])
        return clEnqueueCopyImageToBuffer(queue, from->mem, to->mem, origin, from->extent, 0, 0, NULL, NULL);
    if (to->extent[0])
        return clEnqueueCopyBufferToImage(queue, from->mem, to->mem, 0, origin, to->extent, 0, NULL, NULL);
    return clEnqueueCopyBuffer(queue, from->mem, to->mem, 0, 0, to->size, 0, NULL, NULL);
}

static void do_step(struct run *run, const struct step *step) {
    if (run->mode != OPENCL)
        memcpy(step->to->host, step->from->host, step->to->size);
    else if (step->kernel)
        run_check(clEnqueueNDRangeKernel(run->queue, step->kernel, step->dims, NULL, step->global,
                                         step->local, 0, NULL, NULL),
                  "launching a kernel");
    else
        run_check(copy(run->queue, step->from, step->to), "copying");
}

double run_sample(struct run *run) {
    for (unsigned i = 0; i < run->nresets; i++)
        do_step(run, &run->resets[i]);
    if (run->mode != OPENCL)
        return limit_sample(run);
    if (run->nresets)
        run_check(clFinish(run->queue), "copying");
    if (run->test->sample)
        return run->test->sample(run);
    double start = seconds();
    for (unsigned i = 0; i < run->nsteps; i++)
        do_step(run, &run->steps[i]);
    run_check(clFinish(run->queue), "running");
    return seconds() - start;
}

static void verify_uints(const struct run *run, const struct expectation *e, const uint32_t *got) {
    const uint32_t *want = e->want;
    for (size_t i = 0; i < e->n; i++)
        if (got[i] != want[i])
            run_end(WRONG, "buffer %d, element %zu: 0x%x instead of 0x%x", (int)(e->buffer - run->buffers), i,
                    got[i], want[i]);
}

static void verify_floats(const struct run *run, const struct expectation *e, const float *got) {
    const float *want = e->want;
    for (size_t i = 0; i < e->n; i++)
        if (!(fabs((double)got[i] - want[i]) <= e->tolerance * (1 + fabs((double)want[i]))))
            run_end(WRONG, "buffer %d, element %zu: %.9g instead of %.9g", (int)(e->buffer - run->buffers), i,
                    (double)got[i], (double)want[i]);
}

static void verify_bytes(const struct run *run, const struct expectation *e, const uint8_t *got) {
    const uint8_t *want = e->want;
    for (size_t i = 0; i < e->n; i++)
        if (abs(got[i] - want[i]) > e->byte_tolerance)
            run_end(WRONG, "buffer %d, byte %zu: %d instead of %d", (int)(e->buffer - run->buffers), i,
                    got[i], want[i]);
}

static cl_int read_back(cl_command_queue queue, const struct buffer *b) {
    if (b->extent[0])
        return clEnqueueReadImage(queue, b->mem, CL_TRUE, origin, b->extent, 0, 0, b->host, 0, NULL, NULL);
    return clEnqueueReadBuffer(queue, b->mem, CL_TRUE, 0, b->size, b->host, 0, NULL, NULL);
}

void run_verify(struct run *run) {
    for (unsigned i = 0; i < run->nexpectations; i++) {
        const struct expectation *e = &run->expectations[i];
        if (run->mode == OPENCL)
            run_check(read_back(run->queue, e->buffer), "reading a buffer");
        if (e->byte_tolerance >= 0)
            verify_bytes(run, e, e->buffer->host);
        else if (e->tolerance > 0)
            verify_floats(run, e, e->buffer->host);
        else
            verify_uints(run, e, e->buffer->host);
    }
}
