/* case_launch.c: launches, copies, mapping, and graphs of commands in an out-of-order queue. */
#include "bench.h"

#include <string.h>

KERNELS(launch);
enum { PIPELINED = 1000, SMALL_COPIES = 500, SMALL = 256, LARGE = 1 << 20 };

static void setup_launch(struct run *run) {
    run_build(run, launch_cl, "");
    run_launch(run, "empty", (struct dims){run->test->param}, (struct dims){1}, "");
}

static double sample_pipelined(struct run *run) {
    const struct step *s = &run->steps[0];
    double start = seconds();
    for (int i = 0; i < PIPELINED; i++)
        run_check(clEnqueueNDRangeKernel(run->queue, s->kernel, 1, NULL, s->global, s->local, 0, NULL, NULL),
                  "launching a kernel");
    run_check(clFinish(run->queue), "running");
    return (seconds() - start) / PIPELINED;
}

/* ---- copies ---------------------------------------------------------------------------------------------- */

static void setup_copies(struct run *run) {
    size_t n = run->test->param;
    uint32_t *in = random_uints(n / 4, 0, 30);
    struct buffer *from = run_buffer(run, n, 1, in), *to = run_buffer(run, n, 1, NULL);
    run_expect(run, to, in, n / 4, 0);
    run_copy(run, from, to);
    if (n == LARGE)
        run->bytes = 2.0 * n;
}

static double sample_copies(struct run *run) { /* seconds of one small copy */
    const struct step *s = &run->steps[0];
    double start = seconds();
    for (size_t i = 0; i < SMALL_COPIES; i++)
        run_check(clEnqueueCopyBuffer(run->queue, s->from->mem, s->to->mem, i * SMALL, i * SMALL, SMALL, 0,
                                      NULL, NULL),
                  "copying a buffer");
    run_check(clFinish(run->queue), "copying");
    return (seconds() - start) / SMALL_COPIES;
}

/* Both directions between the host's memory and a buffer. */
static double sample_transfer(struct run *run) {
    const struct buffer *from = &run->buffers[0], *to = &run->buffers[1];
    double start = seconds();
    run_check(clEnqueueWriteBuffer(run->queue, to->mem, CL_TRUE, 0, to->size, from->host, 0, NULL, NULL),
              "writing a buffer");
    run_check(clEnqueueReadBuffer(run->queue, to->mem, CL_TRUE, 0, to->size, to->host, 0, NULL, NULL),
              "reading a buffer");
    return seconds() - start;
}

static double sample_map(struct run *run) {
    const struct buffer *from = &run->buffers[0], *to = &run->buffers[1];
    static bool written;
    cl_int error;
    double start = seconds();
    uint32_t *p = clEnqueueMapBuffer(run->queue, to->mem, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, to->size, 0,
                                     NULL, NULL, &error);
    run_check(error, "mapping a buffer");
    if (!written) /* once, for the verification: what is measured is mapping, not writing */
        memcpy(p, from->host, to->size);
    written = true;
    run_check(clEnqueueUnmapMemObject(run->queue, to->mem, p, 0, NULL, NULL), "unmapping a buffer");
    run_check(clFinish(run->queue), "unmapping");
    return seconds() - start;
}

/* ---- graphs ---------------------------------------------------------------------------------------------- */

enum { CHAINS = 8, LINKS = 32, CHAIN_ITEMS = 4096 };
static cl_command_queue unordered;

/* Chains of launches, each on its own buffer; every fourth link also waits for the chain next to it. */
static void setup_graph(struct run *run) {
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue_properties has = 0;
    cl_int error;
    clGetDeviceInfo(run->device, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, sizeof has, &has, NULL);
    run_need(run, has & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, "out-of-order queues");
    unordered = clCreateCommandQueueWithProperties(run->context, run->device, properties, &error);
    run_check(error, "creating an out-of-order queue");
    run_build(run, launch_cl, "");
    uint32_t *want = allocate(CHAIN_ITEMS * 4);
    for (int i = 0; i < CHAIN_ITEMS; i++)
        want[i] = LINKS;
    struct buffer *zeros = run_buffer(run, CHAIN_ITEMS, 4, NULL);
    for (int c = 0; c < CHAINS; c++) {
        struct buffer *b = run_buffer(run, CHAIN_ITEMS, 4, NULL);
        run_launch(run, "add", (struct dims){CHAIN_ITEMS / 64}, (struct dims){64}, "bu", b, 1u);
        if (c < 4) {
            run_reset(run, zeros, b);
            run_expect(run, b, want, CHAIN_ITEMS, 0);
        }
    }
}

static double sample_graph(struct run *run) {
    cl_event last[CHAINS] = {0}, waits[2];
    double start = seconds();
    for (int link = 0; link < LINKS; link++)
        for (int c = 0; c < CHAINS; c++) {
            const struct step *s = &run->steps[c];
            cl_uint n = 0;
            if (last[c])
                waits[n++] = last[c];
            if (link % 4 == 3)
                waits[n++] = last[(c + 1) % CHAINS];
            cl_event done;
            run_check(clEnqueueNDRangeKernel(unordered, s->kernel, 1, NULL, s->global, s->local, n,
                                             n ? waits : NULL, &done),
                      "launching a kernel");
            if (last[c])
                clReleaseEvent(last[c]);
            last[c] = done;
        }
    run_check(clFinish(unordered), "running a graph");
    for (int c = 0; c < CHAINS; c++)
        clReleaseEvent(last[c]);
    return seconds() - start;
}

TESTS(launch, {"launch_1_group", setup_launch, NULL, 1, .quick = true},
      {"launch_1000_groups", setup_launch, NULL, 1000, .quick = true},
      {"launch_pipelined", setup_launch, sample_pipelined, 1, .quick = true},
      {"copy_256B_pipelined", setup_copies, sample_copies, SMALL * SMALL_COPIES},
      {"copy_1MiB", setup_copies, NULL, LARGE, .quick = true},
      {"write_read_1MiB", setup_copies, sample_transfer, LARGE},
      {"map_1MiB", setup_copies, sample_map, LARGE}, {"graph_out_of_order", setup_graph, sample_graph});
