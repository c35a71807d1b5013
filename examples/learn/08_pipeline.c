/* 08: a pipeline: one queue copies the next part in while another one computes on the last; events keep them in order. */
#include "learn.h"

enum { PARTS = 8, N = 1 << 16 };
static const char source[] = "kernel void square(global int *x) {\n"
                             "    size_t i = get_global_id(0);\n"
                             "    x[i] = x[i] * x[i];\n"
                             "}\n";

int main(void) {
    static int in[PARTS][N], out[PARTS][N];
    cl_event written[PARTS], squared[PARTS], read[PARTS];
    cl_int error;
    int is_right = 1;
    for (int i = 0; i < PARTS * N; i++)
        in[i / N][i % N] = i % 1000;
    start();
    cl_command_queue copies = clCreateCommandQueueWithProperties(context, device, NULL, &error);
    must(error, "clCreateCommandQueueWithProperties");
    cl_kernel square = kernel_of(source, "", "square");
    cl_mem both[] = {buffer_of(sizeof in[0], NULL), buffer_of(sizeof in[0], NULL)};
    size_t n = N;
    for (int p = 0; p < PARTS; p++) {
        cl_mem part = both[p % 2];
        /* Its buffer is free when the part before the last one has been read. */
        MUST(clEnqueueWriteBuffer(copies, part, CL_FALSE, 0, sizeof in[p], in[p], p >= 2,
                                  p >= 2 ? &read[p - 2] : NULL, &written[p]));
        argument(square, 0, sizeof part, &part);
        MUST(clEnqueueNDRangeKernel(queue, square, 1, NULL, &n, NULL, 1, &written[p], &squared[p]));
        MUST(clEnqueueReadBuffer(queue, part, CL_FALSE, 0, sizeof out[p], out[p], 1, &squared[p], &read[p]));
        MUST(clFlush(copies)); /* else nobody need begin: the other queue waits for it */
        MUST(clFlush(queue));
    }
    MUST(clWaitForEvents(PARTS, read));
    for (int i = 0; i < PARTS * N; i++)
        is_right &= out[i / N][i % N] == (i % 1000) * (i % 1000);
    return verdict("pipeline", is_right);
}
